// MaxRoiPool: the maxima of the cells of a grid over each region. Where cells begin and end is known only as
// the model runs, so every cell looks at all rows, then at all columns, and those that are not its own are
// masked.

#include <limits>

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/positions.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::BinaryKind;
using schema::ReduceKind;
using schema::UnaryKind;

// Half away from zero.
ir::ValueId Rounded(NodeContext& c, ir::ValueId x) {
  const ir::ValueId magnitude = c.build.Unary(UnaryKind::Abs, x);
  const ir::ValueId up = c.build.Binary(BinaryKind::Add, magnitude, c.build.Scalar(0.5f));
  const ir::ValueId whole = c.build.Unary(UnaryKind::Floor, up);
  return c.build.Binary(BinaryKind::Mul, whole, c.build.Unary(UnaryKind::Sign, x));
}

// Column `index` of the regions [R,5], in elements of the image: [R,1].
ir::ValueId Corner(NodeContext& c, float scale, int index) {
  const ir::ValueId column = c.build.Slice(c.input(1), 1, index, index + 1);
  return Rounded(c, c.build.Binary(BinaryKind::Mul, column, c.build.Scalar(scale)));
}

// [R,cells,size] (bool): which of the positions along dimension `dim` of the image are in which cell.
ir::ValueId Membership(NodeContext& c, float scale, int dim, int64_t cells) {
  const bool rows = dim == 2;
  const ir::ValueId start = Corner(c, scale, rows ? 2 : 1);
  const ir::ValueId last = Corner(c, scale, rows ? 4 : 3);
  const ir::ValueId one = c.build.Scalar(1);
  const ir::ValueId length =
      c.build.Binary(BinaryKind::Max,
                     c.build.Binary(BinaryKind::Add, c.build.Binary(BinaryKind::Sub, last, start), one), one);
  const ir::ValueId cell = c.build.Binary(BinaryKind::Div, length, c.build.Scalar(static_cast<float>(cells)));
  std::vector<float> begins, ends;
  for (int64_t i = 0; i < cells; ++i) {
    begins.push_back(static_cast<float>(i));
    ends.push_back(static_cast<float>(i + 1));
  }
  const auto edge = [&](const std::vector<float>& steps, UnaryKind rounding) {
    const ir::ValueId at = c.build.Binary(BinaryKind::Mul, cell, c.build.Constant({cells}, steps));
    const ir::ValueId moved = c.build.Binary(BinaryKind::Add, c.build.Unary(rounding, at), start);
    return c.build.Reshape(moved, {CopyDim(0), CopyDim(1), 1});
  };
  const ir::ValueId here = c.build.Cast(PositionsAlong(c, c.input(0), dim), DType::kFloat32);
  const ir::ValueId begun = c.build.Binary(BinaryKind::LessOrEqual, edge(begins, UnaryKind::Floor), here);
  const ir::ValueId not_over = c.build.Binary(BinaryKind::Less, here, edge(ends, UnaryKind::Ceil));
  return c.build.Binary(BinaryKind::And, begun, not_over);
}

// The largest element along the last dimension where the mask is true.
ir::ValueId MaskedMax(NodeContext& c, ir::ValueId mask, ir::ValueId x) {
  const ir::ValueId lowest = c.build.Scalar(-std::numeric_limits<float>::infinity());
  const int32_t last = 4;
  return c.build.Reduce(ReduceKind::Max, c.build.Add(schema::SelectOptionsT(), {mask, x, lowest}), {last},
                        false);
}

// [R,cells,size] → [R,cells]: cells that have any position.
ir::ValueId Occupied(NodeContext& c, ir::ValueId membership) {
  const ir::ValueId numbers = c.build.Cast(membership, DType::kFloat32);
  return c.build.Cast(c.build.Reduce(ReduceKind::Max, numbers, {2}, false), DType::kBool);
}

Status ImportMaxRoiPool(NodeContext& c) {
  const std::vector<int64_t> pooled = c.Ints("pooled_shape");
  const float scale = c.Float("spatial_scale", 1.0f);
  if (pooled.size() != 2 || pooled[0] < 1 || pooled[1] < 1 || pooled[0] > 4096 || pooled[1] > 4096) {
    return MICRORT_ERROR(kInvalidModel, "pooled_shape: expected two sizes from 1 to 4096");
  }
  if (c.x().rank() != 4 || c.x(1).rank() != 2 || c.x(1).shape[1] != 5) {
    return MICRORT_ERROR(kInvalidModel, "expected an image and regions [R,5]");
  }
  const ir::ValueId items = c.build.Reshape(c.build.Slice(c.input(1), 1, 0, 1), {kInferDim});
  const ir::ValueId x = c.build.Gather(c.input(0), c.build.Cast(items, DType::kInt64), 0);  // [R,C,H,W]
  const ir::ValueId rows = Membership(c, scale, 2, pooled[0]);
  const ir::ValueId columns = Membership(c, scale, 3, pooled[1]);
  const auto as = [&](ir::ValueId id, const std::vector<int32_t>& shape) {
    return c.build.Reshape(id, shape);
  };
  // Rows last: [R,C,1,W,H] with [R,1,PH,1,H] → [R,C,PH,W]; then columns: [R,C,PH,1,W] with [R,1,1,PW,W].
  const ir::ValueId turned = c.build.Transpose(x, {0, 1, 3, 2});
  const ir::ValueId by_row = MaskedMax(c, as(rows, {CopyDim(0), 1, CopyDim(1), 1, CopyDim(2)}),
                                       as(turned, {CopyDim(0), CopyDim(1), 1, CopyDim(2), CopyDim(3)}));
  const ir::ValueId maxima = MaskedMax(c, as(columns, {CopyDim(0), 1, 1, CopyDim(1), CopyDim(2)}),
                                       as(by_row, {CopyDim(0), CopyDim(1), CopyDim(2), 1, CopyDim(3)}));
  const ir::ValueId occupied =
      c.build.Binary(BinaryKind::And, as(Occupied(c, rows), {CopyDim(0), 1, CopyDim(1), 1}),
                     as(Occupied(c, columns), {CopyDim(0), 1, 1, CopyDim(1)}));
  return c.Return(c.build.Add(schema::SelectOptionsT(), {occupied, maxima, c.build.Scalar(0)}));
}

}  // namespace

Span<const OpImporter> MaxRoiPoolImporters() {
  static constexpr OpImporter kImporters[] = {
      {"MaxRoiPool", 2, 2, InFloat32<ImportMaxRoiPool>, Types(kFloats)},
  };
  return kImporters;
}

}  // namespace micrort::frontend::onnx
