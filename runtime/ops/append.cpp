// Append: writes rows into a cache, behind those that are taken, or into a ring, over those that have left
// its window.

#include <algorithm>
#include <cstring>

#include "kernels/attention/attend_few.h"
#include "kernels/attention/cache_rows.h"
#include "kernels/base/part.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/kept_ring.h"
#include "runtime/ops/op.h"
#include "runtime/ops/parse_options.h"

namespace micrort {

// Where caches are, attention may read them.
MICRORT_LINK(PlanCacheRows);
MICRORT_LINK(ReadCacheRows);
MICRORT_LINK(AttendFewNarrow);
MICRORT_LINK(AttendFewNarrowKernels);
// And caches may be rings.
MICRORT_LINK(RingOf);

namespace append_op {
namespace {

enum Input { kCache, kLength, kNewRows, kTaken, kInputs };

struct State {
  CacheRows rows;  // of a cache that holds no floats
  int64_t window;  // of a ring; else 0
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::AppendOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  static_cast<State*>(state)->window = options->window();
  if (options->window() >= 0) return Status();
  return MICRORT_ERROR(kInvalidModel, "a window of %d", options->window());
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

// The model counts fewer positions than are taken: a cache is full, or the model has positions for no more.
Status NoPlace(const Shape& cache, int64_t window, int64_t taken, int64_t length, int64_t rows) {
  if (window == 0) return NoRoom(cache, length, rows);
  return MICRORT_ERROR(
      kOutOfRange, "%lld rows are taken, and the model counts %lld: it has no positions for %lld more",
      static_cast<long long>(length), static_cast<long long>(taken), static_cast<long long>(rows));
}

// `is_tried`: with any number of rows.
Status CheckRing(const Shape& cache, int64_t window, int64_t rows, bool is_tried) {
  if (window > cache[1]) {
    return MICRORT_ERROR(kInvalidModel, "a ring of %lld rows for a window of %lld",
                         static_cast<long long>(cache[1]), static_cast<long long>(window));
  }
  const int64_t most = cache[1] - window + 1;
  if (window == 0 || rows <= most || is_tried) return Status();
  return MICRORT_ERROR(
      kOutOfRange, "a ring of %lld rows for a window of %lld takes at most %lld new rows a run, found %lld",
      static_cast<long long>(cache[1]), static_cast<long long>(window), static_cast<long long>(most),
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
  const int64_t window = context.state<State>().window;
  MICRORT_RETURN_IF_ERROR(CheckRing(cache, window, rows[1], is_tried));
  if (window == 0 && ((rows[1] > cache[1] && !is_tried) || (is_run && taken[0] > cache[1] - rows[1]))) {
    return NoRoom(cache, is_run ? taken[0] : 0, rows[1]);
  }
  context.LeaveInInput();
  Shape output = cache;
  if (is_run) {
    const bool is_full = taken[0] > cache[1] - rows[1];  // of a ring
    if (!is_full) output[1] = taken[0] + rows[1];
    return context.SetOutput(0, type, output);
  }
  return context.SetOutput(0, type, output, Extents::Bounded(1u << 1));
}

// Rows one after another.
void Write(const CacheRows& plan, const float* rows, int64_t elements, void* to, const Parallel& parallel) {
  if (elements == 0) return;
  if (plan.type == DType::kFloat32) {
    std::memcpy(to, rows, static_cast<size_t>(elements) * sizeof(float));
  } else {
    WriteCacheRows(plan, rows, elements / plan.width, to, parallel);
  }
}

Status Run(const RunContext& context) {
  const Tensor &cache = context.input(kCache), &rows = context.input(kNewRows);
  const State& state = context.state<State>();
  const int64_t taken = context.input(kTaken).shape[0], length = *context.input(kLength).as<int64_t>();
  if (length != taken) return NoPlace(cache.shape, state.window, taken, length, rows.shape[1]);
  const auto row_bytes = static_cast<size_t>(cache.shape.product(2, cache.shape.rank)) * SizeOf(cache.dtype);
  const int64_t first = state.window == 0 ? taken : taken % cache.shape[1];
  const int64_t in_front = std::min(rows.shape[1], cache.shape[1] - first),
                row_elements = rows.shape.product(2, rows.shape.rank);
  auto* const all = cache.as<uint8_t>();
  const float* const from = rows.as<float>();
  Write(state.rows, from, in_front * row_elements, all + static_cast<size_t>(first) * row_bytes,
        *context.parallel);
  Write(state.rows, from + in_front * row_elements, (rows.shape[1] - in_front) * row_elements, all,
        *context.parallel);
  context.output(0).data = cache.data;
  return Status();
}

}  // namespace
}  // namespace append_op

MICRORT_OPERATOR(Append, append_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
