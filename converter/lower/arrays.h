#pragma once
// Operators on whole tensors that formats state alike: parts, padding, one-hot vectors, shapes.

#include <vector>

#include "converter/ir/build.h"

namespace micrort::lower {

// x[begin : begin + size] along all of its dimensions, for bounds that the model computes, int64 [rank]. A
// negative size reaches to the end.
ir::ValueId SliceOfComputedSize(ir::Builder& build, ir::ValueId x, ir::ValueId begin, ir::ValueId size);

// The border that a tensor gets.
struct Padding {
  schema::PadMode mode = schema::PadMode::Constant;
  std::vector<int64_t> pads;            // all begins, then all ends
  ir::ValueId computed = ir::kNoValue;  // in their place: pads that the model computes
  float value = 0;                      // of the border
  ir::ValueId fill = ir::kNoValue;      // in its place: one element
};
ir::ValueId AddPad(ir::Builder& build, ir::ValueId x, Padding padding);
// TensorFlow and TFLite state pairs, [rank,2]: begin and end of each dimension. SetPairs() takes numbers, and
// gives kInvalidModel if their count does not fit x; SetComputedPairs() takes what the model computes.
Status SetPairs(const ir::Value& x, const std::vector<int64_t>& pairs, Padding* padding);
void SetComputedPairs(ir::Builder& build, ir::ValueId pairs, Padding* padding);

// `on` where an index is its place along the new dimension `axis`, else `off`. indices: int64. places: 0, 1
// ... depth - 1, int64 [depth].
ir::ValueId OneHot(ir::Builder& build, ir::ValueId indices, ir::ValueId places, int axis, ir::ValueId on,
                   ir::ValueId off);

// How many of the boundaries are not above each element, int32: for NaN, which is below none, all.
ir::ValueId BucketOf(ir::Builder& build, ir::ValueId x, const std::vector<float>& boundaries);

// The shape that two shapes, int64, broadcast to. kUnsupported unless their lengths are fixed.
Result<ir::ValueId> BroadcastShapes(ir::Builder& build, ir::ValueId a, ir::ValueId b);

}  // namespace micrort::lower
