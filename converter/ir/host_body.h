#pragma once
// The body of a node as its operator sees it while the converter infers shapes.

#include <vector>

#include "converter/ir/infer.h"
#include "runtime/ops/body.h"

namespace micrort::ir {

class HostBody final : public BodyPlan {
 public:
  // `owner` is a node of the graph `around`, with these inputs. All must stay as long as this object.
  HostBody(ShapeInference& inference, Graph& graph, const Graph& around, const Node& owner,
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
  // *failed: the one that cannot run with the sizes that are tried.
  Status InferNodes(const Node** failed);
  // Known for all sizes, of an input that is like this.
  void SetSizes(int i, const Tensor& like);
  // Carried values of a loop: dimensions that an iteration may change, whatever the sizes that are tried make
  // of them.
  void MarkChanging();

  ShapeInference& inference_;
  Graph& graph_;
  const Graph& around_;
  const Node& owner_;
  const std::vector<const HostTensor*>& outer_;
  std::vector<Tensor> inputs_;
  std::vector<Tensor> outputs_;
};

}  // namespace micrort::ir
