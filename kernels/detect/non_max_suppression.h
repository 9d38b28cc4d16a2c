#pragma once
// Non-maximum suppression: of boxes that overlap much, the one of the highest score stays.

#include <cstddef>
#include <cstdint>

#include "kernels/base/parallel.h"

namespace micrort {

// boxes: [batch][count][4], two opposite corners (y1, x1, y2, x2) in any order or, if center_point_box,
// (x, y, width, height) with the center. scores: [batch][classes][count]. count < 2^32.
struct NmsParams {
  bool center_point_box;
  bool is_soft;  // overlaps lower scores, as thresholds.sigma says, and drop no box
  size_t batch, classes, count;
  size_t limit;  // boxes selected at most of a batch item and class; at most `count`
};

struct NmsThresholds {
  float iou = 0;  // boxes that overlap a selected one by more are dropped
  bool has_min_score = false;
  float min_score = 0;  // scores must be above it, if has_min_score
  // Soft suppression: a selected box multiplies the score of each that overlaps it by `iou` at most by
  // exp(-overlap^2 / (2 sigma)), and of others by 0. Over 0. (Bodla et al., "Soft-NMS", 2017)
  float sigma = 0;
};

// kTooManyBytes: there is no such block.
size_t NmsScratchBytes(const NmsParams& params, int workers);

// Writes rows (batch item, class, box) in this order, of one class by falling score, equal ones by index, and
// returns their number. `selected` has room for batch * classes * limit rows; so has `lowered`, where soft
// suppression writes the score of each, and which may be null without it.
size_t RunNms(const NmsParams& params, const NmsThresholds& thresholds, const float* boxes,
              const float* scores, int64_t* selected, float* lowered, void* scratch,
              const Parallel& parallel);

}  // namespace micrort
