#include "kernels/pool/pool.h"
#include "kernels/pool/pool_impl.h"
#include "x86/avx2/vec8_avx2.h"

namespace micrort {

namespace {

// 32 bytes at once.
struct WideMaxS8 {
  using Element = int8_t;
  using Vector = __m256i;
  static constexpr size_t kLanes = 32;

  static __m256i Initial() { return _mm256_set1_epi8(INT8_MIN); }
  static __m256i Combine(__m256i acc, const int8_t* p) {
    return _mm256_max_epi8(acc, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static void Finish(const PoolWindows&, __m256i acc, int8_t* p) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), acc);
  }
};

struct WideMaxU8 {
  using Element = uint8_t;
  using Vector = __m256i;
  static constexpr size_t kLanes = 32;

  static __m256i Initial() { return _mm256_setzero_si256(); }
  static __m256i Combine(__m256i acc, const uint8_t* p) {
    return _mm256_max_epu8(acc, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static void Finish(const PoolWindows&, __m256i acc, uint8_t* p) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), acc);
  }
};

struct WideMaxS16 {
  using Element = int16_t;
  using Vector = __m256i;
  static constexpr size_t kLanes = 16;

  static __m256i Initial() { return _mm256_set1_epi16(INT16_MIN); }
  static __m256i Combine(__m256i acc, const int16_t* p) {
    return _mm256_max_epi16(acc, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  }
  static void Finish(const PoolWindows&, __m256i acc, int16_t* p) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), acc);
  }
};

}  // namespace

void PoolMaxF32_avx2(const PoolWindows& windows) { Pool<MaxF32Policy<F32x8>>(windows); }
void PoolMaxS8_avx2(const PoolWindows& windows) { Pool<WideMaxS8, MaxS8Policy<F32x8>>(windows); }
void PoolMaxU8_avx2(const PoolWindows& windows) { Pool<WideMaxU8, MaxU8Policy<F32x8>>(windows); }
void PoolAverageF32_avx2(const PoolWindows& windows) { Pool<AverageF32Policy<F32x8>>(windows); }
void PoolAverageS8_avx2(const PoolWindows& windows) { Pool<AverageS8Policy<F32x8>>(windows); }
void PoolMaxF16_avx2(const PoolWindows& windows) { Pool<MaxF16Policy<F32x8>>(windows); }
void PoolAverageF16_avx2(const PoolWindows& windows) { Pool<AverageF16Policy<F32x8>>(windows); }
void PoolMaxS16_avx2(const PoolWindows& windows) { Pool<WideMaxS16, MaxS16Policy<F32x8>>(windows); }
void PoolAverageS16_avx2(const PoolWindows& windows) { Pool<AverageS16Policy<F32x8>>(windows); }

}  // namespace micrort
