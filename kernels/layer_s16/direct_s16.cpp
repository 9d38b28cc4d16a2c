#include "kernels/layer_s16/direct_s16.h"

#include <algorithm>

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/small_stack.h"
#include "kernels/conv/cost.h"
#include "kernels/layer_s16/dot_s16.h"
#include "kernels/layer_s16/epilogue_s16.h"

namespace micrort {
namespace {

// Channels whose sums are kept before they become outputs.
constexpr int64_t kColumnBlock = kSmallStack ? 16 : 64;

size_t KernelIndex(const ConvTarget& target) { return SelectVariant(DotS16Kernels(), target.features); }

MICRORT_COLD const char* AlgorithmName(const Conv2DParams&, const ConvTarget& target) {
  static constexpr VariantName kAllNames[] = {
#define MICRORT_DOT_S16(name, set) MICRORT_VARIANT(set, {"direct_s16/" #name, isa::set})
#include "kernels/layer_s16/dot_s16.inc"
#undef MICRORT_DOT_S16
  };
  static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
  return kNames[KernelIndex(target)].name;
}

MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  return p.types.is_s16() && p.types.weights == DType::kInt8 && p.types.y == DType::kInt16 &&
         p.types.activation.is_clamp() && p.depth() <= kMaxDepthS16;
}

// Sums of single pixels, whose weights are read anew for each. Of a transposed convolution only taps that
// meet an input pixel count.
MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget&) {
  const auto steps = static_cast<double>(p.transposed ? p.stride_h * p.stride_w : 1);
  return 8.0 * static_cast<double>(p.multiply_adds()) / steps;
}

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams&, const ConvTarget& target) {
  ConvPlan plan;
  plan.kernel = DotS16Kernels()[KernelIndex(target)].id;
  return plan;
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams&, const ConvTarget&, const ConvPlan&) { return 0; }

// The weights are behind the channel table: [tap][channel] where there is one filter a channel, else as they
// came.
MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget&) {
  return ChannelTableS16::Bytes(p) + static_cast<uint64_t>(p.out_c * p.depth());
}

void Pack(const Conv2DParams& p, const ConvTarget&, const ConvWeights& weights, void* packed) {
  ChannelTableS16(p, packed).Fill(p, weights);
  const auto* data = static_cast<const int8_t*>(weights.data);
  int8_t* out = static_cast<int8_t*>(packed) + ChannelTableS16::Bytes(p);
  const bool by_tap = p.is_depthwise();
  for (int64_t o = 0; o < p.out_c; ++o) {
    for (int64_t k = 0; k < p.depth(); ++k) {
      out[by_tap ? k * p.out_c + o : o * p.depth() + k] =
          data[o * weights.column_stride + k * weights.depth_stride];
    }
  }
}

// Where tap `tap` of output pixel `out` lies along one axis; -1: beside the input.
int64_t InputIndex(bool transposed, int64_t out, int64_t tap, int64_t stride, int64_t dilation, int64_t pad,
                   int64_t size) {
  int64_t at = transposed ? out + pad - tap * dilation : out * stride - pad + tap * dilation;
  if (transposed) {
    if (at < 0 || at % stride != 0) return -1;
    at /= stride;
  }
  return at >= 0 && at < size ? at : -1;
}

class Layer {
 public:
  Layer(const Conv2DParams& p, const DotS16Kernel& kernel, const ConvTensors& tensors)
      : p_(p),
        kernel_(kernel),
        epilogue_(p, tensors.packed),
        weights_(static_cast<const int8_t*>(tensors.packed) + ChannelTableS16::Bytes(p)),
        x_(static_cast<const int16_t*>(tensors.x)),
        y_(static_cast<int16_t*>(tensors.y)),
        y_stride_(PixelStride(p, tensors)),
        rows_join_(!p.transposed && p.dilation_w == 1 && p.groups == 1 && !p.is_depthwise()) {}

  void RunRow(int64_t row) const {
    for (int64_t ow = 0; ow < p_.out_w; ++ow) RunPixel(row, ow);
  }

 private:
  void RunPixel(int64_t row, int64_t ow) const {
    const int64_t group_columns = p_.is_depthwise() ? p_.out_c : p_.group_columns();
    int16_t* const y = y_ + (row * p_.out_w + ow) * y_stride_;
    for (int64_t first = 0; first < p_.out_c; first += group_columns) {
      for (int64_t j = 0; j < group_columns; j += kColumnBlock) {
        const int64_t n = std::min(kColumnBlock, group_columns - j), column = first + j;
        int64_t sums[kColumnBlock] = {};
        AddTaps(row, ow, column, n, sums);
        epilogue_.Finish(sums, static_cast<size_t>(n), column, y + column);
      }
    }
  }

  // Of n channels of one group from `column` on.
  void AddTaps(int64_t row, int64_t ow, int64_t column, int64_t n, int64_t* sums) const {
    const int64_t item = row / p_.out_h, oh = row % p_.out_h;
    for (int64_t ky = 0; ky < p_.kernel_h; ++ky) {
      const int64_t iy = InputIndex(p_.transposed, oh, ky, p_.stride_h, p_.dilation_h, p_.pad_top, p_.in_h);
      if (iy < 0) continue;
      const int16_t* const x = x_ + (item * p_.in_h + iy) * p_.in_w * p_.in_c;
      if (rows_join_) {
        AddRow(x, ow, ky, column, n, sums);
      } else {
        AddPixels(x, ow, ky, column, n, sums);
      }
    }
  }

  // A row of taps lies over neighbouring pixels, as their weights lie: it is one long tap.
  void AddRow(const int16_t* x, int64_t ow, int64_t ky, int64_t column, int64_t n, int64_t* sums) const {
    const int64_t left = ow * p_.stride_w - p_.pad_left;
    const int64_t first = std::max<int64_t>(-left, 0), end = std::min(p_.in_w - left, p_.kernel_w);
    if (first >= end) return;
    kernel_.dot(x + (left + first) * p_.in_c,
                weights_ + column * p_.depth() + (ky * p_.kernel_w + first) * p_.in_c,
                static_cast<size_t>(p_.depth()), static_cast<size_t>((end - first) * p_.in_c),
                static_cast<size_t>(n), sums);
  }

  void AddPixels(const int16_t* x, int64_t ow, int64_t ky, int64_t column, int64_t n, int64_t* sums) const {
    for (int64_t kx = 0; kx < p_.kernel_w; ++kx) {
      const int64_t ix = InputIndex(p_.transposed, ow, kx, p_.stride_w, p_.dilation_w, p_.pad_left, p_.in_w);
      if (ix >= 0) AddTap(x + ix * p_.in_c, ky * p_.kernel_w + kx, column, n, sums);
    }
  }

  void AddTap(const int16_t* pixel, int64_t tap, int64_t column, int64_t n, int64_t* sums) const {
    const auto count = static_cast<size_t>(n);
    if (p_.is_depthwise()) {
      kernel_.scale(pixel + column, weights_ + tap * p_.out_c + column, count, sums);
      return;
    }
    const int64_t channels = p_.group_channels();
    kernel_.dot(pixel + column / p_.group_columns() * channels,
                weights_ + column * p_.depth() + tap * channels, static_cast<size_t>(p_.depth()),
                static_cast<size_t>(channels), count, sums);
  }

  const Conv2DParams& p_;
  const DotS16Kernel& kernel_;
  const EpilogueS16 epilogue_;
  const int8_t* weights_;
  const int16_t* x_;
  int16_t* y_;
  const int64_t y_stride_;
  const bool rows_join_;
};

void Run(const Conv2DParams& p, const ConvTarget&, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  const Layer layer(p, VariantOf(DotS16Kernels(), plan.kernel), tensors);
  ParallelFor(parallel, static_cast<size_t>(p.batch * p.out_h),
              [&](size_t row, int) { layer.RunRow(static_cast<int64_t>(row)); });
}

}  // namespace

const Conv2DAlgorithm kDirectS16 = {AlgorithmName, Applicable, Cost, MakePlan, ScratchBytesOf,
                                    PackedBytes,   Pack,       Run,  true,     true};

}  // namespace micrort
