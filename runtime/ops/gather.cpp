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
  return SetMovedOutput(context, shape);
}

Status Run(const RunContext& context) {
  const int axis = context.state<State>().resolved_axis;
  const Tensor& data = context.input(0);
  const Tensor& indices = context.input(1);
  const GatherShape shape = {
      static_cast<size_t>(data.shape.product(0, axis)), static_cast<size_t>(data.shape[axis]),
      indices.elements(),
      static_cast<size_t>(data.shape.product(axis + 1, data.shape.rank)) * SizeOf(data.dtype)};
  return WithIndices(indices, [&](const auto* values) {
    const size_t bad = FindBadIndex(values, shape.count, shape.bound);
    if (bad != shape.count) return IndexOutside(indices, bad, data, axis);
    Gather(shape, data.data, values, context.output(0).data, *context.parallel);
    return Status();
  });
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
