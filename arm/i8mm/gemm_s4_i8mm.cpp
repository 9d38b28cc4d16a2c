// int4 GEMM with matrix instructions: eight depth steps of two rows times the same of two columns, which
// gives two sums of the one row, then two of the other. Bytes of weights hold two columns
// (arm/neon/column_pairs_s4.h).

#include <arm_neon.h>

#include "arm/neon/column_pairs_s4.h"
#include "arm/neon/load_pair_aarch64.h"
#include "arm/neon/vec4_s4.h"
#include "kernels/gemm/gemm_s4.h"

namespace micrort {

namespace {

constexpr size_t kHalf = 8;   // columns of a half of the panel
constexpr size_t kEight = 8;  // depth steps of an instruction

// Two of four numbers, twice.
inline int32x4_t TwiceLow(int32x4_t x) {
  return vreinterpretq_s32_s64(vdupq_laneq_s64(vreinterpretq_s64_s32(x), 0));
}
inline int32x4_t TwiceHigh(int32x4_t x) {
  return vreinterpretq_s32_s64(vdupq_laneq_s64(vreinterpretq_s64_s32(x), 1));
}
inline float32x4_t TwiceLow(float32x4_t x) {
  return vreinterpretq_f32_s32(TwiceLow(vreinterpretq_s32_f32(x)));
}
inline float32x4_t TwiceHigh(float32x4_t x) {
  return vreinterpretq_f32_s32(TwiceHigh(vreinterpretq_s32_f32(x)));
}

// Columns of kBytes vectors of weights, two of each half of the panel a vector. Pairs of rows are blocks of
// four, or the only one. What pairs have in floats is in memory, as registers hold the sums of a group.
template <int kPairs, int kBytes, bool kZeroPoints>
class Tile {
 public:
  // Starts at that vector among the weights of eight depth steps.
  Tile(const GemmS4Block& t, size_t first_row, size_t first_vector)
      : t_(t), first_row_(first_row), first_vector_(first_vector) {}

  inline void Run() const {
    float totals[kPairs * kVectors * 4] = {};
    Rows rows;
#pragma GCC unroll 3
    for (int i = 0; i < kBlocks; ++i) {
      const size_t at = (first_row_ + static_cast<size_t>(4 * i)) * t_.groups;
      rows.a[i] = t_.a + at * t_.panel.group;
      rows.scales[i] = t_.a_scales + 2 * at;
      rows.sums[i] = t_.a_sums + 2 * at;
    }
    const size_t bytes = t_.panel.group_bytes(), weights_at = t_.panel.weights_at() + 16 * first_vector_,
                 group = t_.panel.group;
    const bool half_scales = t_.panel.half_scales;
    const uint8_t* b = t_.b;
    for (const uint8_t* const end = b + t_.groups * bytes; b != end; b += bytes) {
      Sums s;
      Begin(b, &rows, &s);
      const uint8_t* weights = b + weights_at;
      const uint8_t* const end_of_group = weights + group * kHalf;
      do {
        AddEight(&weights, &rows, &s);
      } while (weights != end_of_group);
      AddScaled(b, half_scales, &s, &rows, totals);
    }
    Store(totals);
  }

 private:
  static constexpr int kBlocks = (kPairs + 1) / 2, kInBlock = kPairs / kBlocks;
  static constexpr int kVectors = 2 * kBytes;  // of the floats of a pair

  struct Rows {
    const int8_t* a[kBlocks];
    const float* scales[kBlocks];
    const int32_t* sums[kBlocks];
  };

  struct Sums {
    int32x4_t both[kPairs][kBytes], lower[kPairs][kBytes];
  };

  // Loads the bytes, scales or sums of the pairs of a block, and moves on to the next block.
  template <typename T, typename Vector>
  static inline __attribute__((always_inline)) void LoadBlock(const T** p, Vector (&x)[kInBlock]) {
    if (kInBlock == 2) {
      LoadPair<32>(p, &x[0], &x[kInBlock - 1]);
    } else {
      __builtin_memcpy(&x[0], *p, sizeof x[0]);
      *p += sizeof x[0] / sizeof(T);
    }
  }

  // Subtracts the zero points of lower halves; those of upper halves are in both sums.
  inline __attribute__((always_inline)) void Begin(const uint8_t* b, Rows* rows, Sums* s) const {
    int32x4_t fours[kBytes / 2], zero_points[kBytes];
#pragma GCC unroll 2
    for (int i = 0; i < kBytes / 2; ++i) {
      fours[i] = kZeroPoints ? Vec4S4::Start<0>(ZeroPoints(b, 2 * i), 1) : vdupq_n_s32(-kInt4Center);
      // A product of a constant would be a shift and a negation.
      __asm__("" : "+w"(fours[i]));
    }
    Twice(fours, zero_points);
#pragma GCC unroll 3
    for (int i = 0; i < kBlocks; ++i) {
      const int32_t* sums = rows->sums[i];
      int32x4_t n[kInBlock];
      LoadBlock(&sums, n);
      if (!kZeroPoints) rows->sums[i] = sums;  // else needed again
#pragma GCC unroll 2
      for (int pair = 0; pair < kInBlock; ++pair) {
#pragma GCC unroll 4
        for (int v = 0; v < kBytes; ++v) {
          const int p = i * kInBlock + pair;
          s->lower[p][v] = s->both[p][v] = vmulq_s32(n[pair], zero_points[v]);
        }
      }
    }
  }
  const uint8_t* ZeroPoints(const uint8_t* b, int v) const {
    return b + 2 * kHalf * t_.panel.scale_bytes() + Column(v);
  }
  // The columns of the first half of the panel.
  size_t Column(int v) const { return 2 * (first_vector_ + static_cast<size_t>(v)); }

  inline __attribute__((always_inline)) void AddEight(const uint8_t** weights, Rows* rows, Sums* s) const {
    int8x16_t both[kBytes], lower[kBytes];
#pragma GCC unroll 2
    for (int v = 0; v < kBytes; v += 2)
      LoadPair<kHalf * kEight * 2 / kBytes>(weights, &both[v], &both[v + 1]);
#pragma GCC unroll 4
    for (int v = 0; v < kBytes; ++v) lower[v] = Vec4S4::Low(both[v]);
#pragma GCC unroll 3
    for (int i = 0; i < kBlocks; ++i) {
      int8x16_t x[kInBlock];
      LoadBlock(&rows->a[i], x);
#pragma GCC unroll 2
      for (int pair = 0; pair < kInBlock; ++pair) {
        const int p = i * kInBlock + pair;
#pragma GCC unroll 4
        for (int v = 0; v < kBytes; ++v) {
          s->both[p][v] = vmmlaq_s32(s->both[p][v], x[pair], both[v]);
          s->lower[p][v] = vmmlaq_s32(s->lower[p][v], x[pair], lower[v]);
        }
      }
    }
  }

  // Handles four columns of each half at a time.
  struct Scales {
    float32x4_t lower[kBytes / 2], upper[kBytes / 2];
  };
  inline __attribute__((always_inline)) void LoadScales(const uint8_t* b, bool half_scales,
                                                        Scales* scales) const {
    if (half_scales) {
#pragma GCC unroll 2
      for (int i = 0; i < kBytes / 2; ++i) {
        scales->lower[i] = Vec4S4::LoadHalves(b + Column(2 * i) * sizeof(uint16_t));
        scales->upper[i] = Vec4S4::LoadHalves(b + (kHalf + Column(2 * i)) * sizeof(uint16_t));
      }
    } else {
#pragma GCC unroll 2
      for (int i = 0; i < kBytes / 2; ++i) {
        scales->lower[i] = Vec4S4::LoadFloats(b + Column(2 * i) * sizeof(float));
        scales->upper[i] = Vec4S4::LoadFloats(b + (kHalf + Column(2 * i)) * sizeof(float));
      }
    }
  }
  // [c0, c1, c0, c1] of each two columns.
  template <typename Vector>
  static inline __attribute__((always_inline)) void Twice(const Vector (&fours)[kBytes / 2],
                                                          Vector (&x)[kBytes]) {
#pragma GCC unroll 4
    for (int v = 0; v < kBytes; ++v) x[v] = v % 2 == 0 ? TwiceLow(fours[v / 2]) : TwiceHigh(fours[v / 2]);
  }

  // Lower halves first: then registers are free for the zero points of upper ones.
  inline __attribute__((always_inline)) void AddScaled(const uint8_t* b, bool half_scales, Sums* s,
                                                       Rows* rows, float* total) const {
#pragma GCC unroll 6
    for (int p = 0; p < kPairs; ++p) {
#pragma GCC unroll 4
      for (int v = 0; v < kBytes; ++v) s->both[p][v] = vsubq_s32(s->both[p][v], s->lower[p][v]);  // 16 times
    }
    float32x4_t of_columns[kBytes];
    Scales fours;
    LoadScales(b, half_scales, &fours);
    Twice(fours.lower, of_columns);
#pragma GCC unroll 3
    for (int i = 0; i < kBlocks; ++i) {
      const float* scales = rows->scales[i];
      float32x4_t of_rows[kInBlock];
      LoadBlock(&scales, of_rows);
#pragma GCC unroll 4
      for (int at = 0; at < kInBlock * kBytes; at += 2) {
        const int pair = at / kBytes, p = i * kInBlock + pair, v = at % kBytes;
        AddScaled(vcvtq_f32_s32(s->lower[p][v]), vcvtq_f32_s32(s->lower[p][v + 1]), &of_columns[v],
                  of_rows[pair], &total);
      }
    }
    Twice(fours.upper, of_columns);
    int32x4_t zero_points[kBytes];
    LoadUpperZeroPoints(b, zero_points);
#pragma GCC unroll 3
    for (int i = 0; i < kBlocks; ++i) {
      float32x4_t of_rows[kInBlock];
      LoadBlock(&rows->scales[i], of_rows);
      int32x4_t n[kInBlock];
      if (kZeroPoints) LoadBlock(&rows->sums[i], n);
#pragma GCC unroll 4
      for (int at = 0; at < kInBlock * kBytes; at += 2) {
        const int pair = at / kBytes, p = i * kInBlock + pair, v = at % kBytes;
        AddScaled(Upper(s->both[p][v], n[pair], zero_points[v]),
                  Upper(s->both[p][v + 1], n[pair], zero_points[v + 1]), &of_columns[v], of_rows[pair],
                  &total);
      }
    }
  }
  static inline __attribute__((always_inline)) void AddScaled(float32x4_t x, float32x4_t y,
                                                              const float32x4_t* of_columns,
                                                              float32x4_t of_rows, float** total) {
    x = vmulq_f32(vmulq_f32(x, of_columns[0]), of_rows);
    y = vmulq_f32(vmulq_f32(y, of_columns[1]), of_rows);
    // This comes before the totals are loaded, since the sums leave no register for them.
    __asm__("" : "+w"(x), "+w"(y));
    float32x4_t total_x, total_y;
    LoadPairAt(*total, &total_x, &total_y);
    StorePair<32>(total, vaddq_f32(total_x, x), vaddq_f32(total_y, y));
  }

  // The same as in ColumnPairs.
  inline __attribute__((always_inline)) void LoadUpperZeroPoints(const uint8_t* b,
                                                                 int32x4_t (&zero_points)[kBytes]) const {
    int32x4_t fours[kBytes / 2];
#pragma GCC unroll 2
    for (int i = 0; i < kBytes / 2 && kZeroPoints; ++i)
      fours[i] = vaddq_s32(Vec4S4::Start<4>(ZeroPoints(b, 2 * i), 1), vdupq_n_s32(kInt4Center));
    Twice(fours, zero_points);
  }
  static inline __attribute__((always_inline)) float32x4_t Upper(int32x4_t sixteenfold, int32x4_t n,
                                                                 int32x4_t zero_points) {
    if (!kZeroPoints) return vcvtq_n_f32_s32(sixteenfold, 4);
    return vcvtq_f32_s32(vsraq_n_s32(vmulq_s32(n, zero_points), sixteenfold, 4));
  }

  inline void Store(const float* total) const {
#pragma GCC unroll 2
    for (size_t half = 0; half < 2; ++half) {
      for (size_t row = first_row_; row < first_row_ + 2 * kPairs; row += 2) {
#pragma GCC unroll 2
        for (int v = 0; v < kBytes; v += 2, total += 8) {
          const float32x4_t x = vld1q_f32(total), y = vld1q_f32(total + 4);
          float* const to = t_.y + row * 2 * kHalf + half * kHalf + Column(v);
          Vec4S4::Store(to, vcombine_f32(vget_low_f32(x), vget_low_f32(y)));
          if (row + 1 < t_.m) Vec4S4::Store(to + 2 * kHalf, vcombine_f32(vget_high_f32(x), vget_high_f32(y)));
        }
      }
    }
  }

  const GemmS4Block& t_;
  const size_t first_row_, first_vector_;
};

// One row, which comes twice: as the first one of two for half of the columns, and as the second one for the
// others, so that no sum is for nothing.
template <bool kHalfScales, bool kZeroPoints>
void RunRow(const GemmS4Block& t, size_t row) {
  using Columns = ColumnPairs<kHalfScales, kZeroPoints>;
  const size_t at = row * t.groups, bytes = t.panel.group_bytes();
  const int8_t* a = t.a + at * t.panel.group;
  const float* scales = t.a_scales + 2 * at;
  const int32_t* sums = t.a_sums + 2 * at;
  float32x4_t total[Columns::kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < Columns::kVectors; ++v) total[v] = Vec4S4::None();
  const uint8_t* b = t.b;
  for (const uint8_t* const end = b + t.groups * bytes; b != end; b += bytes, scales += 8, sums += 8) {
    typename Columns::ZeroPoints zero_points;
    Columns::LoadZeroPoints(b, &zero_points);
    ColumnPairSums s;
    Columns::Begin(zero_points, *sums, &s);
    const uint8_t* weights = b + t.panel.weights_at();
    const uint8_t* const end_of_group = weights + t.panel.group * kHalf;
    do {
#pragma GCC unroll 4
      for (int step = 0; step < 4; ++step) {
        int8x16_t first, second;
        LoadPair<32>(&a, &first, &second);
#pragma GCC unroll 2
        for (int v = 0; v < 2; ++v) {
          int8x16_t both0, both1;
          LoadPair<32>(&weights, &both0, &both1);
          s.both[v] = vmmlaq_s32(s.both[v], first, both0);
          s.lower[v] = vmmlaq_s32(s.lower[v], first, Vec4S4::Low(both0));
          s.both[v] = vmmlaq_s32(s.both[v], second, both1);
          s.lower[v] = vmmlaq_s32(s.lower[v], second, Vec4S4::Low(both1));
        }
      }
    } while (weights != end_of_group);
    float32x4_t of_columns[Columns::kVectors];
    Columns::LoadScales(b, of_columns);
    Columns::AddScaled(zero_points, s, of_columns, *sums, *scales, total);
  }
#pragma GCC unroll 4
  for (int v = 0; v < Columns::kVectors; ++v) Vec4S4::Store(t.y + row * 2 * kHalf + 4 * v, total[v]);
}

template <int kPairs, int kBytes, bool kZeroPoints>
__attribute__((noinline)) void RunTile(const GemmS4Block& t, size_t first_row, size_t first_vector) {
  Tile<kPairs, kBytes, kZeroPoints>(t, first_row, first_vector).Run();
}

// The number of blocks of four rows.
template <int kBlocks, bool kZeroPoints>
void RunBlocks(const GemmS4Block& t, size_t first_row) {
  for (size_t vector = 0; vector < 4; vector += 2) RunTile<2 * kBlocks, 2, kZeroPoints>(t, first_row, vector);
}

template <bool kZeroPoints>
void Run(const GemmS4Block& t) {
  size_t i = 0;
  for (; i + 11 <= t.m; i += 12) RunBlocks<3, kZeroPoints>(t, i);
  if (i + 7 <= t.m) {
    RunBlocks<2, kZeroPoints>(t, i);
    i += 8;
  } else if (i + 3 <= t.m) {
    RunBlocks<1, kZeroPoints>(t, i);
    i += 4;
  }
  if (i + 2 == t.m) return RunTile<1, 4, kZeroPoints>(t, i, 0);
  if (i + 1 != t.m) return;
  t.panel.half_scales ? RunRow<true, kZeroPoints>(t, i) : RunRow<false, kZeroPoints>(t, i);
}

}  // namespace

void GemmS4_i8mm_12x16(const GemmS4Block& t) { t.panel.zero_points ? Run<true>(t) : Run<false>(t); }

}  // namespace micrort
