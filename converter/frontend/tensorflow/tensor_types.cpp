#include "converter/frontend/tensorflow/tensor_types.h"

#include <iterator>

namespace micrort::frontend::tensorflow {

namespace {

// A reference to a type is that many above it.
constexpr int kReference = 100;

}  // namespace

DType DTypeOfTensorflow(::tensorflow::DataType type) {
  // From DT_INVALID to DT_UINT64. Quantized integers are integers; unknown are strings, complex numbers and
  // handles.
  constexpr DType kTypes[] = {
      DType::kUnknown, DType::kFloat32, DType::kFloat64,  DType::kInt32,   DType::kUInt8,  DType::kInt16,
      DType::kInt8,    DType::kUnknown, DType::kUnknown,  DType::kInt64,   DType::kBool,   DType::kInt8,
      DType::kUInt8,   DType::kInt32,   DType::kBFloat16, DType::kInt16,   DType::kUInt16, DType::kUInt16,
      DType::kUnknown, DType::kFloat16, DType::kUnknown,  DType::kUnknown, DType::kUInt32, DType::kUInt64};
  static_assert(std::size(kTypes) == ::tensorflow::DT_UINT64 + 1);
  const int plain = type > kReference ? type - kReference : type;
  return plain >= 0 && plain <= ::tensorflow::DT_UINT64 ? kTypes[plain] : DType::kUnknown;
}

std::string TypeName(::tensorflow::DataType type) {
  const std::string& name = ::tensorflow::DataType_Name(type);
  return name.empty() ? "type " + std::to_string(static_cast<int>(type)) : name;
}

}  // namespace micrort::frontend::tensorflow
