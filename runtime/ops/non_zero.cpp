// NonZero: the coordinates of elements that are not zero.

#include "kernels/index/non_zero.h"

#include "micrort/op_resolver.h"
#include "runtime/ops/op.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace non_zero_op {
namespace {

Status Parse(const schema::Operator& op, void*) {
  const schema::NonZeroOptions* options = nullptr;
  return ReadOptions(op, &options);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  static constexpr NonZeroCall kCall;
  context.SetCall(&kCall);
  const Shape& shape = context.input(0).shape;
  return context.SetOutput(0, DType::kInt64, Shape::Of(shape.rank, shape.elements()),
                           Extents::Bounded(1u << 1));
}

Status Run(const RunContext& context) {
  const Tensor& in = context.input(0);
  const size_t count = CountNonZero(in.dtype, in.data, in.elements());
  MICRORT_RETURN_IF_ERROR(context.SetOutputShape(0, Shape::Of(in.shape.rank, count)));
  NonZero(in.dtype, in.data, in.shape, count, context.output(0).as<int64_t>());
  return Status();
}

}  // namespace
}  // namespace non_zero_op

MICRORT_OPERATOR(NonZero, non_zero_op, 0, Parse, Prepare, nullptr, Run)

}  // namespace micrort
