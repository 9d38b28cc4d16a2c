#include "converter/frontend/tflite/ops/window.h"

#include <algorithm>
#include <limits>

#include "converter/frontend/tflite/quantized_values.h"

namespace micrort::frontend::tflite {

namespace {

Status CheckWindow(const WindowAxis& axis) {
  constexpr int64_t kLargest = std::numeric_limits<int32_t>::max() / 4;
  if (axis.kernel < 1 || axis.stride < 1 || axis.dilation < 1 || axis.stride > kLargest ||
      axis.kernel > kLargest || axis.dilation > kLargest / axis.kernel) {
    return MICRORT_ERROR(kInvalidModel, "a window of %lld, stride %lld, dilation %lld",
                         static_cast<long long>(axis.kernel), static_cast<long long>(axis.stride),
                         static_cast<long long>(axis.dilation));
  }
  return Status();
}

}  // namespace

Status SettlePadding(fb::Padding padding, int64_t size, WindowAxis* axis) {
  MICRORT_RETURN_IF_ERROR(CheckWindow(*axis));
  if (padding == fb::Padding::Valid) return Status();
  if (padding != fb::Padding::Same)
    return MICRORT_ERROR(kInvalidModel, "padding %d", static_cast<int>(padding));
  int64_t total = axis->span() - 1;
  if (axis->stride > 1) {
    if (size == ir::kDynamic) {
      return MICRORT_ERROR(
          kUnsupported,
          "padding SAME with stride %lld over a size that is not fixed; give one with --input-shape",
          static_cast<long long>(axis->stride));
    }
    const int64_t out = (size + axis->stride - 1) / axis->stride;
    total = std::max<int64_t>((out - 1) * axis->stride + axis->span() - size, 0);
  }
  axis->pad_begin = static_cast<int32_t>(total / 2);
  axis->pad_end = static_cast<int32_t>(total - total / 2);
  return Status();
}

Status SettlePadding(fb::Padding padding, const ir::Value& x, Window* window) {
  MICRORT_RETURN_IF_ERROR(SettlePadding(padding, x.shape[1], &window->h));
  return SettlePadding(padding, x.shape[2], &window->w);
}

Status SettlePadding(OpContext& c, fb::Padding padding, float fill, ir::ValueId* x, Window* window) {
  const auto depends_on_size = [&](int64_t size, const WindowAxis& axis) {
    return padding == fb::Padding::Same && size == ir::kDynamic && axis.stride > 1;
  };
  const std::vector<int64_t> shape = c.value(*x).shape;
  if (!depends_on_size(shape[1], window->h) && !depends_on_size(shape[2], window->w))
    return SettlePadding(padding, c.value(*x), window);
  MICRORT_RETURN_IF_ERROR(CheckWindow(window->h));
  MICRORT_RETURN_IF_ERROR(CheckWindow(window->w));
  const StoredForm form = StoredForm::Of(c.value(c.stored(0)));
  *x = form.Real(form.Stored(PadSame(c.build, *x, window->strides(), fill), c.build), c.build);
  return c.build.status();
}

Status SettleTransposedPadding(fb::Padding padding, int64_t size, int64_t wanted, WindowAxis* axis,
                               int32_t* output_pad) {
  MICRORT_RETURN_IF_ERROR(SettlePadding(fb::Padding::Valid, size, axis));
  if (size == ir::kDynamic) return MICRORT_ERROR(kUnsupported, "an image whose size is not fixed");
  int32_t from = 0, to = 0;
  MICRORT_RETURN_IF_ERROR(ToInt32(size, "size of the image", &from));
  MICRORT_RETURN_IF_ERROR(ToInt32(wanted, "size of the output", &to));
  const int64_t excess = (int64_t{from} - 1) * axis->stride + axis->span() - to;
  const int64_t begin = padding == fb::Padding::Same ? std::max<int64_t>(excess, 0) / 2 : 0;
  MICRORT_RETURN_IF_ERROR(ToInt32(begin, "padding", &axis->pad_begin));
  MICRORT_RETURN_IF_ERROR(ToInt32(std::max<int64_t>(excess - begin, 0), "padding", &axis->pad_end));
  return ToInt32(std::max<int64_t>(-excess, 0), "padding of the output", output_pad);
}

}  // namespace micrort::frontend::tflite
