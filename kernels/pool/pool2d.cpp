#include "kernels/pool/pool2d.h"

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "kernels/base/dcheck.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/task_sizes.h"

namespace micrort {

namespace {

// Where rows are too few, a task has some of the channels: whole cache lines, and few tasks, because each
// reads all pixels.
constexpr int64_t kLeastChannels = 64;
constexpr int64_t kChannelTasksPerWorker = 2;
constexpr int64_t kStripes = 8;

// The taps start + i * dilation that lie in [low, high).
struct Taps {
  int64_t first;  // i of the first of them
  int64_t count;
};
Taps ClipTaps(int64_t start, int64_t kernel, int64_t dilation, int64_t low, int64_t high) {
  const int64_t first = start >= low ? 0 : CeilDiv(low - start, dilation);
  const int64_t end = start >= high ? 0 : std::min(kernel, CeilDiv(high - start, dilation));
  return {first, std::max<int64_t>(end - first, 0)};
}

class Pooling {
 public:
  Pooling(const Pool2DParams& params, const PoolKernel& kernel, const PoolQuantization& quantization,
          const void* in, void* out)
      : p_(params),
        kernel_(kernel),
        quantization_(quantization),
        element_(static_cast<int64_t>(PoolElementBytes(kernel.function))),
        in_(static_cast<const uint8_t*>(in)),
        out_(static_cast<uint8_t*>(out)) {
    // Output columns [inner_begin_, inner_end_) see no padding.
    const int64_t last_start = p_.in_w - 1 - (p_.kernel_w - 1) * p_.dilation_w + p_.pad_left;
    inner_begin_ = std::min(CeilDiv(p_.pad_left, p_.stride_w), p_.out_w);
    inner_end_ = last_start < 0 ? 0 : last_start / p_.stride_w + 1;
    inner_end_ = std::clamp(inner_end_, inner_begin_, p_.out_w);
  }

  // Row `row` of batch * out_h, channels [begin, end).
  void RunRow(int64_t row, int64_t begin, int64_t end) const {
    for (int64_t ow = 0; ow < inner_begin_; ++ow) RunWindows(row, ow, 1, begin, end);
    if (inner_begin_ < inner_end_) RunWindows(row, inner_begin_, inner_end_ - inner_begin_, begin, end);
    for (int64_t ow = inner_end_; ow < p_.out_w; ++ow) RunWindows(row, ow, 1, begin, end);
  }

 private:
  // `count` windows from column `ow` on, which differ only in their place.
  void RunWindows(int64_t row, int64_t ow, int64_t count, int64_t begin, int64_t end) const {
    const int64_t top = row % p_.out_h * p_.stride_h - p_.pad_top;
    const int64_t left = ow * p_.stride_w - p_.pad_left;
    const Taps rows = ClipTaps(top, p_.kernel_h, p_.dilation_h, 0, p_.in_h);
    const Taps cols = ClipTaps(left, p_.kernel_w, p_.dilation_w, 0, p_.in_w);
    const bool empty = rows.count == 0 || cols.count == 0;
    const int64_t y = empty ? 0 : row / p_.out_h * p_.in_h + top + rows.first * p_.dilation_h;
    const int64_t x = empty ? 0 : left + cols.first * p_.dilation_w;
    const int64_t pixel = p_.channels * element_;

    PoolWindows w = {};
    w.first = in_ + (y * p_.in_w + x) * pixel + begin * element_;
    w.rows = static_cast<size_t>(rows.count);
    w.cols = static_cast<size_t>(cols.count);
    w.row_stride = static_cast<ptrdiff_t>(p_.dilation_h * p_.in_w * pixel);
    w.col_stride = static_cast<ptrdiff_t>(p_.dilation_w * pixel);
    w.count = static_cast<size_t>(count);
    w.window_stride = static_cast<ptrdiff_t>(p_.stride_w * pixel);
    w.channels = static_cast<size_t>(end - begin);
    w.out = out_ + (row * p_.out_w + ow) * pixel + begin * element_;
    w.out_stride = static_cast<ptrdiff_t>(pixel);

    const int64_t divisor = std::max<int64_t>(1, Divisor(top, left, rows.count * cols.count));
    w.divisor = static_cast<float>(divisor);
    w.zero_point_sum = static_cast<int32_t>(rows.count * cols.count * quantization_.in_zero_point);
    w.multiplier = static_cast<float>(quantization_.scale_ratio / static_cast<double>(divisor));
    w.out_zero_point = quantization_.out_zero_point;
    w.rounding = quantization_.rounding;
    kernel_.run(w);
  }

  int64_t Divisor(int64_t top, int64_t left, int64_t taps_inside) const {
    if (p_.sum) return 1;
    if (!p_.count_include_pad) return taps_inside;
    return ClipTaps(top, p_.kernel_h, p_.dilation_h, -p_.pad_top, p_.in_h + p_.pad_bottom).count *
           ClipTaps(left, p_.kernel_w, p_.dilation_w, -p_.pad_left, p_.in_w + p_.pad_right).count;
  }

  const Pool2DParams& p_;
  const PoolKernel& kernel_;
  const PoolQuantization& quantization_;
  const int64_t element_;
  const uint8_t* in_;
  uint8_t* out_;
  int64_t inner_begin_, inner_end_;
};

// One window over one float image and no pads.
PoolWindows WholeImage(const Pool2DParams& p, const void* in, int64_t rows, int64_t cols, void* out) {
  const int64_t pixel = p.channels * static_cast<int64_t>(sizeof(float));
  PoolWindows w = {};
  w.first = in;
  w.rows = static_cast<size_t>(rows);
  w.cols = static_cast<size_t>(cols);
  w.row_stride = static_cast<ptrdiff_t>(cols * pixel);
  w.col_stride = static_cast<ptrdiff_t>(pixel);
  w.count = 1;
  w.channels = static_cast<size_t>(p.channels);
  w.out = out;
  w.divisor = 1;
  return w;
}

void RunInStripes(const Pool2DParams& p, const PoolKernel& kernel, const float* in, float* out,
                  float* stripes, const Parallel& parallel) {
  ParallelFor(parallel, static_cast<size_t>(p.batch * kStripes), [&](size_t tile, int) {
    const int64_t image = static_cast<int64_t>(tile) / kStripes,
                  stripe = static_cast<int64_t>(tile) % kStripes;
    const int64_t first = p.in_h * stripe / kStripes, end = p.in_h * (stripe + 1) / kStripes;
    const float* rows = in + (image * p.in_h + first) * p.in_w * p.channels;
    kernel.run(WholeImage(p, rows, end - first, p.in_w, stripes + static_cast<int64_t>(tile) * p.channels));
  });
  for (int64_t image = 0; image < p.batch; ++image) {
    PoolWindows w =
        WholeImage(p, stripes + image * kStripes * p.channels, kStripes, 1, out + image * p.channels);
    w.divisor = p.sum ? 1.0f : static_cast<float>(p.in_h * p.in_w);
    kernel.run(w);
  }
}

}  // namespace

size_t PoolElementBytes(PoolFunction function) {
  switch (function) {
    case PoolFunction::kMaxF32:
    case PoolFunction::kAverageF32:
      return sizeof(float);
    case PoolFunction::kMaxF16:
    case PoolFunction::kAverageF16:
    case PoolFunction::kMaxS16:
    case PoolFunction::kAverageS16:
      return sizeof(uint16_t);
    default:
      return 1;
  }
}

uint64_t Pool2DScratchBytes(const Pool2DParams& p, PoolFunction function) {
  const bool is_float = function == PoolFunction::kAverageF32 || function == PoolFunction::kMaxF32;
  const bool has_pads = p.pad_top != 0 || p.pad_left != 0 || p.pad_bottom != 0 || p.pad_right != 0;
  const bool is_whole =
      p.kernel_h == p.in_h && p.kernel_w == p.in_w && !has_pads && p.dilation_h == 1 && p.dilation_w == 1;
  if (!is_float || !is_whole || p.in_h < kStripes ||
      p.in_h * p.in_w * p.channels < kStripes * kTaskPoolTaps / 2) {
    return 0;
  }
  return static_cast<uint64_t>(p.batch * kStripes * p.channels) * sizeof(float);
}

int64_t PoolOutputSize(int64_t size, int64_t kernel, int64_t stride, int64_t dilation, int64_t pad_begin,
                       int64_t pad_end, bool ceil_mode) {
  const int64_t slack = size + pad_begin + pad_end - (dilation * (kernel - 1) + 1);
  if (slack < 0) return 0;
  if (!ceil_mode) return slack / stride + 1;
  const int64_t count = CeilDiv(slack, stride) + 1;
  return (count - 1) * stride >= size + pad_begin ? count - 1 : count;
}

void RunPool2D(const Pool2DParams& p, const PoolKernel& kernel, const PoolQuantization& quantization,
               const void* in, void* out, void* scratch, const Parallel& parallel) {
  MICRORT_DCHECK(p.kernel_h > 0 && p.kernel_w > 0);
  MICRORT_DCHECK(p.stride_h > 0 && p.stride_w > 0 && p.dilation_h > 0 && p.dilation_w > 0);
  MICRORT_DCHECK(p.pad_top >= 0 && p.pad_left >= 0 && p.pad_bottom >= 0 && p.pad_right >= 0);
  const int64_t rows = p.batch * p.out_h;
  if (rows == 0 || p.out_w == 0 || p.channels == 0) return;
  if (scratch != nullptr && Pool2DScratchBytes(p, kernel.function) != 0) {
    RunInStripes(p, kernel, static_cast<const float*>(in), static_cast<float*>(out),
                 static_cast<float*>(scratch), parallel);
    return;
  }
  const Pooling pooling(p, kernel, quantization, in, out);

  // Tiles are groups of rows; where rows are too few for the workers, also groups of channels.
  const int64_t taps = p.out_w * std::min(p.kernel_h, p.in_h) * std::min(p.kernel_w, p.in_w) * p.channels;
  const int64_t tiles_wanted = parallel.workers() == 1 ? 1 : kChannelTasksPerWorker * parallel.workers();
  const int64_t groups = std::clamp<int64_t>(std::min(tiles_wanted / rows, taps * rows / kTaskPoolTaps), 1,
                                             CeilDiv(p.channels, kLeastChannels));
  const int64_t group = CeilDiv(p.channels, groups);
  const int64_t rows_per_tile = std::clamp<int64_t>(kTaskPoolTaps / std::max<int64_t>(taps, 1), 1, rows);
  const int64_t row_tiles = CeilDiv(rows, rows_per_tile);
  const int64_t channel_tiles = CeilDiv(p.channels, group);
  ParallelFor(parallel, static_cast<size_t>(row_tiles * channel_tiles), [&](size_t tile, int) {
    const int64_t begin = static_cast<int64_t>(tile) % channel_tiles * group;
    const int64_t first_row = static_cast<int64_t>(tile) / channel_tiles * rows_per_tile;
    const int64_t end_row = std::min(rows, first_row + rows_per_tile);
    for (int64_t row = first_row; row < end_row; ++row) {
      pooling.RunRow(row, begin, std::min(p.channels, begin + group));
    }
  });
}

void RunPool2DCall(const Pool2DCall& call, const void* in, void* out, void* scratch,
                   const Parallel& parallel) {
  RunPool2D(call.params, VariantOf(PoolKernels(call.function), call.kernel), call.quantization, in, out,
            scratch, parallel);
}

}  // namespace micrort
