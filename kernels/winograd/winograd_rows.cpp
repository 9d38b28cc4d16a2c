// F(2, 3) along rows. Every row of the input is transformed once, by tiles of two outputs; what a point
// multiplies is a convolution along columns, three taps of these tiles.

#include <limits>

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/conv/cost.h"
#include "kernels/elementwise/activate_f32.h"
#include "kernels/winograd/winograd.h"
#include "kernels/winograd/winograd_layer.h"
#include "kernels/winograd/winograd_weights.h"

namespace micrort {
namespace {

constexpr int kRowsOnly = 1;  // m of the transforms
constexpr int kPoints = WinogradPoints(kRowsOnly), kOutputs = WinogradPixels(kRowsOnly);

int64_t TilesAlongRow(const Conv2DParams& p) { return CeilDiv<int64_t>(p.out_w, kOutputs); }

// Sizes of one layer.
struct Sizes {
  const GemmF32Kernel& gemm;
  const int64_t tiles_w, inputs, outputs;  // tiles: along a row, of the input, of the output
  const int64_t panels;
  const size_t panel_elements, packed_bytes;
  const size_t input_stride, product_stride;  // elements from point to point
  const size_t pointer_bytes, padding_bytes, input_bytes, product_bytes;

  Sizes(const Conv2DParams& p, const ConvTarget& target, const GemmF32Kernel& kernel)
      : gemm(kernel),
        tiles_w(TilesAlongRow(p)),
        inputs(p.batch * p.in_h * tiles_w),
        outputs(p.batch * p.out_h * tiles_w),
        panels(CeilDiv(p.out_c, static_cast<int64_t>(gemm.nr))),
        panel_elements(static_cast<size_t>(kWinogradTaps * p.in_c) * gemm.nr),
        packed_bytes(static_cast<size_t>(kPoints * panels) * panel_elements * sizeof(float)),
        // Behind the last tile are zeros, for rows outside the image.
        input_stride(WinogradPointStride((inputs + 1) * p.in_c)),
        product_stride(WinogradPointStride(outputs * p.out_c)),
        pointer_bytes(AlignUp(CeilDiv(static_cast<size_t>(outputs), gemm.mr) * gemm.mr * kWinogradTaps *
                                  PointerBytes(target.features),
                              kAlignment)),
        padding_bytes(AlignUp(static_cast<size_t>(p.in_c) * sizeof(float), kAlignment)),
        input_bytes(kPoints * input_stride * sizeof(float)),
        product_bytes(kPoints * product_stride * sizeof(float)) {}

  size_t scratch_bytes() const { return pointer_bytes + padding_bytes + input_bytes + product_bytes; }
};

Sizes SizesFor(const Conv2DParams& p, const ConvTarget& target) {
  return {p, target, GemmF32Kernels()[WinogradGemmIndex(p, target)]};
}

MICRORT_COLD double Cost(const Conv2DParams& p, const ConvTarget& target) {
  const Sizes plan = SizesFor(p, target);
  // Larger images make more of tiles of 2x2 or 4x4; here all tiles are transformed at once. Applicable all
  // the same: weights may be packed for it, and the image larger than when they were.
  const auto most = static_cast<size_t>(MachineModelOf(target.features).row_image_bytes);
  if (plan.input_bytes + plan.product_bytes > most) return std::numeric_limits<double>::max();
  const double products = TiledCost(kPoints, plan.outputs, p.out_c, kWinogradTaps * p.in_c, plan.gemm);
  const double streaming = WinogradStreamingCost(target, static_cast<int64_t>(plan.packed_bytes), 1);
  // For an element: half of what transforms in both directions take. For a tile: the search for its pixels.
  constexpr double kTransform = 3.5, kTile = 400;
  const auto tiles = static_cast<double>(plan.inputs + plan.outputs);
  const auto elements = static_cast<double>(kPoints * (plan.inputs * p.in_c + plan.outputs * p.out_c));
  const double transforms = kTransform * WinogradTransformTime(plan.gemm) * elements + kTile * tiles;
  const double others = transforms + WeightTrafficCost(p, target, static_cast<double>(plan.packed_bytes));
  // Products hide the streaming of weights, if these are many panels.
  if (static_cast<int64_t>(plan.packed_bytes) <= MachineModelOf(target.features).near_weight_bytes)
    return products + streaming + others;
  return (products > streaming ? products : streaming) + others;
}

class Runner {
 public:
  Runner(const Conv2DParams& p, const ConvPlan& plan_of_layer, const ConvTensors& tensors, const Sizes& plan)
      : p_(p),
        tensors_(tensors),
        plan_(plan),
        transforms_(VariantOf(WinogradF32Kernels(), plan_of_layer.transform)),
        activate_(p.types.activation, plan_of_layer.activation) {
    auto* bytes = static_cast<uint8_t*>(tensors.scratch);
    pointers_ = reinterpret_cast<const float**>(bytes);
    padding_ = reinterpret_cast<float*>(bytes + plan.pointer_bytes);
    inputs_ = padding_ + plan.padding_bytes / sizeof(float);
    products_ = inputs_ + plan.input_bytes / sizeof(float);
  }

  void Run(const Parallel& parallel) {
    WriteZeros();
    WritePointers();
    ParallelFor(parallel, static_cast<size_t>(plan_.inputs),
                [&](size_t i, int) { TransformInput(static_cast<int64_t>(i)); });
    ParallelFor(parallel, static_cast<size_t>(kPoints * plan_.panels), [&](size_t i, int) {
      Multiply(static_cast<int64_t>(i) / plan_.panels, static_cast<int64_t>(i) % plan_.panels);
    });
    ParallelFor(parallel, static_cast<size_t>(plan_.outputs),
                [&](size_t i, int) { TransformProducts(static_cast<int64_t>(i)); });
  }

 private:
  void WriteZeros() {
    for (int64_t c = 0; c < p_.in_c; ++c) {
      padding_[c] = 0.0f;
      for (size_t k = 0; k < kPoints; ++k) {
        inputs_[k * plan_.input_stride + static_cast<size_t>(plan_.inputs * p_.in_c + c)] = 0.0f;
      }
    }
  }

  // [tiles of mr outputs][taps][mr], at point 0.
  void WritePointers() {
    const auto mr = static_cast<int64_t>(plan_.gemm.mr);
    for (int64_t i = 0; i < CeilDiv(plan_.outputs, mr) * mr; ++i) {
      const int64_t output = i < plan_.outputs ? i : plan_.outputs - 1;
      const int64_t row = output / plan_.tiles_w;
      for (int64_t tap = 0; tap < kWinogradTaps; ++tap) {
        const int64_t y = row % p_.out_h - p_.pad_top + tap;
        const int64_t input = (row / p_.out_h * p_.in_h + y) * plan_.tiles_w + output % plan_.tiles_w;
        const bool inside = y >= 0 && y < p_.in_h;
        pointers_[(i / mr * kWinogradTaps + tap) * mr + i % mr] =
            inputs_ + (inside ? input : plan_.inputs) * p_.in_c;
      }
    }
  }

  void TransformInput(int64_t i) {
    const auto* row = static_cast<const float*>(tensors_.x) + i / plan_.tiles_w * p_.in_w * p_.in_c;
    const float* pixels[kPoints];
    for (int64_t k = 0; k < kPoints; ++k) {
      const int64_t x = i % plan_.tiles_w * kOutputs - p_.pad_left + k;
      pixels[k] = x >= 0 && x < p_.in_w ? row + x * p_.in_c : padding_;
    }
    transforms_.input(
        {kRowsOnly, pixels, static_cast<size_t>(p_.in_c), inputs_ + i * p_.in_c, plan_.input_stride});
  }

  void Multiply(int64_t point, int64_t panel) {
    const auto mr = static_cast<int64_t>(plan_.gemm.mr), nr = static_cast<int64_t>(plan_.gemm.nr);
    const int64_t columns = p_.out_c - panel * nr;
    GemmF32Tile tile = {};
    tile.n = static_cast<size_t>(columns < nr ? columns : nr);
    tile.taps = kWinogradTaps;
    tile.channels = static_cast<size_t>(p_.in_c);
    tile.a_offset = static_cast<size_t>(point) * plan_.input_stride;
    tile.b = static_cast<const float*>(tensors_.packed) +
             static_cast<size_t>(point * plan_.panels + panel) * plan_.panel_elements;
    tile.c_stride = static_cast<size_t>(p_.out_c);
    tile.lo = -std::numeric_limits<float>::infinity();
    tile.hi = std::numeric_limits<float>::infinity();
    // While this panel is multiplied by one tile of rows after another, the next one comes in.
    const bool last_panel = point * plan_.panels + panel + 1 == kPoints * plan_.panels;
    tile.next = last_panel ? nullptr : tile.b + plan_.panel_elements;
    tile.next_step = last_panel ? 0 : static_cast<size_t>(CeilDiv(nr, CeilDiv(plan_.outputs, mr)));
    for (int64_t row = 0; row < plan_.outputs; row += mr) {
      tile.m = static_cast<size_t>(plan_.outputs - row < mr ? plan_.outputs - row : mr);
      tile.a = pointers_ + row * kWinogradTaps;
      tile.c = products_ + static_cast<size_t>(point) * plan_.product_stride + row * p_.out_c + panel * nr;
      plan_.gemm.run(tile);
      tile.next += tile.next_step * tile.taps * tile.channels;
    }
  }

  void TransformProducts(int64_t i) {
    const auto* residual = static_cast<const float*>(tensors_.residual);
    const auto channels = static_cast<size_t>(p_.out_c);
    const Activation& activation = p_.types.activation;
    float* pixels[kOutputs];
    const float* starts[kOutputs];
    for (int64_t k = 0; k < kOutputs; ++k) {
      const int64_t x = i % plan_.tiles_w * kOutputs + k;
      const int64_t at = i / plan_.tiles_w * p_.out_w + x;
      pixels[k] = x < p_.out_w ? static_cast<float*>(tensors_.y) + at * PixelStride(p_, tensors_) : nullptr;
      starts[k] = x < p_.out_w && residual != nullptr ? residual + at * p_.out_c : nullptr;
    }
    transforms_.output({kRowsOnly, products_ + i * p_.out_c, plan_.product_stride, channels, tensors_.bias,
                        residual == nullptr ? nullptr : starts, pixels, activation.lo(), activation.hi()});
    for (int k = 0; k < kOutputs && !activation.is_clamp(); ++k) {
      if (pixels[k] != nullptr) activate_(pixels[k], 1, channels, channels);
    }
  }

  const Conv2DParams& p_;
  const ConvTensors& tensors_;
  const Sizes& plan_;
  const WinogradF32Kernel& transforms_;
  const ActivateF32 activate_;
  const float** pointers_;
  float* padding_;   // a pixel of zeros
  float* inputs_;    // [points][tiles of the input, zeros][in_c]
  float* products_;  // [points][tiles of the output][out_c]
};

MICRORT_COLD const char* NameOf(const Conv2DParams& p, const ConvTarget& target) {
  static constexpr const char* kNames[] = {
#define MICRORT_GEMM_F32(name, set, mr, nr, lanes) MICRORT_VARIANT(set, "winograd_1x2_f32/" #name)
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_GEMM_F32
  };
  return kNames[WinogradGemmIndex(p, target)];
}

MICRORT_COLD uint64_t ScratchBytesOf(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan) {
  return Sizes(p, target, VariantOf(GemmF32Kernels(), plan.kernel)).scratch_bytes();
}

MICRORT_COLD uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
  return SizesFor(p, target).packed_bytes;
}

void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights, void* packed) {
  PackWinogradWeights(p, weights, kRowsOnly, SizesFor(p, target).gemm.nr, static_cast<float*>(packed));
}

void Run(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan, const ConvTensors& tensors,
         const Parallel& parallel) {
  const Sizes sizes(p, target, VariantOf(GemmF32Kernels(), plan.kernel));
  if (sizes.outputs == 0) return;
  Runner(p, plan, tensors, sizes).Run(parallel);
}

}  // namespace

const Conv2DAlgorithm kWinogradRows = {
    NameOf, IsWinogradLayer, Cost, PlanWinograd, ScratchBytesOf, PackedBytes, Pack, Run, false, true};

}  // namespace micrort
