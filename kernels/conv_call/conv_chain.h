#pragma once
// Convolutions that follow each other, each the only reader of the one before, run in stripes of rows: a
// stripe of the last layer, before it the rows of the others that this stripe needs and that are not computed
// yet. What lies between the layers is never whole in memory: a window of rows, small enough for a cache near
// the core, moves down it. Rows that the next stripe reads again move to the window's front, so nothing is
// computed twice. Each worker does so for a part of the image, without waiting for others; just where parts
// meet, rows that both need are computed by both. (Alwani et al., "Fused-layer CNN accelerators", 2016, with
// reuse of the overlap.)

#include <cstddef>
#include <cstdint>

#include "kernels/base/span.h"
#include "kernels/conv_call/conv_call.h"

namespace micrort {

constexpr size_t kMaxConvChain = 8;

// Plain data: layers with plans for their stripes, and how these lie in memory.
struct ConvChain {
  // Whether a layer may be part of a chain.
  static bool IsSupported(const ConvCall& call);
  // Whether layers that may be one are faster as a chain: what lies between any two of them is too large for
  // a cache near the core, and reading their packed weights once a stripe costs little.
  static bool IsProfitable(Span<const ConvCall> calls);

  // Layers that are supported, all for the same target; the output of each is the input of the next. At most
  // kMaxConvChain.
  void Plan(Span<const ConvCall> calls);
  // The same with windows of about so many bytes a worker; they have room for one row of the last layer at
  // least.
  void Plan(Span<const ConvCall> calls, int64_t window_bytes);

  // The scratch of all windows and of the layers.
  uint64_t scratch_bytes() const { return static_cast<uint64_t>(parts) * part_bytes; }
  // The bits that the layers give one after another. `tensors`: one a layer, of which just the first has x
  // and the last y, and none scratch; `scratch` is aligned to 64 bytes. No y shares memory with anything that
  // a layer reads.
  void Run(Span<const ConvTensors> tensors, void* scratch, const Parallel& parallel) const;

  ConvCall layers[kMaxConvChain] = {};
  size_t count = 0;
  int64_t parts = 0, stripe = 0;         // parts of the image; rows of a stripe of the last layer
  uint64_t windows[kMaxConvChain] = {};  // where that of each layer's output lies in a part's scratch
  uint64_t layer_scratch = 0;            // where that of the layer at hand lies
  uint64_t part_bytes = 0;

 private:
  class Stripes;

  int64_t StripeRows(int64_t window_bytes) const;
  // visit(layer, stripes) for each layer of each stripe of the image.
  template <typename Visit>
  void ForEachStripe(Visit visit) const;
  void PlanLayers();
  void RunPart(int64_t part, Span<const ConvTensors> tensors, void* scratch) const;
};

}  // namespace micrort
