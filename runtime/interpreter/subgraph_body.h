#pragma once
// A subgraph as the body of an operator: inputs and outputs are the owner's memory.

#include "kernels/base/fixed_array.h"
#include "runtime/ops/body.h"

namespace micrort {

class Subgraph;
struct Graph;

class SubgraphBody final : public BodyPlan, public Body {
 public:
  explicit SubgraphBody(Subgraph* subgraph) : subgraph_(*subgraph) {}

  int input_count() const override;
  int output_count() const override;
  const Tensor& input(int i) const override;
  const Tensor& output(int i) const override;
  Status SetInput(int i, const Tensor& like) override;
  Status Infer(InferGoal goal) override;
  int64_t multiply_adds() const override;
  uint64_t work() const override;
  Status PlanArena(size_t* bytes) override;
  const Status* failure() const override { return failure_.empty() ? nullptr : failure_.data(); }
  void LendInput(int i, void* data, const Shape* shape) override;
  void LendOutput(int i, void* data) override;
  Status Run(const Parallel& parallel) override;
  const Tensor& result(int i) const override { return output(i); }

  Subgraph& subgraph() const { return subgraph_; }
  // What nodes are prepared for has changed.
  void Forget() { progress_ = Progress::kNone; }

 private:
  // With the inputs as they are now. Nothing is done twice for the same ones.
  enum class Progress : uint8_t { kNone, kInferredForBounds, kInferredForPlan, kPlanned };

  Status InferNodes(InferGoal goal);
  // Keeps the reason, and returns it.
  Status Fail(const Status& reason);
  Graph& graph() const;
  size_t InputIndex(int i) const;
  size_t OutputIndex(int i) const;

  Subgraph& subgraph_;
  FixedArray<bool> lent_;  // by output: its memory is the owner's
  Progress progress_ = Progress::kNone;
  FixedArray<Status> failure_;  // of the latest SetInput or Infer, if there was one
};

}  // namespace micrort
