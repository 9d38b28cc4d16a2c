// Distances, and losses: what a model that judges its own output computes.

#include "converter/frontend/torchscript/ops/norm.h"
#include "converter/frontend/torchscript/ops/promotion.h"
#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

using schema::ReduceKind;

ir::ValueId Num(OpContext& c, ir::ValueId like, double v) { return c.Scalar(c.dtype(like), v); }

// (x1, x2, dim, eps)
void ImportCosineSimilarity(OpContext& c) {
  const std::vector<ir::ValueId> x = Promoted(c, {c.arg(0), c.arg(1)});
  const ir::ValueId products = c.Onnx("Mul", x);
  const int axis = c.Axis(2, c.rank(products), 1);
  const ir::ValueId shape = c.build.ShapeOf(products), least = Num(c, products, c.Float(3, 1e-8));
  const auto norm = [&](ir::ValueId id) {
    return c.build.Max(NormOf(c, c.Onnx("Expand", {id, shape}), 2, {axis}, false), least);
  };
  const ir::ValueId dot = c.build.Reduce(ReduceKind::Sum, products, {axis}, false);
  c.Return(c.build.Div(dot, c.Onnx("Mul", {norm(x[0]), norm(x[1])})));
}

// (x1, x2, p, eps, keepdim): eps is added to each difference
void ImportPairwiseDistance(OpContext& c) {
  const std::vector<ir::ValueId> x = Promoted(c, {c.arg(0), c.arg(1)});
  const ir::ValueId off = c.Onnx("Sub", x);
  const ir::ValueId moved = c.build.Add(off, Num(c, off, c.Float(3, 1e-6)));
  c.Return(NormOf(c, moved, c.Float(2, 2), {c.rank(moved) - 1}, c.Bool(4, false)));
}

// (x1 [..., P, M], x2 [..., R, M], p): [..., P, R]
void ImportCDist(OpContext& c) {
  const std::vector<ir::ValueId> x = Promoted(c, {c.arg(0), c.arg(1)});
  const ir::ValueId off = c.Onnx(
      "Sub", {c.Onnx("Unsqueeze", {x[0], c.Integers({-2})}), c.Onnx("Unsqueeze", {x[1], c.Integers({-3})})});
  c.Return(NormOf(c, off, c.Float(2, 2), {c.rank(off) - 1}, false));
}

// None, the mean or the sum of all.
void ReturnReduced(OpContext& c, ir::ValueId loss, int64_t reduction) {
  if (reduction == 0) return c.Return(loss);
  const ir::ValueId flat = c.build.Reshape(loss, {ir::kInferDim});
  c.Return(c.build.Reduce(reduction == 1 ? ReduceKind::Mean : ReduceKind::Sum, flat, {0}, false));
}

ir::ValueId Difference(OpContext& c) { return c.Onnx("Sub", Promoted(c, {c.arg(0), c.arg(1)})); }

// (self, target, reduction)
void ImportMseLoss(OpContext& c) {
  const ir::ValueId off = Difference(c);
  ReturnReduced(c, c.build.Mul(off, off), c.Int(2, 1));
}

void ImportL1Loss(OpContext& c) { ReturnReduced(c, c.build.Abs(Difference(c)), c.Int(2, 1)); }

// (self, target, reduction, beta): a parabola up to beta; the smooth one is divided by it
template <bool is_smooth>
void ImportHuberLoss(OpContext& c) {
  const ir::ValueId size = c.build.Abs(Difference(c));
  const double beta = c.Float(3, 1);
  if (beta <= 0) return ReturnReduced(c, size, c.Int(2, 1));
  const double scale = is_smooth ? 1 / beta : 1;
  const ir::ValueId parabola = c.Onnx("Mul", {c.build.Mul(size, size), Num(c, size, 0.5 * scale)});
  const ir::ValueId line =
      c.Onnx("Mul", {c.build.Sub(size, Num(c, size, beta / 2)), Num(c, size, beta * scale)});
  const ir::ValueId is_near = c.build.Less(size, Num(c, size, beta));
  ReturnReduced(c, c.build.Select({is_near, parabola, line}), c.Int(2, 1));
}

// (self, target, weight, pos_weight, reduction): x (1 - t) + (1 + (pos_weight - 1) t) log(1 + exp(-x))
void ImportBceWithLogits(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0), target = c.TensorAt(1);
  const ir::ValueId tail = c.build.Exp(c.build.Neg(c.build.Abs(x)));
  const ir::ValueId log = c.build.Log(c.build.Add(tail, Num(c, x, 1)));
  const ir::ValueId rest = c.build.Sub(x, c.build.Mul(x, target));
  ir::ValueId softplus = c.build.Add(log, c.Onnx("Relu", {c.build.Neg(x)}));
  if (c.Has(3)) {
    const ir::ValueId more = c.Onnx("Sub", {c.TensorAt(3), Num(c, x, 1)});
    const ir::ValueId factor = c.Onnx("Add", {c.build.Mul(more, target), Num(c, x, 1)});
    softplus = c.build.Mul(factor, softplus);
  }
  ir::ValueId loss = c.build.Add(rest, softplus);
  if (c.Has(2)) loss = c.build.Mul(loss, c.TensorAt(2));
  ReturnReduced(c, loss, c.Int(4, 1));
}

constexpr char kLoss[] = "self target reduction", kLossWithBeta[] = "self target reduction beta";

}  // namespace

ir::ValueId NormOf(OpContext& c, ir::ValueId x, double p, const std::vector<int32_t>& axes, bool keep) {
  if (p == 1) return c.build.Reduce(schema::ReduceKind::L1, x, axes, keep);
  if (p == 2) return c.build.Reduce(schema::ReduceKind::L2, x, axes, keep);
  const ir::ValueId magnitude = c.build.Abs(x);
  if (p == 0) {
    const ir::ValueId is_zero = c.build.Equal(x, c.Scalar(c.dtype(x), 0));
    return c.build.Reduce(schema::ReduceKind::Sum, c.CastTo(c.build.Not(is_zero), c.dtype(x)), axes, keep);
  }
  if (p > 1e30) return c.build.Reduce(schema::ReduceKind::Max, magnitude, axes, keep);
  if (p < -1e30) return c.build.Reduce(schema::ReduceKind::Min, magnitude, axes, keep);
  const DType dtype = c.dtype(x);
  const ir::ValueId sum =
      c.build.Reduce(schema::ReduceKind::Sum, c.Onnx("Pow", {magnitude, c.Scalar(dtype, p)}), axes, keep);
  return c.Onnx("Pow", {sum, c.Scalar(dtype, 1 / p)});
}

const ImporterList DistanceOps = {
    {"binary_cross_entropy_with_logits", "self target weight pos_weight reduction", ImportBceWithLogits},
    {"cdist", "x1 x2 p compute_mode", ImportCDist},
    {"cosine_similarity", "x1 x2 dim eps", ImportCosineSimilarity},
    {"huber_loss", kLossWithBeta, ImportHuberLoss<false>},
    {"l1_loss", kLoss, ImportL1Loss},
    {"mse_loss", kLoss, ImportMseLoss},
    {"pairwise_distance", "x1 x2 p eps keepdim", ImportPairwiseDistance},
    {"smooth_l1_loss", kLossWithBeta, ImportHuberLoss<true>},
};

}  // namespace micrort::frontend::torchscript
