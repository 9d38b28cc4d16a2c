// A program written out by hand, as ahead-of-time C++ is, that links the kernels alone: no runtime, no model.
//   y = softmax(relu(x * w + bias)), x [1,3], w [3,4]

#include <cmath>
#include <cstdio>

#include "kernels/base/part.h"
#include "kernels/elementwise/softmax.h"
#include "kernels/implicit_gemm/implicit_gemm_f32.h"
#include "kernels/mat_mul/mat_mul.h"

namespace {

MICRORT_LINK(micrort::SoftmaxF32);

constexpr int64_t kDepth = 3, kColumns = 4;
constexpr float kX[kDepth] = {1, -2, 3};
constexpr float kW[kDepth * kColumns] = {1, 0, 2, -1, 0, 1, 1, 1, 0.5f, 1, 0, -2};
constexpr float kBias[kColumns] = {0.25f, 0, -1, 0.5f};

alignas(64) unsigned char memory[1 << 16];
alignas(64) float y[kColumns];

constexpr micrort::MatMulCall kProduct = [] {
  micrort::MatMulCall c = {};
  micrort::Conv2DParams& p = c.layer.params;
  p.batch = 1, p.in_c = kDepth, p.out_c = kColumns;
  p.in_h = p.in_w = p.out_h = p.out_w = p.kernel_h = p.kernel_w = 1;
  p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = p.groups = 1;
  p.types.x = p.types.weights = p.types.y = micrort::DType::kFloat32;
  p.types.activation.kind = micrort::ActivationKind::kClip;
  p.types.activation.b = 100;
  c.layer.target.workers = 1;
  c.layer.algorithm = &micrort::kImplicitGemmF32;
  micrort::ConvPlan& plan = c.layer.plan;
  plan.kernel = micrort::KernelId::gemm_f32_scalar_4x8;
  plan.blocks.rows = plan.blocks.room = 4;
  plan.blocks.columns = 1;
  plan.blocks.length = kDepth;
  c.rows = c.b_matrices = c.products = 1;
  return c;
}();

void Run() {
  micrort::MatMulCall product = kProduct;
  const micrort::ConvLayer& layer = product.layer;
  product.layer.packed_bytes = micrort::AlignUp(
      static_cast<size_t>(layer.algorithm->packed_bytes(layer.params, layer.target)), micrort::kAlignment);
  micrort::ConvWeights weights = {};
  micrort::SetMatrixStrides(product, &weights);
  weights.data = kW;
  micrort::ConvTensors tensors = {};
  tensors.x = kX, tensors.bias = kBias, tensors.y = y, tensors.scratch = memory;
  micrort::RunMatMul(product, weights, tensors, micrort::Sequential());

  micrort::SoftmaxCall softmax = {};
  softmax.dtype = micrort::DType::kFloat32;
  softmax.task.shape = {1, kColumns, 1};
  softmax.task.softmax = micrort::KernelId::softmax_f32_scalar;
  micrort::RunSoftmax(softmax, y, y, nullptr, micrort::Sequential());
}

bool IsNear(double expected, double found) { return std::abs(expected - found) < 1e-6; }

}  // namespace

int main() {
  Run();
  double expected[kColumns], sum = 0;
  for (int o = 0; o < kColumns; ++o) {
    double value = kBias[o];
    for (int k = 0; k < kDepth; ++k) value += kX[k] * kW[k * kColumns + o];
    sum += expected[o] = std::exp(value < 0 ? 0 : value);
  }
  for (int o = 0; o < kColumns; ++o) {
    if (IsNear(expected[o] / sum, y[o])) continue;
    std::printf("output %d: expected %g, found %g\n", o, expected[o] / sum, static_cast<double>(y[o]));
    return 1;
  }
  std::puts("Success");
  return 0;
}
