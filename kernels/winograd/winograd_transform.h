#pragma once
// Contract of the transforms of Winograd convolution F(m, 3): a 3x3 convolution of m x m outputs from (m + 2)
// x (m + 2) inputs by (m + 2)^2 products a channel, one for each point of the transformed plane. m = 1 stands
// for 1-D F(2, 3): 2 outputs side by side from 3 rows of 4 inputs, each transformed to 4 points.

#include <cstddef>

namespace micrort {

constexpr int kWinogradTaps = 3;
constexpr int kMaxWinogradOutput = 6;                                      // limit of m
constexpr int kMaxWinogradInput = kMaxWinogradOutput + kWinogradTaps - 1;  // limit of m + 2
constexpr int kMaxWinogradPoints = kMaxWinogradInput * kMaxWinogradInput;

// Pixels that a transform reads, which are as many points; pixels that it writes.
constexpr int WinogradPoints(int m) { return m == 1 ? 4 : (m + kWinogradTaps - 1) * (m + kWinogradTaps - 1); }
constexpr int WinogradPixels(int m) { return m == 1 ? 2 : m * m; }

// v[point][c] of one tile from its input pixels. T: float, or uint16_t for halves, of which v is a quarter.
template <typename T>
struct WinogradInputTile {
  int m;              // 1, 2, 4 or 6; of halves 2
  const T* const* x;  // [m + 2][m + 2] (m = 1: [4]) pointers to `channels` elements
  size_t channels;
  T* v;
  size_t point_stride;  // elements between points of v
};

// y[pixel][c] = clamp(start[pixel][c] + (transformed products + bias[c])), or, with slopes, PRelu of it
template <typename T>
struct WinogradOutputTile {
  int m;
  const T* products;    // [point][channels]
  size_t point_stride;  // elements
  size_t channels;
  const float* bias;      // [channels] or null
  const T* const* start;  // [m][m] (m = 1: [2]) pointers to `channels` elements, or null: zero. May be y
  T* const* y;            // as many pointers to `channels` elements; null for pixels outside the image
  float lo, hi;           // -inf and +inf for no clamp; a NaN stays NaN
  const float* slopes = nullptr;  // [channels] or null, as for halves always
};

}  // namespace micrort
