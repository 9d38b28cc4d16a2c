// Sixteen lanes, whose sum is that of eight: the lower half of a vector comes before the upper one.

#include "kernels/elementwise/softmax_f32_impl.h"
#include "x86/avx2/vec8_avx2.h"
#include "x86/avx512/vec16_avx512.h"

namespace micrort {
namespace {

template <int kHalf>
F32x8 Half(F32x16 a) {
  return {_mm512_maskz_extractf32x8_ps(0xff, a.v, kHalf)};
}

F32x8 MaxOf(F32x16 lanes, F32x8 max) { return Max(Half<1>(lanes), Max(Half<0>(lanes), max)); }
F32x8 SumOf(F32x16 lanes, F32x8 sum) { return (sum + Half<0>(lanes)) + Half<1>(lanes); }

}  // namespace

void SoftmaxRowsF32_avx512(const float* x, float* y, size_t rows, size_t n, bool log) {
  SoftmaxRows<F32x8, F32x16>(x, y, rows, n, log);
}

void SoftmaxColumnsF32_avx512(const float* x, float* y, size_t columns, size_t n, size_t stride, bool log) {
  SoftmaxColumns<F32x16>(x, y, columns, n, stride, log);
}

}  // namespace micrort
