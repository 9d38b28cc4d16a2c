#include "kernels/elementwise/binary_fixed.h"

#include <algorithm>

#include "kernels/base/kernel_registry.h"
#include "kernels/elementwise/fixed_range.h"

namespace micrort {
namespace {

constexpr BinaryFixedKernel kAllBinaryFixedKernels[] = {
#define MICRORT_BINARY_FIXED(name, set) \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::binary_fixed_##name, MICRORT_RUN(set, BinaryFixed_##name)})
#include "kernels/elementwise/binary_fixed.inc"
#undef MICRORT_BINARY_FIXED
};
constexpr auto kBinaryFixedKernels = MICRORT_NEEDED(BinaryFixedKernel, kAllBinaryFixedKernels);

}  // namespace

bool PlanBinaryFixed(BinaryKind kind, const QuantizationParams& a, const QuantizationParams& b,
                     const QuantizationParams& y, const Clamp& clamp, BinaryFixedOp* op) {
  *op = {kind,
         a.zero_point,
         b.zero_point,
         y.zero_point,
         {},
         {},
         {},
         IntegerBound<int8_t>(clamp.lo, y),
         IntegerBound<int8_t>(clamp.hi, y)};
  const auto a_scale = static_cast<double>(a.scale), b_scale = static_cast<double>(b.scale),
             y_scale = static_cast<double>(y.scale);
  if (kind == BinaryKind::kMul) {
    op->by = NearestFixedMultiplier(a_scale * b_scale / y_scale);
    return true;
  }
  if (kind != BinaryKind::kAdd && kind != BinaryKind::kSub) return false;
  const double unit = 2 * std::max(a_scale, b_scale);
  op->a_by = NearestFixedMultiplier(a_scale / unit);
  op->b_by = NearestFixedMultiplier(b_scale / unit);
  op->by = NearestFixedMultiplier(unit / ((1 << 20) * y_scale));
  return true;
}

Span<const BinaryFixedKernel> BinaryFixedKernels() { return kBinaryFixedKernels; }

const BinaryFixedKernel& SelectBinaryFixed(CpuFeatures features) {
  return kBinaryFixedKernels[SelectVariant(BinaryFixedKernels(), features)];
}

}  // namespace micrort
