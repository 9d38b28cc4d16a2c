#pragma once
// Convolution as its definition says. The oracle of tests; also of matrix products, as 1x1 convolutions.

#include <cstdint>

#include "kernels/conv2d/conv2d.h"

namespace micrort::reference {

// The operands in their natural layouts; weights [out_c, kernel_h, kernel_w, in_c / groups].
struct Conv2DOperands {
  const void* x;
  const void* weights;          // float32, or int8 with scales
  const float* scales;          // [out_c], of int8 weights
  const int32_t* zero_points;   // [out_c] or null, of int8 weights
  const float* bias;            // [out_c] or null, of layers whose x is float or was before it was quantized
  const int32_t* integer_bias;  // [out_c] or null, of layers whose x is int8
  const void* residual;         // or null
  void* y;
  const float* slopes = nullptr;  // [out_c] of kPRelu
};

// Float x and weights; sums in double.
void Conv2DF32(const Conv2DParams& p, const Conv2DOperands& o);
// int8 x and weights; y is int8, float or int32. Exact: the same bits as every kernel.
void Conv2DS8(const Conv2DParams& p, const Conv2DOperands& o);

// The epilogue of int8 layers: accumulator (bias and zero points included) to output, each step one float
// operation. `slope`: of kPRelu, 1 for others.
int8_t RequantizeS8(const LayerTypes& types, int32_t acc, float weight_scale, const int8_t* residual,
                    float slope = 1.0f);
float DequantizeS32(const LayerTypes& types, int32_t acc, float weight_scale, float bias,
                    const float* residual, float slope = 1.0f);

// Clip or nothing.
float Clamp(const Activation& activation, float x);

}  // namespace micrort::reference
