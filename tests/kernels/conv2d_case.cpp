#include "tests/kernels/conv2d_case.h"

#include <gtest/gtest.h>

#include <memory>

#include "kernels/gemm/gemm_f32.h"
#include "tests/kernels/random.h"
#include "tests/kernels/reversed_parallel.h"

namespace micrort::testing {

Conv2DParams MakeParams(const ConvShape& s) {
  Conv2DParams p = {};
  p.batch = s.batch, p.in_h = s.height, p.in_w = s.width, p.in_c = s.channels, p.out_c = s.columns;
  p.kernel_h = p.kernel_w = s.kernel;
  p.stride_h = p.stride_w = s.stride;
  p.dilation_h = p.dilation_w = s.dilation;
  p.pad_top = p.pad_left = s.pad;
  p.groups = s.groups;
  const int64_t extent = s.dilation * (s.kernel - 1) + 1;
  p.out_h = (s.height + 2 * s.pad - extent) / s.stride + 1;
  p.out_w = (s.width + 2 * s.pad - extent) / s.stride + 1;
  p.types.x = p.types.weights = p.types.y = DType::kFloat32;
  p.types.x_scale = p.types.y_scale = p.types.residual_scale = 1.0f;
  return p;
}

std::string Describe(const Conv2DParams& p) {
  const auto dims = [](std::initializer_list<int64_t> list) {
    std::string s;
    for (int64_t d : list) s += (s.empty() ? "" : "x") + std::to_string(d);
    return s;
  };
  return dims({p.batch, p.in_h, p.in_w, p.in_c}) + " to " + dims({p.out_h, p.out_w, p.out_c}) + ", kernel " +
         dims({p.kernel_h, p.kernel_w}) + ", stride " + dims({p.stride_h, p.stride_w}) + ", dilation " +
         dims({p.dilation_h, p.dilation_w}) + ", pad " + dims({p.pad_top, p.pad_left}) + ", groups " +
         std::to_string(p.groups);
}

std::vector<CpuFeatures> FeatureSets() {
  std::vector<CpuFeatures> sets;
  for (const GemmF32Kernel& kernel : GemmF32Kernels()) {
    if ((kernel.features & DetectCpuFeatures()) == kernel.features) sets.push_back(kernel.features);
  }
  return sets;
}

FloatConvCase::FloatConvCase(const Conv2DParams& params, uint32_t seed)
    : p(params),
      x(static_cast<size_t>(p.batch * p.in_h * p.in_w * p.in_c)),
      weights(static_cast<size_t>(p.out_c * p.depth())),
      bias(static_cast<size_t>(p.out_c)),
      residual(static_cast<size_t>(p.rows() * p.out_c)) {
  Random random(seed);
  random.Fill(x, -1, 1);
  random.Fill(weights, -1, 1);
  random.Fill(bias, -1, 1);
  random.Fill(residual, -1, 1);
}

std::vector<float> FloatConvCase::Expected() const {
  std::vector<float> y(residual.size());
  reference::Conv2DF32(p, {x.data(), weights.data(), nullptr, has_bias ? bias.data() : nullptr, nullptr,
                           has_residual ? residual.data() : nullptr, y.data()});
  return y;
}

std::vector<float> FloatConvCase::Run(const Conv2DAlgorithm& algorithm, CpuFeatures features, int workers,
                                      bool in_place) const {
  const ConvTarget target = {features, workers};
  GuardedBuffer<float> packed(algorithm.packed_bytes(p, target) / sizeof(float));
  GuardedBuffer<uint64_t> scratch(algorithm.scratch_bytes(p, target) / sizeof(uint64_t));
  GuardedBuffer<float> y(residual.size());
  if (in_place) std::copy(residual.begin(), residual.end(), y.begin());
  algorithm.pack(p, target, {weights.data(), p.depth(), 1, nullptr, 0, nullptr}, packed.data());
  ConvTensors tensors = {};
  tensors.x = x.data();
  tensors.packed = packed.data();
  tensors.bias = has_bias ? bias.data() : nullptr;
  tensors.residual = !has_residual ? nullptr : in_place ? y.data() : residual.data();
  tensors.y = y.data();
  tensors.scratch = scratch.data();
  algorithm.run(p, target, tensors, ReversedParallel(workers));
  EXPECT_TRUE(y.GuardsIntact() && packed.GuardsIntact() && scratch.GuardsIntact());
  return std::vector<float>(y.begin(), y.end());
}

}  // namespace micrort::testing
