// Unary: a function of one variable.

#include "kernels/elementwise/unary.h"

#include "micrort/op_resolver.h"
#include "runtime/ops/element_format.h"
#include "runtime/ops/fused_functions.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/parse_rounding.h"

namespace micrort {
namespace unary_op {
namespace {

static_assert(kUnaryKindCount == static_cast<int>(schema::UnaryKind::MAX) + 1);
static_assert(static_cast<int>(UnaryKind::kSilu) == static_cast<int>(schema::UnaryKind::Silu));
static_assert(static_cast<int>(UnaryKind::kSin) == static_cast<int>(schema::UnaryKind::Sin));
static_assert(static_cast<int>(UnaryKind::kBitwiseNot) == static_cast<int>(schema::UnaryKind::BitwiseNot));

struct State {
  UnaryOp op;
  Rounding rounding;
  UnaryTask task;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::UnaryOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  if (options->kind() > schema::UnaryKind::MAX) {
    return MICRORT_ERROR(kInvalidModel, "unary kind %d does not exist", static_cast<int>(options->kind()));
  }
  State& s = *static_cast<State*>(state);
  s.op = {static_cast<UnaryKind>(options->kind()), options->a(), options->b()};
  return ParseRounding(op, &s.rounding);
}

bool GivesBool(UnaryKind kind) {
  return kind == UnaryKind::kNot || kind == UnaryKind::kIsNaN || kind == UnaryKind::kIsInf;
}

Status ReadFormats(PrepareContext& context, UnaryParams* params) {
  const Tensor& in = context.input(0);
  MICRORT_RETURN_IF_ERROR(ReadElementFormat(in, &params->x));
  ElementFormat natural = params->x;
  if (GivesBool(params->op.kind)) natural = {DType::kBool, false, {}};
  MICRORT_RETURN_IF_ERROR(SetElementwiseOutput(context, 0, natural, in.shape, &params->y));
  // As all that moves elements: where one side says nothing of a scale, they are what they were.
  if (params->op.kind == UnaryKind::kIdentity && params->x.dtype == params->y.dtype &&
      params->x.quantized != params->y.quantized)
    params->x = params->y = {in.dtype, false, {}};
  return Status();
}

// Integers that stand for numbers, on both sides.
Status ReadFixedFormats(PrepareContext& context, UnaryParams* params) {
  const Tensor& in = context.input(0);
  MICRORT_RETURN_IF_ERROR(ReadFixedFormat(in, &params->x));
  const DType declared = context.output(0).dtype;
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, declared == DType::kUnknown ? in.dtype : declared, in.shape));
  return ReadFixedFormat(context.output(0), &params->y);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  State& s = context.state<State>();
  UnaryParams params;
  params.op = s.op;
  params.rounding = s.rounding;
  if (s.rounding == Rounding::kExact) {
    MICRORT_RETURN_IF_ERROR(ReadFormats(context, &params));
  } else {
    MICRORT_RETURN_IF_ERROR(ReadFixedFormats(context, &params));
  }
  if (!PlanUnary(params, context.features(), &s.task)) {
    return MICRORT_ERROR(
        kUnsupported, "%s of %s%s giving %s%s does not exist%s",
        schema::EnumNameUnaryKind(static_cast<schema::UnaryKind>(s.op.kind)),
        params.x.quantized ? "quantized " : "", Name(params.x.dtype), params.y.quantized ? "quantized " : "",
        Name(params.y.dtype),
        s.rounding == Rounding::kExact ? "" : " with these scales and TensorFlow Lite's rounding");
  }
  AllowElementwiseInPlace(context, 1);
  context.SetAlgorithm(s.task.algorithm);
  context.SetCall(&s.task);
  context.SetFused(&kFusedFunctions);
  return Status();
}

Status Run(const RunContext& context) {
  const Tensor& in = context.input(0);
  RunUnary(context.state<State>().task, in.data, context.output(0).data, in.elements(), *context.parallel);
  return Status();
}

}  // namespace
}  // namespace unary_op

MICRORT_OPERATOR(Unary, unary_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
