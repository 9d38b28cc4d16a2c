// Boxes that are kept: TFLite_Detection_PostProcess, which decodes them from anchors and chooses the best
// class of each; NON_MAX_SUPPRESSION_V4 and _V5, with indices, in V5 scores, and their number. What is not
// used is zero.

#include <cmath>
#include <limits>

#include "converter/frontend/tflite/ops/custom_options.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/lower/boxes.h"

namespace micrort::frontend::tflite {

namespace {

struct DetectionOptions {
  int64_t most = 0, classes = 0;
  bool is_regular = false;    // boxes of each class suppress each other alone
  int64_t most_of_class = 0;  // then
  float iou = 0, least_score = 0;
  float y_scale = 1, x_scale = 1, h_scale = 1, w_scale = 1;
};

Status ReadDetectionOptions(OpContext& c, DetectionOptions* out) {
  MICRORT_ASSIGN_OR_RETURN(CustomOptions options, CustomOptions::Read(c));
  constexpr int64_t kMostOfClass = 100;
  out->most = options.Int("max_detections", 0);
  out->classes = options.Int("num_classes", 0);
  out->iou = options.Float("nms_iou_threshold", 0);
  // Scores that are equal to the threshold are kept, and NonMaxSuppression keeps those above its own.
  out->least_score =
      std::nextafter(options.Float("nms_score_threshold", 0), -std::numeric_limits<float>::infinity());
  out->y_scale = options.Float("y_scale", 0), out->x_scale = options.Float("x_scale", 0);
  out->h_scale = options.Float("h_scale", 0), out->w_scale = options.Float("w_scale", 0);
  out->is_regular = options.Bool("use_regular_nms", false);
  out->most_of_class = options.Int("detections_per_class", kMostOfClass);
  if (!out->is_regular && options.Int("max_classes_per_detection", 1) > 1)
    return Unsupported("more than one class a detection");
  constexpr int64_t kMostDetections = 1 << 20;
  if (out->most < 1 || out->most > kMostDetections || out->classes < 1 || out->classes > kMostDetections ||
      out->most_of_class < 1 || out->most_of_class > kMostDetections || !(out->y_scale > 0) ||
      !(out->x_scale > 0) || !(out->h_scale > 0) || !(out->w_scale > 0))
    return Invalid("its custom options: expected positive numbers");
  return Status();
}

// Column `k` of [n,4], as [n,1].
ir::ValueId BoxColumn(OpContext& c, ir::ValueId boxes, int k) { return c.build.Slice(boxes, 1, k, k + 1); }

// Anchors and boxes are center and size, y first; boxes in parts of the anchor's size. Gives two corners.
ir::ValueId DecodedBoxes(OpContext& c, ir::ValueId boxes, ir::ValueId anchors, const DetectionOptions& o) {
  const auto scaled = [&](int k, float scale) {
    return c.build.Div(BoxColumn(c, boxes, k), c.build.Scalar(scale));
  };
  const auto axis = [&](int k, float center_scale, float size_scale, ir::ValueId* low, ir::ValueId* high) {
    const ir::ValueId size = BoxColumn(c, anchors, k + 2);
    const ir::ValueId center =
        c.build.Add(c.build.Mul(scaled(k, center_scale), size), BoxColumn(c, anchors, k));
    const ir::ValueId exp = c.build.Exp(scaled(k + 2, size_scale));
    const ir::ValueId half = c.build.Mul(c.build.Mul(exp, size), c.build.Scalar(0.5f));
    *low = c.build.Sub(center, half);
    *high = c.build.Add(center, half);
  };
  ir::ValueId top = ir::kNoValue, bottom = ir::kNoValue, left = ir::kNoValue, right = ir::kNoValue;
  axis(0, o.y_scale, o.h_scale, &top, &bottom);
  axis(1, o.x_scale, o.w_scale, &left, &right);
  return c.build.Concat({top, left, bottom, right}, 1);
}

// For all classes the best of the boxes that do not overlap too much.
Status KeepBestOfBoxes(OpContext& c, const DetectionOptions& o, ir::ValueId boxes, ir::ValueId scores) {
  const ir::ValueId best = c.build.Reduce(schema::ReduceKind::Max, scores, {1}, false);
  const ir::ValueId classes =
      c.build.Cast(c.build.Reduce(schema::ReduceKind::ArgMax, scores, {1}, false), DType::kFloat32);
  const ir::ValueId kept = lower::KeptBoxes(
      c.build, boxes, best, {c.build.Integer(o.most), c.build.Scalar(o.iou), c.build.Scalar(o.least_score)});
  const auto output = [&](ir::ValueId x) {
    return c.build.InsertDim(lower::FilledUp(c.build, c.build.Gather(x, kept, 0), o.most), 0);
  };
  return c.Return(
      {output(boxes), output(classes), output(best), c.build.Cast(c.build.DimOf(kept, 0), DType::kFloat32)});
}

// Class by class, then the best of all that are kept. scores [n,classes].
Status KeepBestOfClasses(OpContext& c, const DetectionOptions& o, ir::ValueId boxes, ir::ValueId scores) {
  constexpr int kClassColumn = 1;
  const ir::ValueId by_class = c.build.Transpose(scores, {1, 0});
  // Columns: picture, class, box.
  const ir::ValueId kept =
      c.build.Add(schema::NonMaxSuppressionOptionsT(),
                  {c.build.InsertDim(boxes, 0), c.build.InsertDim(by_class, 0),
                   c.build.Integer(o.most_of_class), c.build.Scalar(o.iou), c.build.Scalar(o.least_score)});
  const ir::ValueId places = c.build.Slice(kept, 1, kClassColumn, kClassColumn + 2);
  const ir::ValueId found = c.build.Add(schema::GatherNDOptionsT(), {by_class, places});
  // With as many scores behind them as are asked for, which are below all others.
  const ir::ValueId nothing = c.build.Constant<float>(
      {o.most}, std::vector<float>(static_cast<size_t>(o.most), -std::numeric_limits<float>::infinity()));
  schema::TopKOptionsT by_score;
  const std::vector<ir::ValueId> best = c.build.AddMany(
      std::move(by_score), {c.build.Concat({found, nothing}, 0), c.build.Integers({o.most})}, 2);
  const ir::ValueId is_there =
      c.build.Greater(best[0], c.build.Scalar(-std::numeric_limits<float>::infinity()));
  const ir::ValueId none =
      c.build.Constant<int64_t>({o.most, 2}, std::vector<int64_t>(static_cast<size_t>(2 * o.most), 0));
  const ir::ValueId chosen = c.build.Gather(c.build.Concat({places, none}, 0), best[1], 0);
  const auto column = [&](int k) { return c.build.PickAt(chosen, 1, k); };
  const auto output = [&](ir::ValueId x, ir::ValueId mask) {
    return c.build.InsertDim(c.build.Select({mask, x, c.build.Scalar(0)}), 0);
  };
  return c.Return(
      {output(c.build.Gather(boxes, column(1), 0), c.build.InsertDim(is_there, 1)),
       output(c.build.Cast(column(0), DType::kFloat32), is_there), output(best[0], is_there),
       c.build.Reduce(schema::ReduceKind::Sum, c.build.Cast(is_there, DType::kFloat32), {0}, true)});
}

Status ImportDetectionPostProcess(OpContext& c) {
  DetectionOptions o;
  MICRORT_RETURN_IF_ERROR(ReadDetectionOptions(c, &o));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 3));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(1, 3));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(2, 2));
  // A class before the others, if there is one more, is the background.
  const int64_t columns = c.x(1).shape[2];
  if (columns == ir::kDynamic || columns < o.classes || c.x(0).shape[0] != 1)
    return Unsupported("{} scores for {} classes, or several pictures", columns, o.classes);
  const ir::ValueId boxes = DecodedBoxes(c, c.build.DropDim(c.input(0), 0), c.input(2), o);
  const ir::ValueId scores = c.build.Slice(c.build.DropDim(c.input(1), 0), 1, columns - o.classes, columns);
  return o.is_regular ? KeepBestOfClasses(c, o, boxes, scores) : KeepBestOfBoxes(c, o, boxes, scores);
}

constexpr size_t kMost = 2, kIou = 3, kLeastScore = 4, kSigma = 5;

// With sigma, overlaps lower scores.
Result<int64_t> KeepBoxes(OpContext& c, bool is_soft, lower::SoftlyKept* kept) {
  int64_t most = 0;
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 2));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(1, 1));
  MICRORT_ASSIGN_OR_RETURN(most, c.ConstantScalar(kMost));
  if (most < 0) return Invalid("at most {} boxes", most);
  std::vector<ir::ValueId> limits = {c.build.Integer(most)};
  for (const size_t i : {kIou, kLeastScore}) limits.push_back(c.build.Reshape(c.input(i), {}));
  if (is_soft) {
    limits.push_back(c.build.Reshape(c.input(kSigma), {}));
    *kept = lower::SoftlyKeptBoxes(c.build, c.input(0), c.input(1), limits);
  } else {
    kept->boxes = lower::KeptBoxes(c.build, c.input(0), c.input(1), limits);
  }
  return c.build.Checked(most);
}

Status ImportNms4(OpContext& c) {
  lower::SoftlyKept kept = {ir::kNoValue, ir::kNoValue};
  MICRORT_ASSIGN_OR_RETURN(int64_t most, KeepBoxes(c, false, &kept));
  return c.Return(
      {lower::FilledUp(c.build, kept.boxes, most), c.build.Reshape(c.build.DimOf(kept.boxes, 0), {})});
}

Status ImportNms5(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const std::vector<float> sigma, c.ConstantFloats(kSigma));
  if (sigma.size() != 1 || !(sigma[0] >= 0)) return Invalid("sigma: expected one number, 0 or above");
  const bool is_soft = sigma[0] > 0;
  lower::SoftlyKept kept = {ir::kNoValue, ir::kNoValue};
  MICRORT_ASSIGN_OR_RETURN(int64_t most, KeepBoxes(c, is_soft, &kept));
  const ir::ValueId indices = lower::FilledUp(c.build, kept.boxes, most);
  if (!is_soft) kept.scores = c.build.Gather(c.input(1), kept.boxes, 0);
  return c.Return({indices, lower::FilledUp(c.build, kept.scores, most),
                   c.build.Reshape(c.build.DimOf(kept.boxes, 0), {})});
}

constexpr OpSupport kSuppressionSupport = Types(kFloat32).Without("a number of boxes that is not constant");
constexpr OpSupport kSoftSupport =
    Types(kFloat32).Without("a number of boxes or a sigma that is not constant");

}  // namespace

const ImporterList DetectionImporters = {
    {"TFLite_Detection_PostProcess", 3, 3, ImportDetectionPostProcess,
     Types(kFloat32 | kBytes).Without("several classes a detection; several pictures")},
    {"NON_MAX_SUPPRESSION_V4", 5, 5, ImportNms4, kSuppressionSupport},
    {"NON_MAX_SUPPRESSION_V5", 6, 6, ImportNms5, kSoftSupport},
};

}  // namespace micrort::frontend::tflite
