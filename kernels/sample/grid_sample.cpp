#include "kernels/sample/grid_sample.h"

#include <algorithm>
#include <cmath>

#include "kernels/base/checked_math.h"
#include "kernels/base/dcheck.h"
#include "kernels/base/task_sizes.h"

namespace micrort {

namespace {

constexpr int kMaxTaps = 4;
constexpr float kCubicA = -0.75f;

// Elements along one dimension and how much each weighs; index -1: nothing there.
struct AxisTaps {
  int count;
  int64_t index[kMaxTaps];
  float weight[kMaxTaps];
};

// Where the elements of a dimension begin and end.
struct Range {
  float low, high;
};

Range BorderOf(GridCoordinates coordinates, int64_t size) {
  const float last = static_cast<float>(size - 1);
  return coordinates == GridCoordinates::kAlignCorners ? Range{0.0f, last} : Range{-0.5f, last + 0.5f};
}

float ToElements(GridCoordinates coordinates, int64_t size, float v) {
  const float n = static_cast<float>(size);
  switch (coordinates) {
    case GridCoordinates::kHalfPixel:
      return ((v + 1.0f) * n - 1.0f) / 2.0f;
    case GridCoordinates::kAlignCorners:
      return (v + 1.0f) / 2.0f * (n - 1.0f);
    case GridCoordinates::kElements:
      break;
  }
  return v;
}

// x mirrored at both ends of the range until it is inside.
float Reflect(float x, Range range) {
  const float width = range.high - range.low;
  if (!(width > 0.0f)) return range.low;
  const float distance = std::fmod(std::fabs(x - range.low), 2.0f * width);
  return range.low + (distance > width ? 2.0f * width - distance : distance);
}

float PadCoordinate(const GridSampleParams& p, int64_t size, float x) {
  const Range border = BorderOf(p.coordinates, size);
  if (x >= border.low && x <= border.high) return x;
  // Taps of cubic interpolation are brought to the border one by one.
  const float slack = p.mode == GridMode::kCubic ? 3.0f : 0.0f;
  if (p.padding == GridPadding::kBorder) return std::clamp(x, -slack, static_cast<float>(size - 1) + slack);
  return p.padding == GridPadding::kReflection ? Reflect(x, border) : x;
}

int64_t PadIndex(const GridSampleParams& p, int64_t size, int64_t i) {
  if (i >= 0 && i < size) return i;
  if (p.padding == GridPadding::kZeros) return -1;
  if (p.padding == GridPadding::kBorder) return std::clamp<int64_t>(i, 0, size - 1);
  const float reflected = Reflect(static_cast<float>(i), BorderOf(p.coordinates, size));
  return std::clamp<int64_t>(static_cast<int64_t>(reflected), 0, size - 1);
}

void CubicWeights(float fraction, float* weights) {
  constexpr float a = kCubicA;
  const float distances[] = {fraction + 1, fraction, 1 - fraction, 2 - fraction};
  for (int t = 0; t < 4; ++t) {
    const float d = distances[t];
    const bool inner = t == 1 || t == 2;
    weights[t] = inner ? ((a + 2) * d - (a + 3)) * d * d + 1 : ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
  }
}

AxisTaps TapsAt(const GridSampleParams& p, int64_t size, float v) {
  AxisTaps taps = {1, {-1}, {1.0f}};
  float x = ToElements(p.coordinates, size, v);
  if (p.mode == GridMode::kNearest) x = std::nearbyint(x);
  x = PadCoordinate(p, size, x);
  // Everything as far out as this is padding, and fits the integers below.
  const float reach = static_cast<float>(size) + 4.0f;
  if (!(x > -reach && x < reach)) return taps;
  const float floor = std::floor(x);
  const float fraction = x - floor;
  int64_t first = static_cast<int64_t>(floor);
  if (p.mode == GridMode::kLinear) {
    taps.count = 2;
    taps.weight[0] = 1 - fraction;
    taps.weight[1] = fraction;
  } else if (p.mode == GridMode::kCubic) {
    taps.count = 4;
    --first;
    CubicWeights(fraction, taps.weight);
  }
  for (int t = 0; t < taps.count; ++t) taps.index[t] = PadIndex(p, size, first + t);
  return taps;
}

// Adds weight * x at every combination of taps of dimension `dim` and later ones.
void AddTaps(const GridSampleParams& p, const AxisTaps* taps, int dim, int64_t element, float weight,
             const float* x, float* out) {
  if (dim == p.dims) {
    const float* src = x + element * p.channels;
    for (int64_t c = 0; c < p.channels; ++c) out[c] += weight * src[c];
    return;
  }
  for (int t = 0; t < taps[dim].count; ++t) {
    const float w = weight * taps[dim].weight[t];
    const int64_t i = taps[dim].index[t];
    if (i >= 0 && w != 0.0f) AddTaps(p, taps, dim + 1, element * p.sizes[dim] + i, w, x, out);
  }
}

}  // namespace

void GridSample(const GridSampleParams& p, const float* x, const float* grid, float* out,
                const Parallel& parallel) {
  MICRORT_DCHECK(p.dims >= 1 && p.dims <= kMaxGridDims);
  for (int d = 0; d < p.dims; ++d) MICRORT_DCHECK(p.sizes[d] > 0);
  const int64_t total = p.batch * p.points;
  if (total == 0 || p.channels == 0) return;
  int64_t image = p.channels;
  for (int d = 0; d < p.dims; ++d) image *= p.sizes[d];
  const int64_t per_tile = std::clamp<int64_t>(kTaskSampled / p.channels, 1, total);
  ParallelFor(parallel, static_cast<size_t>(CeilDiv(total, per_tile)), [&](size_t tile, int) {
    const int64_t begin = static_cast<int64_t>(tile) * per_tile;
    for (int64_t i = begin; i < std::min(begin + per_tile, total); ++i) {
      AxisTaps taps[kMaxGridDims];
      for (int d = 0; d < p.dims; ++d) taps[d] = TapsAt(p, p.sizes[d], grid[i * p.dims + p.dims - 1 - d]);
      float* dst = out + i * p.channels;
      std::fill_n(dst, p.channels, 0.0f);
      AddTaps(p, taps, 0, 0, 1.0f, x + i / p.points * image, dst);
    }
  });
}

}  // namespace micrort
