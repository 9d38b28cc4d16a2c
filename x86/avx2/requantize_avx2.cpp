#include "kernels/gemm/requantize_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {
namespace {

// What all elements of a tile have in common, known once for it: columns are few rows high.
struct Bounds {
  __m256i zero_point;  // of int16
  __m256i lowest, highest;

  explicit Bounds(const RequantizeOutput& o)
      : zero_point(_mm256_set1_epi16(static_cast<int16_t>(o.zero_point))),
        lowest(Bound(o.lo, o)),
        highest(Bound(o.hi, o)) {}

 private:
  // A rounded clamp plus the zero point, in every byte.
  static __m256i Bound(float x, const RequantizeOutput& o) {
    const int32_t bound = _mm_cvtss_si32(_mm_set_ss(x)) + o.zero_point;
    return _mm256_set1_epi8(static_cast<int8_t>(bound));
  }
};

// Sixteen columns of two rows become one register of bytes. Narrowing saturates, so of the clamps only the
// upper one has to come before it, where it also keeps numbers below 2^31; the lower one is taken of bytes.
// Rounding keeps the order of numbers, so clamping after it gives the same.
// `Scaling` gives eight of them as integers, at most so large that the zero point may be added to int16.
template <typename Scaling>
class Columns16 {
 public:
  static size_t Run(const AccumulatorTile& t, const RequantizeOutput& o) {
    if (t.m == 0) return 0;
    const Bounds bounds(o);
    size_t j = 0;
    for (; j + kColumns <= t.n; j += kColumns) Columns16(t, o, j, bounds).AllRows();
    return j;
  }

 private:
  static constexpr size_t kColumns = 16;

  Columns16(const AccumulatorTile& t, const RequantizeOutput& o, size_t j, const Bounds& bounds)
      : rows_(t.m), y_(o.y + j), stride_(o.stride), scaling_(t, o, j), bounds_(bounds) {}

  // Sixteen columns of row i as int16: those of each half of the vector from the same half of two vectors.
  __m256i Words(size_t i) const {
    return _mm256_adds_epi16(_mm256_packs_epi32(scaling_.Rounded(i, 0).v, scaling_.Rounded(i, 1).v),
                             bounds_.zero_point);
  }

  // The last row of an odd number is computed twice.
  void AllRows() const {
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    for (size_t i = 0; i < rows_; i += 2) {
      const size_t next = i + 1 < rows_ ? i + 1 : i;
      __m256i bytes = _mm256_max_epi8(_mm256_packs_epi16(Words(i), Words(next)), bounds_.lowest);
      if constexpr (!Scaling::kClampsAbove) bytes = _mm256_min_epi8(bytes, bounds_.highest);
      const __m256i rows = _mm256_permutevar8x32_epi32(bytes, order);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(y_ + i * stride_), _mm256_castsi256_si128(rows));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(y_ + next * stride_), _mm256_extracti128_si256(rows, 1));
    }
  }

  const size_t rows_;
  int8_t* const y_;
  const size_t stride_;
  const Scaling scaling_;
  const Bounds bounds_;
};

// By a float, which keeps the upper clamp before it is rounded.
template <bool kResidual, bool kSlopes>
class FloatScaling {
 public:
  static constexpr bool kClampsAbove = true;

  FloatScaling(const AccumulatorTile& t, const RequantizeOutput& o, size_t j)
      : acc_(t.acc + j),
        acc_stride_(t.acc_stride),
        residual_(kResidual ? o.residual + j : nullptr),
        stride_(o.stride),
        bias_{S32x8::Load(t.bias + j), S32x8::Load(t.bias + j + 8)},
        multipliers_{F32x8::Load(t.multipliers + j), F32x8::Load(t.multipliers + j + 8)},
        hi_(F32x8::Broadcast(o.hi)),
        residual_zero_point_(S32x8::Broadcast(o.residual_zero_point)),
        residual_ratio_(F32x8::Broadcast(o.residual_ratio)),
        slopes_{Slopes(o, j), Slopes(o, j + 8)} {}

  // Columns 8 * k to 8 * k + 7 of row i.
  S32x8 Rounded(size_t i, size_t k) const {
    F32x8 v = ToFloat(S32x8::Load(acc_ + i * acc_stride_ + 8 * k) + bias_[k]) * multipliers_[k];
    if constexpr (kResidual) {
      const S32x8 residual = S32x8::Load(residual_ + i * stride_ + 8 * k) - residual_zero_point_;
      v = v + ToFloat(residual) * residual_ratio_;
    }
    if constexpr (kSlopes) v = BySlopesBelowZero(v, slopes_[k]);
    return RoundToIntInRange(Min(v, hi_));
  }

 private:
  static F32x8 Slopes(const RequantizeOutput& o, size_t j) {
    return kSlopes ? F32x8::Load(o.slopes + j) : F32x8::Zero();
  }

  const int32_t* const acc_;
  const size_t acc_stride_;
  const int8_t* const residual_;
  const size_t stride_;
  const S32x8 bias_[2];
  const F32x8 multipliers_[2];
  const F32x8 hi_;
  const S32x8 residual_zero_point_;
  const F32x8 residual_ratio_;
  const F32x8 slopes_[2];
};

// By integers, shifted either way.
class FixedScaling {
 public:
  static constexpr bool kClampsAbove = false;

  FixedScaling(const AccumulatorTile& t, const RequantizeOutput&, size_t j)
      : acc_(t.acc + j),
        acc_stride_(t.acc_stride),
        columns_{{t, j, WholeVector<F32x8>()}, {t, j + 8, WholeVector<F32x8>()}} {}

  S32x8 Rounded(size_t i, size_t k) const {
    return columns_[k].Scaled(S32x8::Load(acc_ + i * acc_stride_ + 8 * k) + columns_[k].bias);
  }

 private:
  const int32_t* const acc_;
  const size_t acc_stride_;
  const FixedColumns<F32x8> columns_[2];
};

// The same where every number is shifted to the right: both roundings are one addition to the product. Taking
// the sum's sign for the product's is no error, as they differ only where the product rounds to zero. Where
// negative numbers are clamped to zero or above, their halves need not go away from zero.
template <bool kHasNegative>
class RightShiftScaling {
 public:
  static constexpr bool kClampsAbove = false;

  RightShiftScaling(const AccumulatorTile& t, const RequantizeOutput&, size_t j)
      : acc_(t.acc + j), acc_stride_(t.acc_stride), columns_{{t, j}, {t, j + 8}} {}

  S32x8 Rounded(size_t i, size_t k) const { return columns_[k].Scaled(acc_ + i * acc_stride_ + 8 * k); }

 private:
  struct Columns {
    __m256i bias, right, even, odd, add_to_even, add_to_odd;

    Columns(const AccumulatorTile& t, size_t j)
        : bias(S32x8::Load(t.bias + j).v),
          right((S32x8::Zero() - S32x8::Load(t.shifts + j)).v),
          even(S32x8::Load(t.fixed_multipliers + j).v),
          odd(_mm256_srli_epi64(even, 32)),
          add_to_even(Halves(_mm256_and_si256(right, _mm256_set1_epi64x(UINT32_MAX)))),
          add_to_odd(Halves(_mm256_srli_epi64(right, 32))) {}

    // Halves of bit 31, and of the last of `n` more bits.
    static __m256i Halves(__m256i n) {
      const __m256i first = _mm256_set1_epi64x(int64_t{1} << 30);
      return _mm256_add_epi64(first, _mm256_sllv_epi64(first, n));
    }

    S32x8 Scaled(const int32_t* acc) const {
      const __m256i sum = _mm256_add_epi32(S32x8::Load(acc).v, bias);
      const __m256i even_product = _mm256_add_epi64(_mm256_mul_epi32(sum, even), add_to_even);
      const __m256i odd_sum = _mm256_srli_epi64(sum, 32);
      const __m256i odd_product = _mm256_add_epi64(_mm256_mul_epi32(odd_sum, odd), add_to_odd);
      const __m256i halves =
          _mm256_blend_epi32(_mm256_srli_epi64(even_product, 31), _mm256_slli_epi64(odd_product, 1), 0xaa);
      if constexpr (!kHasNegative) return {_mm256_srav_epi32(halves, right)};
      const __m256i away_from_zero = _mm256_add_epi32(halves, _mm256_srai_epi32(sum, 31));
      return {_mm256_srav_epi32(away_from_zero, right)};
    }
  };

  const int32_t* const acc_;
  const size_t acc_stride_;
  const Columns columns_[2];
};

struct FixedTile16 {
  static size_t Run(const AccumulatorTile& t, const RequantizeOutput& o) {
    if (!t.shifts_right) return Columns16<FixedScaling>::Run(t, o);
    return o.lo < 0 ? Columns16<RightShiftScaling<true>>::Run(t, o)
                    : Columns16<RightShiftScaling<false>>::Run(t, o);
  }
};

class Tile16 {
 public:
  static size_t Run(const AccumulatorTile& t, const RequantizeOutput& o) {
    return o.slopes == nullptr ? Run<false>(t, o) : Run<true>(t, o);
  }

 private:
  template <bool kSlopes>
  static size_t Run(const AccumulatorTile& t, const RequantizeOutput& o) {
    return o.residual == nullptr ? Columns16<FloatScaling<false, kSlopes>>::Run(t, o)
                                 : Columns16<FloatScaling<true, kSlopes>>::Run(t, o);
  }
};

}  // namespace

void RequantizeS8_avx2(const AccumulatorTile& tile, const RequantizeOutput& out) {
  RequantizeS8<F32x8, Tile16>(tile, out);
}
void RequantizeFixedS8_avx2(const AccumulatorTile& tile, const RequantizeOutput& out) {
  RequantizeFixedS8<F32x8, FixedTile16>(tile, out);
}
void RequantizeF32_avx2(const AccumulatorTile& tile, const DequantizeOutput& out) {
  RequantizeF32<F32x8>(tile, out);
}

}  // namespace micrort
