// Transforms of F(2, 3) over halves: sixteen registers hold a plane of eight channels.

#include <arm_neon.h>

#include "arm/fp16/eight_halves.h"
#include "kernels/winograd/winograd_1d.h"
#include "kernels/winograd/winograd_f16.h"

namespace micrort {
namespace {

constexpr int kSize = 4, kOutputs = 2;

struct F16x8 {
  float16x8_t v;
};
inline F16x8 operator+(F16x8 a, F16x8 b) { return {vaddq_f16(a.v, b.v)}; }
inline F16x8 operator-(F16x8 a, F16x8 b) { return {vsubq_f16(a.v, b.v)}; }

using Transform = Winograd1D<F16x8, kOutputs>;

inline __attribute__((always_inline)) void InputBlock(const WinogradF16Input& t, size_t c,
                                                      EightHalves access) {
  const auto quarter = static_cast<float16_t>(0.25f);
  F16x8 columns[kSize][kSize];  // [column][row]
#pragma GCC unroll 4
  for (int j = 0; j < kSize; ++j) {
    F16x8 d[kSize];
#pragma GCC unroll 4
    for (int i = 0; i < kSize; ++i) d[i] = {vmulq_n_f16(access.Load(t.x[i * kSize + j] + c), quarter)};
    Transform::Input(d, columns[j]);
  }
  uint16_t* out = t.v + c;
#pragma GCC unroll 4
  for (int i = 0; i < kSize; ++i) {
    F16x8 d[kSize], v[kSize];
#pragma GCC unroll 4
    for (int j = 0; j < kSize; ++j) d[j] = columns[j][i];
    Transform::Input(d, v);
#pragma GCC unroll 4
    for (int j = 0; j < kSize; ++j, out += t.point_stride) access.Store(out, v[j].v);
  }
}

inline __attribute__((always_inline)) void OutputBlock(const WinogradF16Output& t, size_t c,
                                                       EightHalves access) {
  const float16x8_t lo = vdupq_n_f16(static_cast<float16_t>(t.lo)),
                    hi = vdupq_n_f16(static_cast<float16_t>(t.hi));
  F16x8 rows[kSize][kOutputs];  // [row][column]
  const uint16_t* products = t.products + c;
#pragma GCC unroll 4
  for (int i = 0; i < kSize; ++i) {
    F16x8 p[kSize];
#pragma GCC unroll 4
    for (int j = 0; j < kSize; ++j, products += t.point_stride) p[j] = {access.Load(products)};
    Transform::Output(p, rows[i]);
  }
  const F16x8 bias = {t.bias == nullptr ? vdupq_n_f16(0) : access.Bias(t.bias + c)};
#pragma GCC unroll 2
  for (int j = 0; j < kOutputs; ++j) {
    F16x8 p[kSize], y[kOutputs];
#pragma GCC unroll 4
    for (int i = 0; i < kSize; ++i) p[i] = rows[i][j];
    Transform::Output(p, y);
#pragma GCC unroll 2
    for (int i = 0; i < kOutputs; ++i) {
      const int pixel = i * kOutputs + j;
      if (t.y[pixel] == nullptr) continue;
      F16x8 sum = y[i] + bias;
      if (t.start != nullptr) sum = F16x8{access.Load(t.start[pixel] + c)} + sum;
      // FMAX and FMIN let a NaN through.
      access.Store(t.y[pixel] + c, vmaxq_f16(lo, vminq_f16(hi, sum.v)));
    }
  }
}

}  // namespace

// Copies, which no store of a vector can change for all a compiler knows.
void WinogradF16Input_fp16(const WinogradF16Input& tile) {
  const WinogradF16Input t = tile;
  size_t c = 0;
  for (; c + 8 <= t.channels; c += 8) InputBlock(t, c, EightHalves{8});
  if (c < t.channels) InputBlock(t, c, EightHalves{t.channels - c});
}

void WinogradF16Output_fp16(const WinogradF16Output& tile) {
  const WinogradF16Output t = tile;
  size_t c = 0;
  for (; c + 8 <= t.channels; c += 8) OutputBlock(t, c, EightHalves{8});
  if (c < t.channels) OutputBlock(t, c, EightHalves{t.channels - c});
}

}  // namespace micrort
