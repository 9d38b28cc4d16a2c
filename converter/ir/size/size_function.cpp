#include "converter/ir/size/size_function.h"

#include <algorithm>

#include "converter/ir/size/input_sizes.h"

namespace micrort::ir::size {

using schema::OpCode;

Expr SizeCall::dim(size_t i, int d) const {
  const std::vector<Expr>& shape = inputs_[i]->shape;
  const int at = d < 0 ? d + static_cast<int>(shape.size()) : d;
  return at >= 0 && at < static_cast<int>(shape.size()) ? shape[static_cast<size_t>(at)] : Expr::Unknown();
}

const Numbers* SizeCall::values(size_t i) const {
  const bool known = i < inputs_.size() && inputs_[i] != nullptr && inputs_[i]->values.has_value();
  return known ? &*inputs_[i]->values : nullptr;
}

Status SizeCall::RequireEqual(const Expr& a, const Expr& b, const char* what, Expr* both) {
  // Texts are made in time, as what is learned is put into them.
  const bool is_known = hard_.Compare(a, b) == Proof::kEqual;
  const std::string first = is_known ? "" : hard_.TextOf(a), second = is_known ? "" : hard_.TextOf(b);
  if (!is_known && !hard_.RequireEqual(a, b, node_.name)) {
    return MICRORT_ERROR(kInvalidModel, "%s: %s and %s are never equal", what, first.c_str(), second.c_str());
  }
  likely_.RequireEqual(a, b);
  const Expr x = hard_.Resolve(a), y = hard_.Resolve(b);
  *both = x.is_unknown() || y.constant() ? y : x;
  return Status();
}

Status SizeCall::RequireEqual(const Expr& a, const Expr& b, const char* what) {
  Expr both;
  return RequireEqual(a, b, what, &both);
}

Status SizeCall::RequirePositive(const Expr& a, const char* what, bool* holds) {
  *holds = !a.is_unknown() && hard_.Resolve(a).range().least > 0;
  if (*holds) return Status();
  const Expr zero = Max(Expr(1) - a, 0);
  *holds = FitsRule(zero) && hard_.FollowsFromInputs(zero);
  return *holds ? RequireEqual(zero, Expr(0), what) : Status();
}

void SizeCall::AddNeed(const Need& need) {
  if (need.a.is_unknown() || need.b.is_unknown() || need.a == need.b) return;
  if (need.a.constant() && need.b.constant()) return;
  needs_.Add(need);
}

namespace {

// a = min(b, n), where n is more than 1: a table that is cut at the size of b. One is 1 only where both are.
bool IsCut(const Expr& a, const Expr& b) {
  const Expr difference = b - a;
  const Span<const Expr::Term> above = difference.terms();
  const bool is_part = above.size() == 1 && above[0].coefficient == 1 && above[0].factors.size() == 1 &&
                       above[0].factors[0]->kind == AtomKind::kPositivePart;
  return is_part && (b - above[0].factors[0]->arguments[0]).constant().value_or(0) > 1;
}

}  // namespace

Status SizeCall::BroadcastDim(const Expr& x, const Expr& y, Expr* out) {
  if (x.is(1) || y.is(1)) {
    *out = hard_.Resolve(x.is(1) ? y : x);
    return Status();
  }
  Proof proof = hard_.Compare(x, y);
  const auto cannot_be_one = [](const Expr& e) { return e.range().least > 1 || e.is(0); };
  const bool both_decide = proof != Proof::kEqual && cannot_be_one(x) && cannot_be_one(y);
  if (proof == Proof::kDifferent && both_decide) {
    return MICRORT_ERROR(kInvalidModel, "cannot broadcast a dimension of %s and one of %s",
                         hard_.TextOf(x).c_str(), hard_.TextOf(y).c_str());
  }
  if (proof == Proof::kOpen && (both_decide || IsCut(x, y) || IsCut(y, x))) {
    MICRORT_RETURN_IF_ERROR(RequireEqual(x, y, "broadcasting"));
    proof = Proof::kEqual;
  }
  AddNeed({Need::Kind::kBroadcast, x, y});
  *out = proof != Proof::kEqual ? Broadcast(x, y) : y.constant() ? y : x;
  return Status();
}

Status SizeCall::BroadcastTo(const std::vector<Expr>& a, const std::vector<Expr>& b, std::vector<Expr>* out) {
  const size_t rank = std::max(a.size(), b.size());
  std::vector<Expr> shape(rank);
  for (size_t i = 0; i < rank; ++i) {
    const Expr x = i + a.size() < rank ? Expr(1) : a[i + a.size() - rank];
    const Expr y = i + b.size() < rank ? Expr(1) : b[i + b.size() - rank];
    MICRORT_RETURN_IF_ERROR(BroadcastDim(x, y, &shape[i]));
  }
  *out = std::move(shape);
  return Status();
}

namespace {

// Shapes and values of the first input.
Status SizesOfIdentity(SizeCall& call) {
  if (call.has(0)) call.out() = call.in(0);
  call.out().values.reset();
  return Status();
}

Status SizesOfFirstForAll(SizeCall& call) {
  for (size_t i = 0; i < call.output_count() && call.has(0); ++i) call.out(i).SetShape(call.in(0).shape);
  return Status();
}

Status SizesOfIndices(SizeCall& call) {
  if (call.has(1)) call.out().SetShape(call.in(1).shape);
  return Status();
}

}  // namespace

Status InferSizes(SizeCall& call) {
  switch (call.node().code) {
    case OpCode::Conv2D:
      return SizesOfConv2D(call);
    case OpCode::DepthwiseConv2D:
      return SizesOfDepthwise(call);
    case OpCode::ConvTranspose2D:
      return SizesOfConvTranspose(call);
    case OpCode::MatMul:
      return SizesOfMatMul(call);
    case OpCode::Pool2D:
      return SizesOfPool(call);
    case OpCode::Unary:
      return SizesOfUnary(call);
    case OpCode::Binary:
      return SizesOfBinary(call);
    case OpCode::Reduce:
      return SizesOfReduce(call);
    case OpCode::Softmax:
      return SizesOfIdentity(call);
    case OpCode::Transpose:
      return SizesOfTranspose(call);
    case OpCode::Reshape:
      return SizesOfReshape(call);
    case OpCode::Concat:
      return SizesOfConcat(call);
    case OpCode::Slice:
      return SizesOfSlice(call);
    case OpCode::Pad:
      return SizesOfPad(call);
    case OpCode::Gather:
      return SizesOfGather(call);
    case OpCode::Resize:
      return SizesOfResize(call);
    case OpCode::Cast:
      return SizesOfCast(call);
    case OpCode::Quantize:
      return SizesOfIdentity(call);
    case OpCode::Dequantize:
      return SizesOfIdentity(call);
    case OpCode::Select:
      return SizesOfSelect(call);
    case OpCode::Shape:
      return SizesOfShape(call);
    case OpCode::Expand:
      return SizesOfExpand(call);
    case OpCode::Tile:
      return SizesOfTile(call);
    case OpCode::Recurrent:
      return SizesOfRecurrent(call);
    case OpCode::GatherND:
      return SizesOfGatherND(call);
    case OpCode::ScatterND:
      return SizesOfIdentity(call);
    case OpCode::GatherElements:
      return SizesOfIndices(call);
    case OpCode::ScatterElements:
      return SizesOfIdentity(call);
    case OpCode::TopK:
      return SizesOfTopK(call);
    case OpCode::CumulativeSum:
      return SizesOfIdentity(call);
    case OpCode::GridSample:
      return SizesOfGridSample(call);
    case OpCode::RoiAlign:
      return SizesOfRoiAlign(call);
    case OpCode::Range:
      return SizesOfRange(call);
    case OpCode::Fourier:
      return SizesOfFourier(call);
    case OpCode::Attention:
      return SizesOfAttention(call);
    case OpCode::Append:
      return SizesOfAppend(call);
    case OpCode::ReadCache:
      return SizesOfReadCache(call);
    case OpCode::Normalize:
      return SizesOfFirstForAll(call);
    case OpCode::NonZero:
      return SizesOfNonZero(call);
    case OpCode::NonMaxSuppression:
      call.out().SetShape({Expr::Unknown(), 3});
      if (call.has(5)) call.out(1).SetShape({Expr::Unknown()});
      return Status();
    case OpCode::Random:
      return SizesOfRandom(call);
    // Decided by data, or by code that is not here; what is fixed for the sizes at hand is no proof.
    case OpCode::If:
    case OpCode::Loop:
    case OpCode::Custom:
      return SizesOfCustom(call);
    case OpCode::Unique:
      return Status();
  }
  return Status();
}

}  // namespace micrort::ir::size
