#include "converter/frontend/tflite/tensor_types.h"

namespace micrort::frontend::tflite {

DType DTypeOf(fb::TensorType type) {
  switch (type) {
    case fb::TensorType::Float32:
      return DType::kFloat32;
    case fb::TensorType::Float16:
      return DType::kFloat16;
    case fb::TensorType::BFloat16:
      return DType::kBFloat16;
    case fb::TensorType::Float64:
      return DType::kFloat64;
    case fb::TensorType::Int4:
    case fb::TensorType::Int8:
      return DType::kInt8;
    case fb::TensorType::UInt8:
      return DType::kUInt8;
    case fb::TensorType::Int16:
      return DType::kInt16;
    case fb::TensorType::UInt16:
      return DType::kUInt16;
    case fb::TensorType::Int32:
      return DType::kInt32;
    case fb::TensorType::UInt32:
      return DType::kUInt32;
    case fb::TensorType::Int64:
      return DType::kInt64;
    case fb::TensorType::UInt64:
      return DType::kUInt64;
    case fb::TensorType::Bool:
      return DType::kBool;
    default:
      return DType::kUnknown;
  }
}

std::string TypeName(fb::TensorType type) {
  const char* name = fb::EnumNameTensorType(type);
  return name[0] == '\0' ? "type " + std::to_string(static_cast<int>(type)) : name;
}

}  // namespace micrort::frontend::tflite
