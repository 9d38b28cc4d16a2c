// The best boxes, and what lies in boxes of images.

#include "converter/lower/boxes.h"

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::UnaryKind;

// boxes [B,4] as y1, x1, y2, x2; scores [B]. Gives the indices of those selected, int64 [count].
Result<ir::ValueId> SelectBoxes(OpContext& c, std::vector<ir::ValueId> limits) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 2));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 1));
  limits.insert(limits.begin(), c.AsInt64(c.input(2)));
  return c.build.Checked(lower::KeptBoxes(c.build, c.input(0), c.input(1), limits));
}

// inputs: boxes, scores, how many at most; overlap and least score, unless an attribute has the former.
Status ImportNonMaxSuppression(OpContext& c) {
  std::vector<ir::ValueId> limits(c.inputs().begin() + 3, c.inputs().end());
  if (limits.empty()) limits.push_back(c.build.Scalar(c.Float("iou_threshold", 0.5f)));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId selected, SelectBoxes(c, std::move(limits)));
  return c.Return(c.build.Cast(selected, DType::kInt32));
}

// The same as a list of a fixed length, with zeros at its end.
Result<ir::ValueId> PadToMost(OpContext& c, ir::ValueId x) {
  MICRORT_ASSIGN_OR_RETURN(const int64_t most, c.ConstantInteger(2));
  if (most < 0 || most > (1 << 24)) return Invalid("{} boxes", most);
  return c.build.Checked(lower::FilledUp(c.build, x, most));
}

// The last input, sigma, says whether overlaps lower scores. Gives the latter, too.
Result<lower::SoftlyKept> SelectBoxesOfV5(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const std::vector<float> sigma, c.ConstantFloats(5));
  if (sigma.size() != 1 || !(sigma[0] >= 0))
    return Invalid("soft_nms_sigma: expected one number, 0 or above");
  if (sigma[0] == 0) {
    MICRORT_ASSIGN_OR_RETURN(const ir::ValueId selected, SelectBoxes(c, {c.input(3), c.input(4)}));
    return lower::SoftlyKept{selected, c.build.Gather(c.input(1), selected, 0)};
  }
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 2));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 1));
  const lower::SoftlyKept kept = lower::SoftlyKeptBoxes(
      c.build, c.input(0), c.input(1), {c.AsInt64(c.input(2)), c.input(3), c.input(4), c.input(5)});
  MICRORT_RETURN_IF_ERROR(c.build.status());
  return kept;
}

// Outputs of V4: indices, how many count; of V5: indices, scores, how many count.
template <bool has_scores>
Status ImportPaddedNms(OpContext& c) {
  lower::SoftlyKept kept = {ir::kNoValue, ir::kNoValue};
  if (has_scores) {
    MICRORT_ASSIGN_OR_RETURN(kept, SelectBoxesOfV5(c));
  } else {
    MICRORT_ASSIGN_OR_RETURN(kept.boxes, SelectBoxes(c, {c.input(3), c.input(4)}));
  }
  const ir::ValueId count = c.build.Reshape(c.build.ShapeOf(kept.boxes), {});
  ir::ValueId indices = c.build.Cast(kept.boxes, DType::kInt32), scores = kept.scores;
  if (c.Bool("pad_to_max_output_size", false)) {
    MICRORT_ASSIGN_OR_RETURN(indices, PadToMost(c, indices));
    if (has_scores) {
      MICRORT_ASSIGN_OR_RETURN(scores, PadToMost(c, scores));
    }
  }
  c.SetOutput(0, indices);
  if (has_scores) c.SetOutput(1, scores);
  c.SetOutput(has_scores ? 2 : 1, c.build.Cast(count, DType::kInt32));
  return c.build.status();
}

// Scores as the suppression left them, [B,C,N]; those of boxes that were not selected are under all others.
ir::ValueId KeptScores(OpContext& c, ir::ValueId boxes, ir::ValueId scores, float unselected) {
  ir::Builder& b = c.build;
  const ir::ValueId selected = b.Add(schema::NonMaxSuppressionOptionsT(),
                                     {boxes, scores, c.AsInt64(c.input(2)), c.input(4), c.input(5)});
  const ir::ValueId none = b.Expand({b.Scalar(unselected), b.ShapeOf(scores)});
  const ir::ValueId kept = b.Add(schema::GatherNDOptionsT(), {scores, selected});
  return b.Add(schema::ScatterNDOptionsT(), {none, selected, kept});
}

// inputs: boxes [B,N,Q,4] with Q of 1 or the number of classes, scores [B,N,C], how many a class and in all,
// overlap, least score. Outputs: boxes, scores, classes, how many count.
Status ImportCombinedNms(OpContext& c) {
  constexpr float kUnselected = -3.0e38f;
  constexpr int64_t kMost = int64_t{1} << 20;
  ir::Builder& b = c.build;
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 3));
  MICRORT_ASSIGN_OR_RETURN(int64_t a_class, c.ConstantInteger(2));
  MICRORT_ASSIGN_OR_RETURN(int64_t most, c.ConstantInteger(3));
  const int64_t n = c.x(0).shape[1], q = c.x(0).shape[2], classes = c.x(1).shape[2];
  if (n == ir::kDynamic || q == ir::kDynamic || classes == ir::kDynamic)
    return Unsupported("a number of boxes or classes that is not fixed");
  if ((q != 1 && q != classes) || most < 1 || most > kMost || n < 1)
    return Invalid("{} boxes for {} classes", q, classes);
  if (a_class < 1) return Invalid("{} boxes of a class", a_class);
  int32_t scores_n = 0;  // of an image
  { MICRORT_ASSIGN_OR_RETURN(scores_n, ToInt32(n * classes, "boxes of all classes")); }
  if (c.Bool("pad_per_class", false)) most = std::min(most, std::min(a_class, kMost) * classes);
  const auto boxes_n = static_cast<int32_t>(n);
  const ir::ValueId by_class = b.Transpose(c.input(1), {0, 2, 1});  // [B,C,N]
  ir::ValueId kept = ir::kNoValue;
  if (q == 1) {
    kept = KeptScores(c, b.Reshape(c.input(0), {CopyDim(0), boxes_n, 4}), by_class, kUnselected);
  } else {  // each class is one more item of the batch
    const ir::ValueId boxes = b.Reshape(b.Transpose(c.input(0), {0, 2, 1, 3}), {kInferDim, boxes_n, 4});
    kept = KeptScores(c, boxes, b.Reshape(by_class, {kInferDim, 1, boxes_n}), kUnselected);
  }
  ir::ValueId flat = b.Reshape(kept, {kInferDim, scores_n});
  if (most > n * classes) flat = b.Padded(flat, {0, 0, 0, most - n * classes}, kUnselected);
  const std::vector<ir::ValueId> best = b.TopK(flat, b.Integers({most}), 1);
  const ir::ValueId is_one = b.Greater(best[0], b.Scalar(kUnselected));
  const ir::ValueId index = b.Select({is_one, best[1], b.Integer(0)});
  const ir::ValueId per_class = b.Integer(n);
  const ir::ValueId which = b.Div(index, per_class);
  const ir::ValueId box = b.Mod(index, per_class);
  // Boxes [B,N*Q,4], of which each is at N index * Q + class.
  const ir::ValueId place = q == 1 ? box : b.Add(b.Mul(box, b.Integer(q)), which);
  ir::ValueId picked = b.GatherND({b.Reshape(c.input(0), {CopyDim(0), static_cast<int32_t>(n * q), 4}),
                                   b.Reshape(place, {CopyDim(0), CopyDim(1), 1})},
                                  1);
  if (c.Bool("clip_boxes", true)) picked = b.Unary(UnaryKind::Clip, picked, 0, 1);
  const ir::ValueId zero = b.Scalar(0);
  const ir::ValueId of_boxes = b.Reshape(is_one, {CopyDim(0), CopyDim(1), 1});
  return c.Return({b.Select({of_boxes, picked, zero}), b.Select({is_one, best[0], zero}),
                   b.Select({is_one, b.Cast(which, DType::kFloat32), zero}),
                   b.Reduce(schema::ReduceKind::Sum, b.Cast(is_one, DType::kInt32), {1}, false)});
}

// Where a crop is sampled along one axis of the image, in elements.
struct Samples {
  ir::ValueId start = ir::kNoValue, end = ir::kNoValue;  // of cells around the samples, [R,1]
  ir::ValueId at = ir::kNoValue;                         // [R,count]
  ir::ValueId inside = ir::kNoValue;                     // [R,count]: samples within the image
};

// from, to: [R,1], in fractions of size - 1.
Samples SamplesAlong(OpContext& c, ir::ValueId from, ir::ValueId to, ir::ValueId last, int64_t count) {
  ir::Builder& b = c.build;
  const ir::ValueId half = b.Scalar(0.5f);
  ir::ValueId first = b.Mul(from, last), step = ir::kNoValue;
  if (count > 1) {
    const ir::ValueId length = b.Mul(b.Sub(to, from), last);
    step = b.Div(length, b.Scalar(static_cast<float>(count - 1)));
  } else {
    const ir::ValueId middle = b.Mul(b.Add(from, to), half);
    first = b.Mul(middle, last);
    step = b.Mul(first, b.Scalar(0));
  }
  std::vector<float> positions;
  for (int64_t i = 0; i < count; ++i) positions.push_back(static_cast<float>(i));
  Samples samples;
  samples.at = b.Add(first, b.Mul(step, b.Constant({1, count}, positions)));
  samples.inside = b.And(b.GreaterOrEqual(samples.at, b.Scalar(0)), b.LessOrEqual(samples.at, last));
  // One sample a cell is in its middle; RoiAlign moves cells by half an element.
  const ir::ValueId before = b.Sub(half, b.Mul(step, half));
  samples.start = b.Add(first, before);
  samples.end = b.Add(samples.start, b.Mul(step, b.Scalar(static_cast<float>(count))));
  return samples;
}

// samples: along height and width.
ir::ValueId CropsBetweenPixels(OpContext& c, ir::ValueId image, const Samples (&samples)[2],
                               const std::vector<int64_t>& size) {
  schema::RoiAlignOptionsT options;
  options.output_h = static_cast<int32_t>(size[0]);
  options.output_w = static_cast<int32_t>(size[1]);
  options.sampling_ratio = 1;
  options.half_pixel = true;
  const ir::ValueId rois =
      c.build.Concat({samples[1].start, samples[0].start, samples[1].end, samples[0].end}, 1);
  return c.build.Add(options, {image, rois, c.input(2)});
}

// The nearest pixel of each sample, a half rounded up; the first one where a sample lies outside.
ir::ValueId NearestPixels(ir::Builder& b, const Samples& samples) {
  const ir::ValueId down = b.Floor(samples.at);
  const ir::ValueId up = b.Cast(b.GreaterOrEqual(b.Sub(samples.at, down), b.Scalar(0.5f)), DType::kFloat32);
  return b.Cast(b.If(samples.inside, b.Add(down, up), b.Scalar(0)), DType::kInt64);
}

ir::ValueId CropsOfPixels(OpContext& c, ir::ValueId image, const Samples (&samples)[2]) {
  ir::Builder& b = c.build;
  const auto which = b.Reshape(b.Cast(c.input(2), DType::kInt64), {CopyDim(0), 1, 1});
  const ir::ValueId y = b.Reshape(NearestPixels(b, samples[0]), {CopyDim(0), CopyDim(1), 1});
  const ir::ValueId x = b.Reshape(NearestPixels(b, samples[1]), {CopyDim(0), 1, CopyDim(1)});
  const ir::ValueId rows = b.Add(b.Mul(which, b.DimOf(image, 1)), y);
  const ir::ValueId places = b.Add(b.Mul(rows, b.DimOf(image, 2)), x);
  return b.Gather(b.Reshape(image, {kInferDim, CopyDim(3)}), places, 0);
}

// inputs: images [N,H,W,C], boxes [R,4] as y1, x1, y2, x2 in fractions, the image of each, height and width.
Status ImportCropAndResize(OpContext& c) {
  ir::Builder& b = c.build;
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 4));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 2));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> size, c.ConstantIntegers(3));
  const std::string method = c.String("method", "bilinear");
  if (method != "bilinear" && method != "nearest") return Unsupported("method {}", method);
  if (size.size() != 2 || size[0] < 1 || size[1] < 1 || size[0] > 4096 || size[1] > 4096)
    return Invalid("the size of crops");
  const ir::ValueId image = b.As(c.input(0), DType::kFloat32);
  const ir::ValueId shape = b.Cast(b.ShapeOf(image), DType::kFloat32);
  Samples samples[2];
  for (int axis = 0; axis < 2; ++axis) {
    const ir::ValueId last = b.Sub(b.Slice(shape, 0, 1 + axis, 2 + axis), b.Scalar(1));
    samples[axis] =
        SamplesAlong(c, b.Slice(c.input(1), 1, axis, axis + 1), b.Slice(c.input(1), 1, 2 + axis, 3 + axis),
                     last, size[static_cast<size_t>(axis)]);
  }
  const ir::ValueId crops =
      method == "nearest" ? CropsOfPixels(c, image, samples) : CropsBetweenPixels(c, image, samples, size);
  const ir::ValueId inside = b.And(b.Reshape(samples[0].inside, {CopyDim(0), CopyDim(1), 1, 1}),
                                   b.Reshape(samples[1].inside, {CopyDim(0), 1, CopyDim(1), 1}));
  return c.Return(b.Select({inside, crops, b.Scalar(c.Float("extrapolation_value", 0))}));
}

}  // namespace

const ImporterList BoxOps = {
    {"CombinedNonMaxSuppression", 6, 6, ImportCombinedNms, "a number of boxes that is not fixed"},
    {"CropAndResize", 4, 4, ImportCropAndResize, "a size that is not constant"},
    {"NonMaxSuppression", 3, 3, ImportNonMaxSuppression},
    {"NonMaxSuppressionV2", 4, 4, ImportNonMaxSuppression},
    {"NonMaxSuppressionV3", 5, 5, ImportNonMaxSuppression},
    {"NonMaxSuppressionV4", 5, 5, ImportPaddedNms<false>},
    {"NonMaxSuppressionV5", 6, 6, ImportPaddedNms<true>, "a soft_nms_sigma that is not constant"},
};

}  // namespace micrort::frontend::tensorflow
