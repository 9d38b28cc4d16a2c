// Unique: the different slices of its input along an axis, or its different elements.

#include "kernels/sort/unique.h"

#include "micrort/op_resolver.h"
#include "runtime/ops/moved_data.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/work_control.h"

namespace micrort {
namespace unique_op {
namespace {

constexpr int kUniqueY = 0;
constexpr int kUniqueFirst = 1;
constexpr int kUniqueInverse = 2;
constexpr int kUniqueCounts = 3;

struct State {
  bool flatten;
  int axis;
  UniqueCall call;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::UniqueOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  State& s = *static_cast<State*>(state);
  s.flatten = options->flatten();
  s.axis = options->axis();
  s.call.params.sorted = options->sorted();
  return Status();
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 4));
  State& s = context.state<State>();
  const Tensor& in = context.input(0);
  const Shape shape = s.flatten ? Shape::Of(in.shape.elements()) : in.shape;
  s.call.output_axis = 0;
  if (!s.flatten) MICRORT_RETURN_IF_ERROR(ResolveAxis(s.axis, shape.rank, &s.call.output_axis));
  const int64_t n = shape[s.call.output_axis];
  if (n > UINT32_MAX) {
    return MICRORT_ERROR(kUnsupported, "an axis of %lld elements", static_cast<long long>(n));
  }
  s.call.params.dtype = in.dtype;
  s.call.params.outer = static_cast<size_t>(shape.product(0, s.call.output_axis));
  s.call.params.n = static_cast<size_t>(n);
  s.call.params.inner = static_cast<size_t>(shape.product(s.call.output_axis + 1, shape.rank));
  // Sorting compares whole slices, some 25 times each, in no order that caches know.
  constexpr int64_t kCompareWork = 6000;
  context.SetWork(WorkOf({shape.elements(), kCompareWork}));
  context.SetCall(&s.call);
  MICRORT_RETURN_IF_ERROR(context.RequestCheckedScratch(UniqueScratchBytes(s.call.params.n)));
  const Extents slices = Extents::Bounded(1u << s.call.output_axis), count = Extents::Bounded(1);
  MICRORT_RETURN_IF_ERROR(context.SetOutput(kUniqueY, in.dtype, shape, slices));
  MICRORT_RETURN_IF_ERROR(context.SetOutput(kUniqueFirst, DType::kInt64, Shape::Of(n), count));
  MICRORT_RETURN_IF_ERROR(context.SetOutput(kUniqueInverse, DType::kInt64, Shape::Of(n)));
  return context.SetOutput(kUniqueCounts, DType::kInt64, Shape::Of(n), count);
}

Status Run(const RunContext& context) {
  const State& s = context.state<State>();
  const Tensor& in = context.input(0);
  auto* first = context.output(kUniqueFirst).as<int64_t>();
  const size_t count = FindUnique(s.call.params, in.data, first, context.output(kUniqueInverse).as<int64_t>(),
                                  context.output(kUniqueCounts).as<int64_t>(), context.scratch);
  Shape shape = context.output(kUniqueY).shape;
  shape[s.call.output_axis] = static_cast<int64_t>(count);
  MICRORT_RETURN_IF_ERROR(context.SetOutputShape(kUniqueY, shape));
  MICRORT_RETURN_IF_ERROR(context.SetOutputShape(kUniqueFirst, Shape::Of(count)));
  MICRORT_RETURN_IF_ERROR(context.SetOutputShape(kUniqueCounts, Shape::Of(count)));
  CopySlices(s.call.params, in.data, first, count, context.output(kUniqueY).data);
  return Status();
}

}  // namespace
}  // namespace unique_op

MICRORT_OPERATOR(Unique, unique_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
