// Append: writes rows into a cache, behind those that are taken.

#include <cstring>

#include "micrort/op_resolver.h"
#include "runtime/ops/op.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace append_op {
namespace {

enum Input { kCache, kLength, kNewRows, kTaken, kInputs };

Status Parse(const schema::Operator& op, void*) {
  const schema::AppendOptions* options = nullptr;
  return ReadOptions(op, &options);
}

Status CheckTypes(const PrepareContext& context) {
  const Tensor &cache = context.input(kCache), &rows = context.input(kNewRows);
  if (cache.dtype != DType::kFloat32 || rows.dtype != DType::kFloat32) {
    return MICRORT_ERROR(kUnsupported, "expected a cache and rows of float32, found %s and %s",
                         Name(cache.dtype), Name(rows.dtype));
  }
  const Tensor& length = context.input(kLength);
  if (length.dtype == DType::kInt64 && length.elements() == 1) return Status();
  return MICRORT_ERROR(kInvalidModel, "expected one int64 that counts rows, found %s of shape %s",
                       Name(length.dtype), ShapeString(length.shape).c_str());
}

Status CheckRows(const Shape& cache, const Shape& rows, const Shape& taken) {
  bool fits = cache.rank >= 2 && cache.rank == rows.rank && cache[0] == 1 && taken.rank >= 1;
  for (int d = 0; fits && d < cache.rank; ++d) fits = d == 1 || cache[d] == rows[d];
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
  MICRORT_RETURN_IF_ERROR(CheckRows(cache, rows, taken));
  const bool is_run = context.stage() == PrepareStage::kRun;
  const bool is_tried = context.stage() == PrepareStage::kInfer;  // with any number of rows
  if ((rows[1] > cache[1] && !is_tried) || (is_run && taken[0] > cache[1] - rows[1])) {
    return NoRoom(cache, is_run ? taken[0] : 0, rows[1]);
  }
  context.LeaveInInput();
  Shape output = cache;
  if (is_run) {
    output[1] = taken[0] + rows[1];
    return context.SetOutput(0, DType::kFloat32, output);
  }
  return context.SetOutput(0, DType::kFloat32, output, Extents::Bounded(1u << 1));
}

Status Run(const RunContext& context) {
  const Tensor &cache = context.input(kCache), &rows = context.input(kNewRows);
  const int64_t taken = context.input(kTaken).shape[0], length = *context.input(kLength).as<int64_t>();
  if (length != taken) return NoRoom(cache.shape, length, rows.shape[1]);
  const auto row_bytes = static_cast<size_t>(cache.shape.product(2, cache.shape.rank)) * SizeOf(cache.dtype);
  if (rows.bytes() != 0)
    std::memcpy(cache.as<uint8_t>() + static_cast<size_t>(taken) * row_bytes, rows.data, rows.bytes());
  context.output(0).data = cache.data;
  return Status();
}

}  // namespace
}  // namespace append_op

const OpRegistration& ops::Append() {
  using namespace append_op;
  static constexpr OpRegistration kRegistration = {
      static_cast<int>(schema::OpCode::Append), "Append", 0, Parse, Prepare, nullptr, Run};
  return kRegistration;
}

}  // namespace micrort
