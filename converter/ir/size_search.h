#pragma once
// Sizes for the symbols of a graph that what was visited last fits, too.

#include "converter/ir/infer.h"

namespace micrort::ir {

class SizeSearch {
 public:
  // `visited` is the latest node of the inference, and may have bodies.
  SizeSearch(ShapeInference& inference, const Node& visited) : inference_(inference), visited_(visited) {}

  // Equates symbols that operators need equal, so that all bodies fit, too. Where that does not help, and
  // `error` says that something has to, tries other sizes, then both together, which some body may not fit.
  // Where nothing is found, sizes are any.
  bool Find(const Status& error);
  // To the present sizes, an attempt of Symbols, and to others, with which all is visited again. False where
  // these do not fit, or there are no symbols.
  static size_t Present(const ShapeInference& inference) { return inference.attempt_; }
  static bool MoveTo(size_t attempt, ShapeInference& inference);
  // Publishes a body that does not fit the present sizes for others.
  void InferApart(Graph& body);

 private:
  using FailedNode = ShapeInference::FailedNode;

  // `depth` bounds how many operators in bodies need symbols equal, each others.
  bool Equate(int depth);
  bool EquateFor(FailedNode failed, int depth);
  bool Fits();
  // `equate`: and equates symbols with these.
  bool TryOtherSizes(bool equate);

  ShapeInference& inference_;
  const Node& visited_;
  bool may_misfit_ = false;  // bodies need not fit, as long as their operator can do without them
};

}  // namespace micrort::ir
