#include <arm_neon.h>

#include "arm/neon/column_pairs_s4.h"
#include "arm/neon/load_pair_aarch64.h"
#include "arm/neon/vec4_s4.h"
#include "kernels/gemm/gemm_s4.h"

namespace micrort {

namespace {

// Totals in float stay in the output where the registers cannot hold them beside the sums of a group.
template <int kRows, bool kHalfScales, bool kZeroPoints>
class Tile {
 public:
  explicit Tile(const GemmS4Block& t) : t_(t) {}

  inline void Run(size_t first) const {
    Rows rows;
#pragma GCC unroll 4
    for (int i = 0; i < kRows; ++i) {
      const size_t at = (first + static_cast<size_t>(i)) * t_.groups;
      rows.a[i] = t_.a + at * t_.panel.group;
      rows.sums[i] = t_.a_sums + at;
      rows.scales[i] = t_.a_scales + at;
    }
    float32x4_t total[kRows][kVectors];
    float* const y = t_.y + first * Columns::kColumns;
    Clear(total, y);
    const uint8_t* b = t_.b;
    const size_t bytes = t_.panel.group_bytes(), weights_at = t_.panel.weights_at(),
                 weight_bytes = t_.panel.group * Columns::kHalf;
    for (const uint8_t* const end = b + t_.groups * bytes; b != end; b += bytes) {
      typename Columns::ZeroPoints zero_points;
      Columns::LoadZeroPoints(b, &zero_points);
      ColumnPairSums s[kRows];
#pragma GCC unroll 4
      for (int i = 0; i < kRows; ++i) Columns::Begin(zero_points, *rows.sums[i], &s[i]);
      const uint8_t* weights = b + weights_at;
      const uint8_t* const end_of_group = weights + weight_bytes;
      do {
        AddSixteen(&weights, &rows, s);
      } while (weights != end_of_group);
      AddScaled(b, zero_points, s, &rows, total, y);
    }
    if (!kInMemory) Store(total, y);
  }

 private:
  using Columns = ColumnPairs<kHalfScales, kZeroPoints>;
  static constexpr int kVectors = Columns::kVectors;
  static constexpr bool kInMemory = kRows > 2;

  struct Rows {
    const int8_t* a[kRows];
    const int32_t* sums[kRows];
    const float* scales[kRows];
  };

  static inline void Clear(float32x4_t (&total)[kRows][kVectors], float* y) {
#pragma GCC unroll 4
    for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) total[i][v] = Vec4S4::None();
    }
    if (kInMemory) Store(total, y);
  }
  static inline void Store(const float32x4_t (&total)[kRows][kVectors], float* y) {
#pragma GCC unroll 4
    for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) Vec4S4::Store(y + (i * kVectors + v) * Vec4S4::kLanes, total[i][v]);
    }
  }

  // The products of 16 steps of the depth.
  static inline __attribute__((always_inline)) void AddSixteen(const uint8_t** weights, Rows* rows,
                                                               ColumnPairSums (&s)[kRows]) {
    int8x16_t x[kRows];
#pragma GCC unroll 4
    for (int i = 0; i < kRows; ++i) LoadAndStep(&rows->a[i], sizeof x[i], &x[i]);
    AddFour<0>(weights, x, s);
    AddFour<1>(weights, x, s);
    AddFour<2>(weights, x, s);
    AddFour<3>(weights, x, s);
  }

  template <int kLane>
  static inline __attribute__((always_inline)) void AddFour(const uint8_t** weights,
                                                            const int8x16_t (&x)[kRows],
                                                            ColumnPairSums (&s)[kRows]) {
    int8x16_t both[2];
    LoadPair<32>(weights, &both[0], &both[1]);
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) {
      const int8x16_t lower = Vec4S4::Low(both[v]);
#pragma GCC unroll 4
      for (int i = 0; i < kRows; ++i) {
        s[i].both[v] = vdotq_laneq_s32(s[i].both[v], both[v], x[i], kLane);
        s[i].lower[v] = vdotq_laneq_s32(s[i].lower[v], lower, x[i], kLane);
      }
    }
  }

  static inline __attribute__((always_inline)) void AddScaled(const uint8_t* b,
                                                              const typename Columns::ZeroPoints& zero_points,
                                                              const ColumnPairSums (&s)[kRows], Rows* rows,
                                                              float32x4_t (&total)[kRows][kVectors],
                                                              float* y) {
    float32x4_t of_columns[kVectors];
    Columns::LoadScales(b, of_columns);
#pragma GCC unroll 4
    for (int i = 0; i < kRows; ++i) {
      if (kInMemory) {
        LoadPairAt(y, &total[i][0], &total[i][1]);
        LoadPairAt(y + 8, &total[i][2], &total[i][3]);
      }
      Columns::AddScaled(zero_points, s[i], of_columns, *rows->sums[i]++, *rows->scales[i]++, total[i]);
      if (kInMemory) {
        StorePair<32>(&y, total[i][0], total[i][1]);
        StorePair<32>(&y, total[i][2], total[i][3]);
      }
    }
  }

  const GemmS4Block& t_;
};

// Scales that are no halves are rare: rows one by one then need less code.
template <bool kHalfScales, bool kZeroPoints>
void RunRows(const GemmS4Block& t) {
  size_t i = 0;
  if (kHalfScales) {
    for (; i + 4 <= t.m; i += 4) Tile<4, true, kZeroPoints>(t).Run(i);
    if (t.m - i == 3) return Tile<3, true, kZeroPoints>(t).Run(i);
    if (t.m - i >= 2) {
      Tile<2, true, kZeroPoints>(t).Run(i);
      i += 2;
    }
  }
  for (; i < t.m; ++i) Tile<1, kHalfScales, kZeroPoints>(t).Run(i);
}

}  // namespace

void GemmS4_dotprod_4x16(const GemmS4Block& t) {
  if (t.panel.half_scales) {
    t.panel.zero_points ? RunRows<true, true>(t) : RunRows<true, false>(t);
  } else {
    t.panel.zero_points ? RunRows<false, true>(t) : RunRows<false, false>(t);
  }
}

}  // namespace micrort
