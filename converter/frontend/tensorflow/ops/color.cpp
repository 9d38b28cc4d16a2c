// Colours of images: contrast, hue and saturation.

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

Status ReturnColors(OpContext& c, const char* op) {
  if (c.rank() < 1 || c.x().shape.back() != 3) return Invalid("expected three channels");
  return ReturnComposed(c, op, c.inputs());
}

Status ImportAdjustContrast(OpContext& c) {
  if (c.rank() < 3) return Invalid("images of {} dimensions", c.rank());
  return ReturnComposed(c, "__adjust_contrast", c.inputs());
}

}  // namespace

const ImporterList ColorOps = {
    {"AdjustContrastv2", 2, 2, ImportAdjustContrast},
    {"AdjustHue", 2, 2, [](OpContext& c) { return ReturnColors(c, "__adjust_hue"); }},
    {"AdjustSaturation", 2, 2, [](OpContext& c) { return ReturnColors(c, "__adjust_saturation"); }},
    {"HSVToRGB", 1, 1, [](OpContext& c) { return ReturnColors(c, "__hsv_to_rgb"); }},
    {"RGBToHSV", 1, 1, [](OpContext& c) { return ReturnColors(c, "__rgb_to_hsv"); }},
};

}  // namespace micrort::frontend::tensorflow
