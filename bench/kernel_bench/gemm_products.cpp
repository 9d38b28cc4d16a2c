// Whole matrix products by each micro-kernel, with the blocking and packing that a layer has.

#include <memory>
#include <string>
#include <vector>

#include "bench/kernel_bench/row.h"
#include "kernels/conv2d/conv2d.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/gemm/gemm_s8.h"

namespace micrort::bench {

namespace {

struct ProductShape {
  int64_t m, n, k;
};

// A square one, a row, and 1x1 layers of mobilenet_v1 and resnet50.
constexpr ProductShape kShapes[] = {{384, 384, 384}, {1, 1000, 1280}, {12544, 64, 32},
                                    {784, 256, 256}, {196, 512, 512}, {3136, 256, 64}};

Conv2DParams Params(const ProductShape& shape, bool is_float) {
  Conv2DParams p = {};
  p.batch = shape.m;
  p.in_h = p.in_w = p.out_h = p.out_w = p.kernel_h = p.kernel_w = 1;
  p.in_c = shape.k;
  p.out_c = shape.n;
  p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = p.groups = 1;
  p.types.x = p.types.weights = p.types.y = is_float ? DType::kFloat32 : DType::kInt8;
  p.types.x_scale = p.types.y_scale = p.types.residual_scale = 1.0f;
  return p;
}

void AddProduct(const ProductShape& shape, bool is_float, const std::string& kernel, CpuFeatures features) {
  const Conv2DParams p = Params(shape, is_float);
  const ConvTarget target = {features, 1};
  const Conv2DAlgorithm* algorithm = ChooseConv2D(p, target);
  if (algorithm == nullptr) return;
  const std::string name = std::string(is_float ? "product_f32/" : "product_s8/") + kernel + "/" +
                           std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" +
                           std::to_string(shape.k);
  // Packed when it runs for the first time, for few of the rows may be asked for.
  const auto memory = std::make_shared<std::vector<Buffer>>();
  AddRow(name, features, {2.0 * static_cast<double>(shape.m * shape.n * shape.k), 0}, [=] {
    if (memory->empty()) {
      const std::vector<float> weights(static_cast<size_t>(shape.n * shape.k)),
          scales(static_cast<size_t>(shape.n), 1);
      memory->emplace_back(algorithm->packed_bytes(p, target));
      memory->emplace_back(algorithm->scratch_bytes(p, target));
      memory->emplace_back(static_cast<size_t>(shape.m * shape.k) * sizeof(float));
      memory->emplace_back(static_cast<size_t>(shape.m * shape.n) * sizeof(float));
      algorithm->pack(p, target, {weights.data(), shape.k, 1, scales.data(), 1, nullptr, nullptr},
                      (*memory)[0].as<>());
    }
    const std::vector<Buffer>& b = *memory;
    algorithm->run(p, target, {b[2].as<>(), b[0].as<>(), nullptr, nullptr, b[3].as<>(), b[1].as<>()},
                   Sequential());
  });
}

}  // namespace

void AddGemmProducts() {
  for (const ProductShape& shape : kShapes) {
    for (const GemmF32Kernel& kernel : GemmF32Kernels())
      AddProduct(shape, true, kernel.name, kernel.features);
    for (const GemmS8Kernel& kernel : GemmS8Kernels()) AddProduct(shape, false, kernel.name, kernel.features);
  }
}

}  // namespace micrort::bench
