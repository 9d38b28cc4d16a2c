#pragma once
// From int32 sums to the output of an int8 layer: the numbers kept for each output channel, and their use.

#include <cstddef>
#include <cstdint>

#include "kernels/conv/conv2d_algorithm.h"
#include "kernels/gemm/gemm_s8.h"
#include "kernels/gemm/requantize.h"
#include "kernels/layer_s8/float_output_s8.h"
#include "kernels/layer_s8/input_s8.h"

namespace micrort {

// At the front of packed weights, [out_c] each.
struct ChannelTable {
  float* multipliers;
  int32_t* bias;
  // What the zero point of a row is multiplied by: the sum of each channel's weights. Where weights are
  // asymmetric, what the sum of a row is multiplied by: their zero points.
  int32_t* sums;
  // Only where the layer rounds as TensorFlow Lite does, instead of multipliers; else null.
  int32_t* fixed_multipliers;
  int32_t* shifts;

  ChannelTable(const Conv2DParams& p, void* packed);
  static size_t Bytes(const Conv2DParams& p);  // a multiple of 64
  // After `sums` has been filled with the sums. `x_offset`: what the kernel adds to every element of x.
  void Fill(const Conv2DParams& p, const ConvWeights& weights, int32_t x_offset);
};

// Whether outputs of these types can be computed, by parts (kernels/base/part.h) that the program has.
bool HasEpilogueS8(const LayerTypes& types);
// What an epilogue reads of the plan.
void PlanEpilogueS8(const Conv2DParams& p, CpuFeatures features, ConvPlan* plan);

// Turns tiles of sums into parts of the output.
class EpilogueS8 {
 public:
  // `result`: what the layer's micro-kernel can write.
  EpilogueS8(const Conv2DParams& p, const ConvPlan& plan, const ConvTensors& tensors, GemmS8Result result);

  // [m][n] sums with acc_stride of output pixels from `row` on and channels from `column` on. Rows that are
  // quantized each in its own way bring [m] scales and zero points; where weights are asymmetric, ones and
  // the sums of the rows less their zero point; else null.
  void Finish(const int32_t* acc, size_t acc_stride, size_t m, size_t n, int64_t row, int64_t column,
              const float* row_scales, const int32_t* row_zero_points) const;

  // Whether the micro-kernel may write the layer's outputs, and what these are then.
  bool InMicroKernel() const { return in_micro_kernel_; }
  GemmS8Output Output(int64_t row, int64_t column) const {
    GemmS8Output output = output_;
    output.y += row * p_.out_c + column;
    output.bias += column;
    output.multipliers += column;
    return output;
  }

 private:
  const Conv2DParams& p_;
  RequantizeFn requantize_ = nullptr;  // to int8
  FloatOutputS8 floats_ = {};
  const ConvTensors& tensors_;
  const ChannelTable table_;
  float lo_, hi_;
  float residual_ratio_;
  const bool shifts_right_;
  const bool in_micro_kernel_;
  GemmS8Output output_;  // from the first pixel and channel on
};

}  // namespace micrort
