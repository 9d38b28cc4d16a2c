#pragma once
// 2-D convolution over NHWC images, and with it matrix product (a 1x1 convolution): the parameters, and what
// an algorithm is. kernels/conv2d/conv2d.h has the list of algorithms and the choice among them.
//
//   x        [batch, in_h, in_w, in_c]
//   weights  out_c columns of depth() = kernel_h * kernel_w * in_c / groups elements, in that order
//   y        [batch, out_h, out_w, out_c], also the shape of the residual
//   y = activation(conv(x) + bias + residual)
// kPRelu has a slope for each channel of y.

#include <cstddef>
#include <cstdint>

#include "kernels/base/conv_plan.h"
#include "kernels/base/cpu_features.h"
#include "kernels/base/int4.h"
#include "kernels/base/layer_types.h"
#include "kernels/base/parallel.h"

namespace micrort {

// All dimensions, strides, dilations and groups are > 0 and groups divides in_c and out_c, except that batch,
// in_h, in_w, out_h and out_w may be 0.
struct Conv2DParams {
  int64_t batch, in_h, in_w, in_c;
  int64_t out_h, out_w, out_c;
  int64_t kernel_h, kernel_w;
  int64_t stride_h, stride_w;
  int64_t dilation_h, dilation_w;
  int64_t pad_top, pad_left;
  int64_t groups;
  // Tap t of output pixel o lies at input pixel i where o * stride - pad + t * dilation = i; in a transposed
  // convolution where i * stride - pad + t * dilation = o, if there is such an i.
  bool transposed;

  LayerTypes types;

  int64_t rows() const { return batch * out_h * out_w; }
  int64_t taps() const { return kernel_h * kernel_w; }
  int64_t group_channels() const { return in_c / groups; }
  int64_t group_columns() const { return out_c / groups; }
  int64_t depth() const { return taps() * group_channels(); }
  int64_t multiply_adds() const { return rows() * out_c * depth(); }
  // One filter a channel.
  bool is_depthwise() const { return groups == in_c && out_c == in_c; }
  // Every output pixel reads just the input pixel of the same index.
  bool is_pointwise() const {
    return taps() == 1 && stride_h == 1 && stride_w == 1 && pad_top == 0 && pad_left == 0 && in_h == out_h &&
           in_w == out_w;
  }
};

// What sizes and choices depend on beside the layer itself.
struct ConvTarget {
  CpuFeatures features;
  int workers;
};

// Element k of column o is data[o * column_stride + k * depth_stride]; int4 elements, whose depth_stride is
// 1, are counted one by one.
struct ConvWeights {
  const void* data;
  int64_t column_stride, depth_stride;  // elements
  const float* scales;  // of int8 weights: [out_c] with scale_stride 1, or one with 0; else null
  Int4Grid grid;        // of int4 weights: those of column o start at o * scale_stride
  int64_t scale_stride;
  const int32_t* bias;         // of int8 layers that are not dynamic: [out_c] at x_scale * scales[o], or null
  const int32_t* zero_points;  // of int8 weights: as scales; null: all 0
  int64_t group = 0;           // of int4: so many elements of a column have one scale; 0: all
  // [taps] which of the taps in `data` those of the layer are; null: the same. For implicit GEMM and
  // Winograd.
  const int64_t* taps = nullptr;
  const int64_t* wide_bias = nullptr;  // of int16 layers whose sums have 64 bits, as `bias`
};

struct ConvTensors {
  const void* x;
  const void* packed;    // what `pack` wrote
  const float* bias;     // of float and dynamic layers: [out_c], or null
  const void* residual;  // or null; may be y itself
  void* y;
  void* scratch;  // aligned to 64 bytes
  // Elements from pixel to pixel of y; 0: out_c. Other ones for algorithms with strided_output, and without a
  // residual.
  int64_t y_stride = 0;
  const float* slopes = nullptr;  // [out_c] of kPRelu, else null
};

struct Conv2DAlgorithm {
  // The name of algorithm and micro-kernel, in static storage; it distinguishes what `pack` writes for one
  // layer.
  const char* (*name)(const Conv2DParams& p, const ConvTarget& target);
  bool (*applicable)(const Conv2DParams& p);
  double (*cost)(const Conv2DParams& p, const ConvTarget& target);  // see cost.h
  ConvPlan (*plan)(const Conv2DParams& p, const ConvTarget& target);
  // The scratch of a run by a plan that was made for the target and for as many rows or more.
  uint64_t (*scratch_bytes)(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan);
  uint64_t (*packed_bytes)(const Conv2DParams& p, const ConvTarget& target);
  void (*pack)(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed);
  // parallel.workers() <= target.workers. The result does not depend on the number of workers.
  void (*run)(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
              const ConvTensors& tensors, const Parallel& parallel);
  // Whether neither packed weights nor the bits of an output depend on how many rows the image has, so that
  // stripes of rows may be computed as layers of their own (kernels/conv_call/conv_chain.h).
  bool by_rows = false;
  // Whether pixels of y may lie further apart than out_c elements, as where y is a part of a concatenation.
  bool strided_output = false;
  // Those without which it has no micro-kernel.
  CpuFeatures features = kCpuScalar;
};

// The scratch of a run as planned.
inline uint64_t ScratchBytes(const Conv2DAlgorithm& algorithm, const Conv2DParams& p,
                             const ConvTarget& target) {
  return algorithm.scratch_bytes(p, target, algorithm.plan(p, target));
}

inline int64_t PixelStride(const Conv2DParams& p, const ConvTensors& tensors) {
  return tensors.y_stride == 0 ? p.out_c : tensors.y_stride;
}

}  // namespace micrort
