// StridedSlice with its masks.

#include "converter/lower/strided_slice.h"

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

Status ImportStridedSlice(OpContext& c) {
  lower::StridedSlice slice;
  slice.begin_mask = c.Int("begin_mask", 0);
  slice.end_mask = c.Int("end_mask", 0);
  slice.ellipsis_mask = c.Int("ellipsis_mask", 0);
  slice.new_axis_mask = c.Int("new_axis_mask", 0);
  slice.shrink_axis_mask = c.Int("shrink_axis_mask", 0);
  MICRORT_ASSIGN_OR_RETURN(slice.strides, c.ConstantIntegers(3));
  if (!ir::IntegersOf(c.x(1), &slice.begin) || !ir::IntegersOf(c.x(2), &slice.end)) {
    slice.computed_begin = c.AsInt64(c.input(1));
    slice.computed_end = c.AsInt64(c.input(2));
  }
  return c.Return(lower::AddStridedSlice(c.build, c.input(0), slice));
}

}  // namespace

const ImporterList StridedSliceOps = {
    {"StridedSlice", 4, 4, ImportStridedSlice, "strides that are not constant"},
};

}  // namespace micrort::frontend::tensorflow
