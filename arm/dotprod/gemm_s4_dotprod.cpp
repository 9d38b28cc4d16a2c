// A byte b of weights is 16 * upper half + lower half, so that a product by b and one by its lower half give
// the sums of two columns: the upper half is never parted from b.

#include <arm_neon.h>

#include "arm/neon/vec4_s4.h"
#include "kernels/gemm/gemm_s4.h"

namespace micrort {

namespace {

constexpr size_t kHalf = 8;        // columns of a half of the panel
constexpr size_t kDepthStep = 16;  // of a row, in one register

// kVectors of the columns of a row: 0 and 1 of lower halves, 2 and 3 of upper ones.
template <int kRows, bool kHalfScales, bool kZeroPoints>
struct Tile {
  static constexpr int kVectors = 4;

  float32x4_t total[kRows][kVectors];
  const int8_t* a[kRows];
  const int32_t* sums[kRows];
  const float* scales[kRows];

  inline void Run(const GemmS4Block& t, size_t first) {
#pragma GCC unroll 4
    for (int i = 0; i < kRows; ++i) {
      const size_t at = (first + static_cast<size_t>(i)) * t.groups;
      a[i] = t.a + at * t.panel.group;
      sums[i] = t.a_sums + at;
      scales[i] = t.a_scales + at;
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) total[i][v] = Vec4S4::None();
    }
    const uint8_t* b = t.b;
    const size_t bytes = t.panel.group_bytes(), weights_at = t.panel.weights_at(), group = t.panel.group;
    for (const uint8_t* const end = b + t.groups * bytes; b != end; b += bytes)
      AddGroup(b, b + weights_at, group);
    float* const y = t.y + first * kVectors * Vec4S4::kLanes;
#pragma GCC unroll 4
    for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) Vec4S4::Store(y + (i * kVectors + v) * Vec4S4::kLanes, total[i][v]);
    }
  }

 private:
  // Sums of products by the bytes of weights, and by their lower halves.
  struct Sums {
    int32x4_t both[kRows][2], lower[kRows][2];
  };

  inline void AddGroup(const uint8_t* b, const uint8_t* weights, size_t group) {
    Sums s;
    Begin(b, &s);
    const uint8_t* const end = weights + group * kHalf;
    do {
      int8x16_t x[kRows];
#pragma GCC unroll 4
      for (int i = 0; i < kRows; ++i) {
        x[i] = vld1q_s8(a[i]);
        a[i] += kDepthStep;
      }
      AddFour<0>(weights, x, &s);
      AddFour<1>(weights, x, &s);
      AddFour<2>(weights, x, &s);
      AddFour<3>(weights, x, &s);
      weights += kDepthStep * kHalf;
    } while (weights != end);
    AddScaled(b, s);
  }

  // Less the zero points, once: of upper halves, these are in both sums.
  inline void Begin(const uint8_t* b, Sums* s) const {
#pragma GCC unroll 4
    for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
      for (int v = 0; v < 2; ++v) {
        s->lower[i][v] = s->both[i][v] =
            kZeroPoints ? Vec4S4::Start<0>(ZeroPoints(b) + 4 * v, *sums[i]) : Vec4S4::Start(*sums[i]);
      }
    }
  }
  static inline const uint8_t* ZeroPoints(const uint8_t* b) {
    return b + 2 * kHalf * (kHalfScales ? sizeof(uint16_t) : sizeof(float));
  }

  // The products of four steps of the depth.
  template <int kLane>
  static inline void AddFour(const uint8_t* weights, const int8x16_t (&x)[kRows], Sums* s) {
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) {
      const int8x16_t both = Vec4S4::Load(weights + 32 * kLane + 16 * v), lower = Vec4S4::Low(both);
#pragma GCC unroll 4
      for (int i = 0; i < kRows; ++i) {
        s->both[i][v] = vdotq_laneq_s32(s->both[i][v], both, x[i], kLane);
        s->lower[i][v] = vdotq_laneq_s32(s->lower[i][v], lower, x[i], kLane);
      }
    }
  }

  inline void AddScaled(const uint8_t* b, const Sums& s) {
    float32x4_t of_columns[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      of_columns[v] = kHalfScales ? Vec4S4::LoadHalves(b + 8 * v) : Vec4S4::LoadFloats(b + 16 * v);
    }
#pragma GCC unroll 4
    for (int i = 0; i < kRows; ++i) {
      const int32_t n = *sums[i]++;
      const float of_row = *scales[i]++;
#pragma GCC unroll 2
      for (int v = 0; v < 2; ++v) {
        const int32x4_t upper = vsubq_s32(s.both[i][v], s.lower[i][v]);  // 16 times
        total[i][v] = Vec4S4::AddScaled(total[i][v], s.lower[i][v], of_columns[v], of_row);
        const float32x4_t scaled = vmulq_f32(Upper(b, upper, v, n), of_columns[2 + v]);
        total[i][2 + v] = vaddq_f32(total[i][2 + v], vmulq_n_f32(scaled, of_row));
      }
    }
  }
  // The sums of upper halves, which are kInt4Center less than weights. Without zero points of their own that
  // is right, and the float of 16 times a sum is 16 times its float.
  static inline float32x4_t Upper(const uint8_t* b, int32x4_t sixteenfold, int v, int32_t n) {
    if (!kZeroPoints) return vcvtq_n_f32_s32(sixteenfold, 4);
    const Vec4S4::Sums start = vsubq_s32(Vec4S4::Start<4>(ZeroPoints(b) + 4 * v, n), Vec4S4::Start(n));
    return vcvtq_f32_s32(vaddq_s32(vshrq_n_s32(sixteenfold, 4), start));
  }
};

// Scales that are no halves are rare: rows one by one then need less code.
template <bool kHalfScales, bool kZeroPoints>
void RunRows(const GemmS4Block& t) {
  size_t i = 0;
  if (kHalfScales) {
    for (; i + 4 <= t.m; i += 4) Tile<4, true, kZeroPoints>().Run(t, i);
    // With zero points, those of three rows would need more registers than there are.
    if (!kZeroPoints && t.m - i == 3) return Tile<3, true, kZeroPoints>().Run(t, i);
    if (t.m - i >= 2) {
      Tile<2, true, kZeroPoints>().Run(t, i);
      i += 2;
    }
  }
  for (; i < t.m; ++i) Tile<1, kHalfScales, kZeroPoints>().Run(t, i);
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
