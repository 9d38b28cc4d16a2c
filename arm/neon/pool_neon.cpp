#include "arm/neon/vec8_neon.h"
#include "kernels/pool/pool.h"
#include "kernels/pool/pool_impl.h"

namespace micrort {

namespace {

// 16 bytes at once.
struct WideMaxS8 {
  using Element = int8_t;
  using Vector = int8x16_t;
  static constexpr size_t kLanes = 16;

  static int8x16_t Initial() { return vdupq_n_s8(INT8_MIN); }
  static int8x16_t Combine(int8x16_t acc, const int8_t* p) { return vmaxq_s8(acc, vld1q_s8(p)); }
  static void Finish(const PoolWindows&, int8x16_t acc, int8_t* p) { vst1q_s8(p, acc); }
};

struct WideMaxU8 {
  using Element = uint8_t;
  using Vector = uint8x16_t;
  static constexpr size_t kLanes = 16;

  static uint8x16_t Initial() { return vdupq_n_u8(0); }
  static uint8x16_t Combine(uint8x16_t acc, const uint8_t* p) { return vmaxq_u8(acc, vld1q_u8(p)); }
  static void Finish(const PoolWindows&, uint8x16_t acc, uint8_t* p) { vst1q_u8(p, acc); }
};

struct WideMaxS16 {
  using Element = int16_t;
  using Vector = int16x8_t;
  static constexpr size_t kLanes = 8;

  static int16x8_t Initial() { return vdupq_n_s16(INT16_MIN); }
  static int16x8_t Combine(int16x8_t acc, const int16_t* p) { return vmaxq_s16(acc, vld1q_s16(p)); }
  static void Finish(const PoolWindows&, int16x8_t acc, int16_t* p) { vst1q_s16(p, acc); }
};

}  // namespace

void PoolMaxF32_neon(const PoolWindows& windows) { Pool<MaxF32Policy<F32x8>>(windows); }
void PoolMaxS8_neon(const PoolWindows& windows) { Pool<WideMaxS8, MaxS8Policy<F32x8>>(windows); }
void PoolMaxU8_neon(const PoolWindows& windows) { Pool<WideMaxU8, MaxU8Policy<F32x8>>(windows); }
void PoolAverageF32_neon(const PoolWindows& windows) { Pool<AverageF32Policy<F32x8>>(windows); }
void PoolAverageS8_neon(const PoolWindows& windows) { Pool<AverageS8Policy<F32x8>>(windows); }
void PoolMaxF16_neon(const PoolWindows& windows) { Pool<MaxF16Policy<F32x8>>(windows); }
void PoolAverageF16_neon(const PoolWindows& windows) { Pool<AverageF16Policy<F32x8>>(windows); }
void PoolMaxS16_neon(const PoolWindows& windows) { Pool<WideMaxS16, MaxS16Policy<F32x8>>(windows); }
void PoolAverageS16_neon(const PoolWindows& windows) { Pool<AverageS16Policy<F32x8>>(windows); }

}  // namespace micrort
