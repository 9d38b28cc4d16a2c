#include "kernels/winograd/winograd.h"

#include <limits>

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/machine_model.h"
#include "kernels/conv/cost.h"
#include "kernels/elementwise/activate_f32.h"
#include "kernels/winograd/winograd_blocks.h"
#include "kernels/winograd/winograd_f32.h"
#include "kernels/winograd/winograd_runner.h"
#include "kernels/winograd/winograd_weights.h"

namespace micrort {
namespace {

size_t GemmIndex(const Conv2DParams& p, const ConvTarget& target) {
  return SelectGemmF32(target.features, static_cast<size_t>(p.out_c));
}

const GemmF32Kernel& Gemm(const Conv2DParams& p, const ConvTarget& target) {
  return GemmF32Kernels()[GemmIndex(p, target)];
}

WinogradTiles TilesOf(const Conv2DParams& p, const GemmF32Kernel& gemm, int m) {
  return {p, {gemm.mr, gemm.nr, sizeof(float)}, m};
}
WinogradTiles TilesFor(const Conv2DParams& p, const ConvTarget& target, int m) {
  return TilesOf(p, Gemm(p, target), m);
}
WinogradTiles PlannedTiles(const Conv2DParams& p, const ConvPlan& plan, int m) {
  return TilesOf(p, VariantOf(GemmF32Kernels(), plan.kernel), m);
}

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target, int m) {
  const WinogradTiles tiles = TilesFor(p, target, m);
  ConvPlan plan;
  plan.kernel = Gemm(p, target).id;
  plan.transform = WinogradF32Kernels()[SelectVariant(WinogradF32Kernels(), target.features)].id;
  plan.activation = SelectActivationF32(p.types.activation, target.features);
  plan.blocks = CutWinograd(p, target, tiles);
  return plan;
}

// Time of transforms of an element by that with vectors of eight lanes. Sixteen channels take less than eight
// twice, if more than half of that: stores are what limits.
double TransformTime(const GemmF32Kernel& gemm) {
  return gemm.lanes > 8 ? 0.7 : 8 / static_cast<double>(gemm.lanes);
}

MICRORT_COLD double Cost2D(const Conv2DParams& p, const ConvTarget& target, const WinogradTiles& t) {
  const GemmF32Kernel& gemm = Gemm(p, target);
  const auto points = static_cast<double>(t.points), tiles = static_cast<double>(t.tiles);
  const double products = TiledCost(points, t.tiles, p.out_c, p.in_c, gemm);
  const double streaming = WinogradStreamingCost(target, t, CutWinograd(p, target, t).columns);
  // Loads, additions and stores for every element of the transformed planes, eight channels at a time, and
  // the search for the pixels of each tile. Those of F(6, 3) do more for an element.
  constexpr double kTransform = 7, kTransform6 = 11, kPixel = 100;
  const auto channels =
      static_cast<double>(CeilDiv<int64_t>(p.in_c, 8) * 8 + CeilDiv<int64_t>(p.out_c, 8) * 8);
  const double transform = (t.m == 6 ? kTransform6 : kTransform) * TransformTime(gemm);
  const double transforms = points * tiles * (transform * channels + kPixel);
  // Products hide the streaming of weights, but not of many of F(6, 3): a block has few of its large tiles.
  if (t.m == 6 && !HasNearWeights(t, target)) return products + streaming + transforms;
  return (products > streaming ? products : streaming) + transforms;
}

MICRORT_COLD double Cost1D(const Conv2DParams& p, const ConvTarget& target, const WinogradTiles& t) {
  // Larger images make more of tiles of 2x2 or 4x4; here all tiles are transformed at once. Applicable all
  // the same: weights may be packed for it, and the image larger than when they were.
  const WinogradMemory memory(p, target, t, t.tiles);
  const auto most = static_cast<size_t>(MachineModelOf(target.features).row_image_bytes);
  if (memory.input_bytes + memory.product_bytes > most) return std::numeric_limits<double>::max();
  const GemmF32Kernel& gemm = Gemm(p, target);
  const double products = TiledCost(static_cast<double>(t.points), t.tiles, p.out_c, t.taps * p.in_c, gemm);
  const double streaming = WinogradStreamingCost(target, t, 1);
  // For an element: half of what transforms in both directions take. For a tile: the search for its pixels.
  constexpr double kTransform = 3.5, kTile = 400;
  const int64_t inputs = t.inputs(p, t.tiles);
  const auto elements = static_cast<double>(t.points * (inputs * p.in_c + t.tiles * p.out_c));
  const double transforms =
      kTransform * TransformTime(gemm) * elements + kTile * static_cast<double>(inputs + t.tiles);
  const double others = transforms + WeightTrafficCost(p, target, static_cast<double>(t.packed_bytes));
  // Products hide the streaming of weights, if these are many panels.
  if (HasNearWeights(t, target)) return products + streaming + others;
  return (products > streaming ? products : streaming) + others;
}

template <int M>
struct Variant {
  MICRORT_COLD static const char* Name(const Conv2DParams& p, const ConvTarget& target) {
    static constexpr VariantName kAllNames[] = {
#define MICRORT_GEMM_F32(name, set, ...)                             \
  MICRORT_VARIANT(set, {M == kWinograd1D ? "winograd_1x2_f32/" #name \
                        : M == 2         ? "winograd_2x2_f32/" #name \
                        : M == 4         ? "winograd_4x4_f32/" #name \
                                         : "winograd_6x6_f32/" #name,        \
                        isa::set})
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_GEMM_F32
    };
    static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
    return kNames[GemmIndex(p, target)].name;
  }
  MICRORT_COLD static bool Applicable(const Conv2DParams& p) {
    return p.types.is_float() && !p.transposed && p.groups == 1 && p.kernel_h == kWinogradTaps &&
           p.kernel_w == kWinogradTaps && p.stride_h == 1 && p.stride_w == 1 && p.dilation_h == 1 &&
           p.dilation_w == 1 && (M < 6 || p.in_c <= kMaxWinograd6Channels);
  }
  MICRORT_COLD static double Cost(const Conv2DParams& p, const ConvTarget& target) {
    const WinogradTiles tiles = TilesFor(p, target, M);
    return M == kWinograd1D ? Cost1D(p, target, tiles) : Cost2D(p, target, tiles);
  }
  MICRORT_COLD static ConvPlan Plan(const Conv2DParams& p, const ConvTarget& target) {
    return MakePlan(p, target, M);
  }
  MICRORT_COLD static uint64_t ScratchBytes(const Conv2DParams& p, const ConvTarget& target,
                                            const ConvPlan& plan) {
    return WinogradScratchBytes(p, target, plan, PlannedTiles(p, plan, M));
  }
  MICRORT_COLD static uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
    return static_cast<uint64_t>(TilesFor(p, target, M).packed_bytes);
  }
  static void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights,
                   void* packed) {
    PackWinogradWeights(p, weights, M, TilesFor(p, target, M).gemm.nr, static_cast<float*>(packed));
  }
  static void Run(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                  const ConvTensors& tensors, const Parallel& parallel) {
    RunWinograd(p, target, plan, tensors, PlannedTiles(p, plan, M), parallel);
  }
  static constexpr Conv2DAlgorithm kAlgorithm = {Name,        Applicable, Cost, Plan,  ScratchBytes,
                                                 PackedBytes, Pack,       Run,  false, true};
};

}  // namespace

const Conv2DAlgorithm kWinograd1x2 = Variant<kWinograd1D>::kAlgorithm;
const Conv2DAlgorithm kWinograd2 = Variant<2>::kAlgorithm;
const Conv2DAlgorithm kWinograd4 = Variant<4>::kAlgorithm;
const Conv2DAlgorithm kWinograd6 = Variant<6>::kAlgorithm;

}  // namespace micrort
