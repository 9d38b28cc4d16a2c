#pragma once
// Contract of the transforms of Winograd convolution F(m, 3): a 3x3 convolution of m x m outputs from (m + 2)
// x (m + 2) inputs by (m + 2)^2 products a channel, one for each point of the transformed plane. m = 1 stands
// for 1-D F(2, 3): 2 outputs side by side from 3 rows of 4 inputs, each transformed to 4 points.

#include <cstddef>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

constexpr int kWinogradTaps = 3;
constexpr int kMaxWinogradOutput = 6;                                      // limit of m
constexpr int kMaxWinogradInput = kMaxWinogradOutput + kWinogradTaps - 1;  // limit of m + 2
constexpr int kMaxWinogradPoints = kMaxWinogradInput * kMaxWinogradInput;

// Pixels that a transform reads, which are as many points; pixels that it writes.
constexpr int WinogradPoints(int m) { return m == 1 ? 4 : (m + kWinogradTaps - 1) * (m + kWinogradTaps - 1); }
constexpr int WinogradPixels(int m) { return m == 1 ? 2 : m * m; }

// v[point][c] of one tile from its input pixels.
struct WinogradInput {
  int m;                  // 1, 2, 4 or 6
  const float* const* x;  // [m + 2][m + 2] (m = 1: [4]) pointers to `channels` floats
  size_t channels;
  float* v;
  size_t point_stride;  // elements between points of v
};

// y[pixel][c] = clamp(start[pixel][c] + (transformed products + bias[c]))
struct WinogradOutput {
  int m;                  // 1, 2, 4 or 6
  const float* products;  // [point][channels]
  size_t point_stride;    // elements
  size_t channels;
  const float* bias;          // [channels] or null
  const float* const* start;  // [m][m] (m = 1: [2]) pointers to `channels` floats, or null: zero. May be y
  float* const* y;            // as many pointers to `channels` floats; null for pixels outside the image
  float lo, hi;               // -inf and +inf for no clamp; a NaN stays NaN
};

struct WinogradF32Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  void (*input)(const WinogradInput& tile);
  void (*output)(const WinogradOutput& tile);
};

// Weakest first.
Span<const WinogradF32Kernel> WinogradF32Kernels();

#define MICRORT_WINOGRAD_F32(name, set)                 \
  void WinogradInput_##name(const WinogradInput& tile); \
  void WinogradOutput_##name(const WinogradOutput& tile);
#include "kernels/winograd/winograd_f32.inc"
#undef MICRORT_WINOGRAD_F32

}  // namespace micrort
