#pragma once
// The body of a node as its operator sees it while the converter infers shapes.

#include <vector>

#include "converter/ir/infer.h"
#include "runtime/ops/body.h"

namespace micrort::ir {

class HostBody final : public BodyPlan {
 public:
  // `outer` are the owner's inputs in this probe. All must stay as long as this object.
  HostBody(ShapeInference& inference, Graph& graph, size_t probe,
           const std::vector<const HostTensor*>& outer);

  int input_count() const override { return static_cast<int>(graph_.inputs.size()); }
  int output_count() const override { return static_cast<int>(graph_.outputs.size()); }
  const Tensor& input(int i) const override { return inputs_[static_cast<size_t>(i)]; }
  Status SetInput(int i, const Tensor& like) override;
  Status Infer(InferGoal goal) override;
  const Tensor& output(int i) const override { return outputs_[static_cast<size_t>(i)]; }
  // Not asked for while shapes are inferred.
  int64_t multiply_adds() const override { return 0; }
  uint64_t work() const override { return 0; }
  Status PlanArena(size_t* bytes) override;

 private:
  Status InferNodes();

  ShapeInference& inference_;
  Graph& graph_;
  const size_t probe_;
  const std::vector<const HostTensor*>& outer_;
  std::vector<Tensor> inputs_;
  std::vector<Tensor> outputs_;
};

}  // namespace micrort::ir
