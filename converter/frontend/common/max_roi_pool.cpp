// Where cells begin and end is known only as the model runs, so every cell looks at all rows, then at all
// columns, and those that are not its own are masked.

#include "converter/frontend/common/max_roi_pool.h"

#include <limits>

#include "converter/lower/positions.h"

namespace micrort::frontend {

namespace {

using schema::ReduceKind;
using schema::UnaryKind;

// Half away from zero.
ir::ValueId Rounded(ir::Builder& build, ir::ValueId x) {
  const ir::ValueId magnitude = build.Abs(x);
  const ir::ValueId up = build.Add(magnitude, build.Scalar(0.5f));
  const ir::ValueId whole = build.Floor(up);
  return build.Mul(whole, build.Sign(x));
}

// Column `index` of the regions [R,5], in elements of the image: [R,1].
ir::ValueId Corner(ir::Builder& build, ir::ValueId regions, float scale, int index) {
  const ir::ValueId column = build.Slice(regions, 1, index, index + 1);
  return Rounded(build, build.Mul(column, build.Scalar(scale)));
}

// [R,cells,size] (bool): which of the positions along dimension `dim` of the image are in which cell.
ir::ValueId Membership(ir::Builder& build, ir::ValueId image, ir::ValueId regions, float scale, int dim,
                       int64_t cells) {
  const bool rows = dim == 2;
  const ir::ValueId start = Corner(build, regions, scale, rows ? 2 : 1);
  const ir::ValueId last = Corner(build, regions, scale, rows ? 4 : 3);
  const ir::ValueId one = build.Scalar(1);
  const ir::ValueId length = build.Max(build.Add(build.Sub(last, start), one), one);
  const ir::ValueId cell = build.Div(length, build.Scalar(static_cast<float>(cells)));
  std::vector<float> begins, ends;
  for (int64_t i = 0; i < cells; ++i) {
    begins.push_back(static_cast<float>(i));
    ends.push_back(static_cast<float>(i + 1));
  }
  const auto edge = [&](const std::vector<float>& steps, UnaryKind rounding) {
    const ir::ValueId at = build.Mul(cell, build.Constant({cells}, steps));
    const ir::ValueId moved = build.Add(build.Unary(rounding, at), start);
    return build.Reshape(moved, {ir::CopyDim(0), ir::CopyDim(1), 1});
  };
  const ir::ValueId here = build.Cast(lower::PositionsAlong(build, image, dim), DType::kFloat32);
  const ir::ValueId begun = build.LessOrEqual(edge(begins, UnaryKind::Floor), here);
  const ir::ValueId not_over = build.Less(here, edge(ends, UnaryKind::Ceil));
  return build.And(begun, not_over);
}

// The largest element along the last dimension where the mask is true.
ir::ValueId MaskedMax(ir::Builder& build, ir::ValueId mask, ir::ValueId x) {
  const ir::ValueId lowest = build.Scalar(-std::numeric_limits<float>::infinity());
  const int32_t last = 4;
  return build.Reduce(ReduceKind::Max, build.Select({mask, x, lowest}), {last}, false);
}

// [R,cells,size] → [R,cells]: cells that have any position.
ir::ValueId Occupied(ir::Builder& build, ir::ValueId membership) {
  const ir::ValueId numbers = build.Cast(membership, DType::kFloat32);
  return build.Cast(build.Reduce(ReduceKind::Max, numbers, {2}, false), DType::kBool);
}

}  // namespace

ir::ValueId MaxRoiPool(ir::Builder& build, ir::ValueId image, ir::ValueId regions, float scale,
                       int64_t rows_of_cells, int64_t columns_of_cells) {
  const ir::ValueId items = build.Reshape(build.Slice(regions, 1, 0, 1), {ir::kInferDim});
  const ir::ValueId x = build.Gather(image, build.Cast(items, DType::kInt64), 0);  // [R,C,H,W]
  const ir::ValueId rows = Membership(build, image, regions, scale, 2, rows_of_cells);
  const ir::ValueId columns = Membership(build, image, regions, scale, 3, columns_of_cells);
  const auto as = [&](ir::ValueId id, const std::vector<int32_t>& shape) { return build.Reshape(id, shape); };
  // Rows last: [R,C,1,W,H] with [R,1,PH,1,H] → [R,C,PH,W]; then columns: [R,C,PH,1,W] with [R,1,1,PW,W].
  const ir::ValueId turned = build.Transpose(x, {0, 1, 3, 2});
  const ir::ValueId by_row =
      MaskedMax(build, as(rows, {ir::CopyDim(0), 1, ir::CopyDim(1), 1, ir::CopyDim(2)}),
                as(turned, {ir::CopyDim(0), ir::CopyDim(1), 1, ir::CopyDim(2), ir::CopyDim(3)}));
  const ir::ValueId maxima =
      MaskedMax(build, as(columns, {ir::CopyDim(0), 1, 1, ir::CopyDim(1), ir::CopyDim(2)}),
                as(by_row, {ir::CopyDim(0), ir::CopyDim(1), ir::CopyDim(2), 1, ir::CopyDim(3)}));
  const ir::ValueId occupied =
      build.And(as(Occupied(build, rows), {ir::CopyDim(0), 1, ir::CopyDim(1), 1}),
                as(Occupied(build, columns), {ir::CopyDim(0), 1, 1, ir::CopyDim(1)}));
  return build.Select({occupied, maxima, build.Scalar(0)});
}

}  // namespace micrort::frontend
