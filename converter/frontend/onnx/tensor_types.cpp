#include "converter/frontend/onnx/tensor_types.h"

#include <onnx/onnx_pb.h>

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
  switch (data_type) {
    case TensorProto::FLOAT:
      return DType::kFloat32;
    case TensorProto::FLOAT16:
      return DType::kFloat16;
    case TensorProto::BFLOAT16:
      return DType::kBFloat16;
    case TensorProto::DOUBLE:
      return DType::kFloat64;
    case TensorProto::INT8:
      return DType::kInt8;
    case TensorProto::UINT8:
      return DType::kUInt8;
    case TensorProto::INT16:
      return DType::kInt16;
    case TensorProto::UINT16:
      return DType::kUInt16;
    case TensorProto::INT32:
      return DType::kInt32;
    case TensorProto::UINT32:
      return DType::kUInt32;
    case TensorProto::INT64:
      return DType::kInt64;
    case TensorProto::UINT64:
      return DType::kUInt64;
    case TensorProto::BOOL:
      return DType::kBool;
    default:
      return DType::kUnknown;
  }
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
