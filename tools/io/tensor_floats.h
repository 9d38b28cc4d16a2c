#pragma once

#include <vector>

#include "micrort/tensor_view.h"

namespace micrort::io {

// The elements of a tensor as floats: dequantized where it is quantized as a whole, else converted. Integers
// over 2^24 are rounded.
std::vector<float> ToFloats(const TensorView& tensor);

}  // namespace micrort::io
