#include "tests/kernels/half_conv_case.h"

#include <cmath>

#include "kernels/base/half.h"
#include "tests/kernels/run_conv.h"

namespace micrort::testing {
namespace {

// Rounds `floats` to halves, both ways.
std::vector<uint16_t> RoundToHalves(std::vector<float>& floats) {
  std::vector<uint16_t> halves(floats.size());
  for (size_t i = 0; i < floats.size(); ++i) {
    halves[i] = FloatToHalf(floats[i]);
    floats[i] = HalfToFloat(halves[i]);
  }
  return halves;
}

std::vector<float> ToFloats(const std::vector<uint16_t>& halves) {
  std::vector<float> floats(halves.size());
  for (size_t i = 0; i < halves.size(); ++i) floats[i] = HalfToFloat(halves[i]);
  return floats;
}

}  // namespace

std::vector<CpuFeatures> HalfFeatureSets() {
  if ((DetectCpuFeatures() & kCpuFp16) == 0) return {};
  return {AvailableFeatures(kWithHalf)};
}

HalfConvCase::HalfConvCase(const Conv2DParams& params, uint32_t seed)
    : floats(params, seed),
      x(RoundToHalves(floats.x)),
      weights(RoundToHalves(floats.weights)),
      residual(RoundToHalves(floats.residual)) {}

Conv2DParams HalfConvCase::params() const {
  Conv2DParams p = floats.p;
  p.types.x = p.types.weights = DType::kFloat16;
  p.types.y = half_output ? DType::kFloat16 : DType::kFloat32;
  p.types.half = true;
  return p;
}

ConvWeights HalfConvCase::Weights() const {
  return {weights.data(), floats.p.depth(), 1, nullptr, {}, 0, nullptr, nullptr};
}

std::vector<float> HalfConvCase::Run(const Conv2DAlgorithm& algorithm, CpuFeatures features, int workers,
                                     bool in_place) const {
  std::vector<uint16_t> y = residual;
  std::vector<float> float_y = floats.residual;
  ConvTensors tensors = {};
  tensors.x = x.data();
  tensors.bias = floats.has_bias ? floats.bias.data() : nullptr;
  const void* const out = half_output ? static_cast<const void*>(y.data()) : float_y.data();
  const void* const apart = half_output ? static_cast<const void*>(residual.data()) : floats.residual.data();
  tensors.residual = !floats.has_residual ? nullptr : in_place ? out : apart;
  const ConvTarget target = {features, workers};
  if (!half_output) {
    RunConv(params(), algorithm, target, Weights(), tensors, float_y);
    return float_y;
  }
  RunConv(params(), algorithm, target, Weights(), tensors, y);
  return ToFloats(y);
}

std::vector<float> HalfConvCase::Expected() const {
  std::vector<float> y = floats.Expected();
  if (floats.p.types.activation.kind != ActivationKind::kHardSwish) return y;
  for (float& v : y) v *= std::fmin(1.0f, std::fmax(0.0f, v / 6 + 0.5f));
  return y;
}

std::vector<float> HalfConvCase::Magnitudes() const {
  FloatConvCase c = floats;
  c.p.types.activation = {};
  for (std::vector<float>* operand : {&c.x, &c.weights, &c.bias, &c.residual}) {
    for (float& v : *operand) v = std::fabs(v);
  }
  return c.Expected();
}

}  // namespace micrort::testing
