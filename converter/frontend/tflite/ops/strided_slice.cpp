// STRIDED_SLICE, with every mask.

#include "converter/lower/strided_slice.h"

#include <limits>

#include "converter/frontend/tflite/registry.h"
#include "kernels/base/checked_math.h"

namespace micrort::frontend::tflite {

namespace {

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

}  // namespace

const ImporterList StridedSliceImporters = {
    {"STRIDED_SLICE", 4, 4, ImportStridedSlice, Types(kAllTypes).Without("strides that are not constant")},
};

}  // namespace micrort::frontend::tflite
