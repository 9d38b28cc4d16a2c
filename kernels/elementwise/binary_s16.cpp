#include "kernels/elementwise/binary_s16.h"

#include <algorithm>

#include "kernels/base/kernel_registry.h"
#include "kernels/elementwise/fixed_range.h"

namespace micrort {
namespace {

constexpr BinaryS16Kernel kAllBinaryS16Kernels[] = {
#define MICRORT_BINARY_S16(name, set) \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::binary_s16_##name, MICRORT_RUN(set, BinaryS16_##name)})
#include "kernels/elementwise/binary_s16.inc"
#undef MICRORT_BINARY_S16
};
constexpr auto kBinaryS16Kernels = MICRORT_NEEDED(BinaryS16Kernel, kAllBinaryS16Kernels);

bool HasKind(BinaryKind kind) {
  return kind == BinaryKind::kAdd || kind == BinaryKind::kSub || kind == BinaryKind::kMul ||
         kind == BinaryKind::kPRelu || kind == BinaryKind::kGreater;
}

}  // namespace

bool PlanBinaryS16(BinaryKind kind, const QuantizationParams& a, const QuantizationParams& b,
                   const QuantizationParams& y, const Clamp& clamp, BinaryFixedOp* op) {
  const bool is_prelu = kind == BinaryKind::kPRelu;
  if (a.zero_point != 0 || (b.zero_point != 0 && !is_prelu) || y.zero_point != 0 || !HasKind(kind))
    return false;
  *op = {kind,
         0,
         b.zero_point,
         0,
         {},
         {},
         {},
         IntegerBound<int16_t>(clamp.lo, y),
         IntegerBound<int16_t>(clamp.hi, y)};
  op->hi = std::max(op->lo, op->hi);
  const auto a_scale = static_cast<double>(a.scale), b_scale = static_cast<double>(b.scale),
             y_scale = static_cast<double>(y.scale);
  if (kind == BinaryKind::kGreater) {
    op->a_by = NearestFixedMultiplier(a_scale);
    op->b_by = NearestFixedMultiplier(b_scale);
    return a.scale < 1 && b.scale < 1;
  }
  if (kind == BinaryKind::kMul || is_prelu) {
    op->by = NearestFixedMultiplier(a_scale * b_scale / y_scale);
    if (is_prelu) op->a_by = NearestFixedMultiplier(a_scale / y_scale);
    return true;
  }
  const double unit = 2 * std::max(a_scale, b_scale);
  op->a_by = NearestFixedMultiplier(a_scale / unit);
  op->b_by = NearestFixedMultiplier(b_scale / unit);
  op->by = NearestFixedMultiplier(unit / ((1 << kSumExtraBitsS16) * y_scale));
  return true;
}

Span<const BinaryS16Kernel> BinaryS16Kernels() { return kBinaryS16Kernels; }

const BinaryS16Kernel& SelectBinaryS16(CpuFeatures features) {
  return kBinaryS16Kernels[SelectVariant(BinaryS16Kernels(), features)];
}

}  // namespace micrort
