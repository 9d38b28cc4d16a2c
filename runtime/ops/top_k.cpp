// TopK: the largest or smallest elements along an axis, and where they are.

#include "kernels/sort/top_k.h"

#include "micrort/op_resolver.h"
#include "runtime/ops/index_operand.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/work_control.h"

namespace micrort {
namespace top_k_op {
namespace {

struct State {
  int axis;
  TopKParams params;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::TopKOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  s.axis = options->axis();
  s.params.largest = options->largest();
  return Status();
}

Status ReadK(const Tensor& tensor, size_t n, size_t* k) {
  int64_t value = 0;
  MICRORT_RETURN_IF_ERROR(ReadInteger(tensor, &value));
  if (value < 0 || static_cast<uint64_t>(value) > n) {
    return MICRORT_ERROR(kOutOfRange, "k is %lld: expected 0 to %zu", static_cast<long long>(value), n);
  }
  *k = static_cast<size_t>(value);
  return Status();
}

// Where k is not known, all elements may come out.
Status SetOutputs(PrepareContext& context, const Shape& shape, int axis, bool knows_k) {
  const Extents extents = Extents::Bounded(knows_k ? 0 : 1u << axis);
  MICRORT_RETURN_IF_ERROR(context.SetOutput(0, context.input(0).dtype, shape, extents));
  return context.SetOutput(1, DType::kInt64, shape, extents);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, 2, 2));
  State& s = context.state<State>();
  const Tensor& in = context.input(0);
  int axis = 0;
  MICRORT_RETURN_IF_ERROR(ResolveAxis(s.axis, in.shape.rank, &axis));
  const int64_t n = in.shape[axis];
  if (n > UINT32_MAX) {
    return MICRORT_ERROR(kUnsupported, "an axis of %lld elements", static_cast<long long>(n));
  }
  TopKParams& p = s.params;
  p.dtype = in.dtype;
  p.outer = static_cast<size_t>(in.shape.product(0, axis));
  p.n = static_cast<size_t>(n);
  p.inner = static_cast<size_t>(in.shape.product(axis + 1, in.shape.rank));
  p.k = p.n;
  const bool knows_k = context.contents(1) == Contents::kFixed;
  if (knows_k) MICRORT_RETURN_IF_ERROR(ReadK(context.input(1), p.n, &p.k));
  Shape shape = in.shape;
  shape[axis] = static_cast<int64_t>(p.k);
  if (!knows_k) context.BoundByFile(0, Extents::Bounded(1u << axis), &shape);
  p.k = static_cast<size_t>(shape[axis]);
  constexpr int64_t kSortWork = 1000;  // of an element in a heap of at most 2^32
  context.SetWork(WorkOf({in.shape.elements(), kSortWork}));
  MICRORT_RETURN_IF_ERROR(context.RequestCheckedScratch(TopKScratchBytes(p, context.workers())));
  context.SetCall(&p);
  return SetOutputs(context, shape, axis, knows_k);
}

Status Run(const RunContext& context) {
  RunTopK(context.state<State>().params, context.input(0).data, context.output(0).data,
          context.output(1).as<int64_t>(), context.scratch, *context.parallel);
  return Status();
}

}  // namespace
}  // namespace top_k_op

MICRORT_OPERATOR(TopK, top_k_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
