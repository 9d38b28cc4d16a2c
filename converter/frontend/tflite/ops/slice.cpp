// SLICE and GATHER.

#include <limits>

#include "converter/frontend/tflite/registry.h"
#include "converter/lower/arrays.h"
#include "converter/lower/gather.h"

namespace micrort::frontend::tflite {

namespace {

constexpr int64_t kToTheEnd = std::numeric_limits<int64_t>::max();

Status SliceAtConstants(OpContext& c, const std::vector<int64_t>& begins, const std::vector<int64_t>& sizes) {
  schema::SliceOptionsT options;
  for (size_t i = 0; i < begins.size(); ++i) {
    const int64_t size = c.x().shape[i];
    if (begins[i] < 0 || sizes[i] < -1 ||
        (size != ir::kDynamic && (begins[i] > size || sizes[i] > size - begins[i])))
      return Invalid("{} elements at {} of dimension {}", sizes[i], begins[i], i);
    options.axes.push_back(static_cast<int32_t>(i));
    options.starts.push_back(begins[i]);
    // In a dimension that is not fixed, more may be asked for than can be counted.
    const bool is_open = sizes[i] == -1 || sizes[i] > kToTheEnd - begins[i];
    options.ends.push_back(is_open ? kToTheEnd : begins[i] + sizes[i]);
    options.steps.push_back(1);
  }
  return c.Return(c.build.Add(std::move(options), {c.input(0)}));
}

// A size of -1 reaches to the end.
Status ImportSlice(OpContext& c) {
  std::vector<int64_t> begins, sizes;
  const auto rank = static_cast<size_t>(c.x().rank());
  if (ir::AnyIntegersOf(c.value(c.stored(1)), &begins) && ir::AnyIntegersOf(c.value(c.stored(2)), &sizes)) {
    if (begins.size() != rank || sizes.size() != rank)
      return Invalid("{} begins, {} sizes for {} dimensions", begins.size(), sizes.size(), rank);
    return SliceAtConstants(c, begins, sizes);
  }
  const ir::ValueId begin = c.Int64(1), size = c.Int64(2);
  return c.Return(lower::SliceOfComputedSize(c.build, c.input(0), begin, size));
}

Status ImportGather(OpContext& c) {
  const auto o = c.op.Options<fb::GatherOptionsT>();
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(o.axis, c.x().rank()));
  const ir::ValueId indices = c.stored(1);
  // Negative ones count from the end of the indices' dimensions.
  const int64_t batch = int64_t{o.batch_dims} + (o.batch_dims < 0 ? c.value(indices).rank() : 0);
  if (batch == 0) return c.Return(c.build.Gather(c.input(0), indices, axis));
  if (batch < 0 || batch > axis || batch > c.value(indices).rank())
    return Invalid("axis {} with {} batch dimensions", axis, o.batch_dims);
  return c.Return(lower::GatherInBatches(c.build, c.input(0), indices, axis, static_cast<int>(batch)));
}

Status ImportGatherNd(OpContext& c) {
  return c.Return(c.build.Add(schema::GatherNDOptionsT(), {c.input(0), c.stored(1)}));
}

}  // namespace

const ImporterList SliceImporters = {
    {"GATHER", 2, 2, ImportGather, Types(kAllTypes)},
    {"GATHER_ND", 2, 2, ImportGatherNd, Types(kAllTypes)},
    {"SLICE", 3, 3, ImportSlice, Types(kAllTypes)},
};

}  // namespace micrort::frontend::tflite
