#pragma once
// Non-maximum suppression: of the many boxes that a detector puts around one face, keeps the best.

#include <vector>

#include "examples/detect_faces/face_detector.h"

namespace examples {

// Intersection over union, 0 to 1.
float Overlap(const Face& a, const Face& b);

// Best score first; a box that overlaps a better one by more than `limit` is dropped.
std::vector<Face> SuppressOverlaps(std::vector<Face> faces, float limit);

}  // namespace examples
