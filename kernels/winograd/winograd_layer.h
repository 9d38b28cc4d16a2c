#pragma once
// What Winograd's algorithms for float layers share.

#include "kernels/base/checked_math.h"
#include "kernels/base/cold.h"
#include "kernels/base/machine_model.h"
#include "kernels/conv/conv2d_algorithm.h"
#include "kernels/elementwise/activate_f32.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/winograd/winograd_f32.h"

namespace micrort {

inline bool IsWinogradLayer(const Conv2DParams& p) {
  return p.types.is_float() && !p.transposed && p.groups == 1 && p.kernel_h == kWinogradTaps &&
         p.kernel_w == kWinogradTaps && p.stride_h == 1 && p.stride_w == 1 && p.dilation_h == 1 &&
         p.dilation_w == 1;
}

inline size_t WinogradGemmIndex(const Conv2DParams& p, const ConvTarget& target) {
  return SelectGemmF32(target.features, static_cast<size_t>(p.out_c));
}

// All but the blocks.
MICRORT_COLD inline ConvPlan PlanWinograd(const Conv2DParams& p, const ConvTarget& target) {
  ConvPlan plan;
  plan.kernel = GemmF32Kernels()[WinogradGemmIndex(p, target)].id;
  plan.transform = WinogradF32Kernels()[SelectVariant(WinogradF32Kernels(), target.features)].id;
  plan.activation = SelectActivationF32(p.types.activation, target.features);
  return plan;
}

// Elements from point to point: whole cache lines, but no multiple of large powers of two, which would put
// all points into one set of the cache.
inline size_t WinogradPointStride(int64_t elements) {
  constexpr size_t kLine = kAlignment / sizeof(float);
  return (AlignUp(static_cast<size_t>(elements), kLine) | kLine);
}

// Cost of reading packed weights that often. Few weights often come from a cache at once.
MICRORT_COLD inline double WinogradStreamingCost(const ConvTarget& target, int64_t packed_bytes,
                                                 int64_t times) {
  const MachineModel& model = MachineModelOf(target.features);
  return static_cast<double>(packed_bytes) * (packed_bytes <= model.near_weight_bytes
                                                  ? model.weight_byte_near
                                                  : model.weight_byte_streamed * static_cast<double>(times));
}

// Time of transforms of an element by that with vectors of eight lanes. Sixteen channels take less than eight
// twice, if more than half of that: stores are what limits.
inline double WinogradTransformTime(const GemmF32Kernel& gemm) {
  return gemm.lanes > 8 ? 0.7 : 8 / static_cast<double>(gemm.lanes);
}

}  // namespace micrort
