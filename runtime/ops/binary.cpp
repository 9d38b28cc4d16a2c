// Binary: a function of two variables that broadcast.

#include "kernels/elementwise/binary.h"

#include "kernels/base/has_int16.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/activation.h"
#include "runtime/ops/bounded_broadcast.h"
#include "runtime/ops/element_format.h"
#include "runtime/ops/fused_functions.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/parse_rounding.h"

namespace micrort {
namespace binary_op {
namespace {

static_assert(kBinaryKindCount == static_cast<int>(schema::BinaryKind::MAX) + 1);
static_assert(static_cast<int>(BinaryKind::kPRelu) == static_cast<int>(schema::BinaryKind::PRelu));
static_assert(static_cast<int>(BinaryKind::kGreaterOrEqual) ==
              static_cast<int>(schema::BinaryKind::GreaterOrEqual));
static_assert(static_cast<int>(BinaryKind::kShiftRight) == static_cast<int>(schema::BinaryKind::ShiftRight));
// An activation is a unary function with the same number.
static_assert(static_cast<int>(ActivationKind::kNone) == static_cast<int>(UnaryKind::kIdentity));
static_assert(static_cast<int>(ActivationKind::kSilu) == static_cast<int>(UnaryKind::kSilu));

struct State {
  BinaryKind kind;
  UnaryOp activation;
  Rounding rounding;
  BinaryTask task;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::BinaryOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  if (options->kind() > schema::BinaryKind::MAX) {
    return MICRORT_ERROR(kInvalidModel, "binary kind %d does not exist", static_cast<int>(options->kind()));
  }
  State& s = *static_cast<State*>(state);
  s.kind = static_cast<BinaryKind>(options->kind());
  Activation activation;
  MICRORT_RETURN_IF_ERROR(ParseActivation(options->activation(), Slopes::kNone, &activation));
  s.activation = {static_cast<UnaryKind>(activation.kind), activation.a, activation.b};
  return ParseRounding(op, &s.rounding);
}

// Quantized tensors and floats mix, since both compute as floats.
Status CheckTypes(const Tensor& a, const Tensor& b, const BinaryParams& params) {
  const bool both_quantized_or_float = (params.a.quantized || a.dtype == DType::kFloat32) &&
                                       (params.b.quantized || b.dtype == DType::kFloat32);
  if (a.dtype == b.dtype || both_quantized_or_float) return Status();
  return MICRORT_ERROR(kInvalidModel, "expected inputs of one type, found %s and %s", Name(a.dtype),
                       Name(b.dtype));
}

// The type of the values, before the file has its say.
ElementFormat NaturalOutput(const BinaryParams& params) {
  if (IsComparison(params.kind)) return {DType::kBool, false, {}};
  return params.a.quantized ? params.a : params.b;
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, 2, 1));
  State& s = context.state<State>();
  const Tensor &a = context.input(0), &b = context.input(1);
  BinaryParams params = {};
  params.kind = s.kind;
  params.activation = s.activation;
  params.rounding = s.rounding;
  const bool is_int16 = kHasInt16 && s.rounding != Rounding::kExact && a.dtype == DType::kInt16;
  const auto read = is_int16 ? ReadFixedFormat : ReadElementFormat;
  MICRORT_RETURN_IF_ERROR(read(a, &params.a));
  MICRORT_RETURN_IF_ERROR(read(b, &params.b));
  MICRORT_RETURN_IF_ERROR(CheckTypes(a, b, params));
  Shape shape;
  Shape shapes[] = {a.shape, b.shape};
  FitBounds(context, 2, 2, shapes);
  if (!BroadcastShapes(shapes[0], shapes[1], &shape)) {
    return MICRORT_ERROR(kInvalidModel, "cannot broadcast %s and %s", ShapeString(a.shape).c_str(),
                         ShapeString(b.shape).c_str());
  }
  if (is_int16 && !IsComparison(s.kind)) {
    MICRORT_RETURN_IF_ERROR(context.SetOutput(0, DType::kInt16, shape));
    MICRORT_RETURN_IF_ERROR(ReadFixedFormat(context.output(0), &params.y));
  } else {
    MICRORT_RETURN_IF_ERROR(SetElementwiseOutput(context, 0, NaturalOutput(params), shape, &params.y));
  }
  params.plan = PlanBroadcast(shapes, shape);
  if (!PlanBinary(params, context.features(), &s.task)) {
    return MICRORT_ERROR(
        kUnsupported, "%s of %s%s does not exist with activation %d, %s rounding and output %s%s",
        schema::EnumNameBinaryKind(static_cast<schema::BinaryKind>(s.kind)),
        params.a.quantized ? "quantized " : "", Name(a.dtype), static_cast<int>(s.activation.kind),
        s.rounding == Rounding::kExact ? "exact" : "TensorFlow Lite's",
        params.y.quantized ? "quantized " : "", Name(params.y.dtype));
  }
  AllowElementwiseInPlace(context, 2);
  context.SetAlgorithm(s.task.algorithm);
  context.SetCall(&s.task);
  context.SetFused(&kFusedFunctions);
  return Status();
}

Status Run(const RunContext& context) {
  if (RunBinary(context.state<State>().task, context.input(0).data, context.input(1).data,
                context.output(0).data, *context.parallel)) {
    return Status();
  }
  return MICRORT_ERROR(kOutOfRange, "integer division by zero");
}

}  // namespace
}  // namespace binary_op

MICRORT_OPERATOR(Binary, binary_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
