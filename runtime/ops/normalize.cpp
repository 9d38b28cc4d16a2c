// Normalize: to mean 0 and variance 1 over axes, or to a mean square of 1, then scale and bias.

#include "kernels/normalize/normalize.h"

#include <cmath>

#include "micrort/op_resolver.h"
#include "runtime/ops/op.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace normalize_op {
namespace {

struct State {
  int axes[kMaxRank];
  int axis_count;
  NormalizeTask task;
};

enum Input { kX, kScale, kBias, kInputs };

Status Parse(const schema::Operator& op, void* state) {
  const schema::NormalizeOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  s.task.centered = options->centered();
  s.task.epsilon = options->epsilon();
  if (!(s.task.epsilon >= 0) || std::isinf(s.task.epsilon)) {
    return MICRORT_ERROR(kInvalidModel, "expected a finite epsilon >= 0, found %g",
                         static_cast<double>(s.task.epsilon));
  }
  MICRORT_RETURN_IF_ERROR(ReadList("axes", options->axes(), s.axes, &s.axis_count));
  for (int i = 0; i < s.axis_count; ++i) {
    if (s.axes[i] < 0 || (i > 0 && s.axes[i] <= s.axes[i - 1])) {
      return MICRORT_ERROR(kInvalidModel, "axes must be >= 0, sorted and unique; found %d at position %d",
                           s.axes[i], i);
    }
  }
  return Status();
}

Status ExpectFloats(const PrepareContext& context) {
  for (int i = 0; i < kInputs; ++i) {
    if (context.has_input(i) && context.input(i).dtype != DType::kFloat32) {
      return MICRORT_ERROR(kUnsupported, "input %d: expected float32, found %s", i,
                           Name(context.input(i).dtype));
    }
  }
  return Status();
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, kInputs, 1));
  MICRORT_RETURN_IF_ERROR(ExpectFloats(context));
  State& s = context.state<State>();
  const Shape& x = context.input(kX).shape;
  bool is_normalized[kMaxRank] = {};
  for (int i = 0; i < s.axis_count; ++i) {
    if (s.axes[i] >= x.rank) {
      return MICRORT_ERROR(kInvalidModel, "axis %d is outside rank %d", s.axes[i], x.rank);
    }
    is_normalized[s.axes[i]] = true;
  }
  const auto shape_of = [&](int i) { return context.has_input(i) ? &context.input(i).shape : nullptr; };
  if (!PlanNormalize(x, is_normalized, shape_of(kScale), shape_of(kBias), &s.task.plan)) {
    return MICRORT_ERROR(kUnsupported, "the axes, or the shape of scale or bias, do not suit shape %s",
                         ShapeString(x).c_str());
  }
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, DType::kFloat32, x));
  const NormalizeF32Kernel& kernel = SelectNormalizeF32(context.features());
  s.task.kernel = kernel.id;
  s.task.fold = SelectFoldF32(context.features()).id;
  context.RequestScratch(NormalizeScratchBytes(s.task.plan));
  context.AllowInPlace(0, kX);
  context.SetAlgorithm(kernel.name);
  context.SetCall(&s.task);
  return Status();
}

const float* DataOf(const RunContext& context, int i) {
  return context.has_input(i) ? context.input(i).as<float>() : nullptr;
}

Status Run(const RunContext& context) {
  const NormalizeTensors tensors = {DataOf(context, kX), DataOf(context, kScale), DataOf(context, kBias),
                                    context.output(0).as<float>()};
  Normalize(context.state<State>().task, tensors, context.scratch, *context.parallel);
  return Status();
}

}  // namespace
}  // namespace normalize_op

MICRORT_OPERATOR(Normalize, normalize_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
