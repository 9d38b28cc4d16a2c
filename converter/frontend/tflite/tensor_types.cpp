#include "converter/frontend/tflite/tensor_types.h"

#include <iterator>

namespace micrort::frontend::tflite {

DType DTypeOf(fb::TensorType type) {
  // From Float32 to BFloat16. Integers of 4 bits are read as int8; unknown are strings, complex numbers and
  // handles.
  constexpr DType kTypes[] = {DType::kFloat32, DType::kFloat16, DType::kInt32,   DType::kUInt8,
                              DType::kInt64,   DType::kUnknown, DType::kBool,    DType::kInt16,
                              DType::kUnknown, DType::kInt8,    DType::kFloat64, DType::kUnknown,
                              DType::kUInt64,  DType::kUnknown, DType::kUnknown, DType::kUInt32,
                              DType::kUInt16,  DType::kInt8,    DType::kBFloat16};
  static_assert(std::size(kTypes) == static_cast<size_t>(fb::TensorType::MAX) + 1);
  return type >= fb::TensorType::MIN && type <= fb::TensorType::MAX ? kTypes[static_cast<int>(type)]
                                                                    : DType::kUnknown;
}

std::string TypeName(fb::TensorType type) {
  const char* name = fb::EnumNameTensorType(type);
  return name[0] == '\0' ? "type " + std::to_string(static_cast<int>(type)) : name;
}

}  // namespace micrort::frontend::tflite
