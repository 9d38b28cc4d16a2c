#include "converter/frontend/onnx/ops/positions.h"

#include <numeric>

namespace micrort::frontend::onnx {

ir::ValueId PositionsAlong(NodeContext& c, ir::ValueId x, int axis) {
  const int64_t size = c.value(x).shape[static_cast<size_t>(axis)];
  if (size != ir::kDynamic && size >= 0) {
    constexpr int64_t kMaxInFile = 1 << 16;  // longer ones are computed, and count as what they are
    if (size <= kMaxInFile) {
      std::vector<int64_t> positions(static_cast<size_t>(size));
      std::iota(positions.begin(), positions.end(), 0);
      return c.build.Integers(positions);
    }
  }
  const ir::ValueId count = c.build.Slice(c.build.ShapeOf(x), 0, axis, axis + 1);
  const ir::ValueId ones = c.build.Add(schema::ExpandOptionsT(), {c.build.Integers({1}), count});
  schema::CumulativeSumOptionsT exclusive;
  exclusive.exclusive = true;
  return c.build.Add(exclusive, {ones, c.build.Integers({0})});
}

}  // namespace micrort::frontend::onnx
