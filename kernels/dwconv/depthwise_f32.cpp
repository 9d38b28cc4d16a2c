#include "kernels/dwconv/depthwise_f32.h"

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/machine_model.h"
#include "kernels/base/target.h"
#include "kernels/conv/cost.h"
#include "kernels/dwconv/depthwise_cost.h"
#include "kernels/dwconv/depthwise_runner.h"
#include "kernels/dwconv/dwconv_f32.h"
#include "kernels/elementwise/activate_f32.h"

namespace micrort {
namespace {

size_t KernelIndex(const ConvTarget& target) { return SelectVariant(DwConvF32Kernels(), target.features); }
const DwConvF32Kernel& Kernel(const ConvTarget& target) { return DwConvF32Kernels()[KernelIndex(target)]; }

MICRORT_COLD const char* AlgorithmName(const Conv2DParams&, const ConvTarget& target) {
  static constexpr VariantName kAllNames[] = {
#define MICRORT_DWCONV_F32(name, set, mr, lanes, slides) \
  MICRORT_VARIANT(set, {"depthwise_f32/" #name, isa::set})
#include "kernels/dwconv/dwconv_f32.inc"
#undef MICRORT_DWCONV_F32
  };
  static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
  return kNames[KernelIndex(target)].name;
}

MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  return p.types.is_float() && p.is_depthwise() && FilterRows<float>::Fits(p, kDepthwiseWidth);
}

MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget&) { return DepthwiseCost(p); }

// Kernels may reach as far as a whole tile does.
FilterRows<float> Rows(const Conv2DParams& p, const ConvPlan& plan) {
  const auto mr = static_cast<int64_t>(VariantOf(DwConvF32Kernels(), plan.kernel).mr);
  return {p, plan.blocks.columns + mr - 1};
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan) {
  return static_cast<uint64_t>(Rows(p, plan).bytes(PointerBytes(target.features))) *
         static_cast<uint64_t>(target.workers);
}

// Panels of a vector of columns, as GEMM's.
MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
  return PackedBF32Elements(static_cast<uint64_t>(p.taps()), static_cast<uint64_t>(p.out_c),
                            Kernel(target).lanes) *
         sizeof(float);
}

void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed) {
  PackBF32(ColumnsFrom(p, weights, 0), static_cast<size_t>(p.taps()), static_cast<size_t>(p.out_c),
           Kernel(target).lanes, static_cast<float*>(packed));
}

// How many pixels a kernel that slides takes at a time at most, 0 for others: enough to pay for a start, few
// enough that all channels of the pixels under them stay in the first-level cache.
int64_t LongestRun(const Conv2DParams& p, const DwConvF32Kernel& kernel, const MachineModel& model) {
  const int64_t fitting = model.slide_elements / p.in_c, shortest = p.kernel_w == 3 ? 8 : 16;
  const int64_t longest = fitting < shortest ? shortest : fitting;
  const bool slides = kernel.slides && p.kernel_h == p.kernel_w && (p.kernel_w == 3 || p.kernel_w == 5) &&
                      (p.stride_w == 1 || p.stride_w == 2);
  return slides ? longest : 0;
}

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target) {
  ConvPlan plan;
  plan.kernel = Kernel(target).id;
  plan.activation = SelectActivationF32(p.types.activation, target.features);
  plan.blocks = BlocksOf(MakeDepthwisePartition(p, target.workers));
  plan.blocks.length = BlockSize(LongestRun(p, Kernel(target), MachineModelOf(target.features)));
  return plan;
}

void Run(const Conv2DParams& p, const ConvTarget&, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  RunDepthwise(p, plan, VariantOf(DwConvF32Kernels(), plan.kernel),
               ActivateF32(p.types.activation, plan.activation, tensors.slopes), Rows(p, plan), tensors,
               parallel);
}

}  // namespace

const Conv2DAlgorithm kDepthwiseF32 = {AlgorithmName, Applicable, Cost, MakePlan, ScratchBytesOf,
                                       PackedBytes,   Pack,       Run,  true};

}  // namespace micrort
