// DetectionOutput of SSD: boxes from what the network says about priors, those that overlap better ones of
// their class dropped, and of all classes the best ones kept. A row is: item of the batch, class, score,
// left, top, right, bottom.

#include <algorithm>
#include <limits>

#include "converter/frontend/caffe/registry.h"

namespace micrort::frontend::caffe {

namespace {

using ::caffe::PriorBoxParameter;

struct Detection {
  const ::caffe::DetectionOutputParameter* p;
  int64_t batch = 0, priors = 0, classes = 0;
  int64_t box_classes = 1;           // 1 where all classes share their boxes
  std::vector<int64_t> labels = {};  // without the background
  int64_t candidates = 0;            // boxes of a class that come into question, the best ones
};

Status CheckElements(const LayerContext& c, size_t i, int64_t expected) {
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(i, 0, c.rank(i)));
  if (c.x(i).elements() == expected) return Status();
  return Invalid("bottom '{}' has {} elements, expected {}", c.layer.bottom(static_cast<int>(i)),
                 c.x(i).elements(), expected);
}

Status ReadDetection(const LayerContext& c, Detection* d) {
  const auto& p = c.layer.detection_output_param();
  d->p = &p;
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(2, 3));
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(2, 0, 3));
  MICRORT_RETURN_IF_ERROR(ExpectRange("num_classes", p.num_classes(), 1, 1 << 16));
  if (c.rank(0) < 1) return Invalid("expected locations with dimensions");
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, 0, 1));
  d->batch = c.dim(0);
  MICRORT_RETURN_IF_ERROR(ExpectRange("items of the batch", d->batch, 1, 256));
  d->classes = p.num_classes();
  d->box_classes = p.share_location() ? 1 : d->classes;
  d->priors = c.dim(2, 2) / 4;
  MICRORT_RETURN_IF_ERROR(ExpectRange("priors", d->priors, 1, 1 << 24));
  MICRORT_RETURN_IF_ERROR(CheckElements(c, 0, d->batch * d->priors * d->box_classes * 4));
  MICRORT_RETURN_IF_ERROR(CheckElements(c, 1, d->batch * d->priors * d->classes));
  MICRORT_RETURN_IF_ERROR(CheckElements(c, 2, 2 * d->priors * 4));
  for (int64_t label = 0; label < d->classes; ++label) {
    if (label != p.background_label_id()) d->labels.push_back(label);
  }
  if (d->labels.empty()) return Invalid("no class but the background");
  const auto& nms = p.nms_param();
  if (nms.eta() < 1 && nms.nms_threshold() > 0.5f)
    return Unsupported("an overlap that shrinks as boxes are found (eta {})", nms.eta());
  const bool limited = nms.has_top_k() && nms.top_k() >= 0;
  if (limited) MICRORT_RETURN_IF_ERROR(ExpectRange("top_k", nms.top_k(), 1, INT32_MAX));
  d->candidates = limited ? std::min<int64_t>(nms.top_k(), d->priors) : d->priors;
  const int64_t rows = d->batch * static_cast<int64_t>(d->labels.size()) * d->candidates;
  return ExpectRange("boxes of all classes", rows, 1, 1 << 24);
}

// Coordinates [begin, end) of boxes [...,4].
ir::ValueId Coordinates(LayerContext& c, ir::ValueId boxes, int64_t begin, int64_t end) {
  return c.build.Slice(boxes, c.value(boxes).rank() - 1, begin, end);
}

// Centers of boxes, or their sizes.
ir::ValueId FromCorners(LayerContext& c, ir::ValueId boxes, bool center) {
  const ir::ValueId low = Coordinates(c, boxes, 0, 2), high = Coordinates(c, boxes, 2, 4);
  if (!center) return c.build.Sub(high, low);
  return c.build.Mul(c.build.Add(low, high), c.build.Scalar(0.5f));
}

// loc [N,classes,priors,4] with prior [1,1,priors,4] → corners.
ir::ValueId DecodeBoxes(LayerContext& c, PriorBoxParameter::CodeType code, ir::ValueId loc,
                        ir::ValueId prior) {
  if (code == PriorBoxParameter::CORNER) return c.build.Add(prior, loc);
  const ir::ValueId size = FromCorners(c, prior, false);
  if (code == PriorBoxParameter::CORNER_SIZE)
    return c.build.Add(prior, c.build.Mul(loc, c.build.Concat({size, size}, 3)));
  const ir::ValueId moved = c.build.Mul(Coordinates(c, loc, 0, 2), size);
  const ir::ValueId center = c.build.Add(moved, FromCorners(c, prior, true));
  const ir::ValueId grown = c.build.Mul(c.build.Exp(Coordinates(c, loc, 2, 4)), size);
  const ir::ValueId half = c.build.Mul(grown, c.build.Scalar(0.5f));
  return c.build.Concat({c.build.Sub(center, half), c.build.Add(center, half)}, 3);
}

// [N,1 or classes,priors,4]
ir::ValueId AllBoxes(LayerContext& c, const Detection& d) {
  const auto priors = static_cast<int32_t>(d.priors);
  const ir::ValueId both = c.build.Reshape(c.bottom(2), {1, 2, priors, 4});
  const ir::ValueId given = c.build.Reshape(
      c.bottom(0), {static_cast<int32_t>(d.batch), priors, static_cast<int32_t>(d.box_classes), 4});
  ir::ValueId loc = c.build.Transpose(given, {0, 2, 1, 3});
  if (!d.p->variance_encoded_in_target()) loc = c.build.Mul(loc, c.build.Slice(both, 1, 1, 2));
  return DecodeBoxes(c, d.p->code_type(), loc, c.build.Slice(both, 1, 0, 1));
}

// Without the background, along axis 1.
ir::ValueId Foreground(LayerContext& c, const Detection& d, ir::ValueId x) {
  return static_cast<int64_t>(d.labels.size()) == d.classes
             ? x
             : c.build.Gather(x, c.build.Integers(d.labels), 1);
}

// What may become a row of item n: a table [classes * candidates,7], and for each class the boxes and scores
// in it.
struct Candidates {
  ir::ValueId boxes, scores, table;
};

Candidates BestOfClasses(LayerContext& c, const Detection& d, ir::ValueId boxes, ir::ValueId scores,
                         int64_t n) {
  const auto classes = static_cast<int32_t>(d.labels.size());
  const auto count = static_cast<int32_t>(d.candidates);
  const int32_t rows = classes * count;
  const ir::ValueId item = c.build.Slice(scores, 0, n, n + 1);  // [1,classes,priors]
  const std::vector<ir::ValueId> best = c.build.TopK(item, c.build.Integers({count}), 2);
  const ir::ValueId own = c.build.Slice(boxes, 0, n, n + 1);  // [1,1 or classes,priors,4]
  Candidates out = {};
  if (d.box_classes == 1) {
    const ir::ValueId shared = c.build.Reshape(own, {static_cast<int32_t>(d.priors), 4});
    out.boxes = c.build.Gather(shared, c.build.Reshape(best[1], {classes, count}), 0);
  } else {
    const ir::ValueId separate = c.build.Reshape(own, {classes, static_cast<int32_t>(d.priors), 4});
    out.boxes = c.build.GatherND({separate, c.build.Reshape(best[1], {classes, count, 1})}, 1);
  }
  out.scores = c.build.Reshape(best[0], {classes, 1, count});
  std::vector<float> ids;
  for (const int64_t label : d.labels) {
    for (int32_t i = 0; i < count; ++i) {
      ids.push_back(static_cast<float>(n));
      ids.push_back(static_cast<float>(label));
    }
  }
  out.table = c.build.Concat({c.build.Constant({rows, 2}, ids), c.build.Reshape(best[0], {rows, 1}),
                              c.build.Reshape(out.boxes, {rows, 4})},
                             1);
  return out;
}

// A box whose corners are in the wrong order overlaps nothing, as one without an area does.
ir::ValueId WithoutInverted(LayerContext& c, const Detection& d, ir::ValueId boxes) {
  if (d.p->code_type() == PriorBoxParameter::CENTER_SIZE) return boxes;
  const ir::ValueId low = Coordinates(c, boxes, 0, 2), high = Coordinates(c, boxes, 2, 4);
  return c.build.Concat({low, c.build.Max(low, high)}, 2);
}

// Rows of the table that stay, by class and then by score.
ir::ValueId DropOverlapping(LayerContext& c, const Detection& d, const Candidates& from) {
  std::vector<ir::ValueId> inputs = {WithoutInverted(c, d, from.boxes), from.scores,
                                     c.build.Integers({d.candidates}),
                                     c.build.Scalar(d.p->nms_param().nms_threshold())};
  if (d.p->has_confidence_threshold()) inputs.push_back(c.build.Scalar(d.p->confidence_threshold()));
  const ir::ValueId kept = c.build.Add(schema::NonMaxSuppressionOptionsT(), inputs);
  const ir::ValueId first = c.build.Mul(c.build.Slice(kept, 1, 0, 1), c.build.Integers({d.candidates}));
  const ir::ValueId row = c.build.Add(first, c.build.Slice(kept, 1, 2, 3));
  return c.build.Gather(from.table, c.build.Reshape(row, {kInferDim}), 0);
}

// Whether there may be more rows of an item than are kept.
bool DropsRows(const Detection& d) {
  const int64_t keep = d.p->keep_top_k();
  return keep >= 0 && keep < static_cast<int64_t>(d.labels.size()) * d.candidates;
}

Status CheckKept(const Detection& d) {
  const int64_t keep = d.p->keep_top_k();
  if (keep == 0) return Invalid("a keep_top_k of 0");
  if (!DropsRows(d)) return ExpectRange("keep_top_k", keep, -1, INT32_MAX);
  // For each item, as many rows of seven numbers are a constant.
  return ExpectRange("boxes that are kept", keep * d.batch, 1, ir::kMaxMade / 7);
}

// At most keep_top_k rows, those with the best scores, in the order in which they are. How many there are is
// known only as the model runs, so as many rows that no score is below are added first, and taken away again.
ir::ValueId KeepBest(LayerContext& c, const Detection& d, ir::ValueId rows) {
  const int64_t keep = d.p->keep_top_k();
  if (!DropsRows(d)) return rows;
  const float lowest = std::numeric_limits<float>::lowest();
  const ir::ValueId filler =
      c.build.Constant({keep, 7}, std::vector<float>(static_cast<size_t>(keep) * 7, lowest));
  const ir::ValueId padded = c.build.Concat({rows, filler}, 0);
  const ir::ValueId scores = c.build.Reshape(c.build.Slice(padded, 1, 2, 3), {kInferDim});
  schema::TopKOptionsT largest, smallest;
  smallest.largest = false;
  const ir::ValueId count = c.build.Integers({keep});
  const ir::ValueId best = c.build.AddMany(std::move(largest), {scores, count}, 2)[1];
  const ir::ValueId in_order = c.build.AddMany(std::move(smallest), {best, count}, 2)[0];
  const ir::ValueId chosen = c.build.Gather(padded, in_order, 0);
  const ir::ValueId found =
      c.build.Greater(c.build.Reshape(c.build.Slice(chosen, 1, 2, 3), {kInferDim}), c.build.Scalar(lowest));
  const ir::ValueId places = c.build.Add(schema::NonZeroOptionsT(), {found});
  return c.build.Gather(chosen, c.build.Reshape(places, {kInferDim}), 0);
}

Status ImportDetectionOutput(LayerContext& c) {
  Detection d;
  MICRORT_RETURN_IF_ERROR(ReadDetection(c, &d));
  MICRORT_RETURN_IF_ERROR(CheckKept(d));
  ir::ValueId boxes = AllBoxes(c, d);
  if (d.box_classes > 1) boxes = Foreground(c, d, boxes);
  const ir::ValueId by_prior = c.build.Reshape(
      c.bottom(1),
      {static_cast<int32_t>(d.batch), static_cast<int32_t>(d.priors), static_cast<int32_t>(d.classes)});
  const ir::ValueId scores = Foreground(c, d, c.build.Transpose(by_prior, {0, 2, 1}));
  std::vector<ir::ValueId> items;
  for (int64_t n = 0; n < d.batch && c.build.status().ok(); ++n)
    items.push_back(KeepBest(c, d, DropOverlapping(c, d, BestOfClasses(c, d, boxes, scores, n))));
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const ir::ValueId rows = items.size() == 1 ? items[0] : c.build.Concat(items, 0);
  return c.Return(c.build.Reshape(rows, {1, 1, kInferDim, 7}));
}

}  // namespace

const ImporterList DetectionOutputLayers = {
    {"DetectionOutput", 3, 3, ImportDetectionOutput, "eta below 1 with overlaps above 0.5; a dynamic batch"},
};

}  // namespace micrort::frontend::caffe
