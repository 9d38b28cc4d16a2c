// Half GEMM for AArch64 CPUs with half arithmetic: the depth is unrolled over a vector of each row, whose
// lanes multiply the columns. A lane's register is one of the first sixteen, so rows are v0 to v5, columns v6
// and v7, and the sums of six rows and 32 columns fill the rest. Compilers spill some of these, so that is
// assembly.

#include <arm_neon.h>

#include "kernels/gemm/gemm_f16.h"

namespace micrort {
namespace {

constexpr int kMr = 6, kNr = 32;
constexpr size_t kLanes = 8;

const float16_t* Halves(const uint16_t* x) { return reinterpret_cast<const float16_t*>(x); }

#define MICRORT_FMLA_COLUMN(s0, s1, s2, s3, s4, s5, columns, lane) \
  "fmla v" #s0 ".8h, v" #columns ".8h, v0.h[" #lane                \
  "]\n"                                                            \
  "fmla v" #s1 ".8h, v" #columns ".8h, v1.h[" #lane                \
  "]\n"                                                            \
  "fmla v" #s2 ".8h, v" #columns ".8h, v2.h[" #lane                \
  "]\n"                                                            \
  "fmla v" #s3 ".8h, v" #columns ".8h, v3.h[" #lane                \
  "]\n"                                                            \
  "fmla v" #s4 ".8h, v" #columns ".8h, v4.h[" #lane                \
  "]\n"                                                            \
  "fmla v" #s5 ".8h, v" #columns ".8h, v5.h[" #lane "]\n"

#define MICRORT_FMLA_LANE(lane)                                                                            \
  "ldp q6, q7, [%[b]], #32\n" MICRORT_FMLA_COLUMN(8, 12, 16, 20, 24, 28, 6, lane)                          \
      MICRORT_FMLA_COLUMN(9, 13, 17, 21, 25, 29, 7, lane) "ldp q6, q7, [%[b]], #32\n" MICRORT_FMLA_COLUMN( \
          10, 14, 18, 22, 26, 30, 6, lane) MICRORT_FMLA_COLUMN(11, 15, 19, 23, 27, 31, 7, lane)

// `width`: q for eight depth steps, h for one.
#define MICRORT_LOAD_ROWS(width, bytes) \
  "ldr " width "0, [%[r0]], #" bytes    \
  "\n"                                  \
  "ldr " width "1, [%[r1]], #" bytes    \
  "\n"                                  \
  "ldr " width "2, [%[r2]], #" bytes    \
  "\n"                                  \
  "ldr " width "3, [%[r3]], #" bytes    \
  "\n"                                  \
  "ldr " width "4, [%[r4]], #" bytes    \
  "\n"                                  \
  "ldr " width "5, [%[r5]], #" bytes "\n"

#define MICRORT_EACH_PAIR_OF_SUMS(op)                                                                      \
  op(8, 9, 0) op(10, 11, 32) op(12, 13, 64) op(14, 15, 96) op(16, 17, 128) op(18, 19, 160) op(20, 21, 192) \
      op(22, 23, 224) op(24, 25, 256) op(26, 27, 288) op(28, 29, 320) op(30, 31, 352)
#define MICRORT_ZERO_SUMS(x, y, offset) "movi v" #x ".4s, #0\nmovi v" #y ".4s, #0\n"
#define MICRORT_STORE_SUMS(x, y, offset) "stp q" #x ", q" #y ", [%[sums], #" #offset "]\n"

// Six rows of 32 columns: sums [6][32].
void MultiplySixRows(const GemmF16Tile& t, float16_t* sums) {
  const uint16_t *r0, *r1, *r2, *r3, *r4, *r5, *b = t.b;
  const uint16_t* const* rows = t.a;
  size_t taps = t.taps, left;
  __asm__ volatile(MICRORT_EACH_PAIR_OF_SUMS(MICRORT_ZERO_SUMS)
                   "2:\n" /* a tap */
                   "ldp %[r0], %[r1], [%[rows]], #16\n"
                   "ldp %[r2], %[r3], [%[rows]], #16\n"
                   "ldp %[r4], %[r5], [%[rows]], #16\n"
                   "add %[r0], %[r0], %[offset]\n"
                   "add %[r1], %[r1], %[offset]\n"
                   "add %[r2], %[r2], %[offset]\n"
                   "add %[r3], %[r3], %[offset]\n"
                   "add %[r4], %[r4], %[offset]\n"
                   "add %[r5], %[r5], %[offset]\n"
                   "lsr %[left], %[channels], #3\n"
                   "cbz %[left], 4f\n"
                   "3:\n" /* eight depth steps */
                   MICRORT_LOAD_ROWS("q", "16")
                   MICRORT_FMLA_LANE(0) MICRORT_FMLA_LANE(1) MICRORT_FMLA_LANE(2) MICRORT_FMLA_LANE(3)
                   MICRORT_FMLA_LANE(4) MICRORT_FMLA_LANE(5) MICRORT_FMLA_LANE(6) MICRORT_FMLA_LANE(7)
                   "subs %[left], %[left], #1\n"
                   "b.ne 3b\n"
                   "4:\n"
                   "ands %[left], %[channels], #7\n"
                   "b.eq 6f\n"
                   "5:\n" /* one */
                   MICRORT_LOAD_ROWS("h", "2") MICRORT_FMLA_LANE(0)
                   "subs %[left], %[left], #1\n"
                   "b.ne 5b\n"
                   "6:\n"
                   "subs %[taps], %[taps], #1\n"
                   "b.ne 2b\n"
                   MICRORT_EACH_PAIR_OF_SUMS(MICRORT_STORE_SUMS)
                   : [r0] "=&r"(r0), [r1] "=&r"(r1), [r2] "=&r"(r2), [r3] "=&r"(r3), [r4] "=&r"(r4),
                     [r5] "=&r"(r5), [left] "=&r"(left), [b] "+r"(b), [rows] "+r"(rows), [taps] "+r"(taps)
                   : [offset] "r"(t.a_offset * sizeof(uint16_t)), [channels] "r"(t.channels), [sums] "r"(sums)
                   : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13",
                     "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26",
                     "v27", "v28", "v29", "v30", "v31", "cc", "memory");
}

// Depth step `Lane` of the eight in `rows` for the first M rows and V vectors of columns.
template <int Lane, int M, int V>
inline void MultiplyLane(const float16x8_t (&rows)[M], const float16_t* b, float16x8_t (&acc)[M][V]) {
#pragma GCC unroll 4
  for (int j = 0; j < V; ++j) {
    const float16x8_t columns = vld1q_f16(b + Lane * kNr + 8 * j);
#pragma GCC unroll 8
    for (int i = 0; i < M; ++i) acc[i][j] = vfmaq_laneq_f16(acc[i][j], columns, rows[i], Lane);
  }
}

// The first M rows and V vectors of columns: sums [M][8 * V].
template <int M, int V>
inline void Multiply(const GemmF16Tile& t, float16_t* sums) {
  float16x8_t acc[M][V];
#pragma GCC unroll 8
  for (int i = 0; i < M; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < V; ++j) acc[i][j] = vdupq_n_f16(0);
  }
  const float16_t* b = Halves(t.b);
  for (size_t tap = 0; tap < t.taps; ++tap) {
    const float16_t* a[M];
#pragma GCC unroll 8
    for (int i = 0; i < M; ++i) a[i] = Halves(t.a[tap * kMr + static_cast<size_t>(i)] + t.a_offset);
    float16x8_t rows[M];
    size_t k = 0;
    for (; k + kLanes <= t.channels; k += kLanes, b += kLanes * kNr) {
#pragma GCC unroll 8
      for (int i = 0; i < M; ++i) rows[i] = vld1q_f16(a[i] + k);
      MultiplyLane<0>(rows, b, acc);
      MultiplyLane<1>(rows, b, acc);
      MultiplyLane<2>(rows, b, acc);
      MultiplyLane<3>(rows, b, acc);
      MultiplyLane<4>(rows, b, acc);
      MultiplyLane<5>(rows, b, acc);
      MultiplyLane<6>(rows, b, acc);
      MultiplyLane<7>(rows, b, acc);
    }
    for (; k < t.channels; ++k, b += kNr) {
#pragma GCC unroll 8
      for (int i = 0; i < M; ++i) rows[i] = vld1q_dup_f16(a[i] + k);
      MultiplyLane<0>(rows, b, acc);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < M; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < V; ++j) vst1q_f16(sums + 8 * (i * V + j), acc[i][j]);
  }
}

// Four floats with what they start from and the bias, clamped. FMAX and FMIN let a NaN through.
inline float32x4_t Finished(float32x4_t sum, const float* start, float32x4_t bias, float32x4_t lo,
                            float32x4_t hi) {
  if (start != nullptr) sum = vaddq_f32(sum, vld1q_f32(start));
  return vmaxq_f32(lo, vminq_f32(hi, vaddq_f32(sum, bias)));
}

// Columns [first, first + 8 * V), which all exist, of `width` in `sums`.
template <int V, bool kStarts>
inline void FinishWhole(const GemmF16Tile& t, const float16_t* sums, size_t width, size_t first) {
  const float32x4_t lo = vdupq_n_f32(t.lo), hi = vdupq_n_f32(t.hi);
  // For all a compiler knows, storing a vector changes members of t.
  const size_t rows = t.m, stride = t.c_stride, start_stride = t.start_stride;
  float* c = t.c + first;
  const float* start = kStarts ? t.start + first : nullptr;
  sums += first;
  float32x4_t bias[2 * V];
#pragma GCC unroll 8
  for (int j = 0; j < 2 * V; ++j)
    bias[j] = t.bias == nullptr ? vdupq_n_f32(0) : vld1q_f32(t.bias + first + 4 * j);
#pragma GCC unroll 1
  for (size_t i = 0; i < rows; ++i, c += stride, sums += width) {
#pragma GCC unroll 4
    for (int j = 0; j < V; ++j) {
      const float16x8_t eight = vld1q_f16(sums + 8 * j);
      const float* from = kStarts ? start + 8 * j : nullptr;
      vst1q_f32(c + 8 * j, Finished(vcvt_f32_f16(vget_low_f16(eight)), from, bias[2 * j], lo, hi));
      vst1q_f32(c + 8 * j + 4,
                Finished(vcvt_high_f32_f16(eight), kStarts ? from + 4 : nullptr, bias[2 * j + 1], lo, hi));
    }
    if (kStarts) start += start_stride;
  }
}

// Columns of the end that are no whole vector.
void FinishTail(const GemmF16Tile& t, const float16_t* sums, size_t width, size_t first) {
  const float32x4_t lo = vdupq_n_f32(t.lo), hi = vdupq_n_f32(t.hi);
  for (size_t i = 0; i < t.m; ++i) {
    for (size_t j = first; j < t.n; ++j) {
      const float start = t.start == nullptr ? 0.0f : t.start[i * t.start_stride + j];
      const float sum = start + static_cast<float>(sums[i * width + j]);
      const float32x4_t bias = vdupq_n_f32(t.bias == nullptr ? 0.0f : t.bias[j]);
      t.c[i * t.c_stride + j] = vgetq_lane_f32(Finished(vdupq_n_f32(sum), nullptr, bias, lo, hi), 0);
    }
  }
}

// `width`: columns of `sums`, of which t.n exist.
template <bool kStarts>
void FinishColumns(const GemmF16Tile& t, const float16_t* sums, size_t width) {
  size_t j = 0;
  for (; j + 32 <= t.n; j += 32) FinishWhole<4, kStarts>(t, sums, width, j);
  for (; j + 8 <= t.n; j += 8) FinishWhole<1, kStarts>(t, sums, width, j);
  if (j < t.n) FinishTail(t, sums, width, j);
}

void Finish(const GemmF16Tile& t, const float16_t* sums, size_t width) {
  t.start == nullptr ? FinishColumns<false>(t, sums, width) : FinishColumns<true>(t, sums, width);
}

template <int M, int V>
__attribute__((noinline)) void Run(const GemmF16Tile& t) {
  alignas(16) float16_t sums[M * V * 8];
  Multiply<M, V>(t, sums);
  Finish(t, sums, 8 * V);
}

__attribute__((noinline)) void RunSixRows(const GemmF16Tile& t) {
  alignas(16) float16_t sums[kMr * kNr];
  MultiplySixRows(t, sums);
  Finish(t, sums, kNr);
}

}  // namespace

void GemmF16_fp16_6x32(const GemmF16Tile& t) {
  if (t.n > kNr / 2) {
    if (t.m > 4) return RunSixRows(t);
    return t.m > 1 ? Run<4, 4>(t) : Run<1, 4>(t);
  }
  if (t.m > 4) return Run<6, 2>(t);
  t.m > 1 ? Run<4, 2>(t) : Run<1, 2>(t);
}

}  // namespace micrort
