#include "examples/detect_faces/suppression.h"

#include <algorithm>

namespace examples {
namespace {

float Area(const Face& face) {
  return std::max(0.0f, face.right - face.left) * std::max(0.0f, face.bottom - face.top);
}

}  // namespace

float Overlap(const Face& a, const Face& b) {
  const Face common{std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
                    std::min(a.bottom, b.bottom), 0};
  const float shared = Area(common), covered = Area(a) + Area(b) - shared;
  return covered > 0 ? shared / covered : 0;
}

std::vector<Face> SuppressOverlaps(std::vector<Face> faces, float limit) {
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.score > b.score; });
  std::vector<Face> kept;
  for (const Face& face : faces) {
    const auto same = [&](const Face& better) { return Overlap(face, better) > limit; };
    if (std::none_of(kept.begin(), kept.end(), same)) kept.push_back(face);
  }
  return kept;
}

}  // namespace examples
