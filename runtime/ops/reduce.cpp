// Reduce: sums, means, extremes and their positions along axes.

#include "kernels/reduce/reduce.h"

#include "kernels/base/has_int16.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/reduce/arg_reduce.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/element_format.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/parse_rounding.h"

namespace micrort {
namespace reduce_op {
namespace {

static_assert(kReduceKindCount == static_cast<int>(schema::ReduceKind::MAX) + 1);
static_assert(static_cast<int>(ReduceKind::kProd) == static_cast<int>(schema::ReduceKind::Prod));
static_assert(static_cast<int>(ReduceKind::kLogSumExp) == static_cast<int>(schema::ReduceKind::LogSumExp));
static_assert(static_cast<int>(ReduceKind::kArgMin) == static_cast<int>(schema::ReduceKind::ArgMin));

constexpr int kAxesInput = 1;

struct State {
  ReduceKind kind;
  int axes[kMaxRank];
  int axis_count;
  bool keep_dims;
  bool last;
  Rounding rounding;
  ReduceTask task;    // not of ArgMax and ArgMin
  ArgReduceCall arg;  // of ArgMax and ArgMin
};

bool GivesIndex(ReduceKind kind) { return kind == ReduceKind::kArgMax || kind == ReduceKind::kArgMin; }

Status Parse(const schema::Operator& op, void* state) {
  const schema::ReduceOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  if (options->kind() > schema::ReduceKind::MAX) {
    return MICRORT_ERROR(kInvalidModel, "reduction kind %d does not exist",
                         static_cast<int>(options->kind()));
  }
  State& s = *static_cast<State*>(state);
  s.kind = static_cast<ReduceKind>(options->kind());
  s.keep_dims = options->keep_dims();
  s.last = options->select_last_index();
  MICRORT_RETURN_IF_ERROR(ParseRounding(op, &s.rounding));
  MICRORT_RETURN_IF_ERROR(ReadList("axes", options->axes(), s.axes, &s.axis_count));
  for (int i = 0; i < s.axis_count; ++i) {
    if (s.axes[i] < 0 || (i > 0 && s.axes[i] <= s.axes[i - 1])) {
      return MICRORT_ERROR(kInvalidModel, "axes must be >= 0, sorted and unique; found %d at position %d",
                           s.axes[i], i);
    }
  }
  if (GivesIndex(s.kind) && s.rounding != Rounding::kExact) {
    return MICRORT_ERROR(kInvalidModel,
                         "ArgMax and ArgMin do not round: TensorFlow Lite's rounding is not theirs");
  }
  if (GivesIndex(s.kind) && s.axis_count != 1) {
    return MICRORT_ERROR(kInvalidModel, "expected one axis, found %d", s.axis_count);
  }
  return Status();
}

// `is_reduced`: one flag an axis.
Shape OutputShape(const Shape& in, const bool* is_reduced, bool keep_dims) {
  Shape out;
  for (int d = 0; d < in.rank; ++d) {
    if (!is_reduced[d]) {
      out[out.rank++] = in[d];
    } else if (keep_dims) {
      out[out.rank++] = 1;
    }
  }
  return out;
}

Status PrepareIndex(PrepareContext& context, const Shape& shape, State* s) {
  const Tensor& in = context.input(0);
  const int axis = s->axes[0];
  if (in.shape[axis] == 0) return MICRORT_ERROR(kInvalidModel, "axis %d has no element to choose", axis);
  s->arg.params = {s->kind == ReduceKind::kArgMax,
                   s->last,
                   in.dtype,
                   static_cast<size_t>(in.shape.product(0, axis)),
                   static_cast<size_t>(in.shape[axis]),
                   static_cast<size_t>(in.shape.product(axis + 1, in.shape.rank))};
  s->arg.convert = SelectConvertF32(context.features()).id;
  context.SetCall(&s->arg);
  return context.SetOutput(0, DType::kInt64, shape);
}

Status PrepareValues(PrepareContext& context, const bool* is_reduced, const Shape& shape, State* s) {
  const Tensor& in = context.input(0);
  ReduceParams params;
  params.kind = s->kind;
  params.rounding = s->rounding;
  if (kHasInt16 && s->rounding != Rounding::kExact) {
    MICRORT_RETURN_IF_ERROR(ReadFixedFormat(in, &params.x));
    MICRORT_RETURN_IF_ERROR(context.SetOutput(0, in.dtype, shape));
    MICRORT_RETURN_IF_ERROR(ReadFixedFormat(context.output(0), &params.y));
  } else {
    MICRORT_RETURN_IF_ERROR(ReadElementFormat(in, &params.x));
    MICRORT_RETURN_IF_ERROR(SetElementwiseOutput(context, 0, params.x, shape, &params.y));
  }
  params.plan = PlanReduce(in.shape, is_reduced);
  if (!PlanReduceTask(params, context.features(), &s->task)) {
    return MICRORT_ERROR(kUnsupported, "%s of %s giving %s does not exist%s",
                         schema::EnumNameReduceKind(static_cast<schema::ReduceKind>(s->kind)), Name(in.dtype),
                         Name(params.y.dtype),
                         s->rounding == Rounding::kExact
                             ? ""
                             : " with TensorFlow Lite's rounding, which sums and means of up to 65536 "
                               "symmetric int16 have");
  }
  if (s->task.type == ComputeType::kF32) context.SetAlgorithm(VariantOf(FoldF32Kernels(), s->task.fold).name);
  context.SetCall(&s->task);
  return Status();
}

// Marks the axes of input 1.
Status ReadAxesInput(const PrepareContext& context, bool* is_reduced) {
  const int rank = context.input(0).shape.rank;
  int64_t axes[kMaxRank];
  size_t count = 0;
  MICRORT_RETURN_IF_ERROR(context.KnownIntegers(kAxesInput, axes, kMaxRank, &count));
  for (size_t i = 0; i < count; ++i) {
    int axis = 0;
    MICRORT_RETURN_IF_ERROR(ResolveAxis(axes[i], rank, &axis));
    if (is_reduced[axis]) return MICRORT_ERROR(kInvalidModel, "axis %d is listed twice", axis);
    is_reduced[axis] = true;
  }
  return Status();
}

// Axes that cannot be read yet: any dimension may become 1, or some of them, as many as there are axes, go.
Status PrepareDataDependent(PrepareContext& context, bool keep_dims) {
  const Tensor& in = context.input(0);
  const int64_t count = context.input(kAxesInput).shape.elements();
  if (count > in.shape.rank) {
    return MICRORT_ERROR(kInvalidModel, "%lld axes of an input of shape %s", static_cast<long long>(count),
                         ShapeString(in.shape).c_str());
  }
  Shape shape = in.shape;
  if (!keep_dims) shape.rank -= static_cast<int>(count);
  return context.SetOutput(0, in.dtype, shape, Extents::DataDependent(kAllDims), 1u << kAxesInput);
}

Status Prepare(PrepareContext& context) {
  State& s = context.state<State>();
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, GivesIndex(s.kind) ? 1 : 2, 1));
  const Shape& in = context.input(0).shape;
  bool is_reduced[kMaxRank] = {};
  if (context.has_input(kAxesInput)) {
    if (context.contents(kAxesInput) == Contents::kUnknown) return PrepareDataDependent(context, s.keep_dims);
    MICRORT_RETURN_IF_ERROR(ReadAxesInput(context, is_reduced));
  }
  for (int i = 0; i < s.axis_count; ++i) {
    if (s.axes[i] >= in.rank) {
      return MICRORT_ERROR(kInvalidModel, "axis %d is outside rank %d", s.axes[i], in.rank);
    }
    is_reduced[s.axes[i]] = true;
  }
  const Shape out = OutputShape(in, is_reduced, s.keep_dims);
  return GivesIndex(s.kind) ? PrepareIndex(context, out, &s) : PrepareValues(context, is_reduced, out, &s);
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  const void* x = context.input(0).data;
  if (GivesIndex(s.kind)) {
    RunArgReduce(s.arg.params, s.arg.convert, x, context.output(0).as<int64_t>(), *context.parallel);
  } else {
    RunReduce(s.task, x, context.output(0).data, *context.parallel);
  }
  return Status();
}

}  // namespace
}  // namespace reduce_op

MICRORT_OPERATOR(Reduce, reduce_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
