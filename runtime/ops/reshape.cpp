// Reshape: the same elements under another shape.

#include "kernels/copy/move_bytes.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/target_shape.h"

namespace micrort {
namespace reshape_op {
namespace {

struct State {
  TargetShape target;
  bool allow_zero;
  MoveCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::ReshapeOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  s.allow_zero = options->allow_zero();
  return ParseTargetShape(options->shape(), &s.target);
}

// Whether a run decides how many elements there are, within those of the shape.
bool IsBounded(const PrepareContext& context) {
  const Extents extents = context.input(0).extents;
  return context.stage() != PrepareStage::kRun && !extents.all_fixed() && !extents.any_data_dependent();
}

// Replaces the one -1 by the size that keeps the number of elements, or has no more of them than there may
// be. Dimensions that are copied are left out on both sides, so that a copied 0 leaves the -1 decided.
Status InferDimension(const TargetShape& target, Shape in, bool is_bounded, Shape* shape) {
  int inferred = -1;
  Shape rest = *shape;
  for (int i = 0; i < shape->rank; ++i) {
    const int source = CopiedDimension(target, i);
    if (source >= 0 && in[source] == rest[i]) in[source] = rest[i] = 1;
    if (rest[i] >= 0) continue;
    if (inferred >= 0) return MICRORT_ERROR(kInvalidModel, "dimensions %d and %d are both -1", inferred, i);
    inferred = i;
    rest[i] = 1;
  }
  if (inferred < 0) return Status();
  int64_t elements = 0, others = 0;
  if (!in.CheckedElements(1, &elements) || !rest.CheckedElements(1, &others) || others == 0 ||
      (elements % others != 0 && !is_bounded)) {
    return MICRORT_ERROR(kInvalidModel, "cannot infer the -1 of %s for %lld elements",
                         ShapeString(*shape).c_str(), static_cast<long long>(in.elements()));
  }
  shape->dims[inferred] = elements / others;
  return Status();
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 2, 1));
  State& s = context.state<State>();
  const Tensor& in = context.input(0);
  Shape shape;
  if (!IsReadable(context, s.target)) {
    MICRORT_RETURN_IF_ERROR(ReadTargetRank(context, &shape.rank));
    return context.SetOutput(0, in.dtype, shape, Extents::DataDependent(kAllDims), 1u << kTargetInput);
  }
  MICRORT_RETURN_IF_ERROR(ResolveTargetShape(context, s.target, !s.allow_zero, true, &shape));
  const bool is_bounded = IsBounded(context);
  MICRORT_RETURN_IF_ERROR(InferDimension(s.target, in.shape, is_bounded, &shape));
  MICRORT_RETURN_IF_ERROR(SetMovedOutput(context, shape));
  const int64_t before = in.shape.elements(), after = shape.elements();
  if (is_bounded ? after > before : after != before) {
    return MICRORT_ERROR(kInvalidModel, "cannot reshape %s to %s", ShapeString(in.shape).c_str(),
                         ShapeString(shape).c_str());
  }
  s.call.bytes = in.bytes();
  context.AllowInPlace(0, 0);
  context.SetCall(&s.call);
  return Status();
}

Status Run(const RunContext& context) {
  RunMoveCall(context.state<State>().call, context.input(0).data, context.output(0).data, *context.parallel);
  return Status();
}

}  // namespace
}  // namespace reshape_op

MICRORT_OPERATOR(Reshape, reshape_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
