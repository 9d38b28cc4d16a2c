// Softmax: exponentials along an axis, divided by their sum; or the logarithms of these quotients.

#include "kernels/elementwise/softmax.h"

#include <cmath>

#include "kernels/base/has_int16.h"
#include "kernels/base/part.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/parse_rounding.h"
#include "runtime/ops/per_tensor_quantization.h"

namespace micrort {

MICRORT_PART(PlanSoftmaxFixed);
MICRORT_PART(SoftmaxNarrowScratchBytes);
MICRORT_PART(PlanSoftmaxS16);

namespace softmax_op {
namespace {

struct State {
  int axis;
  SoftmaxCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::SoftmaxOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  s.axis = options->axis();
  s.call.task.log = options->log();
  return ParseRounding(op, &s.call.rounding);
}

Status PrepareNarrow(PrepareContext& context, SoftmaxNarrowTask* task) {
  const Tensor &in = context.input(0), &out = context.output(0);
  if (in.dtype == DType::kInt8) {
    MICRORT_RETURN_IF_ERROR(ReadPerTensor(in, &task->x.scale, &task->x.zero_point));
    MICRORT_RETURN_IF_ERROR(ReadPerTensor(out, &task->y.scale, &task->y.zero_point));
  }
  return context.RequestCheckedScratch(SoftmaxNarrowScratchBytes(task->shape, context.workers()));
}

Status PrepareInt16(PrepareContext& context, SoftmaxCall* call) {
  const Tensor &in = context.input(0), &out = context.output(0);
  const SoftmaxShape& shape = call->task.shape;
  if (call->rounding != Rounding::kTflite || call->task.log || shape.inner != 1 ||
      shape.n > kMaxSoftmaxS16Row) {
    return MICRORT_ERROR(kUnsupported,
                         "int16 needs TensorFlow Lite's rounding and a last axis of at most %zu elements",
                         kMaxSoftmaxS16Row);
  }
  float x_scale = 0, y_scale = 0;
  MICRORT_RETURN_IF_ERROR(ReadSymmetric(in, &x_scale));
  MICRORT_RETURN_IF_ERROR(ReadSymmetric(out, &y_scale));
  if (std::fabs(y_scale / kSoftmaxS16Scale - 1.0f) > kSoftmaxS16Tolerance) {
    return MICRORT_ERROR(kInvalidModel, "output '%s': a softmax of int16 has scale 1/32768, found %g",
                         out.name, static_cast<double>(y_scale));
  }
  call->s16 = PlanSoftmaxS16(shape.outer, shape.n, x_scale);
  return Status();
}

Status PrepareFixed(PrepareContext& context, SoftmaxCall* call) {
  const Tensor &in = context.input(0), &out = context.output(0);
  const SoftmaxShape& shape = call->task.shape;
  QuantizationParams x = {}, y = {};
  if (in.dtype != DType::kInt8 || call->task.log || shape.inner != 1 || shape.n > kMaxSoftmaxFixedRow) {
    return MICRORT_ERROR(kInvalidModel,
                         "TensorFlow Lite's rounding needs int8 along a last axis of at most %zu elements",
                         kMaxSoftmaxFixedRow);
  }
  MICRORT_RETURN_IF_ERROR(ReadPerTensor(in, &x.scale, &x.zero_point));
  MICRORT_RETURN_IF_ERROR(ReadPerTensor(out, &y.scale, &y.zero_point));
  if (y.scale != kSoftmaxFixedScale || y.zero_point != kSoftmaxFixedZeroPoint) {
    return MICRORT_ERROR(kInvalidModel,
                         "output '%s': TensorFlow Lite's rounding needs scale 1/256 and zero point -128",
                         out.name);
  }
  call->fixed = PlanSoftmaxFixed(shape.outer, shape.n, x.scale);
  return Status();
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  State& s = context.state<State>();
  const Tensor& in = context.input(0);
  const bool is_int16 = kHasInt16 && in.dtype == DType::kInt16;
  if (in.dtype != DType::kFloat32 && in.dtype != DType::kFloat16 && in.dtype != DType::kInt8 && !is_int16) {
    return MICRORT_ERROR(kUnsupported, "expected float32, float16, int8 or int16, found %s", Name(in.dtype));
  }
  int axis = 0;
  MICRORT_RETURN_IF_ERROR(ResolveAxis(s.axis, in.shape.rank, &axis));
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, in.dtype, in.shape));
  SoftmaxNarrowTask& task = s.call.task;
  s.call.dtype = in.dtype;
  task.shape = {static_cast<size_t>(in.shape.product(0, axis)), static_cast<size_t>(in.shape[axis]),
                static_cast<size_t>(in.shape.product(axis + 1, in.shape.rank))};
  const bool is_fixed = s.call.rounding == Rounding::kTflite;
  if (!PlanSoftmax(context.features(), &s.call)) {
    return NotLinked(is_fixed && !is_int16 ? "kInt8Tflite" : TypesName(in.dtype));
  }
  context.AllowInPlace(0, 0);
  context.SetCall(&s.call);
  context.SetAlgorithm(SoftmaxName(s.call));
  if (is_int16) return PrepareInt16(context, &s.call);
  if (is_fixed) return PrepareFixed(context, &s.call);
  return in.dtype == DType::kFloat32 ? Status() : PrepareNarrow(context, &task);
}

Status Run(const RunContext& context) {
  RunSoftmax(context.state<State>().call, context.input(0).data, context.output(0).data, context.scratch,
             *context.parallel);
  return Status();
}

}  // namespace
}  // namespace softmax_op

MICRORT_OPERATOR(Softmax, softmax_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
