#pragma once
// Pictures, as the examples need them.

#include <micrort/micrort.h>

#include <cstdint>
#include <string>
#include <vector>

namespace examples {

// 8 bits a channel, height x width x channels, rows from the top.
struct Picture {
  int width = 0, height = 0, channels = 0;
  std::vector<uint8_t> pixels;

  uint8_t* at(int x, int y) { return pixels.data() + (static_cast<size_t>(y) * width + x) * channels; }
  const uint8_t* at(int x, int y) const { return const_cast<Picture*>(this)->at(x, y); }
};

// In pixels, from the upper left corner.
struct Box {
  int x = 0, y = 0, width = 0, height = 0;
};

// A .png, .jpg or .bmp file, as grey (1 channel) or RGB (3).
micrort::Result<Picture> ReadPicture(const std::string& path, int channels);

micrort::Status WritePng(const std::string& path, const Picture& picture);

// The pixels inside `box`, which must lie in the picture, resized: bilinear with half-pixel centres, no
// smoothing before, rounded to 8 bits.
Picture ResizedCrop(const Picture& picture, const Box& box, int width, int height);

}  // namespace examples
