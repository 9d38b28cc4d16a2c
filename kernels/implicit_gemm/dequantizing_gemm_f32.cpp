// The algorithm whose panels hold narrow weights, with all that only it needs.

#include <cmath>

#include "kernels/base/part.h"
#include "kernels/conv/cost.h"
#include "kernels/elementwise/convert_f32.h"
#include "kernels/gemm/dequantize_weights.h"
#include "kernels/gemm/pack_narrow.h"
#include "kernels/gemm/packed_b.h"
#include "kernels/implicit_gemm/gemm_f32_panels.h"
#include "kernels/implicit_gemm/implicit_gemm_f32.h"

namespace micrort {

MICRORT_LINK(ConvertF32Kernels);
MICRORT_LINK(DequantizeWeightsKernels);
MICRORT_LINK(PackNarrowPanel);
MICRORT_LINK(PackNarrowBF32);
MICRORT_LINK(HalfRowF32Of);

namespace {

// The cost of a half that becomes a float in a register.
constexpr double kHalfRowCost = 0.5;

// Each block of rows dequantizes all weights. Measured: 14, 10, 5 and 3.5 units a weight with scalar code,
// SSE4.1, AVX2 and AVX-512.
MICRORT_COLD double DequantizeCost(const Conv2DParams& p, const ConvTarget& target) {
  const GemmF32Kernel& kernel = GemmF32Kernels()[GemmF32KernelIndex(p, target)];
  const GemmPartition partition = GemmF32PartitionOf(p, target, Panels::kNarrow);
  const double of_weight =
      HalfRowF32For(p, kernel) != nullptr
          ? kHalfRowCost
          : 5 * std::sqrt(static_cast<double>(kCostLanes) / static_cast<double>(kernel.lanes));
  const auto panels = static_cast<double>(p.groups * partition.row_tasks * partition.panels);
  return of_weight * panels * static_cast<double>(kernel.nr) * static_cast<double>(p.depth());
}

MICRORT_COLD double CostOf(const Conv2DParams& p, const ConvTarget& target) {
  return GemmF32Cost(p, target, Panels::kNarrow) + DequantizeCost(p, target);
}

MICRORT_COLD bool IsApplicable(const Conv2DParams& p) {
  return p.types.is_float() && !p.types.asymmetric &&
         PackedB::HoldsNarrow(p.types.weights, p.types.weight_group);
}

}  // namespace

const Conv2DAlgorithm kDequantizingGemmF32 = PanelsGemmF32<Panels::kNarrow>::Algorithm(IsApplicable, CostOf);

}  // namespace micrort
