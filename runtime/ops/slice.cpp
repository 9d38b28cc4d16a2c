// Slice: along each of its axes the elements start, start + step, ... before end, as in Python.

#include "kernels/copy/slice_range.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace slice_op {
namespace {

enum SliceInput { kStarts = 1, kEnds = 2, kAxes = 3, kSteps = 4 };

struct Ranges {
  int count;       // of starts and ends
  int axis_count;  // 0: the first `count` axes
  int step_count;  // 0: all 1
  int64_t starts[kMaxRank];
  int64_t ends[kMaxRank];
  int64_t axes[kMaxRank];
  int64_t steps[kMaxRank];
};

struct State {
  bool in_options;
  Ranges ranges;
  CopyCall call;
};

Status CheckCounts(const Ranges& r, int end_count) {
  const bool axes_match = r.axis_count == 0 || r.axis_count == r.count;
  const bool steps_match = r.step_count == 0 || r.step_count == r.count;
  if (end_count == r.count && axes_match && steps_match) return Status();
  return MICRORT_ERROR(kInvalidModel, "found %d starts, %d ends, %d axes and %d steps", r.count, end_count,
                       r.axis_count, r.step_count);
}

Status Parse(const schema::Operator& op, void* state) {
  const schema::SliceOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  Ranges& r = s.ranges;
  s.in_options = options->starts() != nullptr;
  int end_count = 0;
  MICRORT_RETURN_IF_ERROR(ReadList("starts", options->starts(), r.starts, &r.count));
  MICRORT_RETURN_IF_ERROR(ReadList("ends", options->ends(), r.ends, &end_count));
  MICRORT_RETURN_IF_ERROR(ReadList("axes", options->axes(), r.axes, &r.axis_count));
  MICRORT_RETURN_IF_ERROR(ReadList("steps", options->steps(), r.steps, &r.step_count));
  return CheckCounts(r, end_count);
}

Status ReadKnown(const PrepareContext& context, int input, int64_t (&values)[kMaxRank], int* count) {
  *count = 0;
  if (!context.has_input(input)) return Status();
  size_t size = 0;
  MICRORT_RETURN_IF_ERROR(context.KnownIntegers(input, values, kMaxRank, &size));
  *count = static_cast<int>(size);
  return Status();
}

Status RangesOfInputs(const PrepareContext& context, Ranges* r) {
  int end_count = 0;
  MICRORT_RETURN_IF_ERROR(ReadKnown(context, kStarts, r->starts, &r->count));
  MICRORT_RETURN_IF_ERROR(ReadKnown(context, kEnds, r->ends, &end_count));
  MICRORT_RETURN_IF_ERROR(ReadKnown(context, kAxes, r->axes, &r->axis_count));
  MICRORT_RETURN_IF_ERROR(ReadKnown(context, kSteps, r->steps, &r->step_count));
  return CheckCounts(*r, end_count);
}

Status ResolveAll(const Ranges& r, const Shape& in, SliceRange (&indices)[kMaxRank]) {
  if (r.count > in.rank) {
    return MICRORT_ERROR(kInvalidModel, "%d axes are sliced, the input has shape %s", r.count,
                         ShapeString(in).c_str());
  }
  for (int i = 0; i < in.rank; ++i) indices[i] = {0, 1, in[i]};
  unsigned seen = 0;
  for (int i = 0; i < r.count; ++i) {
    int axis = i;
    if (r.axis_count > 0) MICRORT_RETURN_IF_ERROR(ResolveAxis(r.axes[i], in.rank, &axis));
    const int64_t step = r.step_count > 0 ? r.steps[i] : 1;
    if (step == 0) return MICRORT_ERROR(kInvalidModel, "the step along axis %d is 0", axis);
    if ((seen >> axis & 1u) != 0) return MICRORT_ERROR(kInvalidModel, "axis %d is sliced twice", axis);
    seen |= 1u << axis;
    indices[axis] = ResolveSlice(r.starts[i], r.ends[i], step, in[axis]);
  }
  return Status();
}

bool KnowsRanges(const PrepareContext& context) {
  for (int i = kStarts; i <= kSteps; ++i) {
    if (context.has_input(i) && context.contents(i) != Contents::kFixed) return false;
  }
  return true;
}

// Which dimensions are sliced, a bit each; all where that is not known either.
Status SlicedDims(const PrepareContext& context, uint32_t* dims) {
  const int rank = context.input(0).shape.rank;
  *dims = kAllDims;
  if (!context.has_input(kAxes)) {
    const int64_t count = context.has_input(kStarts) ? context.input(kStarts).shape.elements() : 0;
    if (count < rank) *dims = (1u << count) - 1;
    return Status();
  }
  if (context.contents(kAxes) != Contents::kFixed) return Status();
  int64_t axes[kMaxRank];
  int count = 0;
  MICRORT_RETURN_IF_ERROR(ReadKnown(context, kAxes, axes, &count));
  *dims = 0;
  for (int i = 0; i < count; ++i) {
    int axis = 0;
    MICRORT_RETURN_IF_ERROR(ResolveAxis(axes[i], rank, &axis));
    *dims |= 1u << axis;
  }
  return Status();
}

Status PrepareBounded(PrepareContext& context) {
  uint32_t dims = 0;
  MICRORT_RETURN_IF_ERROR(SlicedDims(context, &dims));
  Shape shape = context.input(0).shape;
  context.BoundByFile(0, Extents::Bounded(dims), &shape);
  return context.SetOutput(0, context.input(0).dtype, shape, Extents::Bounded(dims));
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 5, 1));
  State& s = context.state<State>();
  const Tensor& in = context.input(0);
  if (!s.in_options && !KnowsRanges(context)) return PrepareBounded(context);
  if (!s.in_options) MICRORT_RETURN_IF_ERROR(RangesOfInputs(context, &s.ranges));
  SliceRange indices[kMaxRank];
  MICRORT_RETURN_IF_ERROR(ResolveAll(s.ranges, in.shape, indices));
  Shape shape;
  shape.rank = in.shape.rank;
  for (int i = 0; i < shape.rank; ++i) shape[i] = indices[i].count;
  MICRORT_RETURN_IF_ERROR(SetMovedOutput(context, shape));

  const size_t element_bytes = SizeOf(in.dtype);
  const Strides src(in.shape, element_bytes);
  const Strides dst(shape, element_bytes);
  CopyDim dims[kMaxRank];
  s.call.src_offset = 0;
  for (int i = 0; i < shape.rank; ++i) {
    // The stride of a single element is never stepped, so that of an empty or huge step is not computed.
    dims[i] = {shape[i], shape[i] <= 1 ? 0 : src[i] * indices[i].step, dst[i]};
    if (shape.elements() != 0) s.call.src_offset += indices[i].first * src[i];
  }
  s.call.copy = PlanCopy(element_bytes, {dims, static_cast<size_t>(shape.rank)}, context.features());
  AllowInPlaceIfSame(context, s.call.copy);
  context.SetCall(&s.call);
  return Status();
}

Status Run(const RunContext& context) {
  RunMove(context, context.state<State>().call);
  return Status();
}

}  // namespace
}  // namespace slice_op

MICRORT_OPERATOR(Slice, slice_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
