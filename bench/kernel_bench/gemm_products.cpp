// Whole matrix products by each micro-kernel, with the blocking and packing that a layer has.

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "bench/kernel_bench/variant.h"
#include "kernels/base/target.h"
#include "kernels/conv2d/conv2d.h"
#include "kernels/gemm/gemm_f32.h"
#include "kernels/gemm/gemm_s4.h"
#include "kernels/gemm/gemm_s8.h"
#include "kernels/implicit_gemm/implicit_gemm_f32.h"
#include "kernels/implicit_gemm/implicit_gemm_s8.h"
#include "kernels/int4_gemm/int4_gemm.h"

namespace micrort::bench {

namespace {

struct ProductShape {
  int64_t m, n, k;
};

// A square one, a row, and 1x1 layers of mobilenet_v1 and resnet50.
constexpr ProductShape kShapes[] = {{384, 384, 384}, {1, 1000, 1280}, {12544, 64, 32},
                                    {784, 256, 256}, {196, 512, 512}, {3136, 256, 64}};
// Further squares and 1x1 layers, of mobilenet_v2 too, for floats in vectors.
constexpr ProductShape kFurtherShapes[] = {
    {192, 192, 192},    {256, 256, 256},  {512, 512, 512},  {768, 768, 768},  {1024, 1024, 1024},
    {1536, 1536, 1536}, {12544, 96, 16},  {12544, 16, 32},  {3136, 24, 144},  {3136, 144, 24},
    {3136, 128, 64},    {3136, 128, 128}, {3136, 64, 64},   {3136, 64, 256},  {3136, 128, 256},
    {784, 32, 192},     {784, 192, 32},   {784, 256, 128},  {784, 512, 128},  {784, 128, 512},
    {784, 256, 512},    {784, 1024, 512}, {196, 64, 384},   {196, 384, 64},   {196, 96, 576},
    {196, 576, 96},     {196, 512, 256},  {196, 1024, 256}, {196, 256, 1024}, {196, 512, 1024}};
// A few rows by a matrix larger than most caches, and one that fits.
constexpr ProductShape kNarrowShapes[] = {{1, 4096, 1024},  {1, 4096, 4096},   {4, 4096, 4096},
                                          {32, 4096, 4096}, {196, 1024, 1024}, {784, 256, 256},
                                          {3136, 64, 64}};

// A token and a prompt through layers of a decoder of 111 M parameters, and its head.
constexpr ProductShape kTokenShapes[] = {{1, 768, 768},  {1, 2048, 768}, {1, 768, 2048},   {1, 49152, 768},
                                         {4, 2048, 768}, {32, 768, 768}, {128, 2048, 768}, {128, 768, 2048}};

// x, weights and y.
struct ProductTypes {
  const char* name;
  DType x, weights, y;
  bool dynamic = false;  // x is quantized as the layer runs: one scale a row, of int4 one a group too
};
constexpr ProductTypes kFloat = {"product_f32/", DType::kFloat32, DType::kFloat32, DType::kFloat32};
constexpr ProductTypes kInt8 = {"product_s8/", DType::kInt8, DType::kInt8, DType::kInt8};
constexpr ProductTypes kDynamicInt8 = {"product_dynamic_s8/", DType::kFloat32, DType::kInt8, DType::kFloat32,
                                       true};
constexpr ProductTypes kGroupedInt4 = {"product_grouped_s4/", DType::kFloat32, DType::kInt4, DType::kFloat32,
                                       true};
constexpr ProductTypes kNarrow[] = {
    {"product_f32_by_f16/", DType::kFloat32, DType::kFloat16, DType::kFloat32},
    {"product_f32_by_s8/", DType::kFloat32, DType::kInt8, DType::kFloat32},
    {"product_f32_by_s4/", DType::kFloat32, DType::kInt4, DType::kFloat32}};

constexpr int32_t kGroup = 32;  // of int4

Conv2DParams Params(const ProductShape& shape, const ProductTypes& types) {
  Conv2DParams p = {};
  p.batch = shape.m;
  p.in_h = p.in_w = p.out_h = p.out_w = p.kernel_h = p.kernel_w = 1;
  p.in_c = shape.k;
  p.out_c = shape.n;
  p.stride_h = p.stride_w = p.dilation_h = p.dilation_w = p.groups = 1;
  p.types.x = types.x;
  p.types.weights = types.weights;
  p.types.y = types.y;
  p.types.weight_group = types.weights == DType::kInt4 ? kGroup : 0;
  p.types.grouped = p.types.half_scales = types.dynamic && types.weights == DType::kInt4;
  p.types.dynamic = types.dynamic && !p.types.grouped;
  p.types.x_scale = p.types.y_scale = p.types.residual_scale = 1.0f;
  return p;
}

std::string Name(const ProductTypes& types, const std::string& kernel, const ProductShape& shape) {
  return types.name + kernel + "/" + std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" +
         std::to_string(shape.k);
}

void AddProduct(const std::string& name, const Conv2DParams& p, const Conv2DAlgorithm& algorithm,
                CpuFeatures features) {
  const ConvTarget target = {features, 1};
  const ConvPlan plan = algorithm.plan(p, target);
  // Packed when it runs for the first time, for few of the rows may be asked for.
  const auto memory = std::make_shared<std::vector<Buffer>>();
  AddVariant(name, features, {2.0 * static_cast<double>(p.multiply_adds()), 0}, [=] {
    if (memory->empty()) {
      const int64_t groups = p.types.weight_group == 0 ? 1 : p.in_c / p.types.weight_group;
      const std::vector<float> weights(static_cast<size_t>(p.out_c * p.in_c)),
          scales(static_cast<size_t>(p.out_c * groups), 1);
      memory->emplace_back(algorithm.packed_bytes(p, target));
      memory->emplace_back(ScratchBytes(algorithm, p, target));
      memory->emplace_back(static_cast<size_t>(p.rows() * p.in_c) * sizeof(float));
      memory->emplace_back(static_cast<size_t>(p.rows() * p.out_c) * sizeof(float));
      algorithm.pack(
          p, target,
          {weights.data(), p.in_c, 1, scales.data(), Int4Grid::Of(scales.data(), nullptr, nullptr, nullptr),
           groups, nullptr, nullptr, p.types.weight_group},
          (*memory)[0].as<>());
    }
    const std::vector<Buffer>& b = *memory;
    algorithm.run(p, target, plan, {b[2].as<>(), b[0].as<>(), nullptr, nullptr, b[3].as<>(), b[1].as<>()},
                  Sequential());
  });
}

// An instruction set by its name, and all that it builds on.
struct InstructionSet {
  std::string name;
  CpuFeatures features;
};

void AddPlain(const ProductTypes& types, const ProductShape& shape, const Conv2DAlgorithm& algorithm,
              const InstructionSet& set) {
  AddProduct(Name(types, set.name, shape), Params(shape, types), algorithm, set.features);
}

// Floats packed ahead, and weights dequantized as they are multiplied.
void AddNarrow(const ProductTypes& types, const ProductShape& shape, const InstructionSet& set) {
  const Conv2DParams p = Params(shape, types);
  const std::string name = Name(types, set.name, shape);
  AddProduct(name + "/floats", p, kImplicitGemmF32, set.features);
  AddProduct(name + "/dequantizing", p, kDequantizingGemmF32, set.features);
}

// Those that a family has micro-kernels for, which are named after them and their tiles.
template <typename Kernel>
std::vector<InstructionSet> InstructionSets(Span<const Kernel> kernels) {
  std::vector<InstructionSet> sets;
  for (const Kernel& kernel : kernels) {
    if ((kernel.features & ~ArchitectureFeatures()) != 0) continue;  // described for the converter only
    const std::string name(kernel.name, std::strchr(kernel.name, '_'));
    CpuFeatures features = 0;
    if (!ParseIsa(name.c_str(), &features) || (!sets.empty() && sets.back().name == name)) continue;
    sets.push_back({name, features | (DetectCpuFeatures() & kCpuTraits)});
  }
  return sets;
}

bool HasVectors(CpuFeatures features) {
  constexpr size_t kVector = 4;
  return GemmF32Kernels()[SelectGemmF32(features, 1)].lanes >= kVector;
}

}  // namespace

void AddGemmProducts() {
  for (const InstructionSet& set : InstructionSets(GemmF32Kernels())) {
    for (const ProductShape& shape : kShapes) AddPlain(kFloat, shape, kImplicitGemmF32, set);
    for (const ProductShape& shape : kFurtherShapes) {
      if (HasVectors(set.features)) AddPlain(kFloat, shape, kImplicitGemmF32, set);
    }
    for (const ProductTypes& types : kNarrow) {
      for (const ProductShape& shape : kNarrowShapes) AddNarrow(types, shape, set);
    }
  }
  for (const InstructionSet& set : InstructionSets(GemmS8Kernels())) {
    for (const ProductShape& shape : kShapes) AddPlain(kInt8, shape, kImplicitGemmS8, set);
    for (const ProductShape& shape : kTokenShapes) AddPlain(kDynamicInt8, shape, kImplicitGemmS8, set);
  }
  for (const InstructionSet& set : InstructionSets(GemmS4Kernels())) {
    for (const ProductShape& shape : kTokenShapes) AddPlain(kGroupedInt4, shape, kInt4Gemm, set);
  }
}

}  // namespace micrort::bench
