// Windows of a tensor side by side, and elements rearranged.

#include <algorithm>
#include <limits>
#include <utility>

#include "converter/frontend/common/axes.h"
#include "converter/frontend/torchscript/ops/picked_view.h"
#include "converter/frontend/torchscript/registry.h"
#include "kernels/base/checked_math.h"

namespace micrort::frontend::torchscript {

namespace {

using Ids = std::vector<ir::ValueId>;

// Positions of `count` windows of `size` elements, [size, count], from one with this step.
ir::ValueId WindowPositions(OpContext& c, int64_t size, int64_t count, int64_t dilation, int64_t stride) {
  if (size < 1 || count < 1 || size > ir::kMaxMade / count) {
    c.Fail(Unsupported("{} windows of {} elements", count, size));
    return c.Integers({0});
  }
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < size; ++i) {
    for (int64_t k = 0; k < count; ++k) positions.push_back(i * dilation + k * stride);
  }
  return c.build.Constant({size, count}, positions);
}

// (self, dimension, size, step): windows become the last dimension
void ImportUnfold(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int rank = c.rank(x), axis = c.Axis(1, rank, 0);
  const int64_t size = c.Int(2, 1), step = c.Int(3, 1), length = c.FixedDim(x, axis);
  if (size < 1 || step < 1 || size > length)
    return c.Fail(Invalid("windows of {}, {} apart, in {} elements", size, step, length));
  const ir::ValueId positions = WindowPositions(c, size, (length - size) / step + 1, 1, step);
  std::vector<int32_t> order = ir::OtherAxes(rank + 1, {axis});
  order.push_back(axis);
  ReturnPicked(c, x,
               [&](ir::ValueId id) { return c.build.Transpose(c.build.Gather(id, positions, axis), order); });
}

// The positions of elements at such distances; empty, and an error, where one is none of so many elements.
std::vector<int64_t> StridedPositions(OpContext& c, const std::vector<int64_t>& sizes,
                                      const std::vector<int64_t>& strides, int64_t offset, int64_t elements) {
  std::vector<int64_t> positions = {offset};
  for (size_t d = 0; d < sizes.size(); ++d) {
    const std::vector<int64_t> starts = std::exchange(positions, {});
    for (const int64_t start : starts) {
      for (int64_t i = 0; i < sizes[d]; ++i) {
        int64_t at = 0;
        const bool is_beyond = __builtin_mul_overflow(i, strides[d], &at) ||
                               __builtin_add_overflow(at, start, &at) || at < 0 || at >= elements;
        if (is_beyond || static_cast<int64_t>(positions.size()) >= ir::kMaxMade) {
          c.Fail(Invalid("positions beyond a tensor of {} elements", elements));
          return {};
        }
        positions.push_back(at);
      }
    }
  }
  return positions;
}

// (self, size, stride, storage_offset)
void ImportAsStrided(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const std::vector<int64_t> sizes = c.Ints(1), strides = c.Ints(2);
  if (!c.status().ok()) return;
  if (IsSpread(c) || MayBeReordered(c) || !c.value(x).is_static() || sizes.size() != strides.size())
    return c.Fail(Unsupported("a part of another tensor, or one of open sizes"));
  const std::vector<int64_t> positions =
      StridedPositions(c, sizes, strides, c.Int(3, 0), c.value(x).elements());
  if (!c.status().ok()) return;
  ReturnPicked(c, x, [&](ir::ValueId id) {
    return c.build.Gather(c.build.Reshape(id, {ir::kInferDim}), c.build.Constant(sizes, positions), 0);
  });
}

// (self, kernel_size, dilation, padding, stride): a column for each place of the window in an image
void ImportIm2Col(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  const std::vector<int64_t> kernel = c.IntsFor(1, 2, 1), dilation = c.IntsFor(2, 2, 1);
  const std::vector<int64_t> pads = c.IntsFor(3, 2, 0), stride = c.IntsFor(4, 2, 1);
  if (c.rank(x) != 4) return c.Fail(Unsupported("a tensor of {} dimensions", c.rank(x)));
  for (const std::vector<int64_t>& sides : {kernel, dilation, stride}) {
    if (sides[0] < 1 || sides[1] < 1 || sides[0] > ir::kMaxMade || sides[1] > ir::kMaxMade)
      return c.Fail(Unsupported("a kernel, dilation or stride of {}x{}", sides[0], sides[1]));
  }
  if (pads[0] != 0 || pads[1] != 0)
    x = c.Onnx("Pad", {x, c.Integers({0, 0, pads[0], pads[1], 0, 0, pads[0], pads[1]})});
  int64_t elements = 0;  // of a window
  int32_t channels = 0;
  if (!CheckedMul(c.FixedDim(x, 1), kernel[0] * kernel[1], &elements))
    elements = std::numeric_limits<int64_t>::max();
  if (const Status s = Take(ToInt32(elements, "elements of a window"), &channels); !s.ok()) return c.Fail(s);
  for (int i = 0; i < 2; ++i) {  // [N, C, kh, oh, kw, ow]
    const auto k = static_cast<size_t>(i);
    const int axis = 2 + 2 * i;
    const int64_t count = (c.FixedDim(x, axis) - dilation[k] * (kernel[k] - 1) - 1) / stride[k] + 1;
    x = c.build.Gather(x, WindowPositions(c, kernel[k], count, dilation[k], stride[k]), axis);
    if (!c.status().ok()) return;
  }
  c.Return(
      c.build.Reshape(c.build.Transpose(x, {0, 1, 2, 4, 3, 5}), {ir::CopyDim(0), channels, ir::kInferDim}));
}

// (self, output_size, kernel_size, dilation, padding, stride): the sum of the columns back in an image
void ImportCol2Im(OpContext& c) {
  const std::vector<int64_t> pads = c.IntsFor(4, 2, 0);
  c.Return(c.Onnx("Col2Im", {c.TensorAt(0), c.Integers(c.IntsFor(1, 2, 1)), c.Integers(c.IntsFor(2, 2, 1))},
                  {{"dilations", c.IntsFor(3, 2, 1)},
                   {"pads", std::vector<int64_t>{pads[0], pads[1], pads[0], pads[1]}},
                   {"strides", c.IntsFor(5, 2, 1)}}));
}

ir::ValueId Flipped(OpContext& c, ir::ValueId x, int axis) {
  const int64_t begin = std::numeric_limits<int64_t>::min();
  return c.Onnx("Slice", {x, c.Integers({-1}), c.Integers({begin}), c.Integers({axis}), c.Integers({-1})});
}

void ImportFlipUd(OpContext& c) { c.Return(Flipped(c, c.TensorAt(0), 0)); }
void ImportFlipLr(OpContext& c) { c.Return(Flipped(c, c.TensorAt(0), 1)); }

// (self, k, dims): quarter turns from the first dimension to the second
void ImportRot90(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int rank = c.rank(x);
  const std::vector<int64_t> dims = c.Ints(2, {0, 1});
  if (dims.size() != 2) return c.Fail(Invalid("{} dimensions", dims.size()));
  const int from = c.AxisOf(dims[0], rank), to = c.AxisOf(dims[1], rank);
  const int64_t turns = (c.Int(1, 1) % 4 + 4) % 4;
  std::vector<int32_t> swapped;
  for (int i = 0; i < rank; ++i) swapped.push_back(i == from ? to : i == to ? from : i);
  if (turns == 0) return c.ReturnValue(c.arg(0));
  if (turns == 2) return c.Return(Flipped(c, Flipped(c, x, from), to));
  c.Return(turns == 1 ? c.build.Transpose(Flipped(c, x, to), swapped)
                      : Flipped(c, c.build.Transpose(x, swapped), to));
}

// (self, n, dim, prepend, append): differences between neighbours, n times
void ImportDiff(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(2, c.rank(x), -1);
  if (c.Int(1, 1) == 0) return c.Return(x);
  Ids parts;
  if (c.Has(3)) parts.push_back(c.CastTo(c.TensorAt(3), c.dtype(x)));
  parts.push_back(x);
  if (c.Has(4)) parts.push_back(c.CastTo(c.TensorAt(4), c.dtype(x)));
  if (parts.size() > 1) x = c.build.Concat(parts, axis);
  const int64_t times = c.Int(1, 1), end = std::numeric_limits<int64_t>::max();
  const int64_t size = c.FixedDim(x, axis);
  constexpr int64_t kMaxTimes = 1 << 10;
  if (times < 0 || times > std::min(size, kMaxTimes))
    return c.Fail(Unsupported("{} times differences of {} elements", times, size));
  for (int64_t i = 0; i < times; ++i)
    x = c.Onnx("Sub", {c.build.Slice(x, axis, 1, end), c.build.Slice(x, axis, 0, -1)});
  c.Return(x);
}

struct Range {
  int64_t start, end, step;
};

// Slices of x at these positions become those of the part.
ir::ValueId WithEvery(OpContext& c, ir::ValueId x, ir::ValueId part, int axis, const Range& range) {
  const int64_t between = range.end - range.start, count = between > 0 ? (between - 1) / range.step + 1 : 0;
  if (c.FixedDim(part, axis) != count) {
    c.Fail(Invalid("{} elements for {} place{}", c.dim(part, axis), count, count == 1 ? "" : "s"));
    return x;
  }
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < count; ++i) positions.push_back(range.start + i * range.step);
  const ir::ValueId index =
      c.Onnx("Expand", {c.build.Along(c.Integers(positions), axis, c.rank(x)), c.build.ShapeOf(part)});
  return c.Onnx("ScatterElements", {x, index, part}, {{"axis", int64_t{axis}}});
}

// (self, src, dim, start, end, step)
void ImportSliceScatter(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0), part = c.CastTo(c.TensorAt(1), c.dtype(x));
  const int axis = c.Axis(2, c.rank(x), 0);
  const int64_t size = c.FixedDim(x, axis);
  const auto bounded = [&](int64_t v) { return std::clamp<int64_t>(v < 0 ? v + size : v, 0, size); };
  const int64_t start = bounded(c.Int(3, 0)), end = bounded(c.Int(4, size));
  const int64_t step = c.Int(5, 1);
  if (step < 1) return c.Fail(Invalid("a step of {}", step));
  if (step > 1) return c.Return(WithEvery(c, x, part, axis, {start, end, step}));
  Ids parts;
  if (start > 0) parts.push_back(c.build.Slice(x, axis, 0, start));
  parts.push_back(part);
  if (end < size) parts.push_back(c.build.Slice(x, axis, std::max(start, end), size));
  c.Return(parts.size() == 1 ? part : c.build.Concat(parts, axis));
}

// (self, src, dim, index)
void ImportSelectScatter(OpContext& c) {
  const ir::ValueId x = c.TensorAt(0);
  const int axis = c.Axis(2, c.rank(x), 0);
  const int64_t size = c.FixedDim(x, axis), given = c.Int(3, 0), index = given < 0 ? given + size : given;
  if (index < 0 || index >= size) return c.Fail(Invalid("element {} of {}", given, size));
  const ir::ValueId part = c.Onnx("Unsqueeze", {c.CastTo(c.TensorAt(1), c.dtype(x)), c.Integers({axis})});
  Ids parts;
  if (index > 0) parts.push_back(c.build.Slice(x, axis, 0, index));
  parts.push_back(part);
  if (index + 1 < size) parts.push_back(c.build.Slice(x, axis, index + 1, size));
  c.Return(parts.size() == 1 ? part : c.build.Concat(parts, axis));
}

}  // namespace

const ImporterList WindowOps = {
    {"as_strided", "self size stride storage_offset", ImportAsStrided,
     "sizes that a run decides, parts of other tensors"},
    {"col2im", "self output_size kernel_size dilation padding stride", ImportCol2Im},
    {"diff", "self n dim prepend append", ImportDiff},
    {"fliplr", "self", ImportFlipLr},
    {"flipud", "self", ImportFlipUd},
    {"im2col", "self kernel_size dilation padding stride", ImportIm2Col},
    {"rot90", "self k dims", ImportRot90},
    {"select_scatter", "self src dim index", ImportSelectScatter},
    {"slice_scatter", "self src dim start end step", ImportSliceScatter},
    {"unfold", "self dimension size step", ImportUnfold},
};

}  // namespace micrort::frontend::torchscript
