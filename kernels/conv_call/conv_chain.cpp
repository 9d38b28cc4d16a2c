#include "kernels/conv_call/conv_chain.h"

#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/dcheck.h"
#include "kernels/base/machine_model.h"
#include "kernels/conv/conv_rows.h"

namespace micrort {
// The rows of every layer, stripe by stripe through one part of the image.
class ConvChain::Stripes {
 public:
  Stripes(const ConvChain& chain, int64_t part) : chain_(chain), last_(chain.count - 1) {
    const int64_t rows = chain.layers[last_].params.out_h;
    part_end_ = rows * (part + 1) / chain.parts;
    end[last_] = rows * part / chain.parts;
    for (size_t i = last_; i > 0; --i) begin[i - 1] = end[i - 1] = InputBegin(Reader(i - 1), end[i]);
  }

  // To the next stripe, from before the first on; false: there is none.
  bool Next() {
    if (end[last_] == part_end_) return false;
    for (size_t i = 0; i <= last_; ++i) first[i] = end[i];
    end[last_] = ClampRow(end[last_] + chain_.stripe, 0, part_end_);
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
  const Conv2DParams& Reader(size_t i) const { return chain_.layers[i + 1].params; }

  const ConvChain& chain_;
  const size_t last_;
  int64_t part_end_ = 0;
};

bool ConvChain::IsSupported(const ConvCall& call) {
  const Conv2DParams& p = call.params;
  return call.algorithm->by_rows && p.batch == 1 && !p.transposed && !p.types.dynamic;
}

bool ConvChain::IsProfitable(Span<const ConvCall> calls) {
  const MachineModel& model = MachineModelOf(calls[0].target.features);
  uint64_t weights = 0;
  int64_t between = 0;
  for (size_t i = 0; i < calls.size(); ++i) {
    const Conv2DParams& p = calls[i].params;
    weights += calls[i].algorithm->packed_bytes(p, calls[i].target);
    if (i + 1 == calls.size()) break;
    const int64_t bytes = p.out_h * OutputRowBytes(p);
    if (bytes < model.stripe_between_bytes) return false;
    between += bytes;
  }
  return between >= model.stripe_all_bytes && weights <= static_cast<uint64_t>(model.stripe_weight_bytes);
}

void ConvChain::Plan(Span<const ConvCall> calls) {
  Plan(calls, MachineModelOf(calls[0].target.features).stripe_window_bytes);
}

void ConvChain::Plan(Span<const ConvCall> calls, int64_t window_bytes) {
  MICRORT_DCHECK(calls.size() >= 1 && calls.size() <= kMaxConvChain);
  for (const ConvCall& layer : calls) MICRORT_DCHECK(IsSupported(layer));
  count = calls.size();
  const int64_t all = calls[count - 1].params.out_h, workers = calls[0].target.workers;
  parts = ClampRow(workers, 1, all == 0 ? 1 : all);
  for (size_t i = 0; i < count; ++i) {
    layers[i] = calls[i];
    layers[i].target.workers = 1;
  }
  stripe = StripeRows(window_bytes);
  PlanLayers();
}

template <typename Visit>
void ConvChain::ForEachStripe(Visit visit) const {
  for (int64_t part = 0; part < parts; ++part) {
    for (Stripes stripes(*this, part); stripes.Next();) {
      for (size_t i = 0; i < count; ++i) visit(i, stripes);
    }
  }
}

// The layers for their tallest stripes, and the memory of all.
void ConvChain::PlanLayers() {
  int64_t rows[kMaxConvChain] = {}, tallest[kMaxConvChain] = {};
  ForEachStripe([&](size_t i, const Stripes& stripes) {
    const int64_t held = stripes.end[i] - stripes.begin[i], height = stripes.end[i] - stripes.first[i];
    if (held > rows[i]) rows[i] = held;
    if (height <= tallest[i]) return;
    tallest[i] = height;
    const Conv2DParams p = RowsOf(layers[i].params, stripes.first[i], stripes.end[i]);
    layers[i].plan = layers[i].algorithm->plan(p, layers[i].target);
  });
  uint64_t layer_bytes = 0;
  ForEachStripe([&](size_t i, const Stripes& stripes) {
    if (stripes.first[i] == stripes.end[i]) return;
    const ConvCall& layer = layers[i];
    const Conv2DParams p = RowsOf(layer.params, stripes.first[i], stripes.end[i]);
    const uint64_t bytes = layer.algorithm->scratch_bytes(p, layer.target, layer.plan);
    if (bytes > layer_bytes) layer_bytes = bytes;
  });
  layer_scratch = 0;
  for (size_t i = 0; i + 1 < count; ++i) {
    windows[i] = layer_scratch;
    layer_scratch += AlignedBlock(static_cast<uint64_t>(rows[i] * OutputRowBytes(layers[i].params)));
  }
  part_bytes = layer_scratch + AlignedBlock(layer_bytes);
}

// Stripes of nearly the same height.
int64_t ConvChain::StripeRows(int64_t window_bytes) const {
  int64_t bytes = 0, rows = 1;  // of all windows, for so many rows of the one at hand
  for (size_t i = count - 1; i > 0; --i) {
    const Conv2DParams& p = layers[i].params;
    rows = rows > p.in_h / p.stride_h ? p.in_h : rows * p.stride_h;
    bytes += rows * InputRowBytes(p);
  }
  const int64_t all = CeilDiv(layers[count - 1].params.out_h, parts);
  const int64_t fitting = ClampRow(window_bytes / (bytes == 0 ? 1 : bytes), 1, all);
  return all == 0 ? 1 : CeilDiv(all, CeilDiv(all, fitting));
}

void ConvChain::Run(Span<const ConvTensors> tensors, void* scratch, const Parallel& parallel) const {
  MICRORT_DCHECK(tensors.size() == count);
  MICRORT_DCHECK(IsAligned(scratch));
  ParallelFor(parallel, static_cast<size_t>(parts), [&](size_t part, int) {
    RunPart(static_cast<int64_t>(part), tensors, BytesAt(scratch, static_cast<int64_t>(part * part_bytes)));
  });
}

void ConvChain::RunPart(int64_t part, Span<const ConvTensors> tensors, void* scratch) const {
  Stripes stripes(*this, part);
  int64_t fronts[kMaxConvChain];  // the row at the front of each window; of y, 0
  for (size_t i = 0; i < count; ++i) fronts[i] = stripes.begin[i];
  while (stripes.Next()) {
    for (size_t i = 0; i < count; ++i) {
      const Conv2DParams& p = layers[i].params;
      void* const y = i + 1 == count ? tensors[i].y : BytesAt(scratch, static_cast<int64_t>(windows[i]));
      const int64_t y_row = OutputRowBytes(p), first = stripes.first[i];
      if (stripes.begin[i] > fronts[i]) {
        std::memmove(y, BytesAt(y, (stripes.begin[i] - fronts[i]) * y_row),
                     static_cast<size_t>((first - stripes.begin[i]) * y_row));
        fronts[i] = stripes.begin[i];
      }
      if (first == stripes.end[i]) continue;
      const void* const x = i == 0 ? tensors[0].x : BytesAt(scratch, static_cast<int64_t>(windows[i - 1]));
      const int64_t x_front = i == 0 ? 0 : fronts[i - 1];
      ConvTensors rows = tensors[i];
      rows.x = BytesAt(x, (InputBegin(p, first) - x_front) * InputRowBytes(p));
      if (rows.residual != nullptr) rows.residual = BytesAt(rows.residual, first * y_row);
      rows.y = BytesAt(y, (first - fronts[i]) * y_row);
      rows.scratch = BytesAt(scratch, static_cast<int64_t>(layer_scratch));
      layers[i].algorithm->run(RowsOf(p, first, stripes.end[i]), layers[i].target, layers[i].plan, rows,
                               Sequential());
    }
  }
}

}  // namespace micrort
