#pragma once
// From an element type known as the program runs to one known as it is compiled.

#include "kernels/base/dtype.h"
#include "kernels/elementwise/convert_element.h"

namespace micrort {

template <typename T>
struct ElementTag {
  using Type = T;
};

// Calls f(ElementTag<T>()) with the C++ type of the elements: Half, BFloat16 and Bool stand for what C++ does
// not have. Does nothing for kUnknown and kInt4.
template <typename Function>
void WithElementType(DType dtype, Function&& f) {
  switch (dtype) {
    case DType::kFloat32:
      return f(ElementTag<float>());
    case DType::kFloat16:
      return f(ElementTag<Half>());
    case DType::kBFloat16:
      return f(ElementTag<BFloat16>());
    case DType::kFloat64:
      return f(ElementTag<double>());
    case DType::kInt8:
      return f(ElementTag<int8_t>());
    case DType::kUInt8:
      return f(ElementTag<uint8_t>());
    case DType::kInt16:
      return f(ElementTag<int16_t>());
    case DType::kUInt16:
      return f(ElementTag<uint16_t>());
    case DType::kInt32:
      return f(ElementTag<int32_t>());
    case DType::kUInt32:
      return f(ElementTag<uint32_t>());
    case DType::kInt64:
      return f(ElementTag<int64_t>());
    case DType::kUInt64:
      return f(ElementTag<uint64_t>());
    case DType::kBool:
      return f(ElementTag<Bool>());
    case DType::kUnknown:
    case DType::kInt4:
      return;
  }
}

}  // namespace micrort
