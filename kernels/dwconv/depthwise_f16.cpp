#include "kernels/dwconv/depthwise_f16.h"

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/target.h"
#include "kernels/conv/cost.h"
#include "kernels/dwconv/depthwise_cost.h"
#include "kernels/dwconv/depthwise_runner.h"
#include "kernels/dwconv/dwconv_f16.h"
#include "kernels/elementwise/activate_f16.h"
#include "kernels/gemm/packed_b.h"

#if MICRORT_KERNELS_fp16

namespace micrort {
namespace {

size_t KernelIndex(const ConvTarget& target) { return SelectVariant(DwConvF16Kernels(), target.features); }
const DwConvF16Kernel& Kernel(const ConvTarget& target) { return DwConvF16Kernels()[KernelIndex(target)]; }

MICRORT_COLD const char* AlgorithmName(const Conv2DParams&, const ConvTarget& target) {
  static constexpr const char* kNames[] = {
#define MICRORT_DWCONV_F16(name, set, mr, lanes) MICRORT_VARIANT(set, "depthwise_f16/" #name)
#include "kernels/dwconv/dwconv_f16.inc"
#undef MICRORT_DWCONV_F16
  };
  return kNames[KernelIndex(target)];
}

MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  return p.types.half && p.types.x == DType::kFloat16 && p.types.y == DType::kFloat16 && p.is_depthwise() &&
         !p.transposed && FilterRows<uint16_t>::Fits(p, kDepthwiseWidth);
}

MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget&) { return DepthwiseCost(p) / 2; }

// Kernels may reach as far as a whole tile does.
FilterRows<uint16_t> Rows(const Conv2DParams& p, const ConvPlan& plan) {
  const auto mr = static_cast<int64_t>(VariantOf(DwConvF16Kernels(), plan.kernel).mr);
  return {p, plan.blocks.columns + mr - 1};
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan) {
  return static_cast<uint64_t>(Rows(p, plan).bytes(PointerBytes(target.features))) *
         static_cast<uint64_t>(target.workers);
}

// Panels of some vectors of columns, as GEMM's.
PackedB WeightsOf(const Conv2DParams& p, const ConvTarget& target) {
  return {DType::kFloat16, static_cast<size_t>(p.taps()), Kernel(target).lanes};
}

MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
  return WeightsOf(p, target).bytes(static_cast<size_t>(p.out_c));
}

void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed) {
  WeightsOf(p, target).Pack(ColumnsFrom(p, weights, 0), static_cast<size_t>(p.out_c), packed);
}

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target) {
  ConvPlan plan;
  plan.kernel = Kernel(target).id;
  plan.convert = SelectConvertF32(target.features).id;
  plan.activation = SelectActivationF32(p.types.activation, target.features);
  plan.blocks = BlocksOf(MakeDepthwisePartition(p, target.workers));
  return plan;
}

// Only where the micro-kernels are built; others decide for such devices.
#if MICRORT_KERNELS_fp16 == 1

void Run(const Conv2DParams& p, const ConvTarget&, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  RunDepthwise(p, plan, VariantOf(DwConvF16Kernels(), plan.kernel),
               ActivateF16(p.types.activation, plan.activation, plan.convert, tensors.slopes), Rows(p, plan),
               tensors, parallel);
}

#endif

}  // namespace

const Conv2DAlgorithm kDepthwiseF16 = {AlgorithmName,  Applicable,  Cost,     MakePlan,
                                       ScratchBytesOf, PackedBytes, Pack,     MICRORT_RUN(fp16, Run),
                                       true,           false,       isa::fp16};

}  // namespace micrort

#endif
