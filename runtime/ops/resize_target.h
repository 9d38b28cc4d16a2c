#pragma once
// To what size Resize brings each axis, by options or by inputs that are known when shapes are planned.

#include "kernels/resize/resize_axis.h"
#include "runtime/ops/op.h"

namespace micrort {

// Plain data. Lists have one entry a dimension, or none.
struct ResizeTarget {
  int scale_count;
  int size_count;
  int roi_count;  // 2 * rank, or 0: the whole input
  float scales[kMaxRank];
  int64_t sizes[kMaxRank];
  float roi[2 * kMaxRank];
};

// Those of the inputs roi (1), scales (2) and sizes (3), a bit each, that cannot be read yet.
uint32_t UnreadableTargets(const PrepareContext& context);

// Reads the inputs roi (1), scales (2) and sizes (3) where they are present, and checks that the lists fit
// the rank of input 0 and that scales are finite and positive.
Status ReadTargetInputs(const PrepareContext& context, ResizeTarget* target);

// Axis i of `in` elements. crops: sizes that follow from scales are those of the roi.
Status ResolveResizeAxis(const ResizeTarget& target, int i, int64_t in, bool crops, ResizeAxis* axis);

}  // namespace micrort
