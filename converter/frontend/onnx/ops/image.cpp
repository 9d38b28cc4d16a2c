#include "converter/frontend/onnx/ops/image.h"

#include <algorithm>

namespace micrort::frontend {

namespace {

constexpr int64_t kMaxExtent = int64_t{1} << 24;  // of strides, pads ...: sums and products of two fit int64

// Sets to[] from a list of one entry a spatial dimension; leaves it where the list is empty.
Status CopyList(const std::vector<int64_t>& list, size_t spatial, int64_t low, const char* what,
                int32_t* to) {
  if (list.empty()) return Status();
  if (list.size() != spatial) {
    return MICRORT_ERROR(kInvalidModel, "%s: expected %zu entries, found %zu", what, spatial, list.size());
  }
  for (size_t i = 0; i < spatial; ++i) {
    if (list[i] < low || list[i] > kMaxExtent) {
      return MICRORT_ERROR(kInvalidModel, "%s: %lld is outside [%lld, %lld]", what,
                           static_cast<long long>(list[i]), static_cast<long long>(low),
                           static_cast<long long>(kMaxExtent));
    }
    to[2 - spatial + i] = static_cast<int32_t>(list[i]);
  }
  return Status();
}

// ONNX lists all begins, then all ends.
Status CopyPads(const std::vector<int64_t>& pads, size_t spatial, Window* out) {
  if (pads.empty()) return Status();
  if (pads.size() != 2 * spatial) {
    return MICRORT_ERROR(kInvalidModel, "pads: expected %zu entries, found %zu", 2 * spatial, pads.size());
  }
  const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(spatial);
  MICRORT_RETURN_IF_ERROR(CopyList({pads.begin(), middle}, spatial, 0, "pads", out->pad_begin));
  return CopyList({middle, pads.end()}, spatial, 0, "pads", out->pad_end);
}

}  // namespace

Status CheckImageRank(const ir::Value& x) {
  if (x.rank() == 3 || x.rank() == 4) return Status();
  return MICRORT_ERROR(kUnsupported, "input of %d dimensions: expected 3 or 4", x.rank());
}

ir::ValueId ToNhwc(NodeContext& c, ir::ValueId x, int rank) {
  if (rank == 3) x = c.build.Reshape(x, {-2, -3, 1, -4});
  return c.build.Transpose(x, {0, 2, 3, 1});
}

ir::ValueId FromNhwc(NodeContext& c, ir::ValueId y, int rank) {
  y = c.build.Transpose(y, {0, 3, 1, 2});
  return rank == 3 ? c.build.Reshape(y, {-2, -3, -5}) : y;
}

Status ReadWindow(NodeContext& c, const std::vector<int64_t>& kernel, Window* out) {
  const auto spatial = static_cast<size_t>(c.x().rank() - 2);
  const std::vector<int64_t> declared = c.Ints("kernel_shape", kernel);
  if (declared.empty()) return MICRORT_ERROR(kInvalidModel, "kernel_shape is missing");
  if (!kernel.empty() && declared != kernel) {
    return MICRORT_ERROR(kInvalidModel, "kernel_shape differs from the shape of the weights");
  }
  MICRORT_RETURN_IF_ERROR(CopyList(declared, spatial, 1, "kernel_shape", out->kernel));
  MICRORT_RETURN_IF_ERROR(CopyList(c.Ints("strides"), spatial, 1, "strides", out->stride));
  MICRORT_RETURN_IF_ERROR(CopyList(c.Ints("dilations"), spatial, 1, "dilations", out->dilation));
  return CopyPads(c.Ints("pads"), spatial, out);
}

Status ApplyAutoPad(NodeContext& c, Window* window) {
  const std::string mode = c.String("auto_pad", "NOTSET");
  if (mode == "NOTSET" || mode.empty()) return Status();
  const bool upper = mode == "SAME_UPPER";
  if (!upper && mode != "SAME_LOWER" && mode != "VALID") {
    return MICRORT_ERROR(kInvalidModel, "auto_pad '%s'", mode.c_str());
  }
  const int rank = c.x().rank();
  for (int i = 4 - rank; i < 2; ++i) {
    window->pad_begin[i] = window->pad_end[i] = 0;
    if (mode == "VALID") continue;
    const int64_t size = c.x().shape[static_cast<size_t>(rank - 2 + i)];
    const int64_t stride = window->stride[i];
    if (size == ir::kDynamic && stride != 1) {
      return MICRORT_ERROR(kUnsupported,
                           "auto_pad %s with strides needs a fixed size; give one with --input-shape",
                           mode.c_str());
    }
    // With stride 1 the padding does not depend on the size.
    const int64_t covered = stride == 1
                                ? window->span(i) - 1
                                : ((size + stride - 1) / stride - 1) * stride + window->span(i) - size;
    const int64_t total = std::max<int64_t>(covered, 0);
    const int64_t smaller = total / 2;
    window->pad_begin[i] = static_cast<int32_t>(upper ? smaller : total - smaller);
    window->pad_end[i] = static_cast<int32_t>(upper ? total - smaller : smaller);
  }
  return Status();
}

}  // namespace micrort::frontend
