// ReadCache: rows of a cache as the floats that they stand for.

#include <algorithm>

#include "kernels/attention/cache_rows.h"
#include "kernels/base/checked_math.h"
#include "kernels/base/task_sizes.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/op.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace read_cache_op {
namespace {

struct State {
  CacheRows rows;
};

Status Parse(const schema::Operator& op, void*) {
  const schema::ReadCacheOptions* options = nullptr;
  return ReadOptions(op, &options);
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  const Tensor& in = context.input(0);
  if (in.dtype != DType::kFloat16 && in.dtype != DType::kInt8)
    return MICRORT_ERROR(kUnsupported, "expected float16 or int8, found %s", Name(in.dtype));
  Shape output = in.shape;
  const int last = output.rank - 1;
  if (last < 0 || output[last] <= CacheScaleElements(in.dtype)) {
    return MICRORT_ERROR(kInvalidModel, "expected rows of a cache, found shape %s",
                         ShapeString(in.shape).c_str());
  }
  output[last] -= CacheScaleElements(in.dtype);
  context.state<State>().rows = PlanCacheRows(in.dtype, output[last], context.features());
  return context.SetOutput(0, DType::kFloat32, output);
}

Status Run(const RunContext& context) {
  const CacheRows& rows = context.state<State>().rows;
  const Tensor& in = context.input(0);
  float* const y = context.output(0).as<float>();
  const int64_t count = static_cast<int64_t>(in.elements()) / rows.elements();
  const int64_t rows_a_task = std::max<int64_t>(1, static_cast<int64_t>(kTaskElements) / rows.width);
  const size_t row_bytes = static_cast<size_t>(rows.elements()) * SizeOf(in.dtype);
  ParallelFor(*context.parallel, static_cast<size_t>(CeilDiv(count, rows_a_task)), [&](size_t task, int) {
    const int64_t first = static_cast<int64_t>(task) * rows_a_task;
    ReadCacheRows(rows, in.as<uint8_t>() + static_cast<size_t>(first) * row_bytes, rows.elements(),
                  std::min(rows_a_task, count - first), y + first * rows.width);
  });
  return Status();
}

}  // namespace
}  // namespace read_cache_op

MICRORT_OPERATOR(ReadCache, read_cache_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
