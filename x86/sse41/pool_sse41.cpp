#include "kernels/pool/pool.h"
#include "kernels/pool/pool_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

namespace {

// 16 bytes at once.
struct WideMaxS8 {
  using Element = int8_t;
  using Vector = __m128i;
  static constexpr size_t kLanes = 16;

  static __m128i Initial() { return _mm_set1_epi8(INT8_MIN); }
  static __m128i Combine(__m128i acc, const int8_t* p) {
    return _mm_max_epi8(acc, _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  static void Finish(const PoolWindows&, __m128i acc, int8_t* p) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), acc);
  }
};

struct WideMaxU8 {
  using Element = uint8_t;
  using Vector = __m128i;
  static constexpr size_t kLanes = 16;

  static __m128i Initial() { return _mm_setzero_si128(); }
  static __m128i Combine(__m128i acc, const uint8_t* p) {
    return _mm_max_epu8(acc, _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  static void Finish(const PoolWindows&, __m128i acc, uint8_t* p) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), acc);
  }
};

struct WideMaxS16 {
  using Element = int16_t;
  using Vector = __m128i;
  static constexpr size_t kLanes = 8;

  static __m128i Initial() { return _mm_set1_epi16(INT16_MIN); }
  static __m128i Combine(__m128i acc, const int16_t* p) {
    return _mm_max_epi16(acc, _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
  static void Finish(const PoolWindows&, __m128i acc, int16_t* p) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), acc);
  }
};

}  // namespace

void PoolMaxF32_sse41(const PoolWindows& windows) { Pool<MaxF32Policy<F32x8>>(windows); }
void PoolMaxS8_sse41(const PoolWindows& windows) { Pool<WideMaxS8, MaxS8Policy<F32x8>>(windows); }
void PoolMaxU8_sse41(const PoolWindows& windows) { Pool<WideMaxU8, MaxU8Policy<F32x8>>(windows); }
void PoolAverageF32_sse41(const PoolWindows& windows) { Pool<AverageF32Policy<F32x8>>(windows); }
void PoolAverageS8_sse41(const PoolWindows& windows) { Pool<AverageS8Policy<F32x8>>(windows); }
void PoolMaxS16_sse41(const PoolWindows& windows) { Pool<WideMaxS16, MaxS16Policy<F32x8>>(windows); }
void PoolAverageS16_sse41(const PoolWindows& windows) { Pool<AverageS16Policy<F32x8>>(windows); }

}  // namespace micrort
