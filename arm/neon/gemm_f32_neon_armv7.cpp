// Float GEMM for ARMv7, which has sixteen vector registers: eight of sums, four of rows and two of columns.

#include <arm_neon.h>

#include "arm/neon/gemm_f32_rows_neon.h"
#include "arm/neon/load_pair_armv7.h"
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
template <int Lane, int M, int P>
inline void MultiplyLane(const float32x2_t (&rows)[M], const float* (&b)[P], float32x4x2_t (&acc)[M][P]) {
#pragma GCC unroll 4
  for (int panel = 0; panel < P; ++panel) {
    const float32x4x2_t columns = LoadPair(&b[panel]);
#pragma GCC unroll 2
    for (int j = 0; j < 2; ++j) {
#pragma GCC unroll 4
      for (int i = 0; i < M; ++i) {
        acc[i][panel].val[j] = vmlaq_lane_f32(acc[i][panel].val[j], columns.val[j], rows[i], Lane);
      }
    }
  }
}

// Adds the products of M rows of a panel, or of one row of P panels.
template <int M, int P>
inline __attribute__((always_inline)) void Multiply(const GemmF32Tile& t, float32x4x2_t (&acc)[M][P]) {
  const float* b[P];
#pragma GCC unroll 4
  for (int panel = 0; panel < P; ++panel) b[panel] = t.b + static_cast<size_t>(panel) * t.panel_stride;
  const size_t channels = t.channels, offset = t.a_offset;
  const float* const* taps = t.a;
  for (size_t tap = t.taps; tap > 0; --tap, taps += kMr) {
    const float* a[M];
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) a[i] = taps[i] + offset;
    size_t left = channels;
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
}

// VMAX and VMIN let a NaN through.
inline float32x4_t Clamp(float32x4_t v, float32x4_t lo, float32x4_t hi) {
  return vmaxq_f32(lo, vminq_f32(hi, v));
}

// Clamps, and adds a bias that is not null. Rows from the m-th on are not written.
template <int M, int P>
inline __attribute__((always_inline)) void Finish(const GemmF32Tile& t, int m, const float* bias,
                                                  float32x4x2_t (&acc)[M][P], float* c, size_t stride) {
  const float32x4_t lo = vdupq_n_f32(t.lo), hi = vdupq_n_f32(t.hi);
#pragma GCC unroll 4
  for (int panel = 0; panel < P; ++panel) {
    float32x4x2_t columns = {};
    if (bias != nullptr) columns = LoadPair(&bias);
    float* y = c + kNr * panel;
#pragma GCC unroll 4
    for (int i = 0; i < M; ++i) {
      if (i > 0 && i == m) break;
#pragma GCC unroll 2
      for (int j = 0; j < 2; ++j) {
        float32x4_t& sum = acc[i][panel].val[j];
        if (bias != nullptr) sum = vaddq_f32(sum, columns.val[j]);
        sum = Clamp(sum, lo, hi);
      }
      StorePair(acc[i][panel], &y, stride * sizeof(float));
    }
  }
}

template <int M, int P>
inline __attribute__((always_inline)) void StartFromZero(float32x4x2_t (&acc)[M][P]) {
#pragma GCC unroll 4
  for (int i = 0; i < M; ++i) {
#pragma GCC unroll 4
    for (int panel = 0; panel < P; ++panel) acc[i][panel] = {{vdupq_n_f32(0), vdupq_n_f32(0)}};
  }
}

// Rows from the m-th on repeat the last one.
template <int M, int P>
inline void Start(const float* start, size_t stride, size_t m, float32x4x2_t (&acc)[M][P]) {
#pragma GCC unroll 4
  for (int i = 0; i < M; ++i) {
    const float* p = start;
#pragma GCC unroll 4
    for (int panel = 0; panel < P; ++panel) acc[i][panel] = LoadPair(&p);
    if (i + 1 < static_cast<int>(m)) start += stride;
  }
}

// Columns that all exist, whose sums start from zero; kAll: of M rows.
template <int M, int P, bool kAll>
inline __attribute__((always_inline)) void RunFromZero(const GemmF32Tile& t) {
  float32x4x2_t acc[M][P];
  StartFromZero(acc);
  Multiply(t, acc);
  Finish(t, kAll ? M : static_cast<int>(t.m), t.bias, acc, t.c, t.c_stride);
}

// The same for sums that start from something else.
template <int M, int P>
__attribute__((noinline)) void RunStarted(const GemmF32Tile& t) {
  float32x4x2_t acc[M][P];
  Start(t.start, t.start_stride, t.m, acc);
  Multiply(t, acc);
  Finish(t, static_cast<int>(t.m), t.bias, acc, t.c, t.c_stride);
}

// Columns that exist in part are copied, so that whole vectors are read and written.
template <int M>
__attribute__((noinline)) void RunPart(const GemmF32Tile& t) {
  float bias[kNr] = {}, rows[M * kNr] = {};
  for (size_t j = 0; j < t.n && t.bias != nullptr; ++j) bias[j] = t.bias[j];
  for (size_t i = 0; i < t.m && t.start != nullptr; ++i) {
    __builtin_memcpy(rows + i * kNr, t.start + i * t.start_stride, t.n * sizeof(float));
  }
  float32x4x2_t acc[M][1];
  Start(rows, kNr, t.m, acc);
  Multiply(t, acc);
  Finish(t, static_cast<int>(t.m), bias, acc, rows, kNr);
  for (size_t i = 0; i < t.m; ++i) {
    __builtin_memcpy(t.c + i * t.c_stride, rows + i * kNr, t.n * sizeof(float));
  }
}

template <int M, int P>
__attribute__((noinline)) void Run(const GemmF32Tile& t) {
  t.start == nullptr ? RunFromZero<M, P, false>(t) : RunStarted<M, P>(t);
}

void RunAnyTile(const GemmF32Tile& t) {
  if (t.n > kNr) return Run<1, kGemmF32RowPanels>(t);
  if (t.m > 2) return t.n == kNr ? Run<4, 1>(t) : RunPart<4>(t);
  if (t.m > 1) return t.n == kNr ? Run<2, 1>(t) : RunPart<2>(t);
  t.n == kNr ? Run<1, 1>(t) : RunPart<1>(t);
}

// Tiles of four rows of which all columns exist, whose sums start from zero. Returns the rows.
__attribute__((noinline)) size_t RunWholeTiles(const GemmF32Tile& t) {
  // A copy: for all a compiler knows, storing a vector changes members of t.
  GemmF32Tile tile = t;
  const size_t rows = t.m / kMr * kMr;
#pragma GCC unroll 1
  for (size_t left = rows; left > 0; left -= kMr) {
    RunFromZero<kMr, 1, true>(tile);
    tile.a += tile.a_step;
    tile.c += kMr * tile.c_stride;
  }
  return rows;
}

}  // namespace

void GemmF32_neon_4x8(const GemmF32Tile& t) {
  const size_t done = t.n == kNr && t.start == nullptr ? RunWholeTiles(t) : 0;
  if (done < t.m) GemmF32ForEachTile<kMr>(t, done, RunAnyTile);
}

}  // namespace micrort
