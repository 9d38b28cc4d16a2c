#include "examples/detect_faces/draw.h"

#include <algorithm>

namespace examples {
namespace {

constexpr uint8_t kGreen[3] = {0, 220, 60};

void Fill(const Box& box, Picture* picture) {
  const int right = std::min(picture->width, box.x + box.width);
  const int bottom = std::min(picture->height, box.y + box.height);
  for (int y = std::max(0, box.y); y < bottom; ++y) {
    for (int x = std::max(0, box.x); x < right; ++x) std::copy_n(kGreen, 3, picture->at(x, y));
  }
}

}  // namespace

void DrawFrame(const Box& box, Picture* picture) {
  const int line = std::max(2, std::min(picture->width, picture->height) / 200);
  Fill({box.x, box.y, box.width, line}, picture);
  Fill({box.x, box.y + box.height - line, box.width, line}, picture);
  Fill({box.x, box.y, line, box.height}, picture);
  Fill({box.x + box.width - line, box.y, line, box.height}, picture);
}

}  // namespace examples
