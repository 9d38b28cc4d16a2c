#pragma once
// Sizes that a graph is asked with where an operator, or a body of one, cannot run with those of the witness:
// chosen from what all operators need.

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "converter/ir/infer.h"

namespace micrort::ir {

class SizeFitter {
 public:
  explicit SizeFitter(ShapeInference& inference) : inference_(inference) {}

  // Visits everything again with sizes that fit what is needed. `status` where these do not, either.
  Status AskWithOthers(const Status& status, const std::function<bool()>& suits);
  // Whether the operator says the same with no other sizes, so that its message may tell of them.
  bool tells_sizes() const { return tells_sizes_; }
  // What is said in place of such a message, once the node has been given up.
  Status NoSizesFor(const Node& node, const Status& status);
  // For an operator of which no body fits.
  Status MakeOneBodyFit(const Node& node, const Status& status);
  // For one that runs: looks for sizes that all its bodies fit. Those that fit no sizes of the rest get their
  // own.
  Status MakeBodiesFit(const Node& node);

 private:
  using Knowledge = ShapeInference::Knowledge;

  // With sizes that differ, then with equal ones; what is known is kept where one suits.
  bool WithEachKind(const std::function<bool()>& suits);
  bool SaysTheSame(const Status& other, const Status& status) const;
  std::pair<const Graph*, const Node*> FailedIn(const Node& node) const;
  std::optional<size::Solver> Suiting(const Knowledge& known) const;
  bool WithSizesOfInputs(const std::function<bool()>& suits);
  std::optional<size::Solver> WithInputsAt(const std::vector<int64_t>& sizes) const;
  std::vector<Graph*> MisfitsIn(const Node& node) const;
  std::vector<size::Solver> LikelyFor(const Graph& body, int* learned) const;
  bool MakeFitBy(const Graph& body, const std::function<bool(const Status&)>& suits);
  void VisitApart(Graph& body);

  ShapeInference& inference_;
  bool tells_sizes_ = false;
};

}  // namespace micrort::ir
