#include "kernels/conv_call/conv_chain.h"

#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/dcheck.h"
#include "kernels/conv/conv_rows.h"

namespace micrort {
namespace {

// Measured, with docs/stripes.md: windows that leave room for weights in a second-level cache of 512 KiB, and
// what gains nothing because a cache of a few MiB holds it as it is.
constexpr int64_t kWindowBytes = 256 * 1024, kMinBetweenBytes = 1024 * 1024, kMinChainBytes = 3 * 1024 * 1024;
constexpr uint64_t kMaxWeightBytes = 128 * 1024;

}  // namespace

// The rows of every layer, stripe by stripe through one part of the image.
class ConvChain::Stripes {
 public:
  Stripes(const ConvChain& chain, int64_t part) : chain_(chain), last_(chain.count_ - 1) {
    const int64_t rows = chain.layers_[last_].params.out_h;
    part_end_ = rows * (part + 1) / chain.parts_;
    end[last_] = rows * part / chain.parts_;
    for (size_t i = last_; i > 0; --i) begin[i - 1] = end[i - 1] = InputBegin(Reader(i - 1), end[i]);
  }

  // To the next stripe, from before the first on; false: there is none.
  bool Next() {
    if (end[last_] == part_end_) return false;
    for (size_t i = 0; i <= last_; ++i) first[i] = end[i];
    end[last_] = ClampRow(end[last_] + chain_.stripe_, 0, part_end_);
    for (size_t i = last_; i > 0; --i) {
      end[i - 1] = ClampRow(InputEnd(Reader(i - 1), end[i] - 1), end[i - 1], Reader(i - 1).in_h);
      begin[i - 1] = ClampRow(InputBegin(Reader(i - 1), first[i]), begin[i - 1], first[i - 1]);
    }
    return true;
  }

  // Layer i computes rows [first, end); its window then holds [begin, end). Of the last layer, whose output
  // is whole, begin is 0.
  int64_t first[kMaxConvChain] = {}, end[kMaxConvChain] = {}, begin[kMaxConvChain] = {};

 private:
  const Conv2DParams& Reader(size_t i) const { return chain_.layers_[i + 1].params; }

  const ConvChain& chain_;
  const size_t last_;
  int64_t part_end_ = 0;
};

bool ConvChain::Takes(const ConvCall& layer) {
  const Conv2DParams& p = layer.params;
  return layer.algorithm->by_rows && p.batch == 1 && !p.transposed && !p.types.dynamic;
}

bool ConvChain::Pays(Span<const ConvCall> layers) {
  uint64_t weights = 0;
  int64_t between = 0;
  for (size_t i = 0; i < layers.size(); ++i) {
    const Conv2DParams& p = layers[i].params;
    weights += layers[i].algorithm->packed_bytes(p, layers[i].target);
    if (i + 1 == layers.size()) break;
    const int64_t bytes = p.out_h * OutputRowBytes(p);
    if (bytes < kMinBetweenBytes) return false;
    between += bytes;
  }
  return between >= kMinChainBytes && weights <= kMaxWeightBytes;
}

void ConvChain::Plan(Span<const ConvCall> layers) { Plan(layers, kWindowBytes); }

void ConvChain::Plan(Span<const ConvCall> layers, int64_t window_bytes) {
  MICRORT_DCHECK(layers.size() >= 1 && layers.size() <= kMaxConvChain);
  for (const ConvCall& layer : layers) MICRORT_DCHECK(Takes(layer));
  count_ = layers.size();
  const int64_t all = layers[count_ - 1].params.out_h, workers = layers[0].target.workers;
  parts_ = ClampRow(workers, 1, all == 0 ? 1 : all);
  for (size_t i = 0; i < count_; ++i) {
    layers_[i] = layers[i];
    layers_[i].target.workers = 1;
  }
  stripe_ = StripeRows(window_bytes);
  int64_t rows[kMaxConvChain] = {};
  uint64_t layer_bytes = 0;
  for (int64_t part = 0; part < parts_; ++part) {
    for (Stripes stripes(*this, part); stripes.Next();) {
      for (size_t i = 0; i < count_; ++i) {
        const int64_t held = stripes.end[i] - stripes.begin[i];
        if (held > rows[i]) rows[i] = held;
        if (stripes.first[i] == stripes.end[i]) continue;
        const uint64_t bytes = layers_[i].algorithm->scratch_bytes(
            RowsOf(layers_[i].params, stripes.first[i], stripes.end[i]), layers_[i].target);
        if (bytes > layer_bytes) layer_bytes = bytes;
      }
    }
  }
  layer_scratch_ = 0;
  for (size_t i = 0; i + 1 < count_; ++i) {
    windows_[i] = layer_scratch_;
    layer_scratch_ += AlignedBlock(static_cast<uint64_t>(rows[i] * OutputRowBytes(layers_[i].params)));
  }
  part_bytes_ = layer_scratch_ + AlignedBlock(layer_bytes);
}

// Stripes of nearly the same height.
int64_t ConvChain::StripeRows(int64_t window_bytes) const {
  int64_t bytes = 0, rows = 1;  // of all windows, for so many rows of the one at hand
  for (size_t i = count_ - 1; i > 0; --i) {
    const Conv2DParams& p = layers_[i].params;
    rows = rows > p.in_h / p.stride_h ? p.in_h : rows * p.stride_h;
    bytes += rows * InputRowBytes(p);
  }
  const int64_t all = CeilDiv(layers_[count_ - 1].params.out_h, parts_);
  const int64_t fitting = ClampRow(window_bytes / (bytes == 0 ? 1 : bytes), 1, all);
  return all == 0 ? 1 : CeilDiv(all, CeilDiv(all, fitting));
}

void ConvChain::Run(Span<const ConvTensors> tensors, void* scratch, const Parallel& parallel) const {
  MICRORT_DCHECK(tensors.size() == count_);
  MICRORT_DCHECK(IsAligned(scratch));
  ParallelFor(parallel, static_cast<size_t>(parts_), [&](size_t part, int) {
    RunPart(static_cast<int64_t>(part), tensors, BytesAt(scratch, static_cast<int64_t>(part * part_bytes_)));
  });
}

void ConvChain::RunPart(int64_t part, Span<const ConvTensors> tensors, void* scratch) const {
  Stripes stripes(*this, part);
  int64_t fronts[kMaxConvChain];  // the row at the front of each window; of y, 0
  for (size_t i = 0; i < count_; ++i) fronts[i] = stripes.begin[i];
  while (stripes.Next()) {
    for (size_t i = 0; i < count_; ++i) {
      const Conv2DParams& p = layers_[i].params;
      void* const y = i + 1 == count_ ? tensors[i].y : BytesAt(scratch, static_cast<int64_t>(windows_[i]));
      const int64_t y_row = OutputRowBytes(p), first = stripes.first[i];
      if (stripes.begin[i] > fronts[i]) {
        std::memmove(y, BytesAt(y, (stripes.begin[i] - fronts[i]) * y_row),
                     static_cast<size_t>((first - stripes.begin[i]) * y_row));
        fronts[i] = stripes.begin[i];
      }
      if (first == stripes.end[i]) continue;
      const void* const x = i == 0 ? tensors[0].x : BytesAt(scratch, static_cast<int64_t>(windows_[i - 1]));
      const int64_t x_front = i == 0 ? 0 : fronts[i - 1];
      ConvTensors rows = tensors[i];
      rows.x = BytesAt(x, (InputBegin(p, first) - x_front) * InputRowBytes(p));
      if (rows.residual != nullptr) rows.residual = BytesAt(rows.residual, first * y_row);
      rows.y = BytesAt(y, (first - fronts[i]) * y_row);
      rows.scratch = BytesAt(scratch, static_cast<int64_t>(layer_scratch_));
      layers_[i].algorithm->run(RowsOf(p, first, stripes.end[i]), layers_[i].target, rows, Sequential());
    }
  }
}

}  // namespace micrort
