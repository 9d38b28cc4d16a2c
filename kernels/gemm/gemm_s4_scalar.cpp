#include <cstring>

#include "kernels/base/half.h"
#include "kernels/gemm/gemm_s4.h"

namespace micrort {
namespace {

constexpr size_t kNr = 8;

float ScaleAt(const Int4Panel& panel, const uint8_t* scales, size_t j) {
  if (panel.half_scales) {
    uint16_t half;
    std::memcpy(&half, scales + j * sizeof half, sizeof half);
    return HalfToFloat(half);
  }
  float scale;
  std::memcpy(&scale, scales + j * sizeof scale, sizeof scale);
  return scale;
}

int32_t ZeroPointAt(const uint8_t* zero_points, size_t j) {
  return j < kNr / 2 ? zero_points[j] & 15 : zero_points[j - kNr / 2] >> 4;
}

void AddGroup(const GemmS4Block& t, size_t i, size_t g, const uint8_t* b, float* y) {
  const size_t group = t.panel.group;
  const int8_t* a = t.a + (i * t.groups + g) * group;
  const uint8_t* weights = b + t.panel.weights_at();
  const uint8_t* zero_points = b + kNr * t.panel.scale_bytes();
  int32_t sums[kNr];
  for (size_t j = 0; j < kNr; ++j) {
    const int32_t zero_point = t.panel.zero_points ? ZeroPointAt(zero_points, j) : kInt4Center;
    sums[j] = -zero_point * t.a_sums[i * t.groups + g];
  }
  for (size_t k = 0; k < group; k += 8, weights += 4 * kNr) {
    for (size_t j = 0; j < kNr; ++j) {
      for (size_t n = 0; n < 4; ++n) {
        const int byte = weights[j * 4 + n];
        sums[j] += a[k + n] * (byte & 15) + a[k + 4 + n] * (byte >> 4);
      }
    }
  }
  for (size_t j = 0; j < kNr; ++j) {
    y[j] += static_cast<float>(sums[j]) * ScaleAt(t.panel, b, j) * t.a_scales[i * t.groups + g];
  }
}

}  // namespace

void GemmS4_scalar_1x8(const GemmS4Block& t) {
  for (size_t i = 0; i < t.m; ++i) {
    float* y = t.y + i * kNr;
    for (size_t j = 0; j < kNr; ++j) y[j] = 0.0f;
    const uint8_t* b = t.b;
    for (size_t g = 0; g < t.groups; ++g, b += t.panel.group_bytes()) AddGroup(t, i, g, b, y);
  }
}

}  // namespace micrort
