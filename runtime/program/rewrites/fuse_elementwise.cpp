// Element-wise steps that follow each other run as one (kernels/fused/): what lies between them stays in
// registers and in the first-level cache.

#include <algorithm>
#include <iterator>

#include "runtime/program/rewrites/fused_call.h"
#include "runtime/program/rewrites/rewrites.h"

namespace micrort {

namespace {

// The last step that reads each view, or SIZE_MAX for what the caller reads; 0: nothing, or the first step.
Status FindLastReaders(const Program& program, FixedArray<size_t>* last) {
  MICRORT_RETURN_IF_ERROR(last->Allocate(program.views.size()));
  for (size_t s = 0; s < program.steps.size(); ++s) {
    for (const int32_t view : program.steps[s].inputs) {
      if (view >= 0) (*last)[static_cast<size_t>(view)] = s;
    }
  }
  for (const int32_t view : program.outputs) (*last)[static_cast<size_t>(view)] = SIZE_MAX;
  return Status();
}

// Steps [first, end) of a program, as a graph. All of their outputs have one shape.
class FusedGroup {
 public:
  FusedGroup(const Program& program, Span<const size_t> last_readers, size_t first)
      : program_(program), last_readers_(last_readers), first_(first), end_(first) {}

  size_t end() const { return end_; }
  // Whether each step is linked to the others by what they give.
  bool IsConnected() const {
    return end_ > first_ && std::all_of(part_, part_ + size(), [this](uint8_t p) { return p == part_[0]; });
  }

  // False where the next step cannot be one of them.
  bool Add() {
    if (end_ == program_.steps.size() || size() == kMaxFusedSteps) return false;
    const Step& step = program_.steps[end_];
    FusedCall call;
    if (!MayJoin(step) || !DescribeFusedCall(step, &call)) return false;
    FusedValue operands[2] = {};
    const auto part = static_cast<uint8_t>(size());
    for (size_t i = 0; i < call.input_count(); ++i) {
      if (!FindOperand(step.inputs[i], call.inputs[i], part, &operands[i])) return false;
    }
    if (node_count_ + 2 > kMaxFusedNodes) return false;
    FusedNode& node = nodes_[node_count_++];
    node = call.function;
    node.a = operands[0];
    node.b = operands[1];
    if (call.after.kind != UnaryKind::kIdentity) {
      FusedNode& after = nodes_[node_count_++];
      after = FusedNode();
      after.unary = call.after;
      after.a = static_cast<FusedValue>(node_count_ - 2);
    }
    results_[size()] = {static_cast<FusedValue>(node_count_ - 1), call.output};
    part_[size()] = part;
    ++end_;
    return true;
  }

  // Fills what is read by others: the last step's result is always among it. No more steps are added then.
  bool FindOutputs() {
    output_count_ = 0;
    for (size_t k = 0; k < size(); ++k) {
      const int32_t view = OutputOf(k);
      if (!IsReadFrom(end_, view)) continue;
      if (output_count_ == kMaxFusedOutputs) return false;
      outputs_[output_count_] = view;
      graph_outputs_[output_count_++] = results_[k];
    }
    MergeSigns({graph_outputs_, output_count_}, nodes_, node_count_);
    return output_count_ > 0 && outputs_[output_count_ - 1] == OutputOf(size() - 1);
  }

  FusedGraph graph() const {
    return {{nodes_, node_count_}, {formats_, input_count_}, {graph_outputs_, output_count_}};
  }
  Span<const int32_t> inputs() const { return {inputs_, input_count_}; }
  Span<const int32_t> outputs() const { return {outputs_, output_count_}; }
  const Shape& shape() const { return program_.view(OutputOf(0)).shape; }
  Span<const Shape> input_shapes() const { return {shapes_, input_count_}; }

  // Whether no more bytes are alive than while the steps run one after another.
  bool NeedsNoMoreMemory() const {
    size_t most = 0;
    for (size_t k = 0; k < size(); ++k) most = std::max(most, AliveAt(k));
    size_t fused = 0;
    for (const int32_t view : inputs()) fused += program_.arena_bytes(view);
    for (size_t o = 0; o < output_count_; ++o)
      fused += InputToTake(o) >= 0 ? 0 : program_.arena_bytes(outputs_[o]);
    return fused <= most;
  }

  // The input that output `o` may lie over; -1: none. Nobody else takes it.
  int InputToTake(size_t o) const {
    int taken[kMaxFusedOutputs] = {-1, -1, -1, -1};
    for (size_t earlier = 0; earlier <= o; ++earlier) {
      for (size_t i = 0; i < input_count_ && taken[earlier] < 0; ++i) {
        if (std::count(taken, taken + earlier, static_cast<int>(i)) == 0 && MayTake(i, earlier))
          taken[earlier] = static_cast<int>(i);
      }
    }
    return taken[o];
  }

 private:
  size_t size() const { return end_ - first_; }
  int32_t OutputOf(size_t k) const { return program_.steps[first_ + k].outputs[0]; }
  bool IsCallersInput(int32_t view) const {
    return std::find(program_.inputs.begin(), program_.inputs.end(), view) != program_.inputs.end();
  }

  // A file that limits scratch has been planned step by step.
  bool MayJoin(const Step& step) const {
    if (step.removed || step.data_dependent || step.scratch_limit >= 0 || step.outputs.size() != 1)
      return false;
    if (end_ > first_ && step.node != program_.steps[end_ - 1].node_end) return false;
    const View& y = program_.view(step.outputs[0]);
    return program_.arena_bytes(step.outputs[0]) != 0 && IsWhole(y) && (end_ == first_ || y.shape == shape());
  }

  // What a step of `part` reads: the result of one before, whose part it joins to its own, or an input. False
  // where that cannot be.
  bool FindOperand(int32_t view, const ElementFormat& format, uint8_t part, FusedValue* value) {
    for (size_t k = 0; k < size(); ++k) {
      if (OutputOf(k) != view) continue;
      *value = results_[k].value;
      const uint8_t joined = part_[k];
      std::replace(part_, part_ + size(), joined, part);
      return IsFloat32(results_[k].format);
    }
    const auto found = static_cast<size_t>(std::find(inputs_, inputs_ + input_count_, view) - inputs_);
    *value = FusedInput(found);
    if (found < input_count_) return true;
    if (found == kMaxFusedInputs || !IsWhole(program_.view(view))) return false;
    inputs_[found] = view;
    formats_[found] = format;
    shapes_[found] = program_.view(view).shape;
    ++input_count_;
    return true;
  }

  // Whether step `s` or a later one reads a view, or the caller.
  bool IsReadFrom(size_t s, int32_t view) const { return last_readers_[static_cast<size_t>(view)] >= s; }

  // Bytes of the group's tensors while its step k runs, if steps run one after another.
  size_t AliveAt(size_t k) const {
    const size_t s = first_ + k;
    size_t bytes = program_.arena_bytes(OutputOf(k));
    for (const int32_t view : inputs()) bytes += IsReadFrom(s, view) ? program_.arena_bytes(view) : 0;
    for (size_t before = 0; before < k; ++before)
      bytes += IsReadFrom(s, OutputOf(before)) ? program_.arena_bytes(OutputOf(before)) : 0;
    // It may lie over what it reads last.
    const Step& step = program_.steps[s];
    const int input = step.in_place[0];
    if (input < 0) return bytes;
    const int32_t from = step.inputs[static_cast<size_t>(input)];
    const bool takes =
        !IsReadFrom(s + 1, from) && program_.arena_bytes(from) == program_.arena_bytes(OutputOf(k));
    return takes ? bytes - program_.arena_bytes(from) : bytes;
  }

  bool MayTake(size_t i, size_t o) const {
    const int32_t view = inputs_[i];
    if ((program_.reads_inputs_only || program_.keeps_inputs) && IsCallersInput(view)) return false;
    const size_t bytes = program_.arena_bytes(view);
    if (bytes == 0 || bytes != program_.arena_bytes(outputs_[o]) || IsReadFrom(end_, view)) return false;
    if (shapes_[i] != shape()) return false;
    const FusedValue last = graph_outputs_[o].value;
    for (size_t k = static_cast<size_t>(last) + 1; k < node_count_; ++k) {
      if (nodes_[k].a == FusedInput(i) || (nodes_[k].is_binary && nodes_[k].b == FusedInput(i))) return false;
    }
    return true;
  }

  const Program& program_;
  const Span<const size_t> last_readers_;
  const size_t first_;
  size_t end_;
  FusedNode nodes_[kMaxFusedNodes];
  size_t node_count_ = 0;
  int32_t inputs_[kMaxFusedInputs + 1] = {};
  ElementFormat formats_[kMaxFusedInputs];
  Shape shapes_[kMaxFusedInputs];
  size_t input_count_ = 0;
  FusedOutput results_[kMaxFusedSteps];  // a step
  uint8_t part_[kMaxFusedSteps] = {};    // a step; steps of one part are linked
  int32_t outputs_[kMaxFusedOutputs] = {};
  FusedOutput graph_outputs_[kMaxFusedOutputs];
  size_t output_count_ = 0;
};

template <typename T>
Status Copy(Span<const T> from, FixedArray<T>* to) {
  MICRORT_RETURN_IF_ERROR(to->Allocate(from.size()));
  std::copy(from.begin(), from.end(), to->begin());
  return Status();
}

class ElementwiseFusion {
 public:
  ElementwiseFusion(CpuFeatures features, Program* program) : features_(features), program_(*program) {}

  Status Run() {
    size_t most = 0;
    for (const Step& step : program_.steps) most += step.fused != nullptr ? 1 : 0;
    if (most < 2) return Status();
    MICRORT_RETURN_IF_ERROR(FindLastReaders(program_, &last_readers_));
    MICRORT_RETURN_IF_ERROR(program_.fused.Allocate(most / 2));
    for (size_t s = 0; s < program_.steps.size();) {
      size_t end = s + 1;
      MICRORT_RETURN_IF_ERROR(FuseFrom(s, &end));
      s = end;
    }
    return Status();
  }

 private:
  // The longest group that begins with step `first`, if there is one; `end` is behind it.
  Status FuseFrom(size_t first, size_t* end) {
    FusedGroup whole(program_, last_readers_, first);
    size_t longest = first;
    while (whole.Add()) longest = whole.IsConnected() ? whole.end() : longest;
    for (size_t last = longest; last > first + 1; --last) {
      FusedGroup group(program_, last_readers_, first);
      while (group.end() < last) group.Add();
      if (!group.IsConnected() || !group.FindOutputs() || !group.NeedsNoMoreMemory()) continue;
      bool fits = false;
      MICRORT_RETURN_IF_ERROR(Fuse(group, first, &fits));
      if (!fits) continue;
      *end = last;
      return Status();
    }
    return Status();
  }

  Status Fuse(const FusedGroup& group, size_t first, bool* fits) {
    Step& step = program_.steps[first];
    FusedElementwise& fused = program_.fused[count_];
    fused.functions = step.fused;
    MICRORT_RETURN_IF_ERROR(PlanFusedProgram(group.graph(), group.input_shapes(), group.shape(), features_,
                                             &fused.program, fits));
    if (!*fits) return Status();
    MICRORT_RETURN_IF_ERROR(Copy(group.graph().nodes, &fused.nodes));
    MICRORT_RETURN_IF_ERROR(Copy(group.graph().inputs, &fused.input_formats));
    MICRORT_RETURN_IF_ERROR(Copy(group.graph().outputs, &fused.results));
    MICRORT_RETURN_IF_ERROR(Copy(group.inputs(), &fused.inputs));
    MICRORT_RETURN_IF_ERROR(Copy(group.outputs(), &fused.outputs));
    for (size_t s = first; s < group.end(); ++s) {
      Step& one = program_.steps[s];
      one.removed = s != first;
      const int32_t y = one.outputs[0];
      if (std::find(fused.outputs.begin(), fused.outputs.end(), y) == fused.outputs.end())
        program_.buffers[static_cast<size_t>(program_.view(y).buffer)].in_arena = false;
    }
    step.call = CallKind::kElementwise;
    step.parameters = static_cast<int32_t>(count_++);
    step.node_end = program_.steps[group.end() - 1].node_end;
    std::fill(std::begin(step.in_place), std::end(step.in_place), int8_t{-1});
    for (size_t o = 0; o < group.outputs().size(); ++o)
      step.in_place[o] = static_cast<int8_t>(group.InputToTake(o));
    step.inputs = fused.inputs;
    step.outputs = fused.outputs;
    program_.is_as_graph = false;
    return Status();
  }

  const CpuFeatures features_;
  Program& program_;
  FixedArray<size_t> last_readers_;
  size_t count_ = 0;  // of Program::fused
};

Status Fuse(CpuFeatures features, Program* program) { return ElementwiseFusion(features, program).Run(); }

Status Plan(CpuFeatures features, Span<const Shape> inputs, const Shape& out, FusedElementwise* fused,
            bool* fits) {
  return PlanFusedProgram(fused->graph(), inputs, out, features, &fused->program, fits);
}

}  // namespace

const FusedFunctions kFusedFunctions = {Fuse, Plan, RunFusedProgram};

}  // namespace micrort
