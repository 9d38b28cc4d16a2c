#include "kernels/fused/fused_layout.h"

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "kernels/base/small_stack.h"
#include "kernels/base/target.h"
#include "kernels/base/task_sizes.h"

namespace micrort {
namespace {

FusedSizes SizesFor(CpuFeatures features) { return FusedSizesOf((features & kCpuMicrocontroller) != 0); }

// kRoom: elements that its buffers have in all.
template <size_t kRoom>
class FusedWorker {
 public:
  FusedWorker(const FusedLayout& layout, FusedFn run, const void* function, const void* const* in,
              void* const* out)
      : layout_(layout), run_(run), function_(function), in_(in), out_(out) {
    for (size_t b = 0; b < kMaxFusedBuffers && (b + 1) * layout.buffer <= kRoom; ++b)
      piece_.places[kFirstFusedBuffer + b] = memory_ + b * layout.buffer;
  }

  void Run(size_t begin, size_t end) {
    if (layout_.by_rows) return RunRows(begin, end);
    const size_t step = layout_.piece == 0 ? end - begin : layout_.piece;
    for (size_t first = begin; first < end; first += step) {
      const size_t n = std::min(step, end - first);
      SetInputs(first, n, first == begin);
      SetOutputs(first, n);
      run_(function_, piece_);
    }
  }

 private:
  const FusedBroadcastPlan& plan() const { return layout_.plan; }
  size_t inputs() const { return static_cast<size_t>(plan().inputs); }

  void RunRows(size_t begin, size_t end) {
    const size_t most = layout_.piece == 0 ? plan().run : layout_.piece;
    ForEachPiece(plan(), begin, end, most, [&](size_t first, const size_t* offsets, size_t n) {
      for (size_t i = 0; i < inputs(); ++i) SetInput(i, offsets[i]);
      SetOutputs(first, n);
      run_(function_, piece_);
    });
  }

  void SetInput(size_t i, size_t element) {
    auto* const first = static_cast<uint8_t*>(const_cast<void*>(in_[i]));
    piece_.places[i] = first + element * layout_.input_bytes[i];
  }

  void SetInputs(size_t first, size_t n, bool is_first) {
    size_t buffer = layout_.buffers;
    for (size_t i = 0; i < inputs(); ++i) {
      if (!layout_.is_copied[i]) {
        SetInput(i, layout_.operands[i] == FusedOperand::kOne ? 0 : first);
        continue;
      }
      float* const copy = piece_.buffer(buffer++);
      piece_.places[i] = copy;
      if (layout_.repeats && !is_first) continue;
      ExpandBroadcast(plan(), static_cast<int>(i), layout_.input_bytes[i], in_[i], first, n, copy);
    }
  }

  void SetOutputs(size_t first, size_t n) {
    for (size_t o = 0; o < layout_.outputs; ++o)
      piece_.places[kFirstFusedOutput + o] = static_cast<uint8_t*>(out_[o]) + first * layout_.output_bytes[o];
    piece_.n = n;
  }

  const FusedLayout& layout_;
  const FusedFn run_;
  const void* const function_;
  const void* const* const in_;
  void* const* const out_;
  FusedPiece piece_;
  alignas(64) float memory_[kRoom == 0 ? 1 : kRoom];
};

// A frame of its own, so that only who needs buffers has them on the stack.
__attribute__((noinline)) void RunWithBuffers(const FusedLayout& layout, FusedFn run, const void* function,
                                              const void* const* in, void* const* out, size_t begin,
                                              size_t end) {
  FusedWorker<FusedSizesOf(kSmallStack).room>(layout, run, function, in, out).Run(begin, end);
}

size_t CopiedInputs(const FusedLayout& layout) {
  return static_cast<size_t>(std::count(layout.is_copied, layout.is_copied + kMaxFusedInputs, true));
}

// The same elements of copied inputs for every run, and several runs fit into a piece.
bool RunsRepeat(const FusedLayout& layout, size_t piece) {
  const FusedBroadcastPlan& plan = layout.plan;
  if (plan.rank != 1 || 2 * plan.run > piece) return false;
  for (int i = 0; i < plan.inputs; ++i) {
    if (layout.is_copied[i] && plan.strides[i][0] != 0) return false;
  }
  return true;
}

// What is computed by several workers is cut into tasks; each begins with a piece.
size_t TaskElements(const FusedLayout& layout, const Parallel& parallel) {
  const size_t n = layout.plan.elements;
  if (parallel.workers() == 1) return n;
  const size_t unit = layout.piece == 0 || layout.by_rows ? size_t{1} : layout.piece;
  return std::max(kTaskElements / unit, size_t{1}) * unit;
}

}  // namespace

FusedLayout PlanFusedLayout(const FusedGraph& graph, Span<const Shape> shapes, const Shape& out,
                            CpuFeatures features) {
  const FusedSizes sizes = SizesFor(features);
  FusedLayout layout;
  layout.plan = PlanBroadcastOf<FusedBroadcastPlan>(shapes, out);
  layout.by_rows = layout.plan.rank > 0 && layout.plan.run >= sizes.least_run;
  for (size_t i = 0; i < std::min(shapes.size(), kMaxFusedInputs); ++i) {
    const bool is_one = layout.by_rows ? layout.plan.run_strides[i] == 0 : shapes[i].elements() == 1;
    layout.operands[i] = is_one ? FusedOperand::kOne : FusedOperand::kDense;
    layout.is_copied[i] = !layout.by_rows && !is_one && !layout.plan.is_dense[i];
    layout.input_bytes[i] = static_cast<uint8_t>(SizeOf(graph.inputs[i].dtype));
  }
  layout.outputs = static_cast<uint8_t>(std::min(graph.outputs.size(), kMaxFusedOutputs));
  for (size_t o = 0; o < layout.outputs; ++o)
    layout.output_bytes[o] = static_cast<uint8_t>(SizeOf(graph.outputs[o].format.dtype));
  layout.repeats = !layout.by_rows && CopiedInputs(layout) > 0 && RunsRepeat(layout, sizes.piece);
  return layout;
}

bool SetFusedBuffers(size_t wanted, CpuFeatures features, FusedLayout* layout) {
  const size_t all = wanted + CopiedInputs(*layout);
  layout->buffers = static_cast<uint8_t>(wanted);
  layout->buffer = layout->piece = 0;
  if (all == 0) return true;
  const FusedSizes sizes = SizesFor(features);
  const size_t elements = std::min((sizes.room / all - sizes.skew) / sizes.block * sizes.block, sizes.piece);
  layout->buffer = elements + sizes.skew;
  layout->piece = layout->repeats ? elements / layout->plan.run * layout->plan.run : elements;
  return all <= kMaxFusedBuffers && layout->piece != 0;
}

void RunFused(const FusedLayout& layout, FusedFn run, const void* function, const void* const* in,
              void* const* out, const Parallel& parallel) {
  const size_t n = layout.plan.elements;
  if (n == 0) return;
  const size_t task = TaskElements(layout, parallel);
  ParallelFor(parallel, CeilDiv(n, task), [&](size_t t, int) {
    const size_t begin = t * task, end = std::min(n, begin + task);
    if (layout.buffers + CopiedInputs(layout) == 0) {
      FusedWorker<0>(layout, run, function, in, out).Run(begin, end);
    } else {
      RunWithBuffers(layout, run, function, in, out, begin, end);
    }
  });
}

}  // namespace micrort
