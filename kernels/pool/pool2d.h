#pragma once
// Pooling of NHWC images with padding and dilation.

#include <cstdint>

#include "kernels/base/parallel.h"
#include "kernels/pool/pool.h"

namespace micrort {

struct Pool2DParams {
  int64_t batch, in_h, in_w, channels, out_h, out_w;
  int64_t kernel_h, kernel_w;  // > 0, as strides and dilations
  int64_t stride_h, stride_w;
  int64_t dilation_h, dilation_w;
  int64_t pad_top, pad_left, pad_bottom, pad_right;  // >= 0
  bool count_include_pad;  // averages divide by the taps inside the input and its pads, not by those inside
                           // alone
  bool sum = false;        // averages divide by 1
};

// real = scale * (q - zero_point) on both sides of an int8 average.
struct PoolQuantization {
  int32_t in_zero_point;
  int32_t out_zero_point;
  double scale_ratio;                    // input scale / output scale
  Rounding rounding = Rounding::kExact;  // kTflite: both sides have one scale and zero point
};

// The bytes of an element, in and out.
size_t PoolElementBytes(PoolFunction function);

// Windows along one axis; at most 0 if none fits. With ceil_mode a last window may reach past the end padding
// if it starts inside the input or the padding before it.
int64_t PoolOutputSize(int64_t size, int64_t kernel, int64_t stride, int64_t dilation, int64_t pad_begin,
                       int64_t pad_end, bool ceil_mode);

// An int8 average adds at most this many taps without overflow.
constexpr int64_t kMaxPoolTapsS8 = int64_t{1} << 23;

// A float window over all of a large image is pooled in stripes of rows, and then these: threads read what
// they wrote in the layer before, and a stripe with many channels fits into a cache. The stripes, and so the
// bits, do not depend on the number of workers. This is what they need; 0 for other windows.
uint64_t Pool2DScratchBytes(const Pool2DParams& params, PoolFunction function);

// `quantization` matters to kAverageS8 only. Without scratch (null), large windows are pooled in one go.
void RunPool2D(const Pool2DParams& params, const PoolKernel& kernel, const PoolQuantization& quantization,
               const void* in, void* out, void* scratch, const Parallel& parallel);

// The same with everything decided.
struct Pool2DCall {
  Pool2DParams params;
  PoolFunction function;
  PoolQuantization quantization;
  KernelId kernel = KernelId::none;
};

void RunPool2DCall(const Pool2DCall& call, const void* in, void* out, void* scratch,
                   const Parallel& parallel);

}  // namespace micrort
