#include "converter/frontend/onnx/ops/image.h"

#include <algorithm>

#include "converter/frontend/onnx/ops/reshape.h"

namespace micrort::frontend::onnx {

namespace {

// Sets a field of the last axes from a list of one entry a spatial dimension; leaves it where the list is
// empty.
Status CopyList(const std::vector<int64_t>& list, size_t spatial, int64_t low, const char* what,
                int64_t WindowAxis::*field, Window* to) {
  if (list.empty()) return Status();
  if (list.size() != spatial) return Invalid("{}: expected {} entries, found {}", what, spatial, list.size());
  for (size_t i = 0; i < spatial; ++i) {
    if (list[i] < low || list[i] > kMaxExtent)
      return Invalid("{}: {} is outside [{}, {}]", what, list[i], low, kMaxExtent);
    to->axes[to->spatial() - spatial + i].*field = list[i];
  }
  return Status();
}

// ONNX lists all begins, then all ends.
Status CopyPads(const std::vector<int64_t>& pads, size_t spatial, Window* out) {
  if (pads.empty()) return Status();
  if (pads.size() != 2 * spatial)
    return Invalid("pads: expected {} entries, found {}", 2 * spatial, pads.size());
  const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(spatial);
  MICRORT_RETURN_IF_ERROR(CopyList({pads.begin(), middle}, spatial, 0, "pads", &WindowAxis::pad_begin, out));
  return CopyList({middle, pads.end()}, spatial, 0, "pads", &WindowAxis::pad_end, out);
}

// Puts a Pad before the window, which then has no pads.
Status PadToDynamicSize(NodeContext& c, float fill, bool upper, Window* window) {
  const int rank = c.x().rank();
  const ir::ValueId padded = PadSame(c.build, ToNhwc(c.build, c.input(0), rank), *window, fill, upper);
  for (WindowAxis& axis : window->axes) axis.pad_begin = axis.pad_end = 0;
  c.ReplaceInput(0, FromNhwc(c.build, padded, rank));
  return c.build.status();
}

}  // namespace

Status CheckImageRank(const ir::Value& x) {
  return x.rank() >= 3 ? Status() : Invalid("input of {} dimensions: expected 3 or more", x.rank());
}

Status ReadWindow(NodeContext& c, const std::vector<int64_t>& kernel, Window* out) {
  const auto spatial = static_cast<size_t>(c.x().rank() - 2);
  const std::vector<int64_t> declared = c.Ints("kernel_shape", kernel);
  if (declared.empty()) return Invalid("kernel_shape is missing");
  if (!kernel.empty() && declared != kernel)
    return Invalid("kernel_shape differs from the shape of the weights");
  out->axes.assign(std::max<size_t>(spatial, 2), WindowAxis());
  MICRORT_RETURN_IF_ERROR(CopyList(declared, spatial, 1, "kernel_shape", &WindowAxis::kernel, out));
  MICRORT_RETURN_IF_ERROR(CopyList(c.Ints("strides"), spatial, 1, "strides", &WindowAxis::stride, out));
  MICRORT_RETURN_IF_ERROR(CopyList(c.Ints("dilations"), spatial, 1, "dilations", &WindowAxis::dilation, out));
  return CopyPads(c.Ints("pads"), spatial, out);
}

Status ApplyAutoPad(NodeContext& c, float fill, Window* window) {
  const std::string mode = c.String("auto_pad", "NOTSET");
  if (mode == "NOTSET" || mode.empty()) return Status();
  const bool upper = mode == "SAME_UPPER";
  if (!upper && mode != "SAME_LOWER" && mode != "VALID") return Invalid("auto_pad '{}'", mode);
  const size_t spatial = c.x().shape.size() - 2;
  bool depends_on_size = false;
  for (size_t i = 0; i < spatial; ++i) {
    WindowAxis& axis = window->axes[window->spatial() - spatial + i];
    axis.pad_begin = axis.pad_end = 0;
    if (mode == "VALID") continue;
    const int64_t size = c.x().shape[2 + i];
    depends_on_size |= PadsDependOn(size, axis);
    MICRORT_RETURN_IF_ERROR(KeepSize(size, &axis, upper));
  }
  return depends_on_size ? PadToDynamicSize(c, fill, upper, window) : Status();
}

ir::ValueId ToPlanes(NodeContext& c, ir::ValueId x) {
  const int rank = c.value(x).rank();
  if (rank <= 4) return x;
  return ReshapeTo(c, x, {{x, 0, rank - 3}, OneDim(x, rank - 3), OneDim(x, rank - 2), OneDim(x, rank - 1)});
}

ir::ValueId FromPlanes(NodeContext& c, ir::ValueId planes, ir::ValueId like) {
  const int rank = c.value(like).rank();
  if (rank <= 4) return planes;
  std::vector<DimRange> dims;
  for (int i = 0; i < rank - 3; ++i) dims.push_back(OneDim(like, i));
  for (int i = 1; i < 4; ++i) dims.push_back(OneDim(planes, i));
  return ReshapeTo(c, planes, dims);
}

Status CheckVolume(const Window& window, bool is_transposed) {
  constexpr int64_t kMost = 1 << 12;
  int64_t count = 1;
  for (size_t i = 0; i + 2 < window.spatial(); ++i) {
    count *= is_transposed ? std::max(window.axes[i].kernel, window.axes[i].stride) : window.axes[i].kernel;
    if (count > kMost)
      return Unsupported("more than {} taps{} before the last two dimensions", kMost,
                         is_transposed ? " or strides" : "");
  }
  return Status();
}

bool NextTap(const Window& window, std::vector<int32_t>* taps) {
  for (size_t i = taps->size(); i-- > 0;) {
    if (++(*taps)[i] < window.axes[i].kernel) return true;
    (*taps)[i] = 0;
  }
  return false;
}

ir::ValueId PlaneWeights(NodeContext& c, ir::ValueId weights, const std::vector<int32_t>& taps) {
  if (taps.empty()) return weights;
  schema::SliceOptionsT slice;
  for (size_t i = 0; i < taps.size(); ++i) {
    ir::AddRange(static_cast<int32_t>(2 + i), taps[i], taps[i] + 1, 1, &slice);
  }
  const auto plane = static_cast<int32_t>(2 + taps.size());
  return c.build.Reshape(c.build.Add(std::move(slice), {weights}),
                         {CopyDim(0), CopyDim(1), CopyDim(plane), CopyDim(plane + 1)});
}

Result<ConvWeights> ReadWeights(const NodeContext& c) {
  ConvWeights out;
  const ir::Value& w = c.x(1);
  MICRORT_RETURN_IF_ERROR(CheckImageRank(c.x()));
  if (w.rank() != c.x().rank())
    return Invalid("weights: expected {} dimensions, found {}", c.x().rank(), w.rank());
  if (!w.is_static()) return Unsupported("weights whose shape is not fixed");
  out.first = w.shape[0];
  out.second = w.shape[1];
  out.kernel.assign(w.shape.begin() + 2, w.shape.end());
  return out;
}

Status ReadGroups(NodeContext& c, int64_t outputs, int64_t in_channels, int32_t* groups) {
  const int64_t g = c.Int("group", 1);
  MICRORT_ASSIGN_OR_RETURN(*groups, ToInt32(g, "group"));
  if (g < 1 || outputs % g != 0 || (in_channels != ir::kDynamic && in_channels % g != 0))
    return Invalid("{} groups of {} input and {} output channels", g, in_channels, outputs);
  return Status();
}

ir::ValueId LiftKernel(NodeContext& c, ir::ValueId w) {
  return c.value(w).rank() == 3 ? c.build.Reshape(w, {-2, -3, 1, -4}) : w;
}

}  // namespace micrort::frontend::onnx
