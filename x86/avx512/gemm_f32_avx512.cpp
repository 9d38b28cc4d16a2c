#include <immintrin.h>

#include "kernels/gemm/gemm_f32_impl.h"

namespace micrort {
namespace {

// What the GEMM micro-kernel needs of kernels/base/simd/vec8.h, with sixteen lanes.
struct F32x16 {
  __m512 v;

  static F32x16 Zero() { return {_mm512_setzero_ps()}; }
  static F32x16 Broadcast(float x) { return {_mm512_set1_ps(x)}; }
  static F32x16 Load(const float* p) { return {_mm512_loadu_ps(p)}; }
  // The first n < 16 elements.
  static F32x16 LoadPartial(const float* p, size_t n) { return {_mm512_maskz_loadu_ps(FirstLanes(n), p)}; }
  void Store(float* p) const { _mm512_storeu_ps(p, v); }
  void StorePartial(float* p, size_t n) const { _mm512_mask_storeu_ps(p, FirstLanes(n), v); }

 private:
  static __mmask16 FirstLanes(size_t n) { return static_cast<__mmask16>((1u << n) - 1); }
};
inline F32x16 operator+(F32x16 a, F32x16 b) { return {_mm512_add_ps(a.v, b.v)}; }
// With masks, because GCC 12 takes the plain intrinsics for reads of uninitialized registers.
inline F32x16 Min(F32x16 a, F32x16 b) { return {_mm512_mask_min_ps(a.v, 0xffff, a.v, b.v)}; }
inline F32x16 Max(F32x16 a, F32x16 b) { return {_mm512_mask_max_ps(a.v, 0xffff, a.v, b.v)}; }
inline F32x16 Fma(F32x16 a, F32x16 b, F32x16 c) { return {_mm512_fmadd_ps(a.v, b.v, c.v)}; }

}  // namespace

void GemmF32_avx512_12x32(const GemmF32Tile& tile) { GemmF32<F32x16, 12, 2>(tile); }

}  // namespace micrort
