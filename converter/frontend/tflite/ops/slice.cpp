// SLICE, STRIDED_SLICE with every mask, DYNAMIC_UPDATE_SLICE and GATHER.

#include <algorithm>
#include <limits>

#include "converter/frontend/tflite/ops/stablehlo_options.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/lower/arrays.h"
#include "converter/lower/gather.h"
#include "converter/lower/strided_slice.h"
#include "kernels/base/checked_math.h"

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

// Ends that are so far behind their begins. What is beyond all numbers is beyond every dimension.
void AddBegins(lower::StridedSlice* slice) {
  for (size_t i = 0; i < slice->end.size() && i < slice->begin.size(); ++i) {
    const int64_t begin = slice->begin[i];
    if (CheckedAdd(begin, slice->end[i], &slice->end[i])) continue;
    slice->end[i] = begin < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  }
}

Status ImportStridedSlice(OpContext& c) {
  const auto o = c.op.Options<fb::StridedSliceOptionsT>();
  lower::StridedSlice slice;
  slice.begin_mask = o.begin_mask;
  slice.end_mask = o.end_mask;
  slice.ellipsis_mask = o.ellipsis_mask;
  slice.new_axis_mask = o.new_axis_mask;
  slice.shrink_axis_mask = o.shrink_axis_mask;
  slice.masks_shrunk_begins = true;
  MICRORT_ASSIGN_OR_RETURN(slice.strides, c.ConstantIntegers(3));
  if (ir::AnyIntegersOf(c.value(c.stored(1)), &slice.begin) &&
      ir::AnyIntegersOf(c.value(c.stored(2)), &slice.end)) {
    if (o.offset) AddBegins(&slice);
  } else {
    slice.computed_begin = c.Int64(1);
    slice.computed_end = c.Int64(2);
    if (o.offset) slice.computed_end = c.build.Add(slice.computed_begin, slice.computed_end);
  }
  return c.Return(lower::AddStridedSlice(c.build, c.input(0), slice));
}

// Along one axis: which elements of the input get one of the update, and which that is.
struct Replaced {
  ir::ValueId inside, index;
};

Replaced ReplacedAlong(OpContext& c, ir::ValueId starts, int axis, int64_t size, int64_t update) {
  // The update is moved so that it lies within the input.
  ir::ValueId start = c.build.Slice(starts, 0, axis, axis + 1);
  start = c.build.Max(c.build.Min(start, c.build.Integer(size - update)), c.build.Integer(0));
  const ir::ValueId places = c.build.Range({c.build.Integer(0), c.build.Integer(size), c.build.Integer(1)});
  const ir::ValueId offset = c.build.Sub(places, start);
  const ir::ValueId inside = c.build.And(c.build.GreaterOrEqual(offset, c.build.Integer(0)),
                                         c.build.Less(offset, c.build.Integer(update)));
  const ir::ValueId index = c.build.Max(c.build.Min(offset, c.build.Integer(update - 1)), c.build.Integer(0));
  return {inside, index};
}

// Returns input 0 with input 1 in it, from `starts` on: int64, one a dimension of input 0.
Status UpdateSlice(OpContext& c, ir::ValueId starts) {
  const std::vector<int64_t> shape = c.x(0).shape, update = c.x(1).shape;
  if (!c.x(0).is_static() || !c.x(1).is_static()) return Unsupported("a shape that is not fixed");
  if (shape.size() != update.size())
    return Invalid("an update of {} dimensions for {}", update.size(), shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    if (update[i] > shape[i]) return Invalid("an update of {} elements for {}", update[i], shape[i]);
  }
  if (std::count(update.begin(), update.end(), 0) != 0) return c.Return(c.input(0));
  ir::ValueId y = c.input(1), mask = ir::kNoValue;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (update[i] == shape[i]) continue;
    const auto axis = static_cast<int>(i);
    const Replaced replaced = ReplacedAlong(c, starts, axis, shape[i], update[i]);
    y = c.build.Gather(y, replaced.index, axis);
    const ir::ValueId inside = c.build.Along(replaced.inside, axis, c.x(0).rank());
    mask = mask == ir::kNoValue ? inside : c.build.And(mask, inside);
  }
  if (mask == ir::kNoValue) return c.Return(y);
  return c.Return(c.build.Select({mask, y, c.input(0)}));
}

Status ImportDynamicUpdateSlice(OpContext& c) { return UpdateSlice(c, c.Int64(2)); }

// Starts are scalars, one a dimension.
Status ImportHloDynamicUpdateSlice(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckCount(c.op.input_count() - 2, c.x().rank(), "starts"));
  std::vector<ir::ValueId> starts;
  for (size_t i = 2; i < c.op.input_count(); ++i) {
    const ir::ValueId start = c.Int64(i);
    if (start == ir::kNoValue) return Invalid("input {} is absent", i);
    starts.push_back(c.build.Reshape(start, {1}));
  }
  return UpdateSlice(c, starts.empty() ? ir::kNoValue : c.build.Concat(starts, 0));
}

constexpr OpSupport kOfFixedShapes = Types(kAllTypes).Without("shapes that are not fixed");

}  // namespace

const ImporterList SliceImporters = {
    {"GATHER", 2, 2, ImportGather, Types(kAllTypes)},
    {"GATHER_ND", 2, 2, ImportGatherNd, Types(kAllTypes)},
    {"SLICE", 3, 3, ImportSlice, Types(kAllTypes)},
    {"STRIDED_SLICE", 4, 4, ImportStridedSlice, Types(kAllTypes).Without("strides that are not constant")},
    {"DYNAMIC_UPDATE_SLICE", 3, 3, ImportDynamicUpdateSlice, kOfFixedShapes},
    {"STABLEHLO_DYNAMIC_UPDATE_SLICE", 2, -1, ImportHloDynamicUpdateSlice, kOfFixedShapes},
};

}  // namespace micrort::frontend::tflite
