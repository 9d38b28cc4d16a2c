// Float GEMM for AArch64: the depth is unrolled over a vector of each row, whose lanes multiply the columns.
// Sums come into memory before bias and clamp; that costs little, and tiles of fewer columns need no code of
// their own.

#include <arm_neon.h>

#include "arm/neon/gemm_f32_in_order.h"
#include "arm/neon/gemm_f32_rows_neon.h"
#include "arm/neon/load_pair_aarch64.h"
#include "arm/neon/tile_6x16.h"
#include "kernels/base/core_type.h"
#include "kernels/gemm/gemm_f32.h"

namespace micrort {
namespace {

constexpr int kMr = 6, kNr = 16;

#define MICRORT_FMLA(sums, columns, row, lane) \
  "fmla v" #sums ".4s, v" #columns ".4s, v" #row ".s[" #lane "]\n"

// Depth step `Lane` of the four in `rows` for M rows and V vectors of columns: four a panel, or two of one.
template <int Lane, int M, int V, int P>
inline void MultiplyLane(const float32x4_t (&rows)[M], const float* (&b)[P], float32x4_t (&acc)[M][V]) {
  constexpr int kStep = (V == 2 ? kNr : 8) * static_cast<int>(sizeof(float));
#pragma GCC unroll 16
  for (int j = 0; j < V; j += 2) {
    float32x4_t b0, b1;
    LoadPair<kStep>(&b[j / 4], &b0, &b1);
#pragma GCC unroll 8
    for (int i = 0; i < M; ++i) acc[i][j] = vfmaq_laneq_f32(acc[i][j], b0, rows[i], Lane);
#pragma GCC unroll 8
    for (int i = 0; i < M; ++i) acc[i][j + 1] = vfmaq_laneq_f32(acc[i][j + 1], b1, rows[i], Lane);
  }
}

// The first M rows and V vectors of columns, of one panel or, for one row, of several. Sums [M][4 * V].
template <int M, int V>
inline void Multiply(const GemmF32Tile& t, const float* start, float* sums) {
  float32x4_t acc[M][V];
#pragma GCC unroll 8
  for (int i = 0; i < M; ++i) {
#pragma GCC unroll 16
    for (int j = 0; j < V; ++j) {
      acc[i][j] = start == nullptr ? vdupq_n_f32(0) : vld1q_f32(start + 4 * (i * V + j));
    }
  }
  constexpr int kPanels = (V + 3) / 4;
  const float* b[kPanels];
#pragma GCC unroll 4
  for (int panel = 0; panel < kPanels; ++panel) b[panel] = t.b + static_cast<size_t>(panel) * t.panel_stride;
  for (size_t tap = 0; tap < t.taps; ++tap) {
    const float* a[M];
#pragma GCC unroll 8
    for (int i = 0; i < M; ++i) a[i] = t.a[tap * kMr + static_cast<size_t>(i)] + t.a_offset;
    size_t k = 0;
    for (; k + 4 <= t.channels; k += 4) {
      float32x4_t rows[M];
#pragma GCC unroll 8
      for (int i = 0; i < M; ++i) rows[i] = vld1q_f32(a[i] + k);
      MultiplyLane<0>(rows, b, acc);
      MultiplyLane<1>(rows, b, acc);
      MultiplyLane<2>(rows, b, acc);
      MultiplyLane<3>(rows, b, acc);
    }
    for (; k < t.channels; ++k) {
      float32x4_t rows[M];
#pragma GCC unroll 8
      for (int i = 0; i < M; ++i) rows[i] = vld1q_dup_f32(a[i] + k);
      MultiplyLane<0>(rows, b, acc);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < M; ++i) {
#pragma GCC unroll 16
    for (int j = 0; j < V; ++j) vst1q_f32(sums + 4 * (i * V + j), acc[i][j]);
  }
}

// Steps of the end of a tile.
#define MICRORT_ADD_BIAS(s0, s1, s2, s3) \
  "fadd v" #s0 ".4s, v" #s0              \
  ".4s, v24.4s\n"                        \
  "fadd v" #s1 ".4s, v" #s1              \
  ".4s, v25.4s\n"                        \
  "fadd v" #s2 ".4s, v" #s2              \
  ".4s, v26.4s\n"                        \
  "fadd v" #s3 ".4s, v" #s3 ".4s, v27.4s\n"
#define MICRORT_CLAMP(s)  \
  "fmin v" #s ".4s, v" #s \
  ".4s, v29.4s\n"         \
  "fmax v" #s ".4s, v" #s ".4s, v28.4s\n"
#define MICRORT_STORE_ROW(s0, s1, s2, s3) \
  MICRORT_CLAMP(s0)                       \
  MICRORT_CLAMP(s1)                       \
  MICRORT_CLAMP(s2)                       \
  MICRORT_CLAMP(s3)                       \
  "stp q" #s2 ", q" #s3                   \
  ", [%[c], #32]\n"                       \
  "stp q" #s0 ", q" #s1                   \
  ", [%[c]]\n"                            \
  "add %[c], %[c], %[stride]\n"

inline Tile6x16 TileOf(const GemmF32Tile& t, const float* start, size_t start_stride) {
  return {reinterpret_cast<const void* const*>(t.a),
          t.a_offset * sizeof(float),
          t.taps,
          t.channels,
          t.b,
          start,
          start_stride * sizeof(float)};
}

// Where five or six rows of sixteen outputs go.
struct SixRows {
  size_t m;
  float* c;
  size_t step;  // bytes from row to row
  const float* bias;
  const float* bounds;  // lo, hi
};

// FMAX and FMIN let a NaN through.
inline __attribute__((always_inline)) void RunSixRows(const Tile6x16& tile, const SixRows& out) {
  float* c = out.c;
  MICRORT_TILE_6X16_VARIABLES(tile);
  __asm__ volatile(MICRORT_TILE_6X16_START MICRORT_TILE_6X16_SUMS(MICRORT_FMLA)
                   "ldp s28, s29, [%[bounds]]\n"
                   "dup v28.4s, v28.s[0]\n"
                   "dup v29.4s, v29.s[0]\n"
                   "cbz %[bias], 7f\n"
                   "ldp q24, q25, [%[bias]]\n"
                   "ldp q26, q27, [%[bias], #32]\n"
                   MICRORT_ADD_BIAS(0, 1, 2, 3) MICRORT_ADD_BIAS(4, 5, 6, 7) MICRORT_ADD_BIAS(8, 9, 10, 11)
                   MICRORT_ADD_BIAS(12, 13, 14, 15) MICRORT_ADD_BIAS(16, 17, 18, 19) MICRORT_ADD_BIAS(20, 21, 22, 23)
                   "7:\n"
                   MICRORT_STORE_ROW(0, 1, 2, 3) MICRORT_STORE_ROW(4, 5, 6, 7) MICRORT_STORE_ROW(8, 9, 10, 11)
                   MICRORT_STORE_ROW(12, 13, 14, 15) MICRORT_STORE_ROW(16, 17, 18, 19)
                   "cmp %[m], #6\n"
                   "b.ne 8f\n"
                   MICRORT_STORE_ROW(20, 21, 22, 23)
                   "8:\n"
                   : MICRORT_TILE_6X16_OUTPUTS, [c] "+r"(c)
                   : MICRORT_TILE_6X16_INPUTS(tile), [bounds] "r"(out.bounds), [bias] "r"(out.bias),
                     [stride] "r"(out.step), [m] "r"(out.m)
                   : MICRORT_TILE_6X16_CLOBBERS);
}

// Bias and clamp for V vectors of columns that all exist. FMAX and FMIN let a NaN through.
template <int V>
inline void FinishWhole(const GemmF32Tile& t, const float* sums, size_t width, size_t first) {
  const float32x4_t lo = vdupq_n_f32(t.lo), hi = vdupq_n_f32(t.hi);
  // For all a compiler knows, storing a vector changes members of t.
  const size_t rows = t.m, stride = t.c_stride;
  float* c = t.c + first;
  sums += first;
  float32x4_t bias[V];
#pragma GCC unroll 4
  for (int j = 0; j < V; ++j)
    bias[j] = t.bias == nullptr ? vdupq_n_f32(0) : vld1q_f32(t.bias + first + 4 * j);
#pragma GCC unroll 1
  for (size_t i = 0; i < rows; ++i, c += stride, sums += width) {
#pragma GCC unroll 4
    for (int j = 0; j < V; ++j) {
      vst1q_f32(c + 4 * j, vmaxq_f32(lo, vminq_f32(hi, vaddq_f32(vld1q_f32(sums + 4 * j), bias[j]))));
    }
  }
}

// `width`: columns of `sums`, of which t.n exist.
void Finish(const GemmF32Tile& t, const float* sums, size_t width) {
  size_t j = 0;
  for (; j + 16 <= t.n; j += 16) FinishWhole<4>(t, sums, width, j);
  for (; j + 4 <= t.n; j += 4) FinishWhole<1>(t, sums, width, j);
  if (j == t.n) return;
  const float32x4_t lo = vdupq_n_f32(t.lo), hi = vdupq_n_f32(t.hi);
  for (size_t i = 0; i < t.m; ++i) {
    float four[4], bias[4] = {};
    for (size_t l = 0; l < t.n - j; ++l) bias[l] = t.bias == nullptr ? 0.0f : t.bias[j + l];
    vst1q_f32(four,
              vmaxq_f32(lo, vminq_f32(hi, vaddq_f32(vld1q_f32(sums + i * width + j), vld1q_f32(bias)))));
    for (size_t l = 0; l < t.n - j; ++l) t.c[i * t.c_stride + j + l] = four[l];
  }
}

// What the sums start from, as [M][width]; null for zero. Rows and columns that do not exist may be anything.
const float* Start(const GemmF32Tile& t, size_t width, float* memory) {
  if (t.start == nullptr) return nullptr;
  for (size_t i = 0; i < t.m; ++i) {
    const float* from = t.start + i * t.start_stride;
    size_t j = 0;
    for (; j + 4 <= t.n; j += 4) vst1q_f32(memory + i * width + j, vld1q_f32(from + j));
    for (; j < t.n; ++j) memory[i * width + j] = from[j];
  }
  return memory;
}

template <int M, int V>
__attribute__((noinline)) void Run(const GemmF32Tile& t) {
  alignas(16) float sums[M * V * 4];
  const float* start = Start(t, 4 * V, sums);
  Multiply<M, V>(t, start, sums);
  Finish(t, sums, 4 * V);
}

// Five or six rows of which some columns do not exist.
__attribute__((noinline)) void RunPartialSixRows(const GemmF32Tile& t) {
  constexpr float kNoBounds[] = {-__builtin_inff(), __builtin_inff()};
  alignas(16) float sums[kMr * kNr];
  RunSixRows(TileOf(t, Start(t, kNr, sums), kNr), {kMr, sums, kNr * sizeof(float), nullptr, kNoBounds});
  Finish(t, sums, kNr);
}

// Those of which all columns exist, where sums start from something.
__attribute__((noinline)) void RunStartedSixRows(const GemmF32Tile& t) {
  alignas(16) float start[kMr * kNr];
  RunSixRows(TileOf(t, Start(t, kNr, start), kNr), {t.m, t.c, t.c_stride * sizeof(float), t.bias, &t.lo});
}

// Tiles of five or six rows of which all columns exist, whose sums start from zero. Returns the rows.
__attribute__((noinline)) size_t RunWholeTiles(const GemmF32Tile& t) {
  const float bounds[] = {t.lo, t.hi};
  Tile6x16 tile = TileOf(t, nullptr, 0);
  SixRows out = {kMr, t.c, t.c_stride * sizeof(float), t.bias, bounds};
  const size_t m = t.m, a_step = t.a_step, tile_step = kMr * t.c_stride;
  size_t done = 0;
  for (; done + 4 < m; done += kMr) {
    out.m = m - done < kMr ? m - done : kMr;
    RunSixRows(tile, out);
    tile.rows += a_step;
    out.c += tile_step;
  }
  return done < m ? done : m;
}

void RunAnyTile(const GemmF32Tile& t) {
  if (t.n > kNr) return Run<1, kNr / 4 * kGemmF32RowPanels>(t);
  if (t.n > kNr / 2) {
    if (t.m > 4) return t.n < kNr ? RunPartialSixRows(t) : RunStartedSixRows(t);
    return t.m > 1 ? Run<4, 4>(t) : Run<1, 4>(t);
  }
  if (t.m > 4) return Run<6, 2>(t);
  t.m > 1 ? Run<4, 2>(t) : Run<1, 2>(t);
}

}  // namespace

void GemmF32_neon_6x16(const GemmF32Tile& t) {
  size_t done = 0;
  if (kHasInOrderLoops && t.n == kNr && t.m > kMr && RunsInOrder()) {
    done = GemmF32InOrder(t);
  } else if (t.n == kNr && t.start == nullptr) {
    done = RunWholeTiles(t);
  }
  if (done < t.m) GemmF32ForEachTile<kMr>(t, done, RunAnyTile);
}

}  // namespace micrort
