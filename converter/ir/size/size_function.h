#pragma once
// What the operators of the file make of sizes and of values that are computed from sizes: a function for
// each operator, in the terms of schema/micrort.fbs. They state what an operator requires, and say "unknown"
// where they do not know; that is always right.

#include <string>
#include <vector>

#include "converter/ir/size/needs.h"
#include "converter/ir/size/sized_tensor.h"
#include "converter/ir/size/solver.h"
#include "kernels/attention/cache_rows.h"
#include "kernels/base/status.h"

namespace micrort::ir::size {

// One node with what is known of its inputs; functions fill its outputs.
class SizeCall {
 public:
  // `inputs` are null where absent or where nothing is known; all are resolved.
  SizeCall(const Graph& graph, const Node& node, std::vector<const SizedTensor*> inputs, Solver* hard,
           Solver* likely, Needs* needs, std::vector<SizedTensor>* outputs)
      : graph_(graph),
        node_(node),
        inputs_(std::move(inputs)),
        hard_(*hard),
        likely_(*likely),
        needs_(*needs),
        outputs_(*outputs) {}

  const Node& node() const { return node_; }
  template <typename OptionsT>
  OptionsT options() const {
    return node_.options.type == schema::Options::NONE ? OptionsT() : node_.as<OptionsT>();
  }
  size_t input_count() const { return inputs_.size(); }
  // With a rank.
  bool has(size_t i) const { return i < inputs_.size() && inputs_[i] != nullptr && inputs_[i]->has_rank; }
  const SizedTensor& in(size_t i) const { return *inputs_[i]; }
  int rank(size_t i) const { return inputs_[i]->rank(); }
  // Negative ones count from the end; unknown where there is no such dimension.
  Expr dim(size_t i, int d) const;
  // Two of int4 weights, whose last dimension counts bytes.
  int64_t elements_in_byte(size_t i) const {
    return graph_.value(node_.inputs[i]).dtype == DType::kInt4 ? 2 : 1;
  }
  // Elements that a row of a cache has beside its numbers (kernels/attention/cache_rows.h).
  int64_t scale_elements(size_t i) const { return CacheScaleElements(graph_.value(node_.inputs[i]).dtype); }
  // Null where these are not followed.
  const Numbers* values(size_t i) const;
  SizedTensor& out(size_t i = 0) { return outputs_[i]; }
  size_t output_count() const { return outputs_.size(); }
  DType output_dtype(size_t i = 0) const { return graph_.value(node_.outputs[i]).dtype; }

  // Dimensions that have to be equal in every run: kInvalidModel if they never are. Returns what is known of
  // both, the more settled one.
  Status RequireEqual(const Expr& a, const Expr& b, const char* what, Expr* both);
  Status RequireEqual(const Expr& a, const Expr& b, const char* what);
  // 1 at least, by a rule of the file where it is not proven. *holds: false where a file cannot state it, and
  // nothing is required: data decide it, or it is too long.
  Status RequirePositive(const Expr& a, const char* what, bool* holds);
  // Not stated for all sizes: the operator itself checks that a is b at most.
  void NeedAtMost(const Expr& a, const Expr& b) { AddNeed({Need::Kind::kAtMost, a, b}); }
  void NeedEqual(const Expr& a, const Expr& b) { AddNeed({Need::Kind::kEqual, a, b}); }
  // As NumPy broadcasts.
  Status BroadcastTo(const std::vector<Expr>& a, const std::vector<Expr>& b, std::vector<Expr>* out);
  const Solver& solver() const { return hard_; }

 private:
  Status BroadcastDim(const Expr& x, const Expr& y, Expr* out);
  void AddNeed(const Need& need);

  const Graph& graph_;
  const Node& node_;
  const std::vector<const SizedTensor*> inputs_;
  Solver& hard_;
  Solver& likely_;  // knows more: what is equal in the usual case
  Needs& needs_;
  std::vector<SizedTensor>& outputs_;
};

// Negative axes count from the end.
inline int64_t AxisOf(int64_t axis, int rank) { return axis < 0 ? axis + rank : axis; }
inline bool IsAxis(int64_t axis, int rank) { return axis >= 0 && axis < rank; }

// For nodes without bodies. Outputs stay without rank where nothing is known.
Status InferSizes(SizeCall& call);

// By family; see the operators in size_function.cpp.
Status SizesOfShape(SizeCall& call);
Status SizesOfReshape(SizeCall& call);
Status SizesOfExpand(SizeCall& call);
Status SizesOfTile(SizeCall& call);
Status SizesOfTranspose(SizeCall& call);
Status SizesOfConcat(SizeCall& call);
Status SizesOfSlice(SizeCall& call);
Status SizesOfPad(SizeCall& call);
Status SizesOfGather(SizeCall& call);
Status SizesOfRange(SizeCall& call);
Status SizesOfCast(SizeCall& call);
Status SizesOfUnary(SizeCall& call);
Status SizesOfBinary(SizeCall& call);
Status SizesOfSelect(SizeCall& call);
Status SizesOfReduce(SizeCall& call);
Status SizesOfConv2D(SizeCall& call);
Status SizesOfDepthwise(SizeCall& call);
Status SizesOfConvTranspose(SizeCall& call);
Status SizesOfPool(SizeCall& call);
Status SizesOfResize(SizeCall& call);
Status SizesOfMatMul(SizeCall& call);
Status SizesOfAttention(SizeCall& call);
Status SizesOfAppend(SizeCall& call);
Status SizesOfReadCache(SizeCall& call);
Status SizesOfRecurrent(SizeCall& call);
Status SizesOfGatherND(SizeCall& call);
Status SizesOfTopK(SizeCall& call);
Status SizesOfFourier(SizeCall& call);
Status SizesOfGridSample(SizeCall& call);
Status SizesOfRoiAlign(SizeCall& call);
Status SizesOfNonZero(SizeCall& call);
Status SizesOfCustom(SizeCall& call);
Status SizesOfRandom(SizeCall& call);

}  // namespace micrort::ir::size
