// Sixteen lanes for what does not depend on their number, eight for sums: the lower half of a vector comes
// before the upper one.

#include "kernels/elementwise/softmax_f32_impl.h"
#include "x86/avx2/vec8_avx2.h"
#include "x86/avx512/vec16_avx512.h"

namespace micrort {
namespace {

constexpr size_t kLanes = 16;

template <int kHalf>
F32x8 Half(F32x16 a) {
  return {_mm512_maskz_extractf32x8_ps(0xff, a.v, kHalf)};
}
// The first n of sixteen floats; the others are -infinity.
F32x16 LoadOrInfinity(const float* x, size_t n) {
  if (n >= kLanes) return F32x16::Load(x);
  return {_mm512_mask_loadu_ps(_mm512_set1_ps(-__builtin_inff()), MaskOfFirst(n), x)};
}
float AnyLane(F32x8 v) { return _mm256_cvtss_f32(v.v); }

// As SoftmaxRow, with the same bits: lanes behind the end add exponentials of -infinity, which are 0, to sums
// that are not negative.
void WideRow(const float* x, float* y, size_t n, bool log) {
  F32x8 lanes_max = F32x8::Broadcast(-__builtin_inff());
  for (size_t i = 0; i < n; i += kLanes) {
    const F32x16 v = LoadOrInfinity(x + i, n - i);
    lanes_max = Max(Half<1>(v), Max(Half<0>(v), lanes_max));
  }
  const F32x16 max = F32x16::Broadcast(ReduceMax(lanes_max));
  F32x8 lanes_sum = F32x8::Zero();
  for (size_t i = 0; i < n; i += kLanes) {
    const F32x16 e = Exp(LoadOrInfinity(x + i, n - i) - max);
    lanes_sum = (lanes_sum + Half<0>(e)) + Half<1>(e);
    if (!log) StoreFirst(e, y + i, n - i);
  }
  const F32x8 sum = F32x8::Broadcast(ReduceAdd(lanes_sum));
  const F32x16 log_sum = F32x16::Broadcast(AnyLane(Log(sum)));
  const F32x16 scale = F32x16::Broadcast(AnyLane(F32x8::Broadcast(1.0f) / sum));
  for (size_t i = 0; i < n; i += kLanes) {
    const F32x16 v = LoadOrInfinity((log ? x : y) + i, n - i);
    StoreFirst(log ? (v - max) - log_sum : v * scale, y + i, n - i);
  }
}

}  // namespace

void SoftmaxRowsF32_avx512(const float* x, float* y, size_t rows, size_t n, bool log) {
  if (n <= kShortRow) return SoftmaxShortRows<F32x8>(x, y, rows, n, log);
  for (size_t r = 0; r < rows; ++r) WideRow(x + r * n, y + r * n, n, log);
}

void SoftmaxColumnsF32_avx512(const float* x, float* y, size_t columns, size_t n, size_t stride, bool log) {
  SoftmaxColumns<F32x16>(x, y, columns, n, stride, log);
}

}  // namespace micrort
