#include "kernels/winograd/winograd_runner.h"

#include <limits>

#include "kernels/base/checked_math.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/elementwise/activate_f32.h"
#include "kernels/gemm/gemm_f32_rows.h"
#include "kernels/winograd/winograd_f32.h"
#include "kernels/winograd/winograd_layer.h"

namespace micrort {
namespace {

struct FloatLayer : WinogradLayer {
  using Element = float;

  const GemmF32Kernel& gemm;
  const WinogradF32Kernel& transforms;
  const ActivateF32 activate;

  FloatLayer(const Conv2DParams& params, const ConvTarget& target, const ConvPlan& plan,
             const ConvTensors& operands, const WinogradTiles& of_layer)
      : WinogradLayer(params, target, plan, operands, of_layer),
        gemm(VariantOf(GemmF32Kernels(), plan.kernel)),
        transforms(VariantOf(WinogradF32Kernels(), plan.transform)),
        activate(p.types.activation, plan.activation, operands.slopes) {}

  void Multiply(const float* const* pointers, int64_t count, int64_t point, int64_t panel,
                float* products) const {
    const auto mr = static_cast<int64_t>(gemm.mr), nr = static_cast<int64_t>(gemm.nr);
    GemmF32Tile tile = {};
    tile.n = Columns(panel);
    tile.taps = static_cast<size_t>(tiles.taps);
    tile.channels = static_cast<size_t>(p.in_c);
    tile.a_offset = static_cast<size_t>(point) * memory.input_stride;
    tile.b = static_cast<const float*>(tensors.packed) +
             static_cast<size_t>(point * tiles.panels + panel) * tiles.panel_elements;
    tile.c_stride = static_cast<size_t>(p.out_c);
    tile.lo = -std::numeric_limits<float>::infinity();
    tile.hi = std::numeric_limits<float>::infinity();
    // While this panel is multiplied by one tile of rows after another, the next one comes in.
    const bool last_panel = point * tiles.panels + panel + 1 == tiles.points * tiles.panels;
    tile.next = last_panel ? nullptr : tile.b + tiles.panel_elements;
    tile.next_step = last_panel ? 0 : static_cast<size_t>(CeilDiv(nr, CeilDiv(count, mr)));
    tile.m = static_cast<size_t>(count);
    tile.a = pointers;
    tile.a_step = static_cast<size_t>(mr * tiles.taps);
    tile.c = products + panel * nr;
    RunGemmF32Rows(gemm, &tile);
  }
};

}  // namespace

void RunWinograd(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                 const ConvTensors& tensors, const WinogradTiles& tiles, const Parallel& parallel) {
  RunWinogradBlocks(FloatLayer(p, target, plan, tensors, tiles), parallel);
}

}  // namespace micrort
