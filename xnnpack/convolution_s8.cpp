// int8 convolutions, depthwise convolutions and matrix products with a scale an output channel, to the bits
// of our own: XNNPACK multiplies sums by a float, rounds halves to even and adds the zero point, too.

#include <cmath>
#include <cstring>

#include "kernels/base/dcheck.h"
#include "kernels/layer_s8/epilogue_s8.h"
#include "xnnpack/layer.h"

namespace micrort {
namespace {

const char* Name(const Conv2DParams&, const ConvTarget&) { return "xnnpack_s8/operator"; }

struct Bounds {
  int8_t lowest, highest;
};

// Bounds of the activation and of the type. Rounding keeps the order of numbers, so that rounded bounds clamp
// rounded values.
Bounds BoundsOf(const LayerTypes& t) {
  const auto quantized = [&](float real) {
    const float value = std::nearbyint(real / t.y_scale) + static_cast<float>(t.y_zero_point);
    return static_cast<int8_t>(value > INT8_MIN ? value < INT8_MAX ? value : INT8_MAX : INT8_MIN);
  };
  return {quantized(t.activation.lo()), quantized(t.activation.hi())};
}

bool Applicable(const Conv2DParams& p) {
  const LayerTypes& t = p.types;
  if (t.x != DType::kInt8 || t.weights != DType::kInt8 || t.y != DType::kInt8 || t.dynamic || t.asymmetric ||
      t.rounding != Rounding::kExact || !t.activation.is_clamp() || !HasXnnpackGeometry(p)) {
    return false;
  }
  const Bounds bounds = BoundsOf(t);
  return bounds.lowest < bounds.highest;
}

ConvPlan Plan(const Conv2DParams&, const ConvTarget&) {
  ConvPlan plan;
  plan.kernel = KernelId::xnnpack_s8_operator;
  return plan;
}

xnn_status SetUp(const ExternalLayer& layer, const Conv2DParams& p, const ConvTensors& tensors) {
  return xnn_setup_convolution2d_nhwc_qc8(layer.op, static_cast<size_t>(p.batch), static_cast<size_t>(p.in_h),
                                          static_cast<size_t>(p.in_w), static_cast<const int8_t*>(tensors.x),
                                          static_cast<int8_t*>(tensors.y), layer.threads);
}

// As kXnnpackF32.
void Run(const Conv2DParams& p, const ConvTarget&, const ConvPlan&, const ConvTensors& tensors,
         const Parallel&) {
  const auto& layer = *static_cast<const ExternalLayer*>(tensors.packed);
  [[maybe_unused]] xnn_status status = SetUp(layer, p, tensors);
  MICRORT_DCHECK(status == xnn_status_success);
  status = xnn_run_operator(layer.op, layer.threads);
  MICRORT_DCHECK(status == xnn_status_success);
}

}  // namespace

const Conv2DAlgorithm kXnnpackS8 = {Name,      Applicable,      XnnpackCost, Plan,
                                    NoScratch, NoPackedWeights, KeepWeights, Run};

// Kernels for ARM add two products in 16 bits, which two of -128 times -128 overflow. Multipliers are normal
// numbers below 256.
bool TakesXnnpackS8(const Conv2DParams& p, const ConvWeights& weights) {
  if (std::memchr(weights.data, INT8_MIN & 0xff, static_cast<size_t>(p.out_c * p.depth())) != nullptr) {
    return false;
  }
  for (int64_t o = 0; o < p.out_c; ++o) {
    const double multiplier = static_cast<double>(p.types.x_scale) *
                              static_cast<double>(weights.scales[o * weights.scale_stride]) /
                              static_cast<double>(p.types.y_scale);
    if (!(multiplier >= 1e-37 && multiplier < 255)) return false;
  }
  return true;
}

// XNNPACK multiplies scales as floats. So that multipliers are ours, they are the scales of the weights,
// beside scales of 1.
Status CreateXnnpackS8(const ConvCall& call, const ConvWeights& weights, const ConvTensors& tensors,
                       ExternalLayer* layer) {
  const Conv2DParams& p = call.params;
  const LayerTypes& t = p.types;
  FixedArray<int8_t> ordered;
  MICRORT_RETURN_IF_ERROR(Reorder(p, weights, &ordered));
  FixedArray<uint8_t> memory;
  MICRORT_RETURN_IF_ERROR(memory.Allocate(ChannelTable::Bytes(p)));
  ChannelTable table(p, memory.data());
  table.Fill(p, weights, 0);  // sums are 0, which leaves the bias as it is
  const XnnpackGeometry g(p);
  const Bounds bounds = BoundsOf(t);
  MICRORT_RETURN_IF_ERROR(XnnpackError(
      xnn_create_convolution2d_nhwc_qc8(
          g.pad_top, g.pad_right, g.pad_bottom, g.pad_left, g.kernel_h, g.kernel_w, g.stride_h, g.stride_w,
          g.dilation_h, g.dilation_w, g.groups, g.group_channels, g.group_columns, g.in_c, g.out_c,
          static_cast<int8_t>(t.x_zero_point), 1.0f, table.multipliers, ordered.data(), table.bias,
          static_cast<int8_t>(t.y_zero_point), 1.0f, bounds.lowest, bounds.highest, g.flags, &layer->op),
      "xnn_create_convolution2d_nhwc_qc8"));
  return XnnpackError(SetUp(*layer, p, tensors), "xnn_setup_convolution2d_nhwc_qc8");
}

}  // namespace micrort
