#include "converter/frontend/onnx/ops/pool_indices.h"

#include <algorithm>
#include <numeric>

#include "converter/frontend/onnx/ops/positions.h"
#include "converter/frontend/onnx/ops/reshape.h"

namespace micrort::frontend::onnx {

namespace {

using schema::BinaryKind;
using Dims = std::vector<int64_t>;

constexpr int64_t kMaxTaps = int64_t{1} << 24;  // of all windows, since they become a constant

int64_t Product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<int64_t>());
}

// The images of the node, and what the windows on them see.
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

Status ReadTaps(const NodeContext& c, const Window& window, ir::ValueId y, Taps* taps) {
  const Dims &x_shape = c.x().shape, &y_shape = c.value(y).shape;
  if (x_shape.size() != y_shape.size()) return c.build.status();  // after an error
  const size_t spatial = x_shape.size() - 2;
  taps->in.assign(x_shape.begin() + 2, x_shape.end());
  taps->out.assign(y_shape.begin() + 2, y_shape.end());
  taps->axes.assign(window.axes.end() - static_cast<std::ptrdiff_t>(spatial), window.axes.end());
  for (const WindowAxis& axis : taps->axes) taps->kernel.push_back(axis.kernel);
  const bool fixed = std::count(taps->in.begin(), taps->in.end(), ir::kDynamic) == 0;
  if (!fixed || Product(taps->out) > kMaxTaps / Product(taps->kernel)) {
    return MICRORT_ERROR(kUnsupported, "indices of maxima need images of a fixed size, and not a large one");
  }
  return Status();
}

// What comes before each image in the whole tensor: [N,C,1].
ir::ValueId ImageOffsets(NodeContext& c, int64_t image) {
  const ir::ValueId n = c.build.Reshape(PositionsAlong(c, c.input(0), 0), {kInferDim, 1, 1});
  const ir::ValueId channel = c.build.Reshape(PositionsAlong(c, c.input(0), 1), {1, kInferDim, 1});
  const ir::ValueId channels = c.build.Slice(c.build.ShapeOf(c.input(0)), 0, 1, 2);
  const ir::ValueId before =
      c.build.Binary(BinaryKind::Add, c.build.Binary(BinaryKind::Mul, n, channels), channel);
  return c.build.Binary(BinaryKind::Mul, before, c.build.Integers({image}));
}

}  // namespace

Status PoolIndices(NodeContext& c, const Window& window, bool column_major, ir::ValueId y,
                   ir::ValueId* indices) {
  Taps taps;
  MICRORT_RETURN_IF_ERROR(ReadTaps(c, window, y, &taps));
  MICRORT_RETURN_IF_ERROR(c.build.status());
  const Dims list = taps.List();
  int32_t windows = 0, kernel = 0;
  MICRORT_RETURN_IF_ERROR(ToInt32(Product(taps.out), "windows", &windows));
  MICRORT_RETURN_IF_ERROR(ToInt32(Product(taps.kernel), "kernel_shape", &kernel));

  const ir::ValueId images = c.build.Reshape(c.input(0), {CopyDim(0), CopyDim(1), kInferDim});
  const ir::ValueId seen = c.build.Reshape(c.build.Gather(images, c.build.Integers(list), 2),
                                           {CopyDim(0), CopyDim(1), windows, kernel});
  const ir::ValueId best = c.build.Reduce(schema::ReduceKind::ArgMax, seen, {3}, false);
  Dims first_taps;
  for (int64_t w = 0; w < windows; ++w) first_taps.push_back(w * kernel);
  const ir::ValueId tap = c.build.Binary(BinaryKind::Add, best, c.build.Integers(first_taps));
  const ir::ValueId table = c.build.Integers(column_major ? taps.ColumnMajor(list) : list);
  const ir::ValueId in_image = c.build.Gather(table, tap, 0);
  const ir::ValueId flat = c.build.Binary(BinaryKind::Add, in_image, ImageOffsets(c, Product(taps.in)));
  std::vector<int32_t> shape = {CopyDim(0), CopyDim(1)};
  for (const int64_t size : taps.out) shape.push_back(static_cast<int32_t>(size));
  *indices = c.build.Reshape(flat, shape);
  return c.build.status();
}

}  // namespace micrort::frontend::onnx
