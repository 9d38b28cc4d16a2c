#include "kernels/pool/pool.h"
#include "kernels/pool/pool_impl.h"
#include "wasm/simd128/vec8_simd128.h"

namespace micrort {

namespace {

// 16 bytes at once.
struct WideMaxS8 {
  using Element = int8_t;
  using Vector = v128_t;
  static constexpr size_t kLanes = 16;

  static v128_t Initial() { return wasm_i8x16_const_splat(INT8_MIN); }
  static v128_t Combine(v128_t acc, const int8_t* p) { return wasm_i8x16_max(acc, wasm_v128_load(p)); }
  static void Finish(const PoolWindows&, v128_t acc, int8_t* p) { wasm_v128_store(p, acc); }
};

struct WideMaxU8 {
  using Element = uint8_t;
  using Vector = v128_t;
  static constexpr size_t kLanes = 16;

  static v128_t Initial() { return wasm_i32x4_const_splat(0); }
  static v128_t Combine(v128_t acc, const uint8_t* p) { return wasm_u8x16_max(acc, wasm_v128_load(p)); }
  static void Finish(const PoolWindows&, v128_t acc, uint8_t* p) { wasm_v128_store(p, acc); }
};

struct WideMaxS16 {
  using Element = int16_t;
  using Vector = v128_t;
  static constexpr size_t kLanes = 8;

  static v128_t Initial() { return wasm_i16x8_const_splat(INT16_MIN); }
  static v128_t Combine(v128_t acc, const int16_t* p) { return wasm_i16x8_max(acc, wasm_v128_load(p)); }
  static void Finish(const PoolWindows&, v128_t acc, int16_t* p) { wasm_v128_store(p, acc); }
};

}  // namespace

void PoolMaxF32_simd128(const PoolWindows& windows) { Pool<MaxF32Policy<F32x8>>(windows); }
void PoolMaxS8_simd128(const PoolWindows& windows) { Pool<WideMaxS8, MaxS8Policy<F32x8>>(windows); }
void PoolMaxU8_simd128(const PoolWindows& windows) { Pool<WideMaxU8, MaxU8Policy<F32x8>>(windows); }
void PoolAverageF32_simd128(const PoolWindows& windows) { Pool<AverageF32Policy<F32x8>>(windows); }
void PoolAverageS8_simd128(const PoolWindows& windows) { Pool<AverageS8Policy<F32x8>>(windows); }
void PoolMaxS16_simd128(const PoolWindows& windows) { Pool<WideMaxS16, MaxS16Policy<F32x8>>(windows); }
void PoolAverageS16_simd128(const PoolWindows& windows) { Pool<AverageS16Policy<F32x8>>(windows); }

}  // namespace micrort
