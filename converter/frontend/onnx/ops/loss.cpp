// Losses of classification: of every sample, the logarithm of the probability that its class was given.

#include <limits>

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::ReduceKind;

// [1] with the size `dims` of a shape beside the classes: [C] → [C,1...] for scores of the given rank.
std::vector<int64_t> ClassShape(int64_t classes, int rank) {
  std::vector<int64_t> shape(static_cast<size_t>(rank - 1), 1);
  shape[0] = classes;
  return shape;
}

// Where the class of a sample is its target, [N,C,...]; nowhere if the target is to be ignored.
ir::ValueId Hits(NodeContext& c, int64_t classes) {
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < classes; ++i) numbers.push_back(i);
  if (c.Has("ignore_index")) {
    const int64_t ignored = c.Int("ignore_index", 0);
    // No target is the least integer.
    if (ignored >= 0 && ignored < classes)
      numbers[static_cast<size_t>(ignored)] = std::numeric_limits<int32_t>::min();
  }
  ir::ValueId constant = c.build.Constant(ClassShape(classes, c.x().rank()), numbers);
  if (c.x(1).dtype != DType::kInt64) constant = c.build.Cast(constant, c.x(1).dtype);
  std::vector<int32_t> codes = {CopyDim(0), 1};
  for (int i = 1; i < c.x(1).rank(); ++i) codes.push_back(CopyDim(i));
  return c.build.Equal(c.build.Reshape(c.input(1), codes), constant);
}

// The sum over classes of `v` where there is a hit.
ir::ValueId Pick(NodeContext& c, ir::ValueId hits, ir::ValueId v) {
  const ir::ValueId picked = c.build.Select({hits, v, c.build.Scalar(0)});
  return c.build.Reduce(ReduceKind::Sum, picked, {1}, false);
}

// A number for the whole batch.
ir::ValueId SumAll(NodeContext& c, ir::ValueId x, int rank) {
  return c.build.Reduce(ReduceKind::Sum, x, ir::AxesFrom(0, rank), false);
}

Status CheckScores(NodeContext& c) {
  const int rank = c.x().rank();
  if (rank < 2 || c.x(1).rank() != rank - 1)
    return Invalid("expected scores [N,C,...] and targets [N,...], found {} and {} dimensions", rank,
                   c.x(1).rank());
  if (c.x().shape[1] == ir::kDynamic) return Unsupported("the number of classes is not fixed");
  if (c.x().shape[1] <= ir::kMaxMade) return Status();
  return Unsupported("{} classes, at most {} are possible", c.x().shape[1], ir::kMaxMade);
}

// The loss for logarithms of probabilities x [N,C,...].
Result<ir::ValueId> Loss(NodeContext& c, ir::ValueId x) {
  const std::string reduction = c.String("reduction", "mean");
  if (reduction != "mean" && reduction != "sum" && reduction != "none")
    return Invalid("reduction '{}'", reduction);
  const int rank = c.x().rank();
  const ir::ValueId hits = Hits(c, c.x().shape[1]);
  ir::ValueId weights = c.build.Scalar(1);
  if (c.has_input(2)) {
    const std::vector<int64_t> shape = ClassShape(kInferDim, rank);
    weights = c.build.Reshape(c.input(2), std::vector<int32_t>(shape.begin(), shape.end()));
    x = c.build.Mul(x, weights);
  }
  const ir::ValueId loss = c.build.Neg(Pick(c, hits, x));
  if (reduction == "none") return loss;
  const ir::ValueId sum = SumAll(c, loss, rank - 1);
  return reduction == "mean" ? c.build.Div(sum, SumAll(c, Pick(c, hits, weights), rank - 1)) : sum;
}

Status ImportNegativeLogLikelihoodLoss(NodeContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckScores(c));
  return c.Return(Loss(c, c.input(0)));
}

Status ImportSoftmaxCrossEntropyLoss(NodeContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckScores(c));
  const ir::ValueId logarithms = c.build.Softmax(c.input(0), 1, true);
  c.SetOutput(1, logarithms);
  return c.Return(Loss(c, logarithms));
}

}  // namespace

const ImporterList LossImporters = {
    {"NegativeLogLikelihoodLoss", 2, 3, InFloat32<ImportNegativeLogLikelihoodLoss>, Types(kFloats).Since(12)},
    {"SoftmaxCrossEntropyLoss", 2, 3, InFloat32<ImportSoftmaxCrossEntropyLoss>, Types(kFloats).Since(12)},
};

}  // namespace micrort::frontend::onnx
