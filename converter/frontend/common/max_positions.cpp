#include "converter/frontend/common/max_positions.h"

#include <algorithm>
#include <limits>

#include "converter/frontend/common/errors.h"
#include "converter/lower/positions.h"
#include "kernels/base/checked_math.h"

namespace micrort::frontend {

namespace {

using Dims = std::vector<int64_t>;

// ir::kMaxMade + 1 stands for all products above ir::kMaxMade.
int64_t Product(const Dims& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) {
    if (!CheckedMul(product, dim, &product) || product > ir::kMaxMade) return ir::kMaxMade + 1;
  }
  return product;
}

// The images, and what the windows on them see.
struct Taps {
  Dims in, out, kernel;
  std::vector<WindowAxis> axes;

  // Coordinates of element `i` of a box of these dimensions.
  static Dims Coordinates(const Dims& dims, int64_t i) {
    Dims at(dims.size());
    for (size_t d = dims.size(); d-- > 0; i /= dims[d]) at[d] = i % dims[d];
    return at;
  }
  // The row-major index in the image of tap `tap` of window `window`, or -1 in the padding.
  int64_t Find(const Dims& window, const Dims& tap) const {
    int64_t index = 0;
    for (size_t d = 0; d < in.size(); ++d) {
      const int64_t at = window[d] * axes[d].stride - axes[d].pad_begin + tap[d] * axes[d].dilation;
      if (at < 0 || at >= in[d]) return -1;
      index = index * in[d] + at;
    }
    return index;
  }
  // All taps of all windows. One in the padding becomes the first of its window that is not: it never wins.
  Dims List() const {
    Dims list;
    for (int64_t w = 0; w < Product(out); ++w) {
      const Dims window = Coordinates(out, w);
      const size_t begin = list.size();
      for (int64_t t = 0; t < Product(kernel); ++t) list.push_back(Find(window, Coordinates(kernel, t)));
      const auto first = std::find_if(list.begin() + static_cast<std::ptrdiff_t>(begin), list.end(),
                                      [](int64_t i) { return i >= 0; });
      const int64_t stand_in = first == list.end() ? 0 : *first;
      std::replace(list.begin() + static_cast<std::ptrdiff_t>(begin), list.end(), int64_t{-1}, stand_in);
    }
    return list;
  }
  // The column-major index of each of these row-major ones.
  Dims ColumnMajor(Dims list) const {
    for (int64_t& index : list) {
      const Dims at = Coordinates(in, index);
      index = 0;
      for (size_t d = in.size(); d-- > 0;) index = index * in[d] + at[d];
    }
    return list;
  }
};

Status ReadTaps(ir::Builder& build, ir::ValueId x, ir::ValueId y, const std::vector<WindowAxis>& axes,
                Taps* taps) {
  const Dims &x_shape = build.graph().value(x).shape, &y_shape = build.graph().value(y).shape;
  taps->in.assign(x_shape.begin() + 2, x_shape.end());
  taps->out.assign(y_shape.begin() + 2, y_shape.end());
  taps->axes = axes;
  for (const WindowAxis& axis : axes) taps->kernel.push_back(axis.kernel);
  const bool fixed = std::count(taps->in.begin(), taps->in.end(), ir::kDynamic) == 0;
  const int64_t of_one = Product(taps->kernel);
  if (!fixed || of_one > ir::kMaxMade || Product(taps->out) > ir::kMaxMade / of_one)
    return Unsupported("indices of maxima need images of a fixed size, and not a large one");
  if (std::count(taps->in.begin(), taps->in.end(), 0) == 0) return Status();
  return Invalid("indices of maxima of images without elements");
}

}  // namespace

Result<ir::ValueId> MaxPositions(ir::Builder& build, ir::ValueId x, ir::ValueId y,
                                 const std::vector<WindowAxis>& axes, bool column_major) {
  MICRORT_RETURN_IF_ERROR(build.status());
  Taps taps;
  MICRORT_RETURN_IF_ERROR(ReadTaps(build, x, y, axes, &taps));
  const Dims list = taps.List();
  const auto windows = static_cast<int32_t>(Product(taps.out)),
             kernel = static_cast<int32_t>(Product(taps.kernel));
  const ir::ValueId images = build.Reshape(x, {ir::CopyDim(0), ir::CopyDim(1), ir::kInferDim});
  const ir::ValueId seen = build.Reshape(build.Gather(images, build.Integers(list), 2),
                                         {ir::CopyDim(0), ir::CopyDim(1), windows, kernel});
  const ir::ValueId best = build.Reduce(schema::ReduceKind::ArgMax, seen, {3}, false);
  Dims first_taps;
  for (int64_t w = 0; w < windows; ++w) first_taps.push_back(w * kernel);
  const ir::ValueId tap = build.Add(best, build.Integers(first_taps));
  return build.Checked(build.Gather(build.Integers(column_major ? taps.ColumnMajor(list) : list), tap, 0));
}

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
