#include "converter/frontend/onnx/ops/computed_split.h"

namespace micrort::frontend::onnx {

// A slice from the sum of the sizes before it.
ir::ValueId PartBySizes(NodeContext& c, ir::ValueId x, ir::ValueId sizes, int axis, size_t i) {
  const auto sum_of_first = [&](size_t n) {
    const ir::ValueId first = c.build.Slice(sizes, 0, 0, static_cast<int64_t>(n));
    return c.build.Reduce(schema::ReduceKind::Sum, first, {0}, true);
  };
  const ir::ValueId start = sum_of_first(i), end = sum_of_first(i + 1);
  return c.build.Add(schema::SliceOptionsT(), {x, start, end, c.build.Integers({axis})});
}

}  // namespace micrort::frontend::onnx
