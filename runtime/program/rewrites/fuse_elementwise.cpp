// Element-wise steps that follow each other run as one, tile by tile (kernels/elementwise/chain.h).

#include <algorithm>

#include "runtime/program/rewrites/rewrites.h"

namespace micrort {

namespace {

// Smaller tensors stay in a cache between one step and the next, too.
constexpr size_t kLeastBytes = size_t{64} << 10;

class ElementwiseFusion {
 public:
  explicit ElementwiseFusion(Program* program) : program_(*program) {}

  Status Run() {
    const auto may_join = [this](const Step& step) { return MayJoin(step); };
    if (std::none_of(program_.steps.begin(), program_.steps.end(), may_join)) return Status();
    MICRORT_RETURN_IF_ERROR(CountReaders(program_, &readers_));
    size_t count = 0;
    for (size_t s = 0; s < program_.steps.size(); s = std::max(s + 1, EndOfChain(s)))
      count += EndOfChain(s) > s + 1 ? 1 : 0;
    MICRORT_RETURN_IF_ERROR(program_.chains.Allocate(count));
    count = 0;
    for (size_t s = 0; s < program_.steps.size();) {
      const size_t end = EndOfChain(s);
      if (end > s + 1) MICRORT_RETURN_IF_ERROR(Fuse(s, end, static_cast<int32_t>(count++)));
      s = std::max(s + 1, end);
    }
    return Status();
  }

 private:
  // A file that limits scratch has been planned step by step.
  bool MayJoin(const Step& step) const {
    if (step.call != CallKind::kOperator || step.removed || step.data_dependent || step.scratch_limit >= 0 ||
        step.elementwise.run == nullptr || step.inputs.size() > kChainOperands || step.outputs.size() != 1) {
      return false;
    }
    return program_.arena_bytes(step.outputs[0]) >= kLeastBytes && IsWhole(program_.view(step.outputs[0]));
  }

  // Whether `step` reads what `before` gives, all else does not, and its output fits over it.
  bool Follows(const Step& step, const Step& before) const {
    const int32_t between = before.outputs[0];
    const View &from = program_.view(between), &to = program_.view(step.outputs[0]);
    return step.node == before.node_end && readers_[static_cast<size_t>(between)] == 1 &&
           std::count(step.inputs.begin(), step.inputs.end(), between) == 1 && from.shape == to.shape &&
           SizeOf(from.dtype) == SizeOf(to.dtype);
  }

  // Behind the last step of those that may run as one from `first` on; `first` where this one may not.
  size_t EndOfChain(size_t first) const {
    size_t end = first;
    while (end < program_.steps.size() && end - first < kMaxElementwiseChain &&
           MayJoin(program_.steps[end]) &&
           (end == first || Follows(program_.steps[end], program_.steps[end - 1]))) {
      ++end;
    }
    return end;
  }

  Status Fuse(size_t first, size_t end, int32_t index) {
    ElementwiseChain& chain = program_.chains[static_cast<size_t>(index)];
    MICRORT_RETURN_IF_ERROR(chain.calls.Allocate(end - first));
    MICRORT_RETURN_IF_ERROR(chain.inputs.Allocate((end - first) * kChainOperands));
    std::fill(chain.inputs.begin(), chain.inputs.end(), -1);
    for (size_t s = first; s < end; ++s) {
      Step& step = program_.steps[s];
      chain.calls[s - first] = step.elementwise;
      const int32_t before = s == first ? -1 : program_.steps[s - 1].outputs[0];
      int32_t* const operands = chain.inputs.data() + (s - first) * kChainOperands;
      std::replace_copy(step.inputs.begin(), step.inputs.end(), operands, before, int32_t{-1});
      step.removed = s != first;
      if (s + 1 != end)
        program_.buffers[static_cast<size_t>(program_.view(step.outputs[0]).buffer)].in_arena = false;
    }
    const Step& last = program_.steps[end - 1];
    Step& fused = program_.steps[first];
    fused.call = CallKind::kElementwise;
    fused.parameters = index;
    fused.node_end = last.node_end;
    fused.inputs = chain.inputs;
    fused.outputs = last.outputs;
    program_.is_as_graph = false;
    return Status();
  }

  Program& program_;
  FixedArray<uint32_t> readers_;
};

}  // namespace

Status FuseElementwise(Program* program) { return ElementwiseFusion(program).Run(); }

}  // namespace micrort
