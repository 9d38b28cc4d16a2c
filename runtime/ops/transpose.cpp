// Transpose: output dimension i is input dimension permutation[i].

#include "micrort/op_resolver.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace transpose_op {
namespace {

struct State {
  int rank;
  int permutation[kMaxRank];
  CopyCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::TransposeOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  MICRORT_RETURN_IF_ERROR(ReadList("permutation", options->permutation(), s.permutation, &s.rank));
  unsigned seen = 0;
  for (int i = 0; i < s.rank; ++i) {
    const int p = s.permutation[i];
    if (p < 0 || p >= s.rank || (seen >> p & 1u) != 0) {
      return MICRORT_ERROR(kInvalidModel, "entry %d of the permutation is %d: out of range or twice", i, p);
    }
    seen |= 1u << p;
  }
  return Status();
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  State& s = context.state<State>();
  const Tensor& in = context.input(0);
  if (in.shape.rank != s.rank) {
    return MICRORT_ERROR(kInvalidModel, "the permutation has %d entries, the input has shape %s", s.rank,
                         ShapeString(in.shape).c_str());
  }
  Shape shape;
  shape.rank = s.rank;
  for (int i = 0; i < s.rank; ++i) shape[i] = in.shape[s.permutation[i]];
  MICRORT_RETURN_IF_ERROR(SetMovedOutput(context, shape));

  const size_t element_bytes = SizeOf(in.dtype);
  const Strides src(in.shape, element_bytes);
  const Strides dst(shape, element_bytes);
  CopyDim dims[kMaxRank];
  for (int i = 0; i < s.rank; ++i) dims[i] = {shape[i], src[s.permutation[i]], dst[i]};
  s.call.copy = PlanCopy(element_bytes, {dims, static_cast<size_t>(s.rank)}, context.features());
  AllowInPlaceIfSame(context, s.call.copy);
  context.SetCall(&s.call);
  return Status();
}

Status Run(const RunContext& context) {
  RunMove(context, context.state<State>().call);
  return Status();
}

}  // namespace
}  // namespace transpose_op

MICRORT_OPERATOR(Transpose, transpose_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
