// Append: writes rows into a cache, behind those that are taken.

#include <cstring>

#include "kernels/attention/attend_few.h"
#include "kernels/attention/cache_rows.h"
#include "kernels/base/part.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/op.h"
#include "runtime/ops/parse_options.h"

namespace micrort {

// Where caches are, attention may read them.
MICRORT_LINK(PlanCacheRows);
MICRORT_LINK(ReadCacheRows);
MICRORT_LINK(AttendFewNarrow);
MICRORT_LINK(AttendFewNarrowKernels);

namespace append_op {
namespace {

enum Input { kCache, kLength, kNewRows, kTaken, kInputs };

struct State {
  CacheRows rows;  // of a cache that holds no floats
};

Status Parse(const schema::Operator& op, void*) {
  const schema::AppendOptions* options = nullptr;
  return ReadOptions(op, &options);
}

Status CheckTypes(const PrepareContext& context) {
  const Tensor &cache = context.input(kCache), &rows = context.input(kNewRows);
  if (!IsCacheType(cache.dtype) || rows.dtype != DType::kFloat32) {
    return MICRORT_ERROR(kUnsupported,
                         "expected a cache of float32, float16 or int8 and rows of float32, found %s and %s",
                         Name(cache.dtype), Name(rows.dtype));
  }
  const Tensor& length = context.input(kLength);
  if (length.dtype == DType::kInt64 && length.elements() == 1) return Status();
  return MICRORT_ERROR(kInvalidModel, "expected one int64 that counts rows, found %s of shape %s",
                       Name(length.dtype), ShapeString(length.shape).c_str());
}

// `scale`: elements of the last dimension that a row has beside its floats.
Status CheckRows(const Shape& cache, const Shape& rows, const Shape& taken, int64_t scale) {
  bool fits =
      cache.rank >= (scale == 0 ? 2 : 3) && cache.rank == rows.rank && cache[0] == 1 && taken.rank >= 1;
  for (int d = 0; fits && d < cache.rank; ++d)
    fits = d == 1 || cache[d] == rows[d] + (d == cache.rank - 1 ? scale : 0);
  if (fits) return Status();
  return MICRORT_ERROR(kInvalidModel, "rows of shape %s do not fit a cache of shape %s",
                       ShapeString(rows).c_str(), ShapeString(cache).c_str());
}

Status NoRoom(const Shape& cache, int64_t taken, int64_t rows) {
  return MICRORT_ERROR(kOutOfRange, "the cache has %lld rows: %lld are taken, and %lld more do not fit",
                       static_cast<long long>(cache[1]), static_cast<long long>(taken),
                       static_cast<long long>(rows));
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(kInputs, kInputs, 1));
  MICRORT_RETURN_IF_ERROR(CheckTypes(context));
  const Shape &cache = context.input(kCache).shape, &rows = context.input(kNewRows).shape;
  const Shape& taken = context.input(kTaken).shape;
  const DType type = context.input(kCache).dtype;
  MICRORT_RETURN_IF_ERROR(CheckRows(cache, rows, taken, CacheScaleElements(type)));
  context.state<State>().rows =
      PlanCacheRows(type, rows.rank > 2 ? rows[rows.rank - 1] : 1, context.features());
  const bool is_run = context.stage() == PrepareStage::kRun;
  const bool is_tried = context.stage() == PrepareStage::kInfer;  // with any number of rows
  if ((rows[1] > cache[1] && !is_tried) || (is_run && taken[0] > cache[1] - rows[1])) {
    return NoRoom(cache, is_run ? taken[0] : 0, rows[1]);
  }
  context.LeaveInInput();
  Shape output = cache;
  if (is_run) {
    output[1] = taken[0] + rows[1];
    return context.SetOutput(0, type, output);
  }
  return context.SetOutput(0, type, output, Extents::Bounded(1u << 1));
}

Status Run(const RunContext& context) {
  const Tensor &cache = context.input(kCache), &rows = context.input(kNewRows);
  const int64_t taken = context.input(kTaken).shape[0], length = *context.input(kLength).as<int64_t>();
  if (length != taken) return NoRoom(cache.shape, length, rows.shape[1]);
  const auto row_bytes = static_cast<size_t>(cache.shape.product(2, cache.shape.rank)) * SizeOf(cache.dtype);
  uint8_t* const behind = cache.as<uint8_t>() + static_cast<size_t>(taken) * row_bytes;
  const CacheRows& plan = context.state<State>().rows;
  if (rows.bytes() != 0) {
    if (plan.type == DType::kFloat32) {
      std::memcpy(behind, rows.data, rows.bytes());
    } else {
      const auto count = static_cast<int64_t>(rows.elements()) / plan.width;
      WriteCacheRows(plan, rows.as<float>(), count, behind, *context.parallel);
    }
  }
  context.output(0).data = cache.data;
  return Status();
}

}  // namespace
}  // namespace append_op

const OpRegistration& ops::Append() {
  using namespace append_op;
  static constexpr OpRegistration kRegistration = {
      static_cast<int>(schema::OpCode::Append), "Append", sizeof(State), Parse, Prepare, nullptr, Run};
  return kRegistration;
}

}  // namespace micrort
