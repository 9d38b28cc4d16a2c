#pragma once
// Fourier transforms along one axis of a tensor, whole or frame by frame.

#include "kernels/base/parallel.h"
#include "kernels/fourier/fourier.h"

namespace micrort {

// x [outer, size, inner, channels], channels 1 (real) or 2; out [outer, frames, bins, inner, out_channels].
// Frame f starts at element f * step. Elements beyond the axis are 0.
struct FourierAxis {
  FourierPlan plan;
  int64_t outer, size, inner, channels;
  int64_t frames, step;
  int64_t bins;          // of the output
  int64_t out_channels;  // 2, or 1 for a real result
  int64_t used;          // elements of x that one transform reads
  bool mirror;           // the others are their conjugates in reverse order
};

// Bytes of scratch, aligned to 64.
// kTooManyBytes: there is no such block.
size_t FourierScratchBytes(const FourierAxis& axis, int workers);

// window: `used` factors for the elements that are read, or null.
void TransformAxis(const FourierAxis& axis, const float* x, const float* window, float* out, void* scratch,
                   const Parallel& parallel);

}  // namespace micrort
