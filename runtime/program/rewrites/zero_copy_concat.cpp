// Steps that join what convolutions compute along its channels: these write into the output at once.

#include <algorithm>

#include "runtime/ops/work_control.h"
#include "runtime/plan/lower_bound.h"
#include "runtime/program/plan_items.h"
#include "runtime/program/rewrites/rewrites.h"

namespace micrort {

namespace {

constexpr size_t kPartResidual = 3;  // of a convolution's operands

class ZeroCopyConcats {
 public:
  ZeroCopyConcats(WorkControl* control, Program* program) : control_(control), program_(*program) {}

  Status Run() {
    if (std::none_of(program_.steps.begin(), program_.steps.end(),
                     [this](const Step& step) { return JoinsChannels(step); })) {
      return Status();
    }
    MICRORT_RETURN_IF_ERROR(CountReaders(program_, &readers_));
    MICRORT_RETURN_IF_ERROR(FindProducers(program_, &producers_));
    size_t most = 0;
    MICRORT_RETURN_IF_ERROR(BytesAlive(&most));
    for (Step& step : program_.steps) {
      if (JoinsChannels(step) && TakesParts(step)) MICRORT_RETURN_IF_ERROR(TryParts(step, &most));
    }
    return Status();
  }

  Status Apply(Span<const uint32_t> nodes) {
    MICRORT_RETURN_IF_ERROR(CountReaders(program_, &readers_));
    MICRORT_RETURN_IF_ERROR(FindProducers(program_, &producers_));
    for (const uint32_t node : nodes) {
      const size_t index = FindStep(program_, node);
      if (index == SIZE_MAX || !JoinsChannels(program_.steps[index]) || !TakesParts(program_.steps[index])) {
        return DoesNotFit();
      }
      SetParts(program_.steps[index]);
      program_.is_as_graph = false;
    }
    return Status();
  }

 private:
  // What a file that limits scratch (mnnconvert --max-arena) planned stays as it is.
  bool JoinsChannels(const Step& step) const {
    if (step.removed || step.data_dependent || step.concat_axis < 0 || step.scratch_limit >= 0) return false;
    const Shape& shape = program_.view(step.outputs[0]).shape;
    return shape.rank == 4 && step.concat_axis == 3 && program_.arena_bytes(step.outputs[0]) != 0;
  }

  bool TakesParts(const Step& step) const {
    return std::all_of(step.inputs.begin(), step.inputs.end(),
                       [this](int32_t part) { return MayBePart(part); });
  }

  bool MayBePart(int32_t view) const {
    const size_t producer = producers_[static_cast<size_t>(view)];
    if (producer == SIZE_MAX || readers_[static_cast<size_t>(view)] != 1) return false;
    const Step& step = program_.steps[producer];
    if (step.call != CallKind::kConv || step.scratch_limit >= 0) return false;
    const ConvCall& call = program_.convs[static_cast<size_t>(step.parameters)];
    const bool has_residual = step.inputs.size() > kPartResidual && step.inputs[kPartResidual] >= 0;
    return call.algorithm->strided_output && !call.params.transposed && !has_residual;
  }

  // Keeps the parts unless more bytes are alive at once with them.
  Status TryParts(Step& step, size_t* most) {
    SetParts(step);
    size_t now = 0;
    MICRORT_RETURN_IF_ERROR(BytesAlive(&now));
    if (now > *most) {
      UnsetParts(step);
      return Status();
    }
    *most = now;
    program_.is_as_graph = false;
    return Status();
  }

  void SetParts(Step& step) {
    const View& whole = program_.view(step.outputs[0]);
    size_t offset = 0;
    for (const int32_t v : step.inputs) {
      View& part = program_.views[static_cast<size_t>(v)];
      program_.buffers[static_cast<size_t>(part.buffer)].in_arena = false;
      part.buffer = whole.buffer;
      part.offset = offset;
      std::copy(whole.strides, whole.strides + whole.shape.rank, part.strides);
      offset += static_cast<size_t>(part.shape[step.concat_axis]) * SizeOf(part.dtype);
    }
    step.removed = true;
  }

  void UnsetParts(Step& step) {
    for (const int32_t v : step.inputs) {
      View& part = program_.views[static_cast<size_t>(v)];
      part = WholeView(v, part.dtype, part.shape);
      program_.buffers[static_cast<size_t>(v)].in_arena = true;
    }
    step.removed = false;
  }

  Status BytesAlive(size_t* most) const {
    FixedArray<PlanItem> items;
    MICRORT_RETURN_IF_ERROR(BuildPlanItems(program_, &items));
    constexpr uint64_t kItemWork = 1000;
    MICRORT_RETURN_IF_ERROR(Spend(control_, items.size() * kItemWork));
    return ComputeLowerBound(items, most);
  }

  WorkControl* const control_;
  Program& program_;
  FixedArray<uint32_t> readers_;
  FixedArray<size_t> producers_;
};

}  // namespace

Status PlaceZeroCopyConcats(WorkControl* control, Program* program) {
  return ZeroCopyConcats(control, program).Run();
}

Status ApplyZeroCopyConcats(Span<const uint32_t> nodes, Program* program) {
  return nodes.empty() ? Status() : ZeroCopyConcats(nullptr, program).Apply(nodes);
}

}  // namespace micrort
