#include "converter/frontend/onnx/tensor_types.h"

#include <onnx/onnx_pb.h>

#include <iterator>

namespace micrort::frontend::onnx {

namespace {

using ::onnx::TensorProto;

// Types of later versions of ONNX than the one whose headers we build with.
constexpr int kUInt4 = 21;
constexpr int kInt4 = 22;
constexpr const char* kLaterNames[] = {"FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ",
                                       "UINT4",        "INT4",           "FLOAT4E2M1", "FLOAT8E8M0"};
constexpr int kFirstLater = 17;

}  // namespace

DType DTypeOfOnnx(int64_t data_type) {
  // From UNDEFINED to BFLOAT16, as TensorProto::DataType counts them; unknown are strings and complex
  // numbers.
  constexpr DType kTypes[] = {
      DType::kUnknown, DType::kFloat32, DType::kUInt8,   DType::kInt8,    DType::kUInt16,  DType::kInt16,
      DType::kInt32,   DType::kInt64,   DType::kUnknown, DType::kBool,    DType::kFloat16, DType::kFloat64,
      DType::kUInt32,  DType::kUInt64,  DType::kUnknown, DType::kUnknown, DType::kBFloat16};
  static_assert(std::size(kTypes) == TensorProto::BFLOAT16 + 1);
  return data_type >= 0 && data_type <= TensorProto::BFLOAT16 ? kTypes[data_type] : DType::kUnknown;
}

StoredType StoredTypeOfOnnx(int data_type) {
  if (data_type == kInt4) return {DType::kInt8, 4};
  if (data_type == kUInt4) return {DType::kUInt8, 4};
  const DType dtype = DTypeOfOnnx(data_type);
  return {dtype, static_cast<int>(SizeOf(dtype)) * 8};
}

std::string OnnxTypeName(int64_t data_type) {
  constexpr int64_t kEnd = kFirstLater + static_cast<int64_t>(std::size(kLaterNames));
  if (data_type >= kFirstLater && data_type < kEnd) return kLaterNames[data_type - kFirstLater];
  const auto type = static_cast<int>(data_type);
  if (type != data_type || !::onnx::TensorProto_DataType_IsValid(type)) return std::to_string(data_type);
  return ::onnx::TensorProto_DataType_Name(static_cast<::onnx::TensorProto_DataType>(type));
}

}  // namespace micrort::frontend::onnx
