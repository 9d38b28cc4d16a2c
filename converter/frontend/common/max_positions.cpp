#include "converter/frontend/common/max_positions.h"

#include <algorithm>

#include "converter/frontend/common/errors.h"
#include "kernels/base/checked_math.h"

namespace micrort::frontend {

namespace {

using Dims = std::vector<int64_t>;

constexpr int64_t kMaxTaps = int64_t{1} << 24;  // of all windows, since they become a constant

// kMaxTaps + 1 stands for all products above kMaxTaps.
int64_t Product(const Dims& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) {
    if (!CheckedMul(product, dim, &product) || product > kMaxTaps) return kMaxTaps + 1;
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
  if (!fixed || of_one > kMaxTaps || Product(taps->out) > kMaxTaps / of_one)
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

}  // namespace micrort::frontend
