#include "kernels/winograd/half_winograd.h"

#include <limits>

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/conv/cost.h"
#include "kernels/elementwise/activate_f16.h"
#include "kernels/gemm/half_panel.h"
#include "kernels/winograd/winograd_blocks.h"
#include "kernels/winograd/winograd_f16.h"
#include "kernels/winograd/winograd_layer.h"
#include "kernels/winograd/winograd_weights.h"

#if MICRORT_KERNELS_fp16

namespace micrort {
namespace {

constexpr int kOutputs = 2;

const GemmF16Kernel& Gemm(const ConvTarget& target) {
  return GemmF16Kernels()[SelectVariant(GemmF16Kernels(), target.features)];
}

WinogradTiles TilesOf(const Conv2DParams& p, const GemmF16Kernel& gemm) {
  return {p, {gemm.mr, gemm.nr, sizeof(uint16_t)}, kOutputs};
}

MICRORT_COLD const char* Name(const Conv2DParams&, const ConvTarget& target) {
  static constexpr VariantName kAllNames[] = {
#define MICRORT_GEMM_F16(name, set, ...) MICRORT_VARIANT(set, {"winograd_2x2_f16/" #name, isa::set})
#include "kernels/gemm/gemm_f16.inc"
#undef MICRORT_GEMM_F16
  };
  static constexpr auto kNames = MICRORT_NEEDED(VariantName, kAllNames);
  return kNames[SelectVariant(GemmF16Kernels(), target.features)].name;
}

MICRORT_COLD bool Applicable(const Conv2DParams& p) {
  return p.types.half && p.types.x == DType::kFloat16 && p.types.weights == DType::kFloat16 &&
         p.types.y == DType::kFloat16 && !p.transposed && p.groups == 1 && p.kernel_h == kWinogradTaps &&
         p.kernel_w == kWinogradTaps && p.stride_h == 1 && p.stride_w == 1 && p.dilation_h == 1 &&
         p.dilation_w == 1;
}

// Calls of the micro-kernel for the products of one row tile and panel, and the vectors of columns of panels
// that are not whole, which it finishes one by one.
struct Calls {
  double whole, edges;
  Calls(const Conv2DParams& p, const WinogradTiles& t, int64_t sums) {
    const auto rows =
        static_cast<double>(t.points * sums * CeilDiv(t.tiles, static_cast<int64_t>(t.gemm.mr)));
    const int64_t edge = p.out_c % static_cast<int64_t>(t.gemm.nr);
    whole = rows * static_cast<double>(t.panels);
    edges = rows * static_cast<double>(CeilDiv<int64_t>(edge, 8));
  }
};

// From counted instructions, scaled as the cost of implicit GEMM: what an element of the transformed planes,
// a product that is one of several sums, the search for the pixels of a tile, and calls take.
MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget& target) {
  constexpr double kTransform = 5, kSum = 10, kTile = 3500, kCall = 1600, kEdge = 1000;
  const GemmF16Kernel& gemm = Gemm(target);
  const WinogradTiles t = TilesOf(p, gemm);
  const auto points = static_cast<double>(t.points), tiles = static_cast<double>(t.tiles);
  const int64_t sums = CeilDiv(p.in_c, kHalfWinogradDepth), depth = CeilDiv<int64_t>(p.in_c, 4) * 4;
  const Calls calls(p, t, sums);
  const double floats = sums > 1 ? points * tiles * static_cast<double>(sums * p.out_c) : 0.0;
  const double products = TiledCost(points, t.tiles, p.out_c, depth, gemm.mr, gemm.nr / 2, gemm.lanes) +
                          kSum * floats + kCall * calls.whole + kEdge * calls.edges;
  const double streaming = WinogradStreamingCost(target, t, CutWinograd(p, target, t).columns);
  const auto channels =
      static_cast<double>(CeilDiv<int64_t>(p.in_c, 8) * 8 + CeilDiv<int64_t>(p.out_c, 8) * 8);
  return (products > streaming ? products : streaming) + tiles * (kTransform * points * channels + kTile);
}

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target) {
  ConvPlan plan;
  plan.kernel = Gemm(target).id;
  plan.transform = WinogradF16Kernels()[SelectVariant(WinogradF16Kernels(), target.features)].id;
  plan.convert = SelectConvertF32(target.features).id;
  plan.activation = SelectActivationF32(p.types.activation, target.features);
  plan.blocks = CutWinograd(p, target, TilesOf(p, Gemm(target)));
  return plan;
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan) {
  return WinogradScratchBytes(p, target, plan, TilesOf(p, VariantOf(GemmF16Kernels(), plan.kernel)));
}

MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
  return static_cast<uint64_t>(TilesOf(p, Gemm(target)).packed_bytes);
}

void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed) {
  PackHalfWinogradWeights(p, weights, Gemm(target).nr, static_cast<uint16_t*>(packed));
}

// Only where the micro-kernels are built; others decide for such devices.
#if MICRORT_KERNELS_fp16 == 1

// Sums of a tile that several blocks of the depth need.
constexpr size_t kMaxTile = 6 * 32;
#define MICRORT_GEMM_F16(name, set, mr, nr, ...) static_assert(mr * nr <= kMaxTile, #name);
#include "kernels/gemm/gemm_f16.inc"
#undef MICRORT_GEMM_F16

struct HalfLayer : WinogradLayer {
  using Element = uint16_t;

  const GemmF16Kernel& gemm;
  const WinogradF16Kernel& transforms;
  const ActivateF16 activate;

  HalfLayer(const Conv2DParams& params, const ConvTarget& target, const ConvPlan& plan,
            const ConvTensors& operands)
      : WinogradLayer(params, target, plan, operands,
                      TilesOf(params, VariantOf(GemmF16Kernels(), plan.kernel))),
        gemm(VariantOf(GemmF16Kernels(), plan.kernel)),
        transforms(VariantOf(WinogradF16Kernels(), plan.transform)),
        activate(p.types.activation, plan.activation, plan.convert, operands.slopes) {}

  void Multiply(const uint16_t* const* pointers, int64_t count, int64_t point, int64_t panel,
                uint16_t* products) const {
    const auto mr = static_cast<int64_t>(gemm.mr);
    const uint16_t* b = static_cast<const uint16_t*>(tensors.packed) +
                        static_cast<size_t>(point * tiles.panels + panel) * tiles.panel_elements;
    GemmF16Tile tile = {};
    tile.n = Columns(panel);
    tile.a_offset = static_cast<size_t>(point) * memory.input_stride;
    tile.lo = -std::numeric_limits<float>::infinity();
    tile.hi = std::numeric_limits<float>::infinity();
    tile.y = products + panel * static_cast<int64_t>(gemm.nr);
    tile.y_stride = static_cast<size_t>(p.out_c);
    float sums[kMaxTile];
    for (int64_t row = 0; row < count; row += mr, tile.y += mr * p.out_c) {
      HalfPanel(gemm, {1, p.in_c}, kHalfWinogradDepth, pointers + row, count - row < mr ? count - row : mr,
                sums)
          .Run(b, tile);
    }
  }
};

void Run(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  RunWinogradBlocks(HalfLayer(p, target, plan, tensors), parallel);
}

#endif

}  // namespace

const Conv2DAlgorithm kWinograd2F16 = {Name,           Applicable,  Cost,     MakePlan,
                                       ScratchBytesOf, PackedBytes, Pack,     MICRORT_RUN(fp16, Run),
                                       false,          true,        isa::fp16};

}  // namespace micrort

#endif
