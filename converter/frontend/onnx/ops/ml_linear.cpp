// Linear models of ai.onnx.ml.

#include "converter/frontend/onnx/ops/ml_scores.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

// Features times coefficients, [rows, targets].
Result<ir::ValueId> Products(NodeContext& c, size_t targets) {
  const std::vector<float> coefficients = c.Floats("coefficients"), intercepts = c.Floats("intercepts");
  if (targets == 0 || coefficients.empty() || coefficients.size() % targets != 0)
    return Invalid("{} coefficients of {} targets", coefficients.size(), targets);
  if (!intercepts.empty() && intercepts.size() != targets)
    return Invalid("{} intercepts of {} targets", intercepts.size(), targets);
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId x, ReadFeatures(c));
  const auto rows = static_cast<int64_t>(targets);
  std::vector<ir::ValueId> operands = {
      x, c.build.Constant({rows, static_cast<int64_t>(coefficients.size()) / rows}, coefficients)};
  if (!intercepts.empty()) operands.push_back(c.build.Constant({rows}, intercepts));
  return c.build.Checked(c.build.MatMul(std::move(operands), true));
}

Status ImportLinearRegressor(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(PostTransform transform, ReadPostTransform(c));
  const int64_t targets = c.Int("targets", 1);
  if (targets < 1) return Invalid("targets: {}", targets);
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId y, Products(c, static_cast<size_t>(targets)));
  return c.Return(Transform(c, y, transform));
}

Status ImportLinearClassifier(NodeContext& c) {
  c.Ignore({"multi_class"});  // how it was trained
  MICRORT_ASSIGN_OR_RETURN(PostTransform transform, ReadPostTransform(c));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> labels,
                           ReadLabels(c, "classlabels_ints", "classlabels_strings"));
  const size_t given = c.Floats("intercepts").size(), targets = given == 0 ? labels.size() : given;
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId scores, Products(c, targets));
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
