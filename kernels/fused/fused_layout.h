#pragma once
// How elements of fused functions are walked: in pieces, in which every input advances with the output or
// stands still. Inputs that are broadcast in another way are copied, a piece at a time.

#include "kernels/base/parallel.h"
#include "kernels/fused/fused_graph.h"

namespace micrort {

enum class FusedOperand : uint8_t {
  kDense = 0,  // an element of its own for each of the output
  kOne = 1,    // one element for the whole piece
};

// Buffers that a worker has on its stack: each with room for an element of four bytes for each of a piece.
constexpr size_t kMaxFusedBuffers = 8;
struct FusedSizes {
  size_t room;       // elements of all buffers
  size_t piece;      // the most elements of a piece
  size_t least_run;  // shorter runs of a broadcast are no pieces
  size_t block;      // the most elements of a kernel's block
  size_t skew;       // between buffers, so that their elements do not meet in one set of the cache
};
constexpr FusedSizes FusedSizesOf(bool small_stack) {
  return small_stack ? FusedSizes{256, 64, 16, 8, 0} : FusedSizes{8192, 1024, 256, 128, 16};
}

// Memory of a piece, by number: that of inputs, then of outputs, then buffers.
using FusedPlace = uint8_t;
constexpr FusedPlace kFirstFusedOutput = kMaxFusedInputs,
                     kFirstFusedBuffer = kFirstFusedOutput + kMaxFusedOutputs,
                     kFusedPlaces = kFirstFusedBuffer + kMaxFusedBuffers;

struct FusedLayout {
  FusedBroadcastPlan plan;
  uint8_t outputs = 0;
  uint8_t buffers = 0;   // that the function wants, and behind them those of inputs that are copied
  bool by_rows = false;  // pieces are runs of the plan, or parts of them
  bool repeats = false;  // copied inputs are the same in every piece
  size_t piece = 0;      // the most elements of one, and what tasks begin at multiples of; 0: any number
  size_t buffer = 0;     // elements from one buffer to the next
  FusedOperand operands[kMaxFusedInputs] = {};
  bool is_copied[kMaxFusedInputs] = {};
  uint8_t input_bytes[kMaxFusedInputs] = {};  // of an element
  uint8_t output_bytes[kMaxFusedOutputs] = {};
};

// What a function works on: n elements. Inputs are only read.
struct FusedPiece {
  void* places[kFusedPlaces];
  size_t n;

  const void* in(size_t i) const { return places[i]; }
  void* out(size_t o) const { return places[kFirstFusedOutput + o]; }
  float* buffer(size_t b) const { return static_cast<float*>(places[kFirstFusedBuffer + b]); }
};
using FusedFn = void (*)(const void* function, const FusedPiece& piece);

// Plans for inputs with these shapes, which broadcast to `out`, and a CPU with these features. `buffers` are
// set with SetFusedBuffers.
FusedLayout PlanFusedLayout(const FusedGraph& graph, Span<const Shape> shapes, const Shape& out,
                            CpuFeatures features);
// What the function wants beside the layout's own. False where that is too much.
bool SetFusedBuffers(size_t wanted, CpuFeatures features, FusedLayout* layout);

// Outputs may be inputs that are dense and have elements of the same size, where the function allows that.
void RunFused(const FusedLayout& layout, FusedFn run, const void* function, const void* const* in,
              void* const* out, const Parallel& parallel);

}  // namespace micrort
