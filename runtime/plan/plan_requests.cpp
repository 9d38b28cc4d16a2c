#include "runtime/plan/plan_requests.h"

#include <algorithm>

namespace micrort {

namespace {

class ItemBuilder {
 public:
  ItemBuilder(const PlanGraph& graph, FixedArray<PlanItem>* items) : graph_(graph), items_(*items) {}

  Status Build() {
    const size_t tensors = graph_.tensor_bytes.size();
    MICRORT_RETURN_IF_ERROR(items_.Allocate(tensors + graph_.ops.size()));
    MICRORT_RETURN_IF_ERROR(is_written_.Allocate(tensors));
    MICRORT_RETURN_IF_ERROR(is_read_.Allocate(tensors));
    MICRORT_RETURN_IF_ERROR(is_taken_.Allocate(tensors));
    for (size_t t = 0; t < tensors; ++t) items_[t].bytes = AlignUp(graph_.tensor_bytes[t], kAlignment);
    for (size_t o = 0; o < graph_.ops.size(); ++o) {
      if (!graph_.ops[o].skipped) AddLifetimes(o);
    }
    AddCaller();
    for (size_t o = 0; o < graph_.ops.size(); ++o) {
      if (!graph_.ops[o].skipped) AddTakeOvers(o);
    }
    return Status();
  }

 private:
  void AddLifetimes(size_t o) {
    const PlanOp& op = graph_.ops[o];
    const auto now = static_cast<int32_t>(o);
    for (const int32_t t : op.outputs) {
      PlanItem& item = items_[static_cast<size_t>(t)];
      if (!is_written_[static_cast<size_t>(t)]) item.first_op = now;
      is_written_[static_cast<size_t>(t)] = true;
      item.last_op = now;
    }
    for (const int32_t t : op.inputs) {
      if (t < 0) continue;
      items_[static_cast<size_t>(t)].last_op = now;
      is_read_[static_cast<size_t>(t)] = true;
    }
    PlanItem& scratch = items_[graph_.tensor_bytes.size() + o];
    scratch.bytes = AlignUp(op.prepared->scratch_bytes, kAlignment);
    scratch.first_op = scratch.last_op = now;
  }

  // The caller reads outputs after the last operator, so nothing takes them over.
  void AddCaller() {
    const auto end = static_cast<int32_t>(graph_.ops.size());
    for (const int32_t t : graph_.inputs) {
      if (!is_read_[static_cast<size_t>(t)]) items_[static_cast<size_t>(t)].last_op = end;
    }
    for (const int32_t t : graph_.outputs) items_[static_cast<size_t>(t)].last_op = end;
  }

  void AddTakeOvers(size_t o) {
    const PlanOp& op = graph_.ops[o];
    for (size_t k = 0; k < std::min<size_t>(op.outputs.size(), kMaxInPlace); ++k) {
      const int input = op.prepared->in_place[k];
      if (input < 0 || static_cast<size_t>(input) >= op.inputs.size()) continue;
      const int32_t from = op.inputs[static_cast<size_t>(input)];
      if (from < 0 || !MayTake(o, from, op.outputs[k])) continue;
      items_[static_cast<size_t>(op.outputs[k])].takes_over = from;
      is_taken_[static_cast<size_t>(from)] = true;
    }
  }

  bool MayTake(size_t o, int32_t from, int32_t to) const {
    const Span<const int32_t> inputs = graph_.ops[o].inputs;
    const size_t f = static_cast<size_t>(from);
    return graph_.tensor_bytes[f] != 0 &&
           graph_.tensor_bytes[f] == graph_.tensor_bytes[static_cast<size_t>(to)] &&
           items_[f].last_op == static_cast<int32_t>(o) && !is_taken_[f] &&
           std::count(inputs.begin(), inputs.end(), from) == 1;
  }

  const PlanGraph& graph_;
  FixedArray<PlanItem>& items_;
  FixedArray<bool> is_written_;
  FixedArray<bool> is_read_;   // by an operator that runs
  FixedArray<bool> is_taken_;  // by an output
};

}  // namespace

Status BuildPlanItems(const PlanGraph& graph, FixedArray<PlanItem>* items) {
  return ItemBuilder(graph, items).Build();
}

}  // namespace micrort
