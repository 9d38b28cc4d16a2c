// Caches of keys and values, to which a run appends: how many rows they have is known as it runs.

#include "converter/aot/open_step_printer.h"
#include "kernels/attention/attend_few.h"
#include "schema/micrort_generated.h"

namespace micrort::aot {

Status OpenStepPrinter::PrintAppend() {
  constexpr size_t kCache = 0, kLength = 1, kNewRows = 2, kTaken = 3;
  const Tensor &cache = InTensor(kCache), &rows = InTensor(kNewRows);
  if (InShape(kNewRows).is_open())
    return MICRORT_ERROR(kUnsupported, "data decide how many rows are appended, and C++ cannot be emitted");
  const int64_t window = graph_.node(step_.node).source->options_as_AppendOptions()->window();
  const std::string capacity = std::to_string(cache.shape[1]), count = std::to_string(rows.shape[1]);
  Line("const int64_t taken = " + InShape(kTaken).dims[0].Text() + ", rows = " + count + ";");
  const std::string is_counted = "taken == *reinterpret_cast<const int64_t*>(" + In(kLength) + ")";
  OpenShape out(cache.shape);
  if (window == 0) {
    FailUnless(is_counted + " && taken <= " + capacity + " - rows", "the cache has no room for more rows");
    PrintNewRows("0", "rows", "taken");
    out.dims[1] = NewSize(cache.shape[1], "taken + rows");
  } else {
    FailUnless(is_counted, "the cache has no room for more rows");
    PrintRingRows(window);
    out.dims[1] = NewSize(cache.shape[1], "taken + rows < " + capacity + " ? taken + rows : " + capacity);
  }
  SetShape(0, out);
  return Status();
}

// Position p lies in row p % R. Whoever sets the length back may ask for rows that others have replaced, so
// the object remembers how many positions the ring has had.
void OpenStepPrinter::PrintRingRows(int64_t window) {
  constexpr size_t kCache = 0, kNewRows = 2;
  PrintNeeds("kHasRings");
  const std::string capacity = std::to_string(InTensor(kCache).shape[1]), most = std::to_string(window - 1);
  Line("const int64_t seen = taken < " + most + " ? taken : " + most + ";");
  Line("int64_t& had = " + program_.open_shapes().Add(0).Text() + ";");
  Line("if (taken > had || seen == 0) had = taken;");
  FailUnless("taken - seen >= had - " + capacity, "the ring of a cache has lost rows that this length sees");
  Line("if (taken + rows > had) had = taken + rows;");
  Line("const int64_t first = taken % " + capacity + ";");
  if (InTensor(kNewRows).shape[1] == 1) return PrintNewRows("0", "rows", "first");
  Line("const int64_t in_front = rows < " + capacity + " - first ? rows : " + capacity + " - first;");
  PrintNewRows("0", "in_front", "first");
  PrintNewRows("in_front", "rows - in_front", "0");
}

// `count` new rows from `from` on become those of the cache from `to` on.
void OpenStepPrinter::PrintNewRows(const std::string& from, const std::string& count, const std::string& to) {
  constexpr size_t kCache = 0, kNewRows = 2;
  const Tensor &cache = InTensor(kCache), &rows = InTensor(kNewRows);
  const auto bytes = [](const std::string& number, const Tensor& tensor) {
    return "static_cast<size_t>(" + number + ") * " +
           std::to_string(static_cast<size_t>(tensor.shape.product(2, tensor.shape.rank)) *
                          SizeOf(tensor.dtype));
  };
  const std::string source = In(kNewRows) + (from == "0" ? "" : " + " + bytes(from, rows)),
                    target = In(kCache) + (to == "0" ? "" : " + " + bytes(to, cache));
  if (cache.dtype == DType::kFloat32)
    return Line("std::memcpy(" + target + ", " + source + ", " + bytes(count, rows) + ");");
  // Attention reads such rows by a part of the kernels.
  Link("kernels/attention/attend_few.h", "AttendFewNarrow");
  Include("kernels/attention/cache_rows.h");
  const int64_t width = rows.shape.rank > 2 ? rows.shape[rows.shape.rank - 1] : 1;
  const std::string heads = std::to_string(rows.shape.product(2, rows.shape.rank) / width);
  const std::string plan = from == "0" ? "kRows" : "kOtherRows";
  Constant("CacheRows", plan, PlanCacheRows(cache.dtype, width, program_.target().features));
  Line("micrort::WriteCacheRows(" + plan + ", reinterpret_cast<const float*>(" + source + "), (" + count +
       ") * " + heads + ", " + target + ", " + Parallel() + ");");
}

void OpenStepPrinter::PrintNeeds(const std::string& what) {
  Include("kernels/attention/cache_rows.h");
  Line("static_assert(micrort::" + what +
       ", \"kernels without a heap have no windows, softcaps and sinks\");");
}

// A run decides how many keys and values there are.
Status OpenStepPrinter::PrintAttention(const AttentionParams& params) {
  constexpr size_t kQuery = 0, kKey = 1, kValue = 2, kMask = 3, kPositions = 4, kSinks = 5;
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
  if (params.window != 0) PrintNeeds("kHasRings");
  if (params.softcap != 0 || params.sinks) PrintNeeds("kHasSoftcaps");
  FailUnless("params.keys == " + rows_of(value, options.value_by_head()).Text() +
                 " && params.keys >= " + (params.causal ? "params.queries" : "1"),
             "keys and values do not belong together");
  const auto set_strides = [this](const char* name, const OpenShape& shape, bool by_head) {
    Line(std::string("params.") + name + ".batch = " + shape.Product(1, 4) + ";");
    if (by_head) Line(std::string("params.") + name + ".head = " + shape.Product(2, 4) + ";");
  };
  set_strides("k", key, options.key_by_head());
  set_strides("v", value, options.value_by_head());
  Line("micrort::AttentionTensors tensors = {reinterpret_cast<const float*>(" + In(kQuery) + "), " +
       In(kKey) + ", " + In(kValue) + ", nullptr, reinterpret_cast<float*>(" + Out() + ")};");
  if (params.sinks) Line("tensors.sinks = reinterpret_cast<const float*>(" + In(kSinks) + ");");
  if (params.ring) {
    Line("tensors.positions = *reinterpret_cast<const int64_t*>(" + In(kPositions) + ");");
    FailUnless(
        "tensors.positions == params.keys || (tensors.positions > params.keys && params.keys - "
        "params.queries >= params.window - 1)",
        "the ring does not hold what the window sees");
  }
  PrintAttend(params);
  return Status();
}

// Calls the kernel for few queries by its own name, so that a program does not link the one for many.
void OpenStepPrinter::PrintAttend(const AttentionParams& params) {
  const bool is_narrow = params.rows != DType::kFloat32, is_few = SuitsAttendFew(params);
  if (is_few) Include("kernels/attention/attend_few.h");
  if (is_narrow && !is_few) {
    Include("kernels/attention/cache_rows.h");
    Line(
        "static_assert(micrort::kHasNarrowCaches, \"kernels without a heap read float16 and int8 caches for "
        "few queries alone\");");
  }
  if (is_few && !is_narrow) return Line("micrort::AttendFew(params, tensors, " + Parallel() + ");");
  Line(std::string("micrort::") + (is_few ? "AttendFewNarrow" : "Attention") + "(params, tensors, " +
       Scratch() + ", " + Parallel() + ");");
}

}  // namespace micrort::aot
