#include "converter/frontend/common/positions.h"

#include <numeric>

namespace micrort::frontend {

ir::ValueId PositionsAlong(ir::Builder& build, ir::ValueId x, int axis) {
  const int64_t size = build.graph().value(x).dim(static_cast<size_t>(axis));
  if (size != ir::kDynamic && size >= 0) {
    constexpr int64_t kMaxInFile = 1 << 16;  // longer ones are computed, and count as what they are
    if (size <= kMaxInFile) {
      std::vector<int64_t> positions(static_cast<size_t>(size));
      std::iota(positions.begin(), positions.end(), 0);
      return build.Integers(positions);
    }
  }
  const ir::ValueId count = build.Slice(build.ShapeOf(x), 0, axis, axis + 1);
  const ir::ValueId ones = build.Add(schema::ExpandOptionsT(), {build.Integers({1}), count});
  schema::CumulativeSumOptionsT exclusive;
  exclusive.exclusive = true;
  return build.Add(exclusive, {ones, build.Integers({0})});
}

}  // namespace micrort::frontend
