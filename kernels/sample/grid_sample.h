#pragma once
// Elements of a tensor at the coordinates that a grid gives, between the elements by interpolation.

#include <cstdint>

#include "kernels/base/parallel.h"

namespace micrort {

enum class GridMode { kNearest, kLinear, kCubic };
enum class GridPadding { kZeros, kBorder, kReflection };
// What -1 and 1 mean: the borders of the first and last element, or their centres; or coordinates count
// elements.
enum class GridCoordinates { kHalfPixel, kAlignCorners, kElements };

constexpr int kMaxGridDims = 3;

struct GridSampleParams {
  GridMode mode;
  GridPadding padding;
  GridCoordinates coordinates;
  int dims;                     // 1 .. kMaxGridDims
  int64_t sizes[kMaxGridDims];  // of x, outermost first; > 0
  int64_t batch, points, channels;
};

// out[n][p][c] = x[n] at grid[n][p], for x [batch, sizes..., channels], grid [batch, points, dims] with the
// coordinate along the innermost dimension first. A coordinate that is no number is outside.
void GridSample(const GridSampleParams& params, const float* x, const float* grid, float* out,
                const Parallel& parallel);

}  // namespace micrort
