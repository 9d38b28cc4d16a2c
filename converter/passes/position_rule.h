#pragma once
// Masks that are computed from sizes and positions, for all sizes at once: linear conditions on the indices
// of an element decide whether it is masked. Nothing is believed that is not proven: a tensor
// that is computed in another way has no rule.

#include <map>
#include <optional>
#include <vector>

#include "converter/ir/infer.h"
#include "converter/ir/range_arithmetic.h"
#include "converter/ir/size/expr.h"

namespace micrort::passes {

using ir::NumberRange;

// factors[0] * i[0] + ... + offset, of an element with indices i. Factors of dimensions of size 1 are 0.
struct LinearOfIndices {
  std::vector<ir::size::Expr> factors;
  ir::size::Expr offset;

  bool operator==(const LinearOfIndices& o) const { return factors == o.factors && offset == o.offset; }
};

// Elements for which all conditions are 0 at least are `inside`; all others are in `outside`.
struct PositionRule {
  std::vector<LinearOfIndices> conditions;
  NumberRange inside, outside;
};

// Finds the rules of a graph's tensors; the graph stays as it is while this lives.
class PositionRules {
 public:
  // `inference` has visited the graph.
  PositionRules(const ir::Graph& graph, ir::ShapeInference& inference);

  // The tensor is of floats or booleans.
  std::optional<PositionRule> RuleOf(ir::ValueId id);
  std::vector<ir::size::Expr> ShapeOf(ir::ValueId id) { return Sizes(id).shape; }
  ir::size::Expr Dim(ir::ValueId id, int dim) { return Sizes(id).shape[static_cast<size_t>(dim)]; }

 private:
  // Either a number that is linear in the indices, or a rule.
  struct Meaning {
    std::optional<LinearOfIndices> number;
    std::optional<PositionRule> rule;

    bool is_unknown() const { return !number && !rule; }
  };

  Meaning MeaningOf(ir::ValueId id, int depth);
  Meaning Find(ir::ValueId id, int depth);
  static Meaning OfConstant(const ir::Value& value);
  static Meaning OfIntegers(const std::vector<int64_t>& x, const std::vector<int64_t>& shape);
  Meaning OfBinary(const ir::Node& node, int depth);
  std::optional<PositionRule> RuleOfComparison(const ir::Node& node, const LinearOfIndices& a,
                                               const LinearOfIndices& b);
  // Whether it is 0 at least for all elements of a tensor.
  bool HoldsAlways(const LinearOfIndices& condition, ir::ValueId tensor);
  Meaning OfUnary(const ir::Node& node, int depth);
  Meaning OfCast(const ir::Node& node, int depth);
  Meaning OfSelect(const ir::Node& node, int depth);
  // Where dimension d is dimension source[d] of x; of those that are new, all elements are the same.
  static Meaning Moved(Meaning x, const std::vector<size_t>& source);
  // An input as it broadcasts to the output.
  Meaning Broadcast(const ir::Node& node, size_t input, int depth);
  // One that adds and removes dimensions of size 1.
  Meaning OfReshape(const ir::Node& node, int depth);
  Meaning OfTranspose(const ir::Node& node, int depth);
  Meaning OfRange(const ir::Node& node);
  Meaning OfCumulativeSum(const ir::Node& node, int depth);
  // The largest element of each row, where each row has one that is inside.
  Meaning OfReduce(const ir::Node& node, int depth);
  bool IsInsideSomewhere(const PositionRule& rule, const LinearOfIndices& condition, ir::ValueId tensor);

  ir::size::SizedTensor Sizes(ir::ValueId id) { return inference_.SizesOf(graph_, id); }
  // The only element.
  std::optional<ir::size::Expr> IntegerOf(ir::ValueId id);

  const ir::Graph& graph_;
  ir::ShapeInference& inference_;
  const ir::Graph::Uses uses_;
  std::map<ir::ValueId, Meaning> found_;
};

}  // namespace micrort::passes
