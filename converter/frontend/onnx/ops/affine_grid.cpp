// AffineGrid: the coordinates of the elements of an image or a volume, moved by
// an affine map.

#include "converter/frontend/onnx/ops/arange.h"
#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"
#include "kernels/base/shape.h"

namespace micrort::frontend::onnx {

namespace {

// The coordinates of `size` (a float scalar) elements along one dimension,
// between -1 and 1.
ir::ValueId GridAxis(NodeContext& c, ir::ValueId size, bool align_corners) {
  const ir::ValueId one = c.build.Scalar(1);
  const ir::ValueId count = c.build.Cast(size, DType::kFloat32);
  const ir::ValueId i = c.build.Cast(Arange(c, size), DType::kFloat32);
  const ir::ValueId twice = c.build.Add(i, i);
  if (!align_corners) {
    const ir::ValueId centre = c.build.Add(twice, one);
    return c.build.Sub(c.build.Div(centre, count), one);
  }
  // A single element is in the centre.
  const ir::ValueId steps = c.build.Sub(count, one);
  const ir::ValueId divisor = c.build.Max(steps, one);
  const ir::ValueId begin = c.build.Min(steps, one);
  return c.build.Sub(c.build.Div(twice, divisor), begin);
}

// theta [N,n,n+1], size [N,C,S1..Sn]: the affine image of the coordinates of
// every element, [N,S1..Sn,n].
Status ImportAffineGrid(NodeContext& c) {
  const bool align = c.Int("align_corners", 0) != 0;
  const ir::Value& size = c.x(1);
  if (c.x(0).rank() != 3 || size.rank() != 1 || !size.is_static() || size.shape[0] < 3 ||
      size.shape[0] > kMaxRank)
    return Invalid("expected theta [N,n,n+1] and a size of n + 2 numbers");
  const auto dims = static_cast<int>(size.shape[0]) - 2;
  const auto column = [&](int i) {
    std::vector<int32_t> shape = {CopyDim(0)};
    shape.resize(static_cast<size_t>(dims) + 1, 1);
    shape.push_back(dims);
    return c.build.Reshape(c.build.Slice(c.input(0), 2, i, i + 1), shape);
  };
  ir::ValueId sum = column(dims);
  for (int i = 0; i < dims; ++i) {
    // Column i belongs to the i-th dimension from the end.
    const ir::ValueId length = ScalarAt(c, c.input(1), 1 + dims - i);
    const ir::ValueId axis = c.build.Along(GridAxis(c, length, align), 0, static_cast<int>(i) + 2);
    sum = c.build.Add(sum, c.build.Mul(column(i), axis));
  }
  return c.Return(sum);
}

}  // namespace

const ImporterList AffineGridImporters = {
    {"AffineGrid", 2, 2, InFloat32<ImportAffineGrid>, Types(kFloats).Since(20)},
};

}  // namespace micrort::frontend::onnx
