#include "converter/frontend/onnx/ops/rotation.h"

#include "converter/frontend/onnx/ops/reshape.h"

namespace micrort::frontend::onnx {

namespace {

// (a, b) → (a cos - b sin, a sin + b cos), joined along `axis`.
ir::ValueId Turn(NodeContext& c, ir::ValueId a, ir::ValueId b, ir::ValueId cos, ir::ValueId sin, int axis) {
  const auto product = [&](ir::ValueId x, ir::ValueId y) { return c.build.Mul(x, y); };
  const ir::ValueId real = c.build.Sub(product(cos, a), product(sin, b));
  const ir::ValueId imaginary = c.build.Add(product(sin, a), product(cos, b));
  return c.build.Concat({real, imaginary}, axis);
}

}  // namespace

ir::ValueId Rotate(NodeContext& c, const Rotation& r) {
  const int64_t width = c.value(r.x).dim(3);
  const ir::ValueId turning = r.size == width ? r.x : c.build.Slice(r.x, 3, 0, r.size);
  ir::ValueId turned = ir::kNoValue;
  if (r.interleaved) {
    const auto half = static_cast<int32_t>(r.size / 2);
    const std::vector<int32_t> pairs = {CopyDim(0), CopyDim(1), CopyDim(2), half, 2};
    const std::vector<int32_t> column = {CopyDim(0), CopyDim(1), CopyDim(2), CopyDim(3), 1};
    const ir::ValueId x = c.build.Reshape(turning, pairs);
    const ir::ValueId both = Turn(c, c.build.Slice(x, 4, 0, 1), c.build.Slice(x, 4, 1, 2),
                                  c.build.Reshape(r.cos, column), c.build.Reshape(r.sin, column), 4);
    turned = c.build.Reshape(both, {CopyDim(0), CopyDim(1), CopyDim(2), static_cast<int32_t>(r.size)});
  } else {
    turned = Turn(c, c.build.Slice(turning, 3, 0, r.size / 2), c.build.Slice(turning, 3, r.size / 2, r.size),
                  r.cos, r.sin, 3);
  }
  if (r.size == width) return turned;
  return c.build.Concat({turned, c.build.Slice(r.x, 3, r.size, width)}, 3);
}

ir::ValueId Angles(NodeContext& c, ir::ValueId table, ir::ValueId positions, int head_axis) {
  const ir::ValueId rows = positions == ir::kNoValue ? table : c.build.Gather(table, positions, 0);
  return head_axis == 1 ? c.build.Reshape(rows, {CopyDim(0), 1, CopyDim(1), CopyDim(2)})
                        : c.build.Reshape(rows, {CopyDim(0), CopyDim(1), 1, CopyDim(2)});
}

}  // namespace micrort::frontend::onnx
