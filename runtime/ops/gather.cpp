// Gather: output[..., indices, ...] = data[..., indices[...], ...] along an axis.

#include "kernels/copy/gather.h"

#include "micrort/op_resolver.h"
#include "runtime/ops/index_operand.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace gather_op {
namespace {

struct State {
  int axis;
  int resolved_axis;
  GatherCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::GatherOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  static_cast<State*>(state)->axis = options->axis();
  return Status();
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, 2, 1));
  State& s = context.state<State>();
  const Shape& data = context.input(0).shape;
  const Tensor& indices = context.input(1);
  MICRORT_RETURN_IF_ERROR(ResolveAxis(s.axis, data.rank, &s.resolved_axis));
  MICRORT_RETURN_IF_ERROR(ExpectIndices(indices));
  if (data.rank - 1 + indices.shape.rank > kMaxRank) {
    return MICRORT_ERROR(kUnsupported,
                         "data of shape %s and indices of shape %s make more than %d dimensions",
                         ShapeString(data).c_str(), ShapeString(indices.shape).c_str(), kMaxRank);
  }
  Shape shape;
  for (int i = 0; i < s.resolved_axis; ++i) shape[shape.rank++] = data[i];
  for (int i = 0; i < indices.shape.rank; ++i) shape[shape.rank++] = indices.shape[i];
  for (int i = s.resolved_axis + 1; i < data.rank; ++i) shape[shape.rank++] = data[i];
  const int axis = s.resolved_axis;
  MICRORT_RETURN_IF_ERROR(SetMovedOutput(context, shape));
  s.call = {{static_cast<size_t>(data.product(0, axis)), static_cast<size_t>(data[axis]), indices.elements(),
             static_cast<size_t>(data.product(axis + 1, data.rank)) * SizeOf(context.input(0).dtype)},
            indices.dtype};
  context.SetCall(&s.call);
  return Status();
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  const Tensor &data = context.input(0), &indices = context.input(1);
  const size_t bad = RunGather(s.call, data.data, indices.data, context.output(0).data, *context.parallel);
  return bad == s.call.shape.count ? Status() : IndexOutside(indices, bad, data, s.resolved_axis);
}

}  // namespace
}  // namespace gather_op

const OpRegistration& ops::Gather() {
  using namespace gather_op;
  static constexpr OpRegistration kRegistration = {
      static_cast<int>(schema::OpCode::Gather), "Gather", sizeof(State), Parse, Prepare, nullptr, Run};
  return kRegistration;
}

}  // namespace micrort
