#include "runtime/program/plan_items.h"

#include <algorithm>

namespace micrort {

namespace {

class ItemBuilder {
 public:
  ItemBuilder(const Program& program, FixedArray<PlanItem>* items) : program_(program), items_(*items) {}

  Status Build() {
    const size_t buffers = program_.buffers.size();
    MICRORT_RETURN_IF_ERROR(items_.Allocate(buffers + program_.node_count));
    MICRORT_RETURN_IF_ERROR(is_written_.Allocate(buffers));
    MICRORT_RETURN_IF_ERROR(is_read_.Allocate(buffers));
    MICRORT_RETURN_IF_ERROR(is_taken_.Allocate(buffers));
    for (size_t b = 0; b < buffers; ++b) {
      const Buffer& buffer = program_.buffers[b];
      items_[b].bytes = buffer.in_arena ? AlignUp(buffer.bytes, kAlignment) : 0;
    }
    for (const Step& step : program_.steps) {
      if (!step.removed) AddLifetimes(step);
    }
    AddCaller();
    for (const Step& step : program_.steps) {
      if (!step.removed) AddTakeOvers(step);
    }
    return Status();
  }

 private:
  size_t BufferOf(int32_t view) const { return static_cast<size_t>(program_.view(view).buffer); }

  void AddLifetimes(const Step& step) {
    for (const int32_t v : step.outputs) {
      const size_t b = BufferOf(v);
      if (!is_written_[b]) items_[b].first_op = step.node;
      is_written_[b] = true;
      items_[b].last_op = step.node;
    }
    for (const int32_t v : step.inputs) {
      if (v < 0) continue;
      items_[BufferOf(v)].last_op = step.node;
      is_read_[BufferOf(v)] = true;
    }
    PlanItem& scratch = items_[program_.buffers.size() + static_cast<size_t>(step.node)];
    scratch.bytes = AlignUp(step.scratch_bytes, kAlignment);
    scratch.first_op = scratch.last_op = step.node;
  }

  // The caller reads outputs after the last step, so nothing takes them over.
  void AddCaller() {
    const auto end = static_cast<int32_t>(program_.node_count);
    for (const int32_t v : program_.inputs) {
      if (program_.keeps_inputs || !is_read_[BufferOf(v)]) items_[BufferOf(v)].last_op = end;
    }
    for (const int32_t v : program_.outputs) items_[BufferOf(v)].last_op = end;
  }

  void AddTakeOvers(const Step& step) {
    for (size_t k = 0; k < std::min<size_t>(step.outputs.size(), kMaxInPlace); ++k) {
      const int input = step.in_place[k];
      if (input < 0 || static_cast<size_t>(input) >= step.inputs.size()) continue;
      const int32_t from = step.inputs[static_cast<size_t>(input)];
      if (from < 0 || !MayTake(step, from, step.outputs[k])) continue;
      items_[BufferOf(step.outputs[k])].takes_over = static_cast<int32_t>(BufferOf(from));
      is_taken_[BufferOf(from)] = true;
    }
  }

  bool MayTake(const Step& step, int32_t from, int32_t to) const {
    const size_t bytes = program_.arena_bytes(from);
    return bytes != 0 && bytes == program_.arena_bytes(to) && items_[BufferOf(from)].last_op == step.node &&
           !is_taken_[BufferOf(from)] && IsWhole(program_.view(from)) && IsWhole(program_.view(to)) &&
           std::count(step.inputs.begin(), step.inputs.end(), from) == 1;
  }

  const Program& program_;
  FixedArray<PlanItem>& items_;
  FixedArray<bool> is_written_;
  FixedArray<bool> is_read_;   // by a step
  FixedArray<bool> is_taken_;  // by an output
};

}  // namespace

Status BuildPlanItems(const Program& program, FixedArray<PlanItem>* items) {
  return ItemBuilder(program, items).Build();
}

}  // namespace micrort
