#include "converter/frontend/tensorflow/ops/image.h"

namespace micrort::frontend::tensorflow {

namespace {

Status ReadExplicitPads(const OpContext& c, Window* w) {
  const std::vector<int64_t> pads = c.Ints("explicit_paddings");
  const int first = IsChannelsFirst(c) ? 2 : 1;
  if (pads.size() != 8) return Invalid("explicit_paddings: expected 8 numbers, found {}", pads.size());
  for (int d = 0; d < 4; ++d) {
    for (int end = 0; end < 2; ++end) {
      const int64_t pad = pads[static_cast<size_t>(2 * d + end)];
      const bool is_spatial = d == first || d == first + 1;
      if (pad < 0 || pad > kMaxExtent || (!is_spatial && pad != 0))
        return Invalid("explicit_paddings has {} at dimension {}", pad, d);
      if (!is_spatial) continue;
      WindowAxis& axis = d == first ? w->height() : w->width();
      (end == 0 ? axis.pad_begin : axis.pad_end) = pad;
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

Status ReadSpatial(const OpContext& c, const char* attribute, int64_t WindowAxis::*field, Window* out) {
  return SetSpatial(c, attribute, c.Ints(attribute), field, out);
}

Status SetSpatial(const OpContext& c, const char* attribute, const std::vector<int64_t>& list,
                  int64_t WindowAxis::*field, Window* out) {
  if (list.empty()) return Status();
  if (list.size() != 4) return Invalid("{}: expected 4 numbers, found {}", attribute, list.size());
  const size_t first = IsChannelsFirst(c) ? 2 : 1, channels = IsChannelsFirst(c) ? 1 : 3;
  if (list[0] != 1 || list[channels] != 1) return Unsupported("{} over the batch or the channels", attribute);
  for (size_t i = 0; i < 2; ++i) {
    const int64_t v = list[first + i];
    if (v < 1 || v > kMaxExtent) return Invalid("{} has {}", attribute, v);
    out->axes[i].*field = v;
  }
  return Status();
}

Status ReadWindow(OpContext& c, float fill, ir::ValueId* x, Window* window) {
  MICRORT_RETURN_IF_ERROR(ReadSpatial(c, "strides", &WindowAxis::stride, window));
  MICRORT_RETURN_IF_ERROR(ReadSpatial(c, "dilations", &WindowAxis::dilation, window));
  for (const WindowAxis& axis : window->axes) MICRORT_RETURN_IF_ERROR(CheckWindow(axis, kMaxExtent));
  const std::string padding = c.String("padding", "");
  if (padding == "VALID") return Status();
  if (padding == "EXPLICIT") return ReadExplicitPads(c, window);
  if (padding != "SAME") return MICRORT_ERROR(kInvalidModel, "padding '%.20s'", padding.c_str());
  MICRORT_RETURN_IF_ERROR(c.build.status());
  return KeepImageSize(c.build, fill, x, window);
}

}  // namespace micrort::frontend::tensorflow
