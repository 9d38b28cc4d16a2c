// Caches of keys and values, to which a run appends: how many rows they have is known as it runs.

#include "converter/aot/open_step_printer.h"
#include "schema/micrort_generated.h"

namespace micrort::aot {

Status OpenStepPrinter::PrintAppend() {
  constexpr size_t kCache = 0, kLength = 1, kNewRows = 2, kTaken = 3;
  const Tensor &cache = InTensor(kCache), &rows = InTensor(kNewRows);
  if (InShape(kNewRows).is_open())
    return MICRORT_ERROR(kUnsupported, "data decide how many rows are appended, and C++ cannot be emitted");
  const size_t row_bytes =
      static_cast<size_t>(cache.shape.product(2, cache.shape.rank)) * SizeOf(cache.dtype);
  Line("const int64_t taken = " + InShape(kTaken).dims[0].Text() +
       ", rows = " + std::to_string(rows.shape[1]) + ";");
  FailUnless("taken == *reinterpret_cast<const int64_t*>(" + In(kLength) +
                 ") && taken <= " + std::to_string(cache.shape[1]) + " - rows",
             "the cache has no room for more rows");
  const std::string behind = In(kCache) + " + static_cast<size_t>(taken) * " + std::to_string(row_bytes);
  if (cache.dtype == DType::kFloat32) {
    Line("std::memcpy(" + behind + ", " + In(kNewRows) + ", " + std::to_string(rows.bytes()) + ");");
  } else {
    // Attention reads such rows by a part of the kernels, which libraries without a heap have not.
    Link("kernels/attention/attend_few.h", "AttendFewNarrow");
    Include("kernels/attention/cache_rows.h");
    Line(
        "static_assert(micrort::kHasNarrowCaches, \"kernels without a heap have caches of float32 alone\");");
    const int64_t width = rows.shape.rank > 2 ? rows.shape[rows.shape.rank - 1] : 1;
    Constant("CacheRows", "kRows", PlanCacheRows(cache.dtype, width, program_.target().features));
    Line("micrort::WriteCacheRows(kRows, reinterpret_cast<const float*>(" + In(kNewRows) + "), " +
         std::to_string(rows.shape.elements() / width) + ", " + behind + ", " + Parallel() + ");");
  }
  OpenShape out(cache.shape);
  out.dims[1] = NewSize(cache.shape[1], "taken + rows");
  SetShape(0, out);
  return Status();
}

// A run decides how many keys and values there are.
Status OpenStepPrinter::PrintAttention(const AttentionParams& params) {
  constexpr size_t kQuery = 0, kKey = 1, kValue = 2, kMask = 3;
  const auto& options = *graph_.node(step_.node).source->options_as_AttentionOptions();
  const OpenShape key = InShape(kKey), value = InShape(kValue);
  const auto rows_of = [](const OpenShape& shape, bool by_head) { return shape.dims[by_head ? 2 : 1]; };
  const auto is_fixed = [&](OpenShape shape, bool by_head) {
    shape.dims[by_head ? 2 : 1] = {1, -1};
    return !shape.is_open();
  };
  if (Has(kMask) || InShape(kQuery).is_open() || !is_fixed(key, options.key_by_head()) ||
      !is_fixed(value, options.value_by_head())) {
    return MICRORT_ERROR(kUnsupported,
                         "data decide more than how many keys there are, or there is a mask of them, and C++ "
                         "cannot be emitted for that yet");
  }
  const std::string keys = rows_of(key, options.key_by_head()).Text();
  Include("kernels/attention/attention.h");
  Constant("AttentionParams", "kParams", params);
  Line("micrort::AttentionParams params = kParams;");
  Line("params.keys = " + keys + ";");
  FailUnless("params.keys == " + rows_of(value, options.value_by_head()).Text() +
                 " && params.keys >= " + (params.causal ? "params.queries" : "1"),
             "keys and values do not belong together");
  const auto set_strides = [this](const char* name, const OpenShape& shape, bool by_head) {
    Line(std::string("params.") + name + ".batch = " + shape.Product(1, 4) + ";");
    if (by_head) Line(std::string("params.") + name + ".head = " + shape.Product(2, 4) + ";");
  };
  set_strides("k", key, options.key_by_head());
  set_strides("v", value, options.value_by_head());
  Line("const micrort::AttentionTensors tensors = {reinterpret_cast<const float*>(" + In(kQuery) + "), " +
       In(kKey) + ", " + In(kValue) + ", nullptr, reinterpret_cast<float*>(" + Out() + ")};");
  Line("micrort::Attention(params, tensors, " + Scratch() + ", " + Parallel() + ");");
  return Status();
}

}  // namespace micrort::aot
