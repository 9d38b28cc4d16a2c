// Layer fusion by row stripes (kernels/conv_call/conv_chain.h): which steps run as one.

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "runtime/program/rewrites/rewrites.h"

namespace micrort {

namespace {

// Positions of a convolution's operands.
constexpr size_t kConvX = 0, kConvResidual = 3;

int32_t OperandOf(const Step& step, size_t operand) {
  return operand < step.inputs.size() ? step.inputs[operand] : -1;
}

class StripeFusion {
 public:
  explicit StripeFusion(Program* program) : program_(*program) {}

  Status Run() {
    MICRORT_RETURN_IF_ERROR(CountReaders(program_, &readers_));
    Range range;
    size_t count = 0;
    for (ConvChain plan; Find(range.end, &range, &plan);) ++count;
    MICRORT_RETURN_IF_ERROR(program_.stripes.Allocate(count));
    range = Range();
    for (size_t i = 0; i < count; ++i) {
      Find(range.end, &range, &program_.stripes[i].plan);
      MICRORT_RETURN_IF_ERROR(Fuse(range, static_cast<int32_t>(i)));
    }
    return Status();
  }

  Status Apply(Span<const uint32_t> ranges) {
    MICRORT_RETURN_IF_ERROR(CountReaders(program_, &readers_));
    const size_t count = ranges.size() / 2;
    MICRORT_RETURN_IF_ERROR(program_.stripes.Allocate(count));
    for (size_t i = 0; i < count; ++i) {
      Range range;
      if (!FindDecided(ranges[2 * i], ranges[2 * i + 1], &range)) {
        return DoesNotFit();
      }
      ConvCall layers[kMaxConvChain];
      for (size_t s = range.first; s < range.end; ++s) layers[s - range.first] = CallOf(program_.steps[s]);
      program_.stripes[i].plan.Plan({layers, range.end - range.first});
      MICRORT_RETURN_IF_ERROR(Fuse(range, static_cast<int32_t>(i)));
    }
    return Status();
  }

 private:
  struct Range {
    size_t first = 0, end = 0;  // steps
  };

  // A range that may be one step.
  bool FindDecided(uint32_t node, uint32_t count, Range* range) const {
    const size_t first = FindStep(program_, node);
    if (first == SIZE_MAX || count < 2 || count > EndOfCandidates(first) - first) return false;
    *range = {first, first + count};
    return true;
  }

  const ConvCall& CallOf(const Step& step) const {
    return program_.convs[static_cast<size_t>(step.parameters)];
  }

  // A file that limits scratch (mnnconvert --max-arena) limits that of single operators.
  bool MayJoin(const Step& step) const {
    return step.call == CallKind::kConv && !step.removed && step.scratch_limit < 0 &&
           ConvChain::IsSupported(CallOf(step));
  }

  size_t EndOfCandidates(size_t first) const {
    const auto follows = [&](const Step& step, const Step& before) {
      const int32_t between = before.outputs[0];
      return step.node == before.node_end && step.inputs[kConvX] == between &&
             readers_[static_cast<size_t>(between)] == 1;
    };
    size_t end = first;
    while (end < program_.steps.size() && end - first < kMaxConvChain && MayJoin(program_.steps[end]) &&
           (end == first || follows(program_.steps[end], program_.steps[end - 1]))) {
      ++end;
    }
    return end;
  }

  // The first steps at or behind `from` that are to be one; false: there are none.
  bool Find(size_t from, Range* range, ConvChain* plan) const {
    for (; from < program_.steps.size(); ++from) {
      ConvCall layers[kMaxConvChain];
      const size_t most = EndOfCandidates(from) - from;
      for (size_t i = 0; i < most; ++i) layers[i] = CallOf(program_.steps[from + i]);
      for (size_t count = most; count > 1; --count) {
        if (!ConvChain::IsProfitable({layers, count})) continue;
        *range = {from, from + count};
        plan->Plan({layers, count});
        if (SavesMemory(*range, static_cast<size_t>(plan->scratch_bytes()))) return true;
      }
    }
    return false;
  }

  // Beside the windows live the step's inputs and its output, as long as it runs.
  bool SavesMemory(const Range& range, size_t scratch) const {
    const int32_t x = program_.steps[range.first].inputs[kConvX];
    size_t alive =
        scratch + program_.arena_bytes(x) + program_.arena_bytes(program_.steps[range.end - 1].outputs[0]);
    size_t most = 0;
    for (size_t s = range.first; s < range.end; ++s) {
      const Step& step = program_.steps[s];
      most =
          std::max(most, program_.arena_bytes(step.inputs[kConvX]) + program_.arena_bytes(step.outputs[0]));
      const int32_t residual = OperandOf(step, kConvResidual);
      if (residual != x) alive += program_.arena_bytes(residual);
    }
    return alive <= most;
  }

  Status Fuse(const Range& range, int32_t index) {
    ConvStripes& stripes = program_.stripes[static_cast<size_t>(index)];
    MICRORT_RETURN_IF_ERROR(stripes.inputs.Allocate((range.end - range.first) * kConvOperands));
    for (size_t s = range.first; s < range.end; ++s) {
      Step& step = program_.steps[s];
      for (size_t k = 0; k < kConvOperands; ++k) {
        stripes.inputs[(s - range.first) * kConvOperands + k] = OperandOf(step, k);
      }
      step.removed = s != range.first;
      if (s + 1 == range.end) continue;
      program_.buffers[static_cast<size_t>(program_.view(step.outputs[0]).buffer)].in_arena = false;
    }
    const Step& last = program_.steps[range.end - 1];
    const Step& first = program_.steps[range.first];
    Step fused;
    fused.call = CallKind::kConvStripes;
    fused.parameters = index;
    fused.name = first.name;
    fused.type = first.type;
    fused.node = first.node;
    fused.node_end = last.node_end;
    fused.inputs = stripes.inputs;
    fused.outputs = last.outputs;
    fused.scratch_bytes = static_cast<size_t>(stripes.plan.scratch_bytes());
    program_.steps[range.first] = fused;
    program_.is_as_graph = false;
    return Status();
  }

  Program& program_;
  FixedArray<uint32_t> readers_;
};

}  // namespace

Status FuseStripes(Program* program) { return StripeFusion(program).Run(); }

Status ApplyStripes(Span<const uint32_t> ranges, Program* program) {
  return ranges.empty() ? Status() : StripeFusion(program).Apply(ranges);
}

}  // namespace micrort
