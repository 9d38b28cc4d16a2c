#include <immintrin.h>

#include "kernels/layer_s16/dot_s16.h"

namespace micrort {
namespace {

// Elements that an instruction multiplies: pairs of int16, whose products it adds. So many steps fit into 32
// bits.
constexpr size_t kLanes = 16, kShortSum = 128 * kLanes;
constexpr size_t kColumns = 4;

__m256i Words(const int8_t* w) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(w)));
}
__m256i Words(const int16_t* x) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x)); }

// The sum of the lanes of each of four vectors.
__m256i LaneSums(const __m256i* v) {
  const auto halves = [](__m256i x) {
    return _mm256_add_epi64(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(x)),
                            _mm256_cvtepi32_epi64(_mm256_extracti128_si256(x, 1)));
  };
  const __m256i a = halves(v[0]), b = halves(v[1]), c = halves(v[2]), d = halves(v[3]);
  const __m256i ab = _mm256_add_epi64(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
  const __m256i cd = _mm256_add_epi64(_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
  return _mm256_add_epi64(_mm256_permute2x128_si256(ab, cd, 0x20), _mm256_permute2x128_si256(ab, cd, 0x31));
}

// Whole vectors of `n` elements, of four columns.
void AddVectors(const int16_t* x, const int8_t* w, size_t stride, size_t n, int64_t* acc) {
  for (size_t k = 0; k + kLanes <= n;) {
    const size_t end = n - k < kShortSum ? n : k + kShortSum;
    __m256i sums[kColumns] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(),
                              _mm256_setzero_si256()};
    for (; k + kLanes <= end; k += kLanes) {
      const __m256i left = Words(x + k);
      for (size_t j = 0; j < kColumns; ++j)
        sums[j] = _mm256_add_epi32(sums[j], _mm256_madd_epi16(left, Words(w + j * stride + k)));
    }
    auto* out = reinterpret_cast<__m256i*>(acc);
    _mm256_storeu_si256(out, _mm256_add_epi64(_mm256_loadu_si256(out), LaneSums(sums)));
  }
}

// Elements that are no whole vector, or columns that are fewer.
void AddRest(const int16_t* x, const int8_t* w, size_t n, int64_t* acc) {
  for (size_t k = 0; k < n; ++k) *acc += x[k] * w[k];
}

}  // namespace

void DotS16_avx2(const int16_t* x, const int8_t* w, size_t stride, size_t depth, size_t columns,
                 int64_t* acc) {
  const size_t whole = depth / kLanes * kLanes;
  size_t j = 0;
  for (; j + kColumns <= columns; j += kColumns) {
    AddVectors(x, w + j * stride, stride, whole, acc + j);
    for (size_t i = j; i < j + kColumns; ++i)
      AddRest(x + whole, w + i * stride + whole, depth - whole, acc + i);
  }
  for (; j < columns; ++j) AddRest(x, w + j * stride, depth, acc + j);
}

void DotPairS16_avx2(const DotPairS16& rows) {
  for (size_t r = 0; r < 2; ++r) {
    for (size_t j = 0; rows.is_first && j < rows.columns; ++j) rows.acc[r][j] = 0;
    DotS16_avx2(rows.x[r], rows.w, rows.stride, rows.depth, rows.columns, rows.acc[r]);
  }
}

void TapsS16_avx2(const TapS16* taps, size_t count, size_t n, int64_t* acc) {
  constexpr size_t kStep = 8;
  size_t j = 0;
  for (; j + kStep <= n; j += kStep) {
    __m256i sums = _mm256_setzero_si256();
    for (size_t t = 0; t < count; ++t) {
      const __m256i left =
          _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(taps[t].x + j)));
      const __m256i right =
          _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(taps[t].w + j)));
      sums = _mm256_add_epi32(sums, _mm256_mullo_epi32(left, right));
    }
    auto* out = reinterpret_cast<__m256i*>(acc + j);
    const __m256i low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(sums)),
                  high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(sums, 1));
    _mm256_storeu_si256(out, _mm256_add_epi64(_mm256_loadu_si256(out), low));
    _mm256_storeu_si256(out + 1, _mm256_add_epi64(_mm256_loadu_si256(out + 1), high));
  }
  for (; j < n; ++j) {
    for (size_t t = 0; t < count; ++t) acc[j] += taps[t].x[j] * taps[t].w[j];
  }
}

}  // namespace micrort
