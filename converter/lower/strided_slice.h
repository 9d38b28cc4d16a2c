#pragma once
// x[begin:end:stride, ..., newaxis, index], as TensorFlow and TFLite state it.

#include <vector>

#include "converter/ir/build.h"

namespace micrort::lower {

// One entry a dimension of x, but for those that masks tell otherwise. Bit i of a mask speaks of entry i.
struct StridedSlice {
  std::vector<int64_t> begin, end, strides;
  // int64, an element an entry: where the model computes `begin` and `end`, which are empty then.
  ir::ValueId computed_begin = ir::kNoValue, computed_end = ir::kNoValue;
  int64_t begin_mask = 0, end_mask = 0;  // from the start, to the end
  int64_t ellipsis_mask = 0;             // all dimensions that no other entry is for
  int64_t new_axis_mask = 0;             // a new dimension of size 1
  int64_t shrink_axis_mask = 0;          // the one element at `begin`, without its dimension
  bool masks_shrunk_begins = false;      // begin_mask speaks of these entries, too
};

// kInvalidModel for entries that do not fit x, or each other.
Result<ir::ValueId> AddStridedSlice(ir::Builder& build, ir::ValueId x, const StridedSlice& slice);

}  // namespace micrort::lower
