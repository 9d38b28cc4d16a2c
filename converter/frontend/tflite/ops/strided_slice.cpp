// STRIDED_SLICE, with every mask. Bit i of a mask speaks of entry i of begin, end and strides:
// begin_mask, end_mask: from the start, to the end; ellipsis_mask: stands for all dimensions that no other
// entry is for; new_axis_mask: a new dimension of size 1; shrink_axis_mask: the one element at begin, without
// its dimension.

#include <limits>

#include "converter/frontend/tflite/ops/dims.h"
#include "converter/frontend/tflite/registry.h"
#include "kernels/base/checked_math.h"

namespace micrort::frontend::tflite {

namespace {

struct StridedEntries {
  std::vector<int64_t> begin, end, stride;  // begin and end are empty where they are computed
  fb::StridedSliceOptionsT masks;

  static bool Has(int32_t mask, size_t i) { return (mask >> i & 1) != 0; }
};

// What becomes of the dimensions of the input, in order.
struct StridedPlan {
  schema::SliceOptionsT slice;
  std::vector<size_t> entries;  // of each sliced axis
  std::vector<int32_t> shape;   // of the output, as ReshapeOptions.shape of what is sliced
  bool keeps_dims = true;
};

Status CheckEntries(const StridedEntries& entries, size_t count) {
  constexpr size_t kMaxEntries = 31;
  if (count > kMaxEntries) return MICRORT_ERROR(kInvalidModel, "%zu entries", count);
  for (const int64_t stride : entries.stride) {
    if (stride == 0) return MICRORT_ERROR(kInvalidModel, "stride 0");
  }
  return Status();
}

void SliceAxis(const StridedEntries& entries, size_t i, int axis, StridedPlan* plan) {
  constexpr int64_t kLowest = std::numeric_limits<int64_t>::min(),
                    kHighest = std::numeric_limits<int64_t>::max();
  const int64_t stride = entries.stride[i];
  const bool shrinks = StridedEntries::Has(entries.masks.shrink_axis_mask, i);
  int64_t begin = entries.begin[i], end = entries.end[i];
  // What is beyond all numbers is beyond every dimension.
  if (entries.masks.offset && !CheckedAdd(begin, entries.end[i], &end)) end = begin < 0 ? kLowest : kHighest;
  if (StridedEntries::Has(entries.masks.begin_mask, i)) begin = stride > 0 ? 0 : kHighest;
  if (StridedEntries::Has(entries.masks.end_mask, i)) end = stride > 0 ? kHighest : kLowest;
  if (shrinks) end = begin == -1 || begin == kHighest ? kHighest : begin + 1;
  plan->slice.axes.push_back(axis);
  plan->slice.starts.push_back(begin);
  plan->slice.ends.push_back(end);
  plan->slice.steps.push_back(shrinks ? 1 : stride);
  plan->entries.push_back(i);
}

Status MakePlan(const StridedEntries& entries, int rank, StridedPlan* plan) {
  const size_t count = entries.stride.size();
  size_t named = 0;
  for (size_t i = 0; i < count; ++i) {
    named += !StridedEntries::Has(entries.masks.new_axis_mask, i) &&
             !StridedEntries::Has(entries.masks.ellipsis_mask, i);
  }
  int axis = 0;
  const auto keep = [&] { plan->shape.push_back(ir::CopyDim(axis++)); };
  for (size_t i = 0; i < count; ++i) {
    if (StridedEntries::Has(entries.masks.ellipsis_mask, i)) {
      const int covered = rank - static_cast<int>(named);
      for (int k = 0; k < covered; ++k) keep();
    } else if (StridedEntries::Has(entries.masks.new_axis_mask, i)) {
      plan->shape.push_back(1);
      plan->keeps_dims = false;
    } else {
      if (axis >= rank) return MICRORT_ERROR(kInvalidModel, "%zu entries for %d dimensions", count, rank);
      SliceAxis(entries, i, axis, plan);
      if (StridedEntries::Has(entries.masks.shrink_axis_mask, i)) {
        plan->keeps_dims = false;
        ++axis;
      } else {
        keep();
      }
    }
  }
  while (axis < rank) keep();
  return Status();
}

// begin and end as inputs of Slice, where they are computed: masked entries are replaced.
ir::ValueId ComputedLimits(OpContext& c, ir::ValueId given, const StridedPlan& plan, int32_t mask,
                           const std::vector<int64_t>& otherwise) {
  std::vector<int64_t> at;
  std::vector<uint8_t> is_masked;
  for (const size_t i : plan.entries) {
    at.push_back(static_cast<int64_t>(i));
    is_masked.push_back(StridedEntries::Has(mask, i));
  }
  const ir::ValueId limits = c.build.Gather(given, c.build.Integers(at), 0);
  const auto count = static_cast<int64_t>(at.size());
  const ir::ValueId choice = c.build.Cast(c.build.Constant<uint8_t>({count}, is_masked), DType::kBool);
  return c.build.Add(schema::SelectOptionsT(), {choice, c.build.Integers(otherwise), limits});
}

ir::ValueId SliceComputed(OpContext& c, const StridedEntries& entries, const StridedPlan& plan) {
  const ir::ValueId begin = c.Int64(1);
  ir::ValueId end = c.Int64(2);
  if (entries.masks.offset) end = c.build.Binary(schema::BinaryKind::Add, begin, end);
  // With begin and end of 0, the plan has what masks put in their place.
  const ir::ValueId starts = ComputedLimits(c, begin, plan, entries.masks.begin_mask, plan.slice.starts);
  ir::ValueId ends = ComputedLimits(c, end, plan, entries.masks.end_mask, plan.slice.ends);
  std::vector<uint8_t> shrinks;
  for (const size_t i : plan.entries)
    shrinks.push_back(StridedEntries::Has(entries.masks.shrink_axis_mask, i));
  const auto count = static_cast<int64_t>(shrinks.size());
  const ir::ValueId next = c.build.Binary(schema::BinaryKind::Add, starts, c.build.Integers({1}));
  // -1 is the last element, and what follows it is the end.
  const ir::ValueId is_zero = c.build.Binary(schema::BinaryKind::Equal, next, c.build.Integers({0}));
  const ir::ValueId behind = c.build.Add(
      schema::SelectOptionsT(), {is_zero, c.build.Integers({std::numeric_limits<int64_t>::max()}), next});
  const ir::ValueId is_one = c.build.Cast(c.build.Constant<uint8_t>({count}, shrinks), DType::kBool);
  ends = c.build.Add(schema::SelectOptionsT(), {is_one, behind, ends});
  const std::vector<int64_t> axes(plan.slice.axes.begin(), plan.slice.axes.end());
  return c.build.Add(schema::SliceOptionsT(),
                     {c.input(0), starts, ends, c.build.Integers(axes), c.build.Integers(plan.slice.steps)});
}

Status ImportStridedSlice(OpContext& c) {
  StridedEntries entries;
  entries.masks = c.op.Options<fb::StridedSliceOptionsT>();
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(3, &entries.stride));
  MICRORT_RETURN_IF_ERROR(CheckEntries(entries, entries.stride.size()));
  const size_t count = entries.stride.size();
  const bool known = ir::AnyIntegersOf(c.value(c.stored(1)), &entries.begin) &&
                     ir::AnyIntegersOf(c.value(c.stored(2)), &entries.end);
  if (!known) entries.begin.assign(count, 0), entries.end.assign(count, 0);
  if (entries.begin.size() != count || entries.end.size() != count)
    return MICRORT_ERROR(kInvalidModel, "%zu begins, %zu ends, %zu strides", entries.begin.size(),
                         entries.end.size(), count);
  StridedPlan plan;
  MICRORT_RETURN_IF_ERROR(MakePlan(entries, c.x().rank(), &plan));
  ir::ValueId y = c.input(0);
  if (!plan.entries.empty()) y = known ? c.build.Add(plan.slice, {y}) : SliceComputed(c, entries, plan);
  return c.Return(plan.keeps_dims ? y : c.build.Reshape(y, plan.shape));
}

}  // namespace

Span<const OpImporter> StridedSliceImporters() {
  static constexpr OpImporter kImporters[] = {
      {"STRIDED_SLICE", 4, 4, ImportStridedSlice, Types(kAllTypes).Without("strides that are not constant")},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tflite
