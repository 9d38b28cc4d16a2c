#pragma once
// Pictures as network inputs.

#include <string>

#include "kernels/base/span.h"
#include "tools/io/array.h"

namespace micrort::io {

enum class Color { kRgb, kBgr, kGray };
// Stretch changes the aspect; letterbox keeps it and fills the rest with grey 114; crop keeps it and cuts the
// centre.
enum class ResizeFit { kStretch, kLetterbox, kCrop };

// value = (pixel - mean) * scale, pixels 0..255. One mean and scale, or one a channel.
struct Preprocess {
  std::vector<float> mean = {0.0f};
  std::vector<float> scale = {1.0f};
  Color color = Color::kRgb;
  ResizeFit fit = ResizeFit::kStretch;
  bool quantizes = false;  // the value is a real number, of which inputs of a scale take the integer

  bool is_default() const {
    const Preprocess other;
    return mean == other.mean && scale == other.scale && color == other.color && fit == other.fit;
  }
};

// What a picture must become. Layout is told from the shape: a dimension of 1 or 3 in second place is NCHW's
// channel, in last place NHWC's; H x W alone is a grey picture. Dynamic dimensions (-1) take the picture's
// size, and 1 for the batch.
struct ImageTarget {
  DType dtype = DType::kFloat32;
  std::vector<int64_t> shape;
};

// Decodes .png, .jpg or .bmp and makes the input. Resizing averages over the covered pixels (a triangle
// filter). Integer targets take the rounded, saturated value.
Status LoadImage(const std::string& what, Span<const uint8_t> bytes, const ImageTarget& target,
                 const Preprocess& preprocess, NamedArray* out);

}  // namespace micrort::io
