// Linear models of ai.onnx.ml.

#include "converter/frontend/onnx/ops/ml_scores.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

// Features times coefficients, [rows, targets].
Status Products(NodeContext& c, size_t targets, ir::ValueId* out) {
  const std::vector<float> coefficients = c.Floats("coefficients"), intercepts = c.Floats("intercepts");
  if (targets == 0 || coefficients.empty() || coefficients.size() % targets != 0)
    return Invalid("{} coefficients of {} targets", coefficients.size(), targets);
  if (!intercepts.empty() && intercepts.size() != targets)
    return Invalid("{} intercepts of {} targets", intercepts.size(), targets);
  ir::ValueId x = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(ReadFeatures(c, &x));
  const auto rows = static_cast<int64_t>(targets);
  std::vector<ir::ValueId> operands = {
      x, c.build.Constant({rows, static_cast<int64_t>(coefficients.size()) / rows}, coefficients)};
  if (!intercepts.empty()) operands.push_back(c.build.Constant({rows}, intercepts));
  *out = c.build.MatMul(std::move(operands), true);
  return c.build.status();
}

Status ImportLinearRegressor(NodeContext& c) {
  PostTransform transform = PostTransform::kNone;
  MICRORT_RETURN_IF_ERROR(ReadPostTransform(c, &transform));
  const int64_t targets = c.Int("targets", 1);
  if (targets < 1) return Invalid("targets: {}", targets);
  ir::ValueId y = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(Products(c, static_cast<size_t>(targets), &y));
  return c.Return(Transform(c, y, transform));
}

Status ImportLinearClassifier(NodeContext& c) {
  c.Ignore({"multi_class"});  // how it was trained
  PostTransform transform = PostTransform::kNone;
  MICRORT_RETURN_IF_ERROR(ReadPostTransform(c, &transform));
  std::vector<int64_t> labels;
  MICRORT_RETURN_IF_ERROR(ReadLabels(c, "classlabels_ints", "classlabels_strings", &labels));
  const size_t given = c.Floats("intercepts").size(), targets = given == 0 ? labels.size() : given;
  ir::ValueId scores = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(Products(c, targets, &scores));
  if (targets == 1 && labels.size() == 2) return ReturnTwoClasses(c, {scores, 0, true}, labels, transform);
  if (targets != labels.size()) return Unsupported("{} labels of {} scores", labels.size(), targets);
  return ReturnClasses(c, scores, labels, transform);
}

}  // namespace

const ImporterList MlLinearImporters = {
    {"ai.onnx.ml.LinearClassifier", 1, 1, ImportLinearClassifier,
     Types(kMlTypes).Without("labels that are names: these become their places; post_transform PROBIT")},
    {"ai.onnx.ml.LinearRegressor", 1, 1, ImportLinearRegressor,
     Types(kMlTypes).Without("post_transform PROBIT")},
};

}  // namespace micrort::frontend::onnx
