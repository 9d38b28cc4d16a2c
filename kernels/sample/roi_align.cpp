#include "kernels/sample/roi_align.h"

#include <algorithm>
#include <cmath>

#include "kernels/base/checked_math.h"
#include "kernels/base/dcheck.h"
#include "kernels/index/index_type.h"

namespace micrort {

namespace {

// One side of a region.
struct Side {
  float start, cell;  // in pixels
  int64_t samples;    // a cell; -1: too many
};

Side SideOf(const RoiAlignParams& p, float begin, float end, int64_t cells) {
  const float offset = p.half_pixel ? 0.5f : 0.0f;
  Side side;
  side.start = begin * p.spatial_scale - offset;
  float length = end * p.spatial_scale - offset - side.start;
  if (!p.half_pixel) length = std::max(length, 1.0f);
  side.cell = length / static_cast<float>(cells);
  side.samples = p.sampling_ratio;
  if (p.sampling_ratio == 0) {
    const float covered = std::ceil(side.cell);
    const bool fits = covered <= static_cast<float>(kMaxRoiSamples);
    side.samples = !fits ? -1 : covered > 0.0f ? static_cast<int64_t>(covered) : 0;
  }
  return side;
}

Side Vertical(const RoiAlignParams& p, const float* roi) { return SideOf(p, roi[1], roi[3], p.out_h); }
Side Horizontal(const RoiAlignParams& p, const float* roi) { return SideOf(p, roi[0], roi[2], p.out_w); }

// The two pixels around a coordinate.
struct Neighbours {
  int64_t low, high;
  float low_weight, high_weight;
};

// False if the coordinate is more than a pixel outside.
bool FindNeighbours(float at, int64_t size, Neighbours* n) {
  if (!(at >= -1.0f && at <= static_cast<float>(size))) return false;
  at = std::max(at, 0.0f);
  n->low = std::min(static_cast<int64_t>(at), size - 1);
  n->high = std::min(n->low + 1, size - 1);
  n->high_weight = n->low == size - 1 ? 0.0f : at - static_cast<float>(n->low);
  n->low_weight = 1.0f - n->high_weight;
  return true;
}

float SampleAt(const Side& side, int64_t cell, int64_t sample) {
  return side.start + static_cast<float>(cell) * side.cell +
         (static_cast<float>(sample) + 0.5f) * side.cell / static_cast<float>(side.samples);
}

// Takes one sample into the channels of a cell.
void TakeSample(const RoiAlignParams& p, const float* image, const Neighbours& y, const Neighbours& x,
                bool first, float* out) {
  const float* pixels[4] = {
      image + (y.low * p.width + x.low) * p.channels, image + (y.low * p.width + x.high) * p.channels,
      image + (y.high * p.width + x.low) * p.channels, image + (y.high * p.width + x.high) * p.channels};
  const float weights[4] = {y.low_weight * x.low_weight, y.low_weight * x.high_weight,
                            y.high_weight * x.low_weight, y.high_weight * x.high_weight};
  for (int64_t c = 0; c < p.channels; ++c) {
    float v[4];
    for (int i = 0; i < 4; ++i) v[i] = weights[i] * pixels[i][c];
    if (p.max) {
      const float largest = std::max(std::max(v[0], v[1]), std::max(v[2], v[3]));
      out[c] = first ? largest : std::max(out[c], largest);
    } else {
      out[c] += v[0] + v[1] + v[2] + v[3];
    }
  }
}

void PoolCell(const RoiAlignParams& p, const float* image, const Side& vertical, int64_t row,
              const Side& horizontal, int64_t column, float* out) {
  std::fill_n(out, p.channels, 0.0f);
  bool first = true;
  for (int64_t i = 0; i < vertical.samples; ++i) {
    for (int64_t j = 0; j < horizontal.samples; ++j, first = false) {
      Neighbours y = {0, 0, 0, 0};
      Neighbours x = {0, 0, 0, 0};
      const bool inside = FindNeighbours(SampleAt(vertical, row, i), p.height, &y) &&
                          FindNeighbours(SampleAt(horizontal, column, j), p.width, &x);
      if (!inside) y = x = {0, 0, 0, 0};  // a sample of zero
      if (inside || p.max) TakeSample(p, image, y, x, first, out);
    }
  }
  if (p.max) return;
  const auto count = static_cast<float>(std::max<int64_t>(vertical.samples * horizontal.samples, 1));
  for (int64_t c = 0; c < p.channels; ++c) out[c] /= count;
}

}  // namespace

int64_t FindBadRoi(const RoiAlignParams& p, const float* rois) {
  for (int64_t i = 0; i < p.rois; ++i) {
    if (Vertical(p, rois + 4 * i).samples < 0 || Horizontal(p, rois + 4 * i).samples < 0) return i;
  }
  return p.rois;
}

int64_t ReadRoiImages(const RoiAlignParams& p, DType type, const void* images, int64_t* out) {
  return WithIndexType(type, images, [&](const auto* from) {
    for (int64_t i = 0; i < p.rois; ++i) {
      out[i] = from[i];
      if (out[i] < 0 || out[i] >= p.batch) return i;
    }
    return p.rois;
  });
}

uint64_t CountRoiSamples(const RoiAlignParams& p, const float* rois) {
  constexpr uint64_t kMost = uint64_t{1} << 63;
  const uint64_t cells = static_cast<uint64_t>(p.out_h) * static_cast<uint64_t>(p.out_w);
  uint64_t total = 0;
  for (int64_t r = 0; r < p.rois; ++r, rois += 4) {
    uint64_t samples = 0;
    const int64_t a_cell = Vertical(p, rois).samples * Horizontal(p, rois).samples;
    if (!CheckedMul(cells, static_cast<uint64_t>(a_cell), &samples) || samples > kMost - total) return kMost;
    total += samples;
  }
  return total;
}

void RoiAlign(const RoiAlignParams& p, const float* x, const float* rois, const int64_t* images, float* out,
              const Parallel& parallel) {
  MICRORT_DCHECK(p.height > 0 && p.width > 0);
  MICRORT_DCHECK(p.out_h > 0 && p.out_w > 0);
  ParallelFor(parallel, static_cast<size_t>(p.rois * p.out_h), [&](size_t tile, int) {
    const int64_t i = static_cast<int64_t>(tile) / p.out_h;
    const int64_t row = static_cast<int64_t>(tile) % p.out_h;
    const Side vertical = Vertical(p, rois + 4 * i);
    const Side horizontal = Horizontal(p, rois + 4 * i);
    const float* image = x + images[i] * p.height * p.width * p.channels;
    float* dst = out + static_cast<int64_t>(tile) * p.out_w * p.channels;
    for (int64_t column = 0; column < p.out_w; ++column, dst += p.channels) {
      PoolCell(p, image, vertical, row, horizontal, column, dst);
    }
  });
}

}  // namespace micrort
