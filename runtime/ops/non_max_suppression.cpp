// NonMaxSuppression: which boxes stay where those of lower score that overlap them are dropped.

#include "kernels/detect/non_max_suppression.h"

#include <algorithm>

#include "micrort/op_resolver.h"
#include "runtime/ops/index_operand.h"
#include "runtime/ops/layer_operands.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/work_control.h"

namespace micrort {
namespace non_max_suppression_op {
namespace {

constexpr int64_t kHeapWork = 64;  // of putting a candidate in order, in comparisons
constexpr int kNmsBoxes = 0;
constexpr int kNmsScores = 1;
constexpr int kNmsMaxOutput = 2;
constexpr int kNmsIou = 3;
constexpr int kNmsMinScore = 4;
constexpr int kNmsSigma = 5;
constexpr int kNmsLowered = 1;  // output

struct State {
  NmsParams params;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::NonMaxSuppressionOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  static_cast<State*>(state)->params.center_point_box = options->center_point_box();
  return Status();
}

Status CheckShapes(const Tensor& boxes, const Tensor& scores) {
  MICRORT_RETURN_IF_ERROR(ExpectRank(boxes, "boxes", 3));
  MICRORT_RETURN_IF_ERROR(ExpectRank(scores, "scores", 3));
  if (boxes.dtype != DType::kFloat32 || scores.dtype != DType::kFloat32) {
    return MICRORT_ERROR(kInvalidModel, "expected boxes and scores of float32, found %s and %s",
                         Name(boxes.dtype), Name(scores.dtype));
  }
  if (boxes.shape[2] != 4 || boxes.shape[0] != scores.shape[0] || boxes.shape[1] != scores.shape[2]) {
    return MICRORT_ERROR(kInvalidModel, "boxes of shape %s do not fit scores of shape %s",
                         ShapeString(boxes.shape).c_str(), ShapeString(scores.shape).c_str());
  }
  return Status();
}

// At most `count` of `max_output`; without that input none.
Status ReadLimit(const Tensor* max_output, size_t count, size_t* limit) {
  int64_t value = 0;
  if (max_output != nullptr) MICRORT_RETURN_IF_ERROR(ReadInteger(*max_output, &value));
  *limit = std::min(static_cast<size_t>(std::max<int64_t>(value, 0)), count);
  return Status();
}

Status Prepare(PrepareContext& context) {
  const bool is_soft = context.has_input(kNmsSigma);
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, 6, is_soft ? 2 : 1));
  MICRORT_RETURN_IF_ERROR(CheckShapes(context.input(kNmsBoxes), context.input(kNmsScores)));
  const Shape& scores = context.input(kNmsScores).shape;
  NmsParams& p = context.state<State>().params;
  p.is_soft = is_soft;
  p.batch = static_cast<size_t>(scores[0]);
  p.classes = static_cast<size_t>(scores[1]);
  p.count = static_cast<size_t>(scores[2]);
  if (p.count > UINT32_MAX) return MICRORT_ERROR(kUnsupported, "%zu boxes", p.count);
  p.limit = p.count;
  const bool has_max = context.has_input(kNmsMaxOutput);
  if (!has_max || context.contents(kNmsMaxOutput) == Contents::kFixed) {
    MICRORT_RETURN_IF_ERROR(ReadLimit(has_max ? &context.input(kNmsMaxOutput) : nullptr, p.count, &p.limit));
  }
  // Each candidate is compared with all boxes that stay.
  constexpr int64_t kCompareWork = 100;
  const auto count = static_cast<int64_t>(p.count), limit = static_cast<int64_t>(p.limit);
  context.SetWork(WorkOf({scores[0], scores[1], count, limit + kHeapWork, kCompareWork}));
  context.SetCall(&p);
  MICRORT_RETURN_IF_ERROR(context.RequestCheckedScratch(NmsScratchBytes(p, context.workers())));
  const size_t most = p.batch * p.classes * p.limit;
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, DType::kInt64, Shape::Of(most, 3), Extents::Bounded(1)));
  return is_soft ? context.SetOutput(kNmsLowered, DType::kFloat32, Shape::Of(most), Extents::Bounded(1))
                 : Status();
}

Status ReadThreshold(const RunContext& context, int i, float* value) {
  const Tensor& t = context.input(i);
  if (t.dtype != DType::kFloat32 || t.elements() != 1) {
    return MICRORT_ERROR(kInvalidModel, "input %d ('%s'): expected one float32", i, t.name);
  }
  *value = *t.as<float>();
  return Status();
}

Status Run(const RunContext& context) {
  NmsThresholds thresholds;
  if (context.has_input(kNmsIou)) MICRORT_RETURN_IF_ERROR(ReadThreshold(context, kNmsIou, &thresholds.iou));
  thresholds.has_min_score = context.has_input(kNmsMinScore);
  if (thresholds.has_min_score) {
    MICRORT_RETURN_IF_ERROR(ReadThreshold(context, kNmsMinScore, &thresholds.min_score));
  }
  const NmsParams& params = context.state<State>().params;
  if (params.is_soft) {
    MICRORT_RETURN_IF_ERROR(ReadThreshold(context, kNmsSigma, &thresholds.sigma));
    if (!(thresholds.sigma > 0))
      return MICRORT_ERROR(kInvalidModel, "input %d ('%s'): expected a sigma above 0, found %g", kNmsSigma,
                           context.input(kNmsSigma).name, static_cast<double>(thresholds.sigma));
  }
  float* lowered = params.is_soft ? context.output(kNmsLowered).as<float>() : nullptr;
  const size_t count =
      RunNms(params, thresholds, context.input(kNmsBoxes).as<float>(), context.input(kNmsScores).as<float>(),
             context.output(0).as<int64_t>(), lowered, context.scratch, *context.parallel);
  if (params.is_soft) MICRORT_RETURN_IF_ERROR(context.SetOutputShape(kNmsLowered, Shape::Of(count)));
  return context.SetOutputShape(0, Shape::Of(count, 3));
}

}  // namespace
}  // namespace non_max_suppression_op

MICRORT_OPERATOR(NonMaxSuppression, non_max_suppression_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
