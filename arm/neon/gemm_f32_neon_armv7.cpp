// Float GEMM for ARMv7, which has sixteen vector registers: eight of sums, four of rows and two of columns.

#include <arm_neon.h>

#include "kernels/gemm/gemm_f32.h"

namespace micrort {
namespace {

constexpr int kMr = 4, kNr = 8;

// A vector, and on to the next: one instruction, of which GCC makes two.
inline float32x4_t LoadNext(const float** p) {
  struct Four {
    float x[4];
  };
  float32x4_t v;
  __asm__("vld1.32 {%e0, %f0}, [%1]!" : "=w"(v), "+r"(*p) : "m"(*reinterpret_cast<const Four*>(*p)));
  return v;
}

// Depth step `Lane` of two in a half of each row's vector.
template <int Lane, int M, int V, int P>
inline void MultiplyLane(const float32x2_t (&rows)[M], const float* (&b)[P], float32x4_t (&acc)[M][V]) {
#pragma GCC unroll 4
  for (int panel = 0; panel < P; ++panel) {
    const float32x4_t b0 = LoadNext(&b[panel]), b1 = LoadNext(&b[panel]);
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) acc[i][2 * panel] = vmlaq_lane_f32(acc[i][2 * panel], b0, rows[i], Lane);
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i)
      acc[i][2 * panel + 1] = vmlaq_lane_f32(acc[i][2 * panel + 1], b1, rows[i], Lane);
  }
}

// M rows of a panel, or one row of several. Sums [M][4 * V].
template <int M, int V>
inline void Multiply(const GemmF32Tile& t, const float* start, float* sums) {
  float32x4_t acc[M][V];
#pragma GCC unroll 4
  for (int i = 0; i < M; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < V; ++j)
      acc[i][j] = start == nullptr ? vdupq_n_f32(0) : vld1q_f32(start + 4 * (i * V + j));
  }
  constexpr int kPanels = V / 2;
  const float* b[kPanels];
#pragma GCC unroll 4
  for (int panel = 0; panel < kPanels; ++panel) b[panel] = t.b + static_cast<size_t>(panel) * t.panel_stride;
  for (size_t tap = 0; tap < t.taps; ++tap) {
    const float* a[M];
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) a[i] = t.a[tap * kMr + static_cast<size_t>(i)] + t.a_offset;
    size_t left = t.channels;
    for (; left >= 4; left -= 4) {
      float32x2_t low[M], high[M];
#pragma GCC unroll 4
      for (int i = 0; i < M; ++i) {
        const float32x4_t four = LoadNext(&a[i]);
        low[i] = vget_low_f32(four);
        high[i] = vget_high_f32(four);
      }
      MultiplyLane<0>(low, b, acc);
      MultiplyLane<1>(low, b, acc);
      MultiplyLane<0>(high, b, acc);
      MultiplyLane<1>(high, b, acc);
    }
    for (; left > 0; --left) {
      float32x2_t rows[M];
#pragma GCC unroll 4
      for (int i = 0; i < M; ++i) rows[i] = vld1_dup_f32(a[i]++);
      MultiplyLane<0>(rows, b, acc);
    }
  }
#pragma GCC unroll 4
  for (int i = 0; i < M; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < V; ++j) vst1q_f32(sums + 4 * (i * V + j), acc[i][j]);
  }
}

// VMAX and VMIN let a NaN through.
inline float32x4_t Clamp(float32x4_t v, float32x4_t lo, float32x4_t hi) {
  return vmaxq_f32(lo, vminq_f32(hi, v));
}

// Bias and clamp. `width`: columns of `sums`, of which t.n exist.
void Finish(const GemmF32Tile& t, const float* sums, size_t width) {
  const float32x4_t lo = vdupq_n_f32(t.lo), hi = vdupq_n_f32(t.hi);
  size_t j = 0;
  for (; j + 4 <= t.n; j += 4) {
    const float32x4_t bias = t.bias == nullptr ? vdupq_n_f32(0) : vld1q_f32(t.bias + j);
    for (size_t i = 0; i < t.m; ++i) {
      vst1q_f32(t.c + i * t.c_stride + j, Clamp(vaddq_f32(vld1q_f32(sums + i * width + j), bias), lo, hi));
    }
  }
  if (j == t.n) return;
  for (size_t i = 0; i < t.m; ++i) {
    float four[4], bias[4] = {};
    for (size_t l = 0; l < t.n - j; ++l) bias[l] = t.bias == nullptr ? 0.0f : t.bias[j + l];
    vst1q_f32(four, Clamp(vaddq_f32(vld1q_f32(sums + i * width + j), vld1q_f32(bias)), lo, hi));
    for (size_t l = 0; l < t.n - j; ++l) t.c[i * t.c_stride + j + l] = four[l];
  }
}

// What the sums start from, as [M][width]; null for zero. Rows and columns that do not exist may be anything.
const float* Start(const GemmF32Tile& t, size_t width, float* memory) {
  if (t.start == nullptr) return nullptr;
  for (size_t i = 0; i < t.m; ++i) {
    for (size_t j = 0; j < t.n; ++j) memory[i * width + j] = t.start[i * t.start_stride + j];
  }
  return memory;
}

template <int M, int V>
inline void Run(const GemmF32Tile& t) {
  alignas(16) float sums[M * V * 4];
  Multiply<M, V>(t, Start(t, 4 * V, sums), sums);
  Finish(t, sums, 4 * V);
}

}  // namespace

void GemmF32_neon_4x8(const GemmF32Tile& t) {
  if (t.n > kNr) return Run<1, 2 * kGemmF32RowPanels>(t);
  if (t.m > 2) return Run<4, 2>(t);
  t.m > 1 ? Run<2, 2>(t) : Run<1, 2>(t);
}

}  // namespace micrort
