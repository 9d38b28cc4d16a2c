#pragma once
// What runs: steps over views of buffers, with everything decided. Plain data, made from a prepared graph
// (runtime/interpreter/lower.h), changed by rewrites (rewrites/), then given memory (place.h).

#include <cstddef>
#include <cstdint>

#include "kernels/base/dtype.h"
#include "kernels/base/fixed_array.h"
#include "kernels/base/shape.h"
#include "kernels/base/span.h"
#include "kernels/conv_call/conv_call.h"
#include "kernels/conv_call/conv_chain.h"
#include "kernels/fused/fused_program.h"
#include "runtime/ops/fused_functions.h"
#include "runtime/ops/op.h"

namespace micrort {

// Memory of one piece.
struct Buffer {
  size_t bytes = 0;       // of its elements
  bool in_arena = false;  // else a constant, computed before the run, lent by a caller, or used by no step
};

// A tensor as steps see it: the whole of a buffer, or elements of one that lie apart.
struct View {
  int32_t buffer = -1;
  DType dtype = DType::kUnknown;
  size_t offset = 0;  // bytes
  Shape shape;
  int64_t strides[kMaxRank] = {};  // elements from one index of a dimension to the next
};

// A view of a buffer of its own.
View WholeView(int32_t buffer, DType dtype, const Shape& shape);
// Whether its elements follow each other, from the buffer's first one on.
bool IsWhole(const View& view);

enum class CallKind : uint8_t {
  kOperator,     // the operator of the source node, as it was prepared
  kConv,         // Program::convs[parameters] on x, weights, bias, residual, slopes (-1: absent)
  kConvStripes,  // Program::stripes[parameters] on the same of each source node
  kElementwise,  // Program::fused[parameters]
};
constexpr size_t kConvOperands = 5;

// Layers that run together, stripe by stripe of rows.
struct ConvStripes {
  ConvChain plan;
  FixedArray<int32_t> inputs;  // kConvOperands a layer
};

// Element-wise steps that run as one.
constexpr size_t kMaxFusedSteps = 16;
struct FusedElementwise {
  const FusedFunctions* functions = nullptr;
  FusedProgram program;
  // What it was made from.
  FixedArray<FusedNode> nodes;
  FixedArray<ElementFormat> input_formats;
  FixedArray<FusedOutput> results;
  // Views, in the order of the graph.
  FixedArray<int32_t> inputs, outputs;

  FusedGraph graph() const {
    return {{nodes.data(), nodes.size()},
            {input_formats.data(), input_formats.size()},
            {results.data(), results.size()}};
  }
};

struct Step {
  CallKind call = CallKind::kOperator;
  bool removed = false;            // by a rewrite: other steps do all of its work
  bool data_dependent = false;     // each run decides sizes, within what is planned
  int32_t parameters = -1;         // of the call
  int32_t node = 0, node_end = 0;  // the source nodes
  const char* name = "";           // of the first one; it lives as long as the model
  const char* type = "";           // and its operator
  Span<const int32_t> inputs;      // views; -1: absent
  Span<const int32_t> outputs;
  size_t scratch_bytes = 0;
  int64_t scratch_limit = -1;                                       // that the file sets; -1: none
  int8_t in_place[kMaxInPlace] = {-1, -1, -1, -1, -1, -1, -1, -1};  // as PrepareResult says
  InPlaceCandidate candidate;
  int8_t concat_axis = -1;                // as PrepareResult says,
  KernelCall kernel_call;                 // and this,
  const FusedFunctions* fused = nullptr;  // and this
};

// View i and buffer i are tensor i of the subgraph, until a rewrite makes a view a part of another buffer.
struct Program {
  FixedArray<Buffer> buffers;
  FixedArray<View> views;
  FixedArray<Step> steps;  // in run order
  FixedArray<ConvCall> convs;
  FixedArray<ConvStripes> stripes;
  FixedArray<FusedElementwise> fused;
  Span<const int32_t> inputs, outputs;  // views that the caller writes and reads
  size_t node_count = 0;
  // The work of a run, in the operations of runtime/ops/call_work.h, without what data decide.
  uint64_t fixed_work = 0;
  // Whether the caller's inputs keep their values through a run.
  bool keeps_inputs = false;
  // Whether they may be memory that steps only read.
  bool reads_inputs_only = false;
  // Whether rewrites left every buffer where and when the graph has it.
  bool is_as_graph = true;

  const View& view(int32_t i) const { return views[static_cast<size_t>(i)]; }
  const Buffer& buffer_of(int32_t view_index) const {
    return buffers[static_cast<size_t>(view(view_index).buffer)];
  }
  // Bytes in the arena; 0 for an absent view.
  size_t arena_bytes(int32_t view_index) const {
    return view_index >= 0 && buffer_of(view_index).in_arena ? buffer_of(view_index).bytes : 0;
  }
};

// The index of the step that begins with this node; SIZE_MAX: there is none, or it is removed.
size_t FindStep(const Program& program, uint32_t node);
// For a rewrite decided elsewhere whose steps cannot be changed so. No message says so, because the device
// decides by itself then.
inline Status DoesNotFit() { return MICRORT_ERROR(kUnsupported, "decisions do not fit"); }
// How many steps read each view; the caller reads outputs.
Status CountReaders(const Program& program, FixedArray<uint32_t>* readers);
// The step that writes each view; SIZE_MAX: none.
Status FindProducers(const Program& program, FixedArray<size_t>* producers);

}  // namespace micrort
