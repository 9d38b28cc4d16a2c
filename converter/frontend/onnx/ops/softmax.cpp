// Softmax and its relatives.

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"
#include "converter/lower/positions.h"

namespace micrort::frontend::onnx {

namespace {

constexpr int kPerAxisOpset = 13;  // before it, everything from `axis` on is one dimension

// Applies `apply(value, axis)` along the node's axis, as its opset means it.
template <typename F>
Status AlongAxis(NodeContext& c, F apply) {
  const int rank = c.x().rank();
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis", c.opset() < kPerAxisOpset ? 1 : -1), rank));
  if (c.opset() >= kPerAxisOpset || axis == rank - 1) return c.Return(apply(c.input(0), axis));
  const ir::ValueId matrix = FlattenAt(c, c.input(0), axis);
  return c.Return(ReshapeLike(c, apply(matrix, 1), c.input(0)));
}

template <bool log>
Status ImportSoftmax(NodeContext& c) {
  return AlongAxis(c, [&](ir::ValueId x, int axis) { return c.build.Softmax(x, axis, log); });
}

// 1 at the first maximum, 0 elsewhere.
Status ImportHardmax(NodeContext& c) {
  return AlongAxis(c, [&](ir::ValueId x, int axis) {
    if (axis >= c.value(x).rank()) return x;                       // after an error
    if (c.value(x).dim(static_cast<size_t>(axis)) == 0) return x;  // no element, and none to choose
    const ir::ValueId positions = lower::PositionsIn(c.build, x, axis);
    const ir::ValueId at = c.build.Reduce(schema::ReduceKind::ArgMax, x, {axis}, true);
    const ir::ValueId hit = c.build.Equal(at, positions);
    return c.build.Cast(hit, c.x().dtype);
  });
}

}  // namespace

const ImporterList SoftmaxImporters = {
    {"Hardmax", 1, 1, ImportHardmax, Types(kFloats)},
    {"LogSoftmax", 1, 1, InFloat32<ImportSoftmax<true>>, Types(kFloats)},
    {"Softmax", 1, 1, InFloat32<ImportSoftmax<false>>, Types(kFloats)},
};

}  // namespace micrort::frontend::onnx
