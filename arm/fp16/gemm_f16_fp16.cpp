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

// `width`: q for eight depth steps, d for four, h for one.
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

// Sums of six rows and 32 columns.
#define MICRORT_SIX_ROWS                       \
  MICRORT_EACH_PAIR_OF_SUMS(MICRORT_ZERO_SUMS) \
  "2:\n" /* a tap */                                                                                           \
  "ldp %[r0], %[r1], [%[rows]], #16\n"                                                                         \
  "ldp %[r2], %[r3], [%[rows]], #16\n"                                                                         \
  "ldp %[r4], %[r5], [%[rows]], #16\n"                                                                         \
  "add %[r0], %[r0], %[offset]\n"                                                                              \
  "add %[r1], %[r1], %[offset]\n"                                                                              \
  "add %[r2], %[r2], %[offset]\n"                                                                              \
  "add %[r3], %[r3], %[offset]\n"                                                                              \
  "add %[r4], %[r4], %[offset]\n"                                                                              \
  "add %[r5], %[r5], %[offset]\n"                                                                              \
  "lsr %[left], %[channels], #3\n"                                                                             \
  "cbz %[left], 4f\n"                                                                                          \
  "3:\n" /* eight depth steps */                                                                               \
  MICRORT_LOAD_ROWS("q", "16")                                                                                 \
  MICRORT_FMLA_LANE(0) MICRORT_FMLA_LANE(1) MICRORT_FMLA_LANE(2) MICRORT_FMLA_LANE(3) MICRORT_FMLA_LANE(4)     \
  MICRORT_FMLA_LANE(5) MICRORT_FMLA_LANE(6) MICRORT_FMLA_LANE(7) "subs %[left], %[left], #1\n"                 \
  "b.ne 3b\n"                                                                                                  \
  "4:\n"                                                                                                       \
  "tbz %[channels], #2, 5f\n" /* four */                                                                       \
  MICRORT_LOAD_ROWS("d", "8")                                                                                  \
  MICRORT_FMLA_LANE(0) MICRORT_FMLA_LANE(1) MICRORT_FMLA_LANE(2) MICRORT_FMLA_LANE(3)                          \
  "5:\n"                                                                                                       \
  "ands %[left], %[channels], #3\n"                                                                            \
  "b.eq 7f\n"                                                                                                  \
  "6:\n" /* one */                                                                                             \
  MICRORT_LOAD_ROWS("h", "2") MICRORT_FMLA_LANE(0) "subs %[left], %[left], #1\n"                               \
  "b.ne 6b\n"                                                                                                  \
  "7:\n"                                                                                                       \
  "subs %[taps], %[taps], #1\n"                                                                                \
  "b.ne 2b\n"

#define MICRORT_SIX_ROWS_VARIABLES(t)          \
  const uint16_t *r0, *r1, *r2, *r3, *r4, *r5; \
  const uint16_t* b = t.b;                     \
  const uint16_t* const* rows = t.a;           \
  size_t taps = t.taps, left
#define MICRORT_SIX_ROWS_OUTPUTS                                                                  \
  [r0] "=&r"(r0), [r1] "=&r"(r1), [r2] "=&r"(r2), [r3] "=&r"(r3), [r4] "=&r"(r4), [r5] "=&r"(r5), \
      [left] "=&r"(left), [b] "+r"(b), [rows] "+r"(rows), [taps] "+r"(taps)
#define MICRORT_SIX_ROWS_INPUTS(t) [offset] "r"(t.a_offset * sizeof(uint16_t)), [channels] "r"(t.channels)
#define MICRORT_SIX_ROWS_CLOBBERS                                                                       \
  "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", \
      "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", \
      "v30", "v31", "cc", "memory"

// Sums [6][32].
void MultiplySixRows(const GemmF16Tile& t, float16_t* sums) {
  MICRORT_SIX_ROWS_VARIABLES(t);
  __asm__ volatile(MICRORT_SIX_ROWS MICRORT_EACH_PAIR_OF_SUMS(MICRORT_STORE_SUMS)
                   : MICRORT_SIX_ROWS_OUTPUTS
                   : MICRORT_SIX_ROWS_INPUTS(t), [sums] "r"(sums)
                   : MICRORT_SIX_ROWS_CLOBBERS);
}

// Two vectors of floats to one of halves.
#define MICRORT_NARROW(to, low, high) \
  "fcvtn v" #to ".4h, v" #low         \
  ".4s\n"                             \
  "fcvtn2 v" #to ".8h, v" #high ".4s\n"
#define MICRORT_ADD_BIAS(s0, s1, s2, s3) \
  "fadd v" #s0 ".8h, v" #s0              \
  ".8h, v0.8h\n"                         \
  "fadd v" #s1 ".8h, v" #s1              \
  ".8h, v1.8h\n"                         \
  "fadd v" #s2 ".8h, v" #s2              \
  ".8h, v2.8h\n"                         \
  "fadd v" #s3 ".8h, v" #s3 ".8h, v3.8h\n"
#define MICRORT_CLAMP(s)  \
  "fmin v" #s ".8h, v" #s \
  ".8h, v5.8h\n"          \
  "fmax v" #s ".8h, v" #s ".8h, v4.8h\n"
#define MICRORT_STORE_ROW(s0, s1, s2, s3) \
  MICRORT_CLAMP(s0)                       \
  MICRORT_CLAMP(s1)                       \
  MICRORT_CLAMP(s2)                       \
  MICRORT_CLAMP(s3)                       \
  "stp q" #s2 ", q" #s3                   \
  ", [%[y], #32]\n"                       \
  "stp q" #s0 ", q" #s1                   \
  ", [%[y]]\n"                            \
  "add %[y], %[y], %[stride]\n"

// Halves of five or six rows and 32 columns, of sums that start from nothing, without a residual. FMAX and
// FMIN let a NaN through.
void FinishSixRows(const GemmF16Tile& t) {
  const float16_t bounds[2] = {static_cast<float16_t>(t.lo), static_cast<float16_t>(t.hi)};
  uint16_t* y = t.y;
  MICRORT_SIX_ROWS_VARIABLES(t);
  __asm__ volatile(MICRORT_SIX_ROWS
                   "cbz %[bias], 8f\n"
                   "ldp q0, q1, [%[bias]]\n"
                   "ldp q2, q3, [%[bias], #32]\n"
                   "ldp q4, q5, [%[bias], #64]\n"
                   "ldp q6, q7, [%[bias], #96]\n"
                   MICRORT_NARROW(0, 0, 1) MICRORT_NARROW(1, 2, 3) MICRORT_NARROW(2, 4, 5) MICRORT_NARROW(3, 6, 7)
                   MICRORT_ADD_BIAS(8, 9, 10, 11) MICRORT_ADD_BIAS(12, 13, 14, 15) MICRORT_ADD_BIAS(16, 17, 18, 19)
                   MICRORT_ADD_BIAS(20, 21, 22, 23) MICRORT_ADD_BIAS(24, 25, 26, 27) MICRORT_ADD_BIAS(28, 29, 30, 31)
                   "8:\n"
                   "ldr s5, [%[bounds]]\n"
                   "dup v4.8h, v5.h[0]\n"
                   "dup v5.8h, v5.h[1]\n"
                   MICRORT_STORE_ROW(8, 9, 10, 11) MICRORT_STORE_ROW(12, 13, 14, 15) MICRORT_STORE_ROW(16, 17, 18, 19)
                   MICRORT_STORE_ROW(20, 21, 22, 23) MICRORT_STORE_ROW(24, 25, 26, 27)
                   "cmp %[m], #6\n"
                   "b.ne 9f\n"
                   MICRORT_STORE_ROW(28, 29, 30, 31)
                   "9:\n"
                   : MICRORT_SIX_ROWS_OUTPUTS, [y] "+r"(y)
                   : MICRORT_SIX_ROWS_INPUTS(t), [bounds] "r"(bounds), [bias] "r"(t.bias),
                     [stride] "r"(t.y_stride * sizeof(uint16_t)), [m] "r"(t.m)
                   : MICRORT_SIX_ROWS_CLOBBERS);
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

// Eight floats, or the first few of them.
struct Eight {
  float32x4_t low, high;

  static Eight Load(const float* p, size_t count) {
    if (p == nullptr) return {vdupq_n_f32(0), vdupq_n_f32(0)};
    if (count >= 8) return {vld1q_f32(p), vld1q_f32(p + 4)};
    float eight[8] = {};
    __builtin_memcpy(eight, p, count * sizeof(float));
    return {vld1q_f32(eight), vld1q_f32(eight + 4)};
  }
  static Eight Of(float16x8_t halves) {
    return {vcvt_f32_f16(vget_low_f16(halves)), vcvt_high_f32_f16(halves)};
  }
  float16x8_t halves() const { return vcvt_high_f16_f32(vcvt_f16_f32(low), high); }
  void Store(float* p, size_t count) const {
    if (count >= 8) {
      vst1q_f32(p, low);
      vst1q_f32(p + 4, high);
      return;
    }
    float eight[8];
    vst1q_f32(eight, low);
    vst1q_f32(eight + 4, high);
    __builtin_memcpy(p, eight, count * sizeof(float));
  }
};
inline Eight operator+(Eight a, Eight b) { return {vaddq_f32(a.low, b.low), vaddq_f32(a.high, b.high)}; }

inline float16x8_t LoadHalves(const uint16_t* p, size_t count) {
  if (count >= 8) return vld1q_f16(Halves(p));
  uint16_t eight[8] = {};
  __builtin_memcpy(eight, p, count * sizeof(uint16_t));
  return vreinterpretq_f16_u16(vld1q_u16(eight));
}
inline void StoreHalves(float16x8_t v, uint16_t* p, size_t count) {
  if (count >= 8) return vst1q_u16(p, vreinterpretq_u16_f16(v));
  uint16_t eight[8];
  vst1q_u16(eight, vreinterpretq_u16_f16(v));
  __builtin_memcpy(p, eight, count * sizeof(uint16_t));
}

// V vectors of columns from `first` on, the last of which has `count`, in all rows; `width`: columns of
// `sums`. FMAX and FMIN let a NaN through.
template <int V>
inline __attribute__((always_inline)) void FinishFloats(const GemmF16Tile& t, const float16_t* sums,
                                                        size_t width, size_t first, size_t count) {
  const float32x4_t lo = vdupq_n_f32(t.lo), hi = vdupq_n_f32(t.hi);
  // For all a compiler knows, storing a vector changes members of t.
  const size_t rows = t.m, stride = t.c_stride, start_stride = t.start_stride;
  const float* start = t.start == nullptr ? nullptr : t.start + first;
  float* c = t.c + first;
  Eight bias[V];
#pragma GCC unroll 4
  for (int j = 0; j < V; ++j)
    bias[j] = Eight::Load(t.bias == nullptr ? nullptr : t.bias + first + 8 * j, count);
  sums += first;
#pragma GCC unroll 1
  for (size_t i = 0; i < rows; ++i, c += stride, sums += width) {
#pragma GCC unroll 4
    for (int j = 0; j < V; ++j) {
      Eight v = Eight::Of(vld1q_f16(sums + 8 * j));
      if (start != nullptr) v = v + Eight::Load(start + 8 * j, count);
      v = v + bias[j];
      const Eight clamped = {vmaxq_f32(lo, vminq_f32(hi, v.low)), vmaxq_f32(lo, vminq_f32(hi, v.high))};
      clamped.Store(c + 8 * j, count);
    }
    if (start != nullptr) start += start_stride;
  }
}

// What a later block starts from: neither bias nor clamp.
template <int V>
inline __attribute__((always_inline)) void KeepFloats(const GemmF16Tile& t, const float16_t* sums,
                                                      size_t width, size_t first, size_t count) {
  const size_t rows = t.m, stride = t.c_stride, start_stride = t.start_stride;
  const float* start = t.start == nullptr ? nullptr : t.start + first;
  float* c = t.c + first;
  sums += first;
#pragma GCC unroll 1
  for (size_t i = 0; i < rows; ++i, c += stride, sums += width) {
#pragma GCC unroll 4
    for (int j = 0; j < V; ++j) {
      Eight v = Eight::Of(vld1q_f16(sums + 8 * j));
      if (start != nullptr) v = v + Eight::Load(start + 8 * j, count);
      v.Store(c + 8 * j, count);
    }
    if (start != nullptr) start += start_stride;
  }
}

template <int V>
inline __attribute__((always_inline)) void FinishHalves(const GemmF16Tile& t, const float16_t* sums,
                                                        size_t width, size_t first, size_t count) {
  const float16x8_t lo = vdupq_n_f16(static_cast<float16_t>(t.lo)),
                    hi = vdupq_n_f16(static_cast<float16_t>(t.hi));
  const size_t rows = t.m, stride = t.y_stride, start_stride = t.start_stride;
  const float* start = t.start == nullptr ? nullptr : t.start + first;
  const uint16_t* residual = t.residual == nullptr ? nullptr : t.residual + first;
  uint16_t* y = t.y + first;
  Eight bias[V];
  float16x8_t half_bias[V];
#pragma GCC unroll 4
  for (int j = 0; j < V; ++j) {
    bias[j] = Eight::Load(t.bias == nullptr ? nullptr : t.bias + first + 8 * j, count);
    half_bias[j] = bias[j].halves();
  }
  sums += first;
#pragma GCC unroll 1
  for (size_t i = 0; i < rows; ++i, y += stride, sums += width) {
#pragma GCC unroll 4
    for (int j = 0; j < V; ++j) {
      float16x8_t v = vld1q_f16(sums + 8 * j);
      if (start != nullptr) {
        Eight floats = Eight::Of(v) + Eight::Load(start + 8 * j, count) + bias[j];
        if (residual != nullptr) floats = floats + Eight::Of(LoadHalves(residual + 8 * j, count));
        v = floats.halves();
      } else {
        v = vaddq_f16(v, half_bias[j]);
        if (residual != nullptr) v = vaddq_f16(v, LoadHalves(residual + 8 * j, count));
      }
      StoreHalves(vmaxq_f16(lo, vminq_f16(hi, v)), y + 8 * j, count);
    }
    if (start != nullptr) start += start_stride;
    if (residual != nullptr) residual += stride;
  }
}

template <int V>
inline __attribute__((always_inline)) void FinishColumns(const GemmF16Tile& t, const float16_t* sums,
                                                         size_t width, size_t first, size_t count) {
  if (t.c == nullptr) return FinishHalves<V>(t, sums, width, first, count);
  constexpr float kInfinity = __builtin_inff();
  const bool is_plain = t.bias == nullptr && t.lo == -kInfinity && t.hi == kInfinity;
  is_plain ? KeepFloats<V>(t, sums, width, first, count) : FinishFloats<V>(t, sums, width, first, count);
}

// `width`: columns of `sums`, of which t.n exist.
void Finish(const GemmF16Tile& t, const float16_t* sums, size_t width) {
  size_t j = 0;
  for (; j + 32 <= t.n; j += 32) FinishColumns<4>(t, sums, width, j, 8);
  for (; j + 8 <= t.n; j += 8) FinishColumns<1>(t, sums, width, j, 8);
  if (j < t.n) FinishColumns<1>(t, sums, width, j, t.n - j);
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
    if (t.m > 4 && t.n == kNr && t.c == nullptr && t.start == nullptr && t.residual == nullptr) {
      return FinishSixRows(t);
    }
    if (t.m > 4) return RunSixRows(t);
    return t.m > 1 ? Run<4, 4>(t) : Run<1, 4>(t);
  }
  if (t.m > 4) return Run<6, 2>(t);
  t.m > 1 ? Run<4, 2>(t) : Run<1, 2>(t);
}

}  // namespace micrort
