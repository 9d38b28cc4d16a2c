#include "converter/frontend/tensorflow/ops/image.h"

#include <algorithm>

namespace micrort::frontend::tensorflow {

namespace {

constexpr int64_t kMaxExtent = int64_t{1} << 24;

// SAME: ceil(size / stride) outputs; what this needs beyond the input is split in two, the larger half
// behind.
void KeepSize(int64_t size, int i, Window* w) {
  const int64_t outputs = (size + w->stride[i] - 1) / w->stride[i];
  const int64_t total = std::max<int64_t>((outputs - 1) * w->stride[i] + w->span(i) - size, 0);
  w->pad_begin[i] = static_cast<int32_t>(total / 2);
  w->pad_end[i] = static_cast<int32_t>(total - total / 2);
}

Status CheckWindow(const Window& w) {
  for (int i = 0; i < 2; ++i) {
    const int64_t parts[] = {w.kernel[i], w.stride[i], w.dilation[i], w.span(i)};
    for (const int64_t part : parts) {
      if (part >= 1 && part <= kMaxExtent) continue;
      return MICRORT_ERROR(kInvalidModel, "kernel %d, stride %d, dilation %d", w.kernel[i], w.stride[i],
                           w.dilation[i]);
    }
  }
  return Status();
}

Status ReadExplicitPads(const OpContext& c, Window* w) {
  const std::vector<int64_t> pads = c.Ints("explicit_paddings");
  const int first = IsChannelsFirst(c) ? 2 : 1;
  if (pads.size() != 8) {
    return MICRORT_ERROR(kInvalidModel, "explicit_paddings: expected 8 numbers, found %zu", pads.size());
  }
  for (int d = 0; d < 4; ++d) {
    for (int end = 0; end < 2; ++end) {
      const int64_t pad = pads[static_cast<size_t>(2 * d + end)];
      const bool is_spatial = d == first || d == first + 1;
      if (pad < 0 || pad > kMaxExtent || (!is_spatial && pad != 0)) {
        return MICRORT_ERROR(kInvalidModel, "explicit_paddings has %lld at dimension %d",
                             static_cast<long long>(pad), d);
      }
      if (is_spatial) (end == 0 ? w->pad_begin : w->pad_end)[d - first] = static_cast<int32_t>(pad);
    }
  }
  return Status();
}

}  // namespace

bool IsChannelsFirst(const OpContext& c) { return c.String("data_format", "NHWC").compare(0, 2, "NC") == 0; }

ir::ValueId ToNhwc(OpContext& c, ir::ValueId x) {
  return IsChannelsFirst(c) ? c.build.Transpose(x, {0, 2, 3, 1}) : x;
}

ir::ValueId FromNhwc(OpContext& c, ir::ValueId y) {
  return IsChannelsFirst(c) ? c.build.Transpose(y, {0, 3, 1, 2}) : y;
}

Status ReadSpatial(const OpContext& c, const char* attribute, int32_t (*out)[2]) {
  const std::vector<int64_t> list = c.Ints(attribute);
  if (list.empty()) return Status();
  if (list.size() != 4) {
    return MICRORT_ERROR(kInvalidModel, "%s: expected 4 numbers, found %zu", attribute, list.size());
  }
  const size_t first = IsChannelsFirst(c) ? 2 : 1, channels = IsChannelsFirst(c) ? 1 : 3;
  if (list[0] != 1 || list[channels] != 1) {
    return MICRORT_ERROR(kUnsupported, "%s over the batch or the channels", attribute);
  }
  for (size_t i = 0; i < 2; ++i) {
    const int64_t v = list[first + i];
    if (v < 1 || v > kMaxExtent) {
      return MICRORT_ERROR(kInvalidModel, "%s has %lld", attribute, static_cast<long long>(v));
    }
    (*out)[i] = static_cast<int32_t>(v);
  }
  return Status();
}

Status ReadWindow(OpContext& c, float fill, ir::ValueId* x, Window* window) {
  MICRORT_RETURN_IF_ERROR(ReadSpatial(c, "strides", &window->stride));
  MICRORT_RETURN_IF_ERROR(ReadSpatial(c, "dilations", &window->dilation));
  MICRORT_RETURN_IF_ERROR(CheckWindow(*window));
  const std::string padding = c.String("padding", "");
  if (padding == "VALID") return Status();
  if (padding == "EXPLICIT") return ReadExplicitPads(c, window);
  if (padding != "SAME") return MICRORT_ERROR(kInvalidModel, "padding '%.20s'", padding.c_str());
  MICRORT_RETURN_IF_ERROR(c.build.status());
  bool is_fixed = true;
  for (int i = 0; i < 2; ++i) {
    const int64_t size = c.value(*x).dim(static_cast<size_t>(1 + i));
    // With a stride of 1 the pads do not depend on the size.
    is_fixed &= size != ir::kDynamic || window->stride[i] == 1;
    KeepSize(size == ir::kDynamic ? kMaxExtent : size, i, window);
  }
  if (is_fixed) return Status();
  for (int i = 0; i < 2; ++i) window->pad_begin[i] = window->pad_end[i] = 0;
  *x = PadSame(c.build, *x, window->strides(), fill);
  return Status();
}

}  // namespace micrort::frontend::tensorflow
