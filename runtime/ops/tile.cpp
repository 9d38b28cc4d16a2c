// Tile: repeats its input repeats[i] times along dimension i.

#include "kernels/base/checked_math.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace tile_op {
namespace {

constexpr int kRepeatsInput = 1;

struct State {
  int rank;
  int64_t repeats[kMaxRank];
  CopyCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::TileOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  return ReadList("repeats", options->repeats(), s.repeats, &s.rank);
}

Status ReadRepeats(const PrepareContext& context, State* s) {
  if (context.has_input(kRepeatsInput)) {
    size_t count = 0;
    MICRORT_RETURN_IF_ERROR(context.KnownIntegers(kRepeatsInput, s->repeats, kMaxRank, &count));
    s->rank = static_cast<int>(count);
  }
  const Shape& in = context.input(0).shape;
  if (in.rank != s->rank) {
    return MICRORT_ERROR(kInvalidModel, "there are %d repeats, the input has shape %s", s->rank,
                         ShapeString(in).c_str());
  }
  for (int i = 0; i < s->rank; ++i) {
    if (s->repeats[i] < 0) {
      return MICRORT_ERROR(kInvalidModel, "repeats[%d] is %lld", i, static_cast<long long>(s->repeats[i]));
    }
  }
  return Status();
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 2, 1));
  State& s = context.state<State>();
  const Tensor& in = context.input(0);
  if (const uint32_t deciders = context.Unreadable(1u << kRepeatsInput); deciders != 0) {
    return context.SetOutput(0, in.dtype, in.shape, Extents::DataDependent(kAllDims), deciders);
  }
  MICRORT_RETURN_IF_ERROR(ReadRepeats(context, &s));
  Shape shape;
  shape.rank = s.rank;
  for (int i = 0; i < s.rank; ++i) {
    if (!CheckedMul(in.shape[i], s.repeats[i], &shape[i])) {
      return MICRORT_ERROR(kInvalidModel, "dimension %d: %lld times %lld is too large", i,
                           static_cast<long long>(in.shape[i]), static_cast<long long>(s.repeats[i]));
    }
  }
  MICRORT_RETURN_IF_ERROR(SetMovedOutput(context, shape));

  // Every dimension becomes two: the repeats, which stand still in the source, and the elements.
  const size_t element_bytes = SizeOf(in.dtype);
  const Strides src(in.shape, element_bytes);
  const Strides dst(shape, element_bytes);
  CopyDim dims[2 * kMaxRank];
  for (int i = 0; i < s.rank; ++i) {
    dims[2 * i] = {s.repeats[i], 0, s.repeats[i] == 0 ? 0 : in.shape[i] * dst[i]};
    dims[2 * i + 1] = {in.shape[i], src[i], dst[i]};
  }
  s.call.copy = PlanCopy(element_bytes, {dims, 2 * static_cast<size_t>(s.rank)});
  AllowInPlaceIfSame(context, s.call.copy);
  context.SetCall(&s.call);
  return Status();
}

Status Run(const RunContext& context) {
  RunMove(context, context.state<State>().call);
  return Status();
}

}  // namespace
}  // namespace tile_op

MICRORT_OPERATOR(Tile, tile_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
