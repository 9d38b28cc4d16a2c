// Expand: broadcasts its input and the asked shape to each other.

#include <algorithm>

#include "kernels/elementwise/broadcast.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/bounded_broadcast.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/target_shape.h"

namespace micrort {
namespace expand_op {
namespace {

struct State {
  TargetShape target;
  CopyCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::ExpandOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  return ParseTargetShape(options->shape(), &static_cast<State*>(state)->target);
}

// Dimensions of the input that cannot be broadcast stay as they are.
Status PrepareDataDependent(PrepareContext& context) {
  const Shape& in = context.input(0).shape;
  Shape shape;
  MICRORT_RETURN_IF_ERROR(ReadTargetRank(context, &shape.rank));
  shape.rank = std::max(shape.rank, in.rank);
  uint32_t unknown_dims = kAllDims;
  for (int i = 0; i < in.rank; ++i) {
    if (in[i] == 1) continue;
    const int to = shape.rank - in.rank + i;
    shape[to] = in[i];
    unknown_dims &= ~(1u << to);
  }
  return context.SetOutput(0, context.input(0).dtype, shape, Extents::DataDependent(unknown_dims),
                           1u << kTargetInput);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 2, 1));
  State& s = context.state<State>();
  const Tensor& in = context.input(0);
  if (!IsReadable(context, s.target)) return PrepareDataDependent(context);
  Shape shapes[2] = {in.shape, {}};
  Shape shape;
  MICRORT_RETURN_IF_ERROR(ResolveTargetShape(context, s.target, false, false, &shapes[1]));
  FitBounds(context, 1, 2, shapes);
  const Shape& from = shapes[0];
  if (!BroadcastShapes(from, shapes[1], &shape)) {
    return MICRORT_ERROR(kInvalidModel, "cannot broadcast %s and %s", ShapeString(from).c_str(),
                         ShapeString(shapes[1]).c_str());
  }
  MICRORT_RETURN_IF_ERROR(SetMovedOutput(context, shape));

  const size_t element_bytes = SizeOf(in.dtype);
  const Strides src(from, element_bytes);
  const Strides dst(shape, element_bytes);
  CopyDim dims[kMaxRank];
  for (int i = 0; i < shape.rank; ++i) {
    const int source = i - (shape.rank - from.rank);
    const bool repeats = source < 0 || from[source] == 1;
    dims[i] = {shape[i], repeats ? 0 : src[source], dst[i]};
  }
  s.call.copy = PlanCopy(element_bytes, {dims, static_cast<size_t>(shape.rank)});
  AllowInPlaceIfSame(context, s.call.copy);
  context.SetCall(&s.call);
  return Status();
}

Status Run(const RunContext& context) {
  RunMove(context, context.state<State>().call);
  return Status();
}

}  // namespace
}  // namespace expand_op

MICRORT_OPERATOR(Expand, expand_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
