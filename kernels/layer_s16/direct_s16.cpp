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
constexpr int64_t kColumnBlock = kSmallStack ? 32 : 64;

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

// One axis of an image, in numbers that fit into a register: images lie in memory.
struct Axis {
  ptrdiff_t in, stride, dilation, pad;

  Axis(int64_t in_size, int64_t stride_of, int64_t dilation_of, int64_t pad_of)
      : in(static_cast<ptrdiff_t>(in_size)),
        stride(static_cast<ptrdiff_t>(stride_of)),
        dilation(static_cast<ptrdiff_t>(dilation_of)),
        pad(static_cast<ptrdiff_t>(pad_of)) {}

  // Where tap `tap` of output pixel `out` lies; -1: beside the input.
  ptrdiff_t InputIndex(bool transposed, ptrdiff_t out, ptrdiff_t tap) const {
    ptrdiff_t at = transposed ? out + pad - tap * dilation : out * stride - pad + tap * dilation;
    if (transposed) {
      if (at < 0 || at % stride != 0) return -1;
      at /= stride;
    }
    return at >= 0 && at < in ? at : -1;
  }
};

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
        channels_(static_cast<ptrdiff_t>(p.group_channels())),
        depth_(static_cast<ptrdiff_t>(p.depth())),
        in_c_(static_cast<ptrdiff_t>(p.in_c)),
        kernel_w_(static_cast<ptrdiff_t>(p.kernel_w)),
        rows_(p.in_h, p.stride_h, p.dilation_h, p.pad_top),
        columns_(p.in_w, p.stride_w, p.dilation_w, p.pad_left),
        are_adjacent_(!p.transposed && p.dilation_w == 1),
        rows_join_(are_adjacent_ && p.groups == 1 && !p.is_depthwise()) {}

  // Pairs of output pixels, one above the other: these read the same taps, but at the first and last rows.
  void RunRows(int64_t row) const {
    for (int64_t ow = 0; ow < p_.out_w; ++ow) {
      const Pixel pair[kPair] = {PixelAt(row, ow), PixelAt(row + 1, ow)};
      RunPixels(pair, kPair);
    }
  }
  // Pairs side by side.
  void RunRow(int64_t row) const {
    for (int64_t ow = 0; ow < p_.out_w; ow += kPair) {
      const bool is_last = ow + 1 == p_.out_w;
      const Pixel pair[kPair] = {PixelAt(row, ow), PixelAt(row, is_last ? ow : ow + 1)};
      RunPixels(pair, is_last ? 1 : kPair);
    }
  }

 private:
  static constexpr size_t kPair = 2;

  struct Pixel {
    const int16_t* image;  // that it reads
    ptrdiff_t oh, ow;
    int16_t* y;
  };
  // Some of one group, whose input begins at `channel`.
  struct Columns {
    int64_t first, channel;
    size_t n;
  };
  // Those of a pair of pixels; nothing yet if `are_empty`.
  struct Sums {
    int64_t of[kPair][kColumnBlock];
    bool are_empty = true;
  };

  // Taps side by side that a pixel reads, from tap `first` of a filter on; null: beside the input.
  struct Run {
    const int16_t* x = nullptr;
    ptrdiff_t first = 0, taps = 0;
  };

  Pixel PixelAt(int64_t row, int64_t ow) const {
    const int64_t image = p_.batch == 1 ? 0 : row / p_.out_h;
    return {x_ + image * p_.in_h * p_.in_w * p_.in_c, static_cast<ptrdiff_t>(row - image * p_.out_h),
            static_cast<ptrdiff_t>(ow), y_ + (row * p_.out_w + ow) * y_stride_};
  }

  void RunPixels(const Pixel* pixels, size_t count) const {
    if (p_.is_depthwise()) {
      for (size_t i = 0; i < count; ++i) RunChannels(pixels[i]);
      return;
    }
    const int64_t group_columns = p_.group_columns();
    for (int64_t first = 0, channel = 0; first < p_.out_c; first += group_columns, channel += channels_) {
      for (int64_t j = 0; j < group_columns; j += kColumnBlock) {
        const Columns columns = {first + j, channel,
                                 static_cast<size_t>(std::min(kColumnBlock, group_columns - j))};
        Sums sums;
        for (ptrdiff_t ky = 0; ky < p_.kernel_h; ++ky) AddRow(pixels, count, ky, columns, &sums);
        if (sums.are_empty) Clear(columns.n, &sums);
        for (size_t i = 0; i < count; ++i)
          epilogue_.Finish(sums.of[i], columns.n, columns.first, pixels[i].y + columns.first);
      }
    }
  }

  // Layers of one filter a channel.
  void RunChannels(const Pixel& pixel) const {
    for (int64_t column = 0; column < p_.out_c; column += kColumnBlock) {
      const auto n = static_cast<size_t>(std::min(kColumnBlock, p_.out_c - column));
      int64_t sums[kColumnBlock];
      for (size_t j = 0; j < n; ++j) sums[j] = 0;
      AddChannels(pixel, column, n, sums);
      epilogue_.Finish(sums, n, column, pixel.y + column);
    }
  }

  static void Clear(size_t n, Sums* sums) {
    for (size_t j = 0; j < n; ++j) sums->of[0][j] = sums->of[1][j] = 0;
    sums->are_empty = false;
  }

  // A row of taps lies over neighbouring pixels, as their weights lie: it is one run, mostly.
  void AddRow(const Pixel* pixels, size_t count, ptrdiff_t ky, const Columns& columns, Sums* sums) const {
    for (ptrdiff_t kx = 0; kx < (rows_join_ ? 1 : kernel_w_); ++kx) {
      Run runs[kPair];
      for (size_t i = 0; i < count; ++i)
        runs[i] = rows_join_ ? RowOf(pixels[i], ky) : TapOf(pixels[i], ky, kx);
      AddRuns(runs, count, columns, sums);
    }
  }

  const int16_t* InputRow(const Pixel& pixel, ptrdiff_t ky) const {
    const ptrdiff_t iy = rows_.InputIndex(p_.transposed, pixel.oh, ky);
    return iy < 0 ? nullptr : pixel.image + iy * columns_.in * in_c_;
  }

  Run RowOf(const Pixel& pixel, ptrdiff_t ky) const {
    const int16_t* const row = InputRow(pixel, ky);
    const ptrdiff_t left = pixel.ow * columns_.stride - columns_.pad;
    const ptrdiff_t first = std::max<ptrdiff_t>(-left, 0), end = std::min(columns_.in - left, kernel_w_);
    if (row == nullptr || first >= end) return {};
    return {row + (left + first) * in_c_, ky * kernel_w_ + first, end - first};
  }

  Run TapOf(const Pixel& pixel, ptrdiff_t ky, ptrdiff_t kx) const {
    const int16_t* const row = InputRow(pixel, ky);
    const ptrdiff_t ix = columns_.InputIndex(p_.transposed, pixel.ow, kx);
    if (row == nullptr || ix < 0) return {};
    return {row + ix * in_c_, ky * kernel_w_ + kx, 1};
  }

  // Two pixels share the weights where they read the same taps.
  void AddRuns(const Run* runs, size_t count, const Columns& columns, Sums* sums) const {
    const auto depth = static_cast<size_t>(depth_);
    const int8_t* const w = weights_ + static_cast<ptrdiff_t>(columns.first) * depth_;
    const bool are_alike = count == kPair && runs[0].x != nullptr && runs[1].x != nullptr &&
                           runs[0].first == runs[1].first && runs[0].taps == runs[1].taps;
    if (are_alike) {
      kernel_.dot_pair({{runs[0].x + columns.channel, runs[1].x + columns.channel},
                        w + runs[0].first * channels_,
                        depth,
                        static_cast<size_t>(runs[0].taps * channels_),
                        columns.n,
                        {sums->of[0], sums->of[1]},
                        sums->are_empty});
      sums->are_empty = false;
      return;
    }
    for (size_t i = 0; i < count; ++i) {
      if (runs[i].x == nullptr) continue;
      if (sums->are_empty) Clear(columns.n, sums);
      kernel_.dot(runs[i].x + columns.channel, w + runs[i].first * channels_, depth,
                  static_cast<size_t>(runs[i].taps * channels_), columns.n, sums->of[i]);
    }
  }

  void AddChannels(const Pixel& pixel, int64_t column, size_t n, int64_t* sums) const {
    TapS16 taps[kMaxTapsS16];
    size_t count = 0;
    const int8_t* const w = weights_ + column;
    for (ptrdiff_t ky = 0; ky < p_.kernel_h; ++ky) {
      for (ptrdiff_t kx = 0; kx < (are_adjacent_ ? 1 : kernel_w_); ++kx) {
        const Run run = are_adjacent_ ? RowOf(pixel, ky) : TapOf(pixel, ky, kx);
        for (ptrdiff_t t = 0; t < run.taps; ++t) {
          taps[count] = {run.x + t * in_c_ + column, w + (run.first + t) * p_.out_c};
          if (++count < kMaxTapsS16) continue;
          kernel_.taps(taps, count, n, sums);
          count = 0;
        }
      }
    }
    kernel_.taps(taps, count, n, sums);
  }

  const Conv2DParams& p_;
  const DotS16Kernel& kernel_;
  const EpilogueS16 epilogue_;
  const int8_t* weights_;
  const int16_t* x_;
  int16_t* y_;
  const int64_t y_stride_;
  const ptrdiff_t channels_, depth_;  // of a group; of a sum
  const ptrdiff_t in_c_, kernel_w_;
  const Axis rows_, columns_;
  const bool are_adjacent_;  // the taps of a row read neighbouring pixels
  const bool rows_join_;     // and neighbouring weights
};

void Run(const Conv2DParams& p, const ConvTarget&, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  const Layer layer(p, VariantOf(DotS16Kernels(), plan.kernel), tensors);
  const int64_t rows = p.batch * p.out_h;
  ParallelFor(parallel, static_cast<size_t>((rows + 1) / 2), [&](size_t task, int) {
    const int64_t row = 2 * static_cast<int64_t>(task);
    row + 1 < rows ? layer.RunRows(row) : layer.RunRow(row);
  });
}

}  // namespace

const Conv2DAlgorithm kDirectS16 = {AlgorithmName, Applicable, Cost, MakePlan, ScratchBytesOf,
                                    PackedBytes,   Pack,       Run,  true,     true};

}  // namespace micrort
