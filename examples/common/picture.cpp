#include "examples/common/picture.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "stb/stb_image.h"
#include "stb/stb_image_write.h"

namespace examples {
namespace {

// Where an output position of one axis looks: a mix of two input positions.
struct Tap {
  int first = 0, second = 0;
  float weight = 0;  // of `second`
};

std::vector<Tap> Taps(int from, int to) {
  std::vector<Tap> taps(static_cast<size_t>(to));
  for (int i = 0; i < to; ++i) {
    const float at =
        (static_cast<float>(i) + 0.5f) * static_cast<float>(from) / static_cast<float>(to) - 0.5f;
    const float inside = std::min(std::max(at, 0.0f), static_cast<float>(from - 1));
    const int first = static_cast<int>(inside);
    taps[static_cast<size_t>(i)] = {first, std::min(first + 1, from - 1), inside - static_cast<float>(first)};
  }
  return taps;
}

float Mix(float a, float b, float weight) { return a + (b - a) * weight; }

}  // namespace

micrort::Result<Picture> ReadPicture(const std::string& path, int channels) {
  Picture picture;
  int channels_in_file = 0;
  const std::unique_ptr<uint8_t, void (*)(void*)> pixels(
      stbi_load(path.c_str(), &picture.width, &picture.height, &channels_in_file, channels), stbi_image_free);
  if (pixels == nullptr) {
    return MICRORT_ERROR(kIo, "%s: cannot read this picture: %s", path.c_str(), stbi_failure_reason());
  }
  picture.channels = channels;
  picture.pixels.assign(pixels.get(),
                        pixels.get() + static_cast<size_t>(picture.width) * picture.height * channels);
  return picture;
}

micrort::Status WritePng(const std::string& path, const Picture& picture) {
  const int row_bytes = picture.width * picture.channels;
  if (!stbi_write_png(path.c_str(), picture.width, picture.height, picture.channels, picture.pixels.data(),
                      row_bytes)) {
    return MICRORT_ERROR(kIo, "%s: cannot write this picture", path.c_str());
  }
  return micrort::Status();
}

Picture ResizedCrop(const Picture& picture, const Box& box, int width, int height) {
  Picture out{width, height, picture.channels, {}};
  out.pixels.resize(static_cast<size_t>(width) * height * picture.channels);
  const std::vector<Tap> columns = Taps(box.width, width), rows = Taps(box.height, height);
  for (int y = 0; y < height; ++y) {
    const Tap& row = rows[static_cast<size_t>(y)];
    for (int x = 0; x < width; ++x) {
      const Tap& column = columns[static_cast<size_t>(x)];
      const auto pixel = [&](int dx, int dy) { return picture.at(box.x + dx, box.y + dy); };
      for (int c = 0; c < picture.channels; ++c) {
        const float above =
            Mix(pixel(column.first, row.first)[c], pixel(column.second, row.first)[c], column.weight);
        const float below =
            Mix(pixel(column.first, row.second)[c], pixel(column.second, row.second)[c], column.weight);
        out.at(x, y)[c] = static_cast<uint8_t>(std::floor(Mix(above, below, row.weight) + 0.5f));
      }
    }
  }
  return out;
}

}  // namespace examples
