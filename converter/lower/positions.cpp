#include "converter/lower/positions.h"

#include <numeric>

namespace micrort::lower {

namespace {

constexpr int64_t kMaxInFile = 1 << 16;

// count: [1]
ir::ValueId Computed(ir::Builder& build, ir::ValueId count) {
  const ir::ValueId ones = build.Expand({build.Integers({1}), count});
  schema::CumulativeSumOptionsT exclusive;
  exclusive.exclusive = true;
  return build.Add(exclusive, {ones, build.Integers({0})});
}

}  // namespace

ir::ValueId Positions(ir::Builder& build, int64_t count) {
  if (count > kMaxInFile) return Computed(build, build.Integers({count}));
  std::vector<int64_t> positions(static_cast<size_t>(count));
  std::iota(positions.begin(), positions.end(), 0);
  return build.Integers(positions);
}

ir::ValueId PositionsAlong(ir::Builder& build, ir::ValueId x, int axis) {
  const int64_t size = build.graph().value(x).dim(static_cast<size_t>(axis));
  if (size != ir::kDynamic && size >= 0) return Positions(build, size);
  return Computed(build, build.SizesOf(x, axis, axis + 1));
}

ir::ValueId PositionsIn(ir::Builder& build, ir::ValueId x, int axis) {
  const int rank = build.graph().value(x).rank();
  return rank == 0 ? build.Integer(0) : build.Along(PositionsAlong(build, x, axis), axis, rank);
}

}  // namespace micrort::lower
