#pragma once
// Pictures as files in memory.

#include <cstdint>
#include <vector>

#include "stb/stb_image_write.h"

namespace micrort::testing {

// `pixels`: height x width x channels.
inline std::vector<uint8_t> PngFile(int width, int height, int channels, const std::vector<uint8_t>& pixels) {
  std::vector<uint8_t> file;
  const auto append = [](void* context, void* data, int size) {
    const auto* bytes = static_cast<const uint8_t*>(data);
    auto* out = static_cast<std::vector<uint8_t>*>(context);
    out->insert(out->end(), bytes, bytes + size);
  };
  stbi_write_png_to_func(append, &file, width, height, channels, pixels.data(), width * channels);
  return file;
}

}  // namespace micrort::testing
