#pragma once
// Element types and quantization of a layer with weights: convolution, depthwise convolution, matrix product.

#include <cstdint>

#include "kernels/base/activation.h"
#include "kernels/base/dtype.h"
#include "kernels/base/rounding.h"

namespace micrort {

// Legal combinations of (x, weights, y):
//   - float32, float32 or float16 or int8 or int4, float32: the product turns narrow weights into floats;
//   - float32, int8 or int4, float32 and dynamic: x is quantized as the layer runs, one scale a batch item;
//   - float32, int4, float32 and grouped: x is quantized as the layer runs, one scale a row and group of
//     weights;
//   - float16, float16, float16 or float32: rounded to halves at the end, or computed in half throughout;
//   - int8, int8, int8 or float32;
//   - int8, int8, int32: the sums themselves, without scales, residual or activation;
//   - int16, int8, int16: rounded as TensorFlow Lite does, zero points are 0, without a residual.
// The residual has the type of y. int8 weights have a scale an output channel; zero points of theirs other
// than 0 only where x is int8, and those of int4 where it is float and not
// dynamic.
struct LayerTypes {
  DType x, weights, y;
  bool dynamic;
  bool symmetric;             // the zero points of dynamic inputs are 0
  bool asymmetric;            // some zero point of the weights is not 0, of int4 nor kTurnedInt4
  bool grouped, half_scales;  // half_scales: those of int4 weights are halves, and are packed as such
  Activation activation;
  bool half;  // float16 weights: may multiply, sum up and finish in half where the CPU can
  // Rounding of the output; other than exact only for int8 and int16, without a residual. `float_product`:
  // the scales of x and of the weights are multiplied in float.
  Rounding rounding;
  bool float_product;
  bool narrow_sums;      // of int16 x: sums have 32 bits, and wrap, as their int32 bias; else 64
  int32_t weight_group;  // of int4 weights: so many of a column have one scale; 0: all
  // Per tensor, of those that are int8; 1 and 0 for others.
  float x_scale, y_scale, residual_scale;
  int32_t x_zero_point, y_zero_point, residual_zero_point;

  // Computes in float throughout, from floats.
  bool is_float() const { return x == DType::kFloat32 && !dynamic && !grouped; }
  // Multiplies int8.
  bool is_s8() const { return x == DType::kInt8 || dynamic; }
  // Multiplies int8 by int4.
  bool is_s4() const { return grouped; }
  // Multiplies int16 by int8.
  bool is_s16() const { return x == DType::kInt16; }
};

}  // namespace micrort
