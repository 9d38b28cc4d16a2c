#include "converter/frontend/onnx/ops/ml_scores.h"

#include <algorithm>

#include "converter/frontend/common/text.h"

namespace micrort::frontend::onnx {

namespace {

std::string ListOf(const std::vector<std::string>& names) {
  constexpr size_t kMostNames = 16;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(i) + " '" + names[i] + "'";
  return names.size() > kMostNames ? text + " ..." : text;
}

// Softmax in which scores of 0 stay 0.
ir::ValueId SoftmaxZero(NodeContext& c, ir::ValueId scores) {
  constexpr double kNearZero = 1e-7;
  ir::Builder& b = c.build;
  const ir::ValueId largest = b.Reduce(schema::ReduceKind::Max, scores, {1}, true);
  const ir::ValueId is_counted = b.Greater(b.Abs(scores), b.Scalar(kNearZero));
  const ir::ValueId power = b.Exp(b.Sub(scores, largest));
  const ir::ValueId small = b.Mul(scores, b.Exp(b.Neg(largest)));
  const ir::ValueId parts = b.Select({is_counted, power, small});
  return b.Div(parts, b.Reduce(schema::ReduceKind::Sum, parts, {1}, true));
}

}  // namespace

Result<ir::ValueId> ReadRows(NodeContext& c) {
  const int rank = c.x().rank();
  if (rank != 1 && rank != 2) return Invalid("expected rows of features, found {} dimensions", rank);
  return rank == 1 ? c.build.InsertDim(c.input(0), 0) : c.input(0);
}

Result<ir::ValueId> ReadFeatures(NodeContext& c) {
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId out, ReadRows(c));
  out = c.build.As(out, DType::kFloat32);
  return out;
}

Result<PostTransform> ReadPostTransform(NodeContext& c) {
  const std::string name = c.String("post_transform", "NONE");
  static constexpr const char* kNames[] = {"NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"};
  const auto* found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) return Unsupported("post_transform {}", name);
  return static_cast<PostTransform>(found - std::begin(kNames));
}

ir::ValueId Transform(NodeContext& c, ir::ValueId scores, PostTransform how) {
  switch (how) {
    case PostTransform::kLogistic:
      return c.build.Sigmoid(scores);
    case PostTransform::kSoftmax:
      return c.build.Softmax(scores, 1);
    case PostTransform::kSoftmaxZero:
      return SoftmaxZero(c, scores);
    case PostTransform::kNone:
      break;
  }
  return scores;
}

Result<std::vector<int64_t>> ReadLabels(NodeContext& c, const char* numbers, const char* names) {
  std::vector<int64_t> labels = c.Ints(numbers);
  const std::vector<std::string> texts = c.Strings(names);
  if (texts.empty() && labels.empty()) return Invalid("no labels of classes");
  if (texts.empty()) return labels;
  labels.resize(texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    MICRORT_RETURN_IF_ERROR(CheckText(texts[i], "the label of a class"));
    labels[i] = static_cast<int64_t>(i);
  }
  if (c.wants_output(0))
    c.warnings.push_back("labels are names: '" + c.output_name(0) + "' holds their places, " + ListOf(texts));
  return labels;
}

Status ReturnClasses(NodeContext& c, ir::ValueId scores, const std::vector<int64_t>& labels,
                     PostTransform how) {
  const ir::ValueId largest = c.build.Reduce(schema::ReduceKind::ArgMax, scores, {1}, false);
  c.SetOutput(0, c.build.Gather(c.build.Integers(labels), largest, 0));
  c.SetOutput(1, Transform(c, scores, how));
  return c.build.status();
}

Status ReturnTwoClasses(NodeContext& c, const SecondScore& second, const std::vector<int64_t>& labels,
                        PostTransform how) {
  ir::Builder& b = c.build;
  const ir::ValueId is_second = b.Greater(second.score, b.Scalar(second.threshold));
  const ir::ValueId label = b.Select({is_second, b.Integer(labels[1]), b.Integer(labels[0])});
  c.SetOutput(0, b.Reshape(label, {ir::kInferDim}));
  const ir::ValueId negative = b.Neg(second.score);
  if (how == PostTransform::kLogistic) {
    c.SetOutput(1, b.Sigmoid(b.Concat({negative, second.score}, 1)));
  } else {
    const ir::ValueId first = second.is_share ? b.Sub(b.Scalar(1), second.score) : negative;
    c.SetOutput(1, b.Concat({first, second.score}, 1));
  }
  return b.status();
}

}  // namespace micrort::frontend::onnx
