#include "converter/lower/arrays.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "converter/ir/constant_values.h"
#include "converter/ir/dims.h"
#include "kernels/base/shape.h"

namespace micrort::lower {

ir::ValueId SliceOfComputedSize(ir::Builder& build, ir::ValueId x, ir::ValueId begin, ir::ValueId size) {
  const ir::ValueId is_open = build.Less(size, build.Integers({0}));
  const ir::ValueId last = build.Integers({std::numeric_limits<int64_t>::max()});
  const ir::ValueId sum = build.Add(begin, size);
  const ir::ValueId end = build.Select({is_open, last, sum});
  return build.Add(schema::SliceOptionsT(), {x, begin, end});
}

ir::ValueId AddPad(ir::Builder& build, ir::ValueId x, Padding padding) {
  schema::PadOptionsT options;
  options.mode = padding.mode;
  options.value = padding.value;
  std::vector<float> fill;
  if (padding.fill != ir::kNoValue && ir::FloatsOf(build.graph().value(padding.fill), &fill) &&
      fill.size() == 1) {
    options.value = fill[0];
    padding.fill = ir::kNoValue;
  }
  if (padding.computed == ir::kNoValue) options.pads = std::move(padding.pads);
  std::vector<ir::ValueId> inputs = {x, padding.computed, padding.fill};
  while (inputs.back() == ir::kNoValue) inputs.pop_back();
  return build.Add(std::move(options), std::move(inputs));
}

Status SetPairs(const ir::Value& x, const std::vector<int64_t>& pairs, Padding* padding) {
  const auto rank = static_cast<size_t>(x.rank());
  if (pairs.size() != 2 * rank)
    return MICRORT_ERROR(kInvalidModel, "expected %zu pads, found %zu", 2 * rank, pairs.size());
  padding->pads.resize(2 * rank);
  for (size_t i = 0; i < pairs.size(); ++i) padding->pads[i % 2 * rank + i / 2] = pairs[i];
  return Status();
}

void SetComputedPairs(ir::Builder& build, ir::ValueId pairs, Padding* padding) {
  padding->computed = build.Reshape(build.Transpose(pairs, {1, 0}), {ir::kInferDim});
}

ir::ValueId OneHot(ir::Builder& build, ir::ValueId indices, ir::ValueId places, int axis, ir::ValueId on,
                   ir::ValueId off) {
  const int rank = build.graph().value(indices).rank() + 1;
  const ir::ValueId apart = build.InsertDim(indices, axis);
  const ir::ValueId is_hot = build.Equal(apart, build.Along(places, axis, rank));
  return build.Select({is_hot, on, off});
}

ir::ValueId BucketOf(ir::Builder& build, ir::ValueId x, const std::vector<float>& boundaries) {
  const int rank = build.graph().value(x).rank();
  x = build.InsertDim(x, rank);
  if (build.graph().value(x).dtype != DType::kFloat32) x = build.Cast(x, DType::kFloat32);
  const auto count = static_cast<int32_t>(boundaries.size());
  const ir::ValueId limits = build.Constant({count}, boundaries);
  const ir::ValueId above = build.Cast(build.Less(x, limits), DType::kInt32);
  return build.Sub(build.Constant<int32_t>({}, {count}),
                   build.Reduce(schema::ReduceKind::Sum, above, {rank}, false));
}

Result<ir::ValueId> BroadcastShapes(ir::Builder& build, ir::ValueId a, ir::ValueId b) {
  ir::ValueId shapes[] = {a, b};
  int64_t length[2];
  for (int i = 0; i < 2; ++i) {
    const ir::Value& given = build.graph().value(shapes[i]);
    length[i] = given.dim(0);
    if (given.rank() != 1 || length[i] == ir::kDynamic || length[i] > kMaxRank)
      return MICRORT_ERROR(kUnsupported, "a shape of open rank, or of more than %d dimensions", kMaxRank);
  }
  for (int i = 0; i < 2; ++i) {
    const int64_t missing = std::max(length[0], length[1]) - length[i];
    const std::vector<int64_t> ones(static_cast<size_t>(missing), 1);
    if (missing > 0) shapes[i] = build.Concat({build.Integers(ones), shapes[i]}, 0);
  }
  const ir::ValueId is_one = build.Equal(shapes[0], build.Integers({1}));
  return build.Checked(build.Select({is_one, shapes[1], shapes[0]}));
}

}  // namespace micrort::lower
