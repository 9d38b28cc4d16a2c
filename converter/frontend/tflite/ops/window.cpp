#include "converter/frontend/tflite/ops/window.h"

#include "converter/frontend/tflite/quantized_values.h"

namespace micrort::frontend::tflite {

namespace {

Status CheckPadding(fb::Padding padding) {
  if (padding == fb::Padding::Valid || padding == fb::Padding::Same) return Status();
  return Invalid("padding {}", static_cast<int>(padding));
}

}  // namespace

Status SettlePadding(fb::Padding padding, int64_t size, WindowAxis* axis) {
  MICRORT_RETURN_IF_ERROR(CheckWindow(*axis));
  MICRORT_RETURN_IF_ERROR(CheckPadding(padding));
  if (padding == fb::Padding::Valid) return Status();
  if (!PadsDependOn(size, *axis)) return KeepSize(size, axis);
  return Unsupported("padding SAME with stride {} over a size that is not fixed; give one with --input-shape",
                     axis->stride);
}

Status SettlePadding(fb::Padding padding, const ir::Value& x, Window* window) {
  MICRORT_RETURN_IF_ERROR(SettlePadding(padding, x.shape[1], &window->height()));
  return SettlePadding(padding, x.shape[2], &window->width());
}

Status SettlePadding(OpContext& c, fb::Padding padding, float fill, ir::ValueId* x, Window* window) {
  for (const WindowAxis& axis : window->axes) MICRORT_RETURN_IF_ERROR(CheckWindow(axis));
  MICRORT_RETURN_IF_ERROR(CheckPadding(padding));
  if (padding == fb::Padding::Valid) return Status();
  const ir::ValueId image = *x;
  MICRORT_RETURN_IF_ERROR(KeepImageSize(c.build, fill, x, window));
  if (*x == image) return Status();
  const StoredForm form = StoredForm::Of(c.value(c.stored(0)));
  *x = form.Real(form.Stored(*x, c.build), c.build);
  return c.build.status();
}

Status SettleTransposedPadding(fb::Padding padding, int64_t size, int64_t wanted, WindowAxis* axis,
                               int32_t* output_pad) {
  MICRORT_RETURN_IF_ERROR(CheckWindow(*axis));
  if (size == ir::kDynamic) return Unsupported("an image whose size is not fixed");
  return CutToSize(size, wanted, padding == fb::Padding::Same, axis, output_pad);
}

}  // namespace micrort::frontend::tflite
