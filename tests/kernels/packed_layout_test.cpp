// What `pack` writes for every target, pinned: model files hold such bytes (kernels/base/packed_revision.h),
// and whichever machine writes them, the device finds its own. A build checks the targets that it knows.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kernels/base/checked_math.h"
#include "kernels/base/cpu_features.h"
#include "kernels/base/half.h"
#include "kernels/base/packed_revision.h"
#include "kernels/base/target.h"
#include "kernels/implicit_gemm/implicit_gemm_f32.h"
#include "kernels/int4_gemm/int4_gemm.h"
#include "kernels/recurrent/recurrent.h"
#include "tests/kernels/conv2d_case.h"

namespace micrort::testing::packed_layout {
namespace {

uint64_t HashOf(const std::vector<uint8_t>& bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

// Seeded, and the same in every standard library.
template <typename T>
std::vector<T> Elements(size_t n) {
  std::vector<T> elements(n);
  for (size_t i = 0; i < n; ++i) elements[i] = static_cast<T>(static_cast<int>(i * 37 % 255) - 127);
  return elements;
}

// By name of algorithm and kernel variant: of the first target and layer that take it.
class Hashes {
 public:
  void Add(const std::string& name, const std::vector<uint8_t>& packed) {
    hashes_.emplace(name, HashOf(packed));
  }
  const std::map<std::string, uint64_t>& all() const { return hashes_; }

 private:
  std::map<std::string, uint64_t> hashes_;
};

template <typename T>
void AddLayers(CpuFeatures features, ConvShape shape, Hashes* hashes, bool transposed = false) {
  Conv2DParams p = MakeParams(shape);
  p.transposed = transposed;
  const bool is_integer = sizeof(T) == 1;
  if (is_integer) p.types.x = p.types.weights = p.types.y = DType::kInt8;
  const auto data = Elements<T>(static_cast<size_t>(p.out_c * p.depth()));
  const auto bias = Elements<int32_t>(static_cast<size_t>(p.out_c));
  const std::vector<float> scales(static_cast<size_t>(p.out_c), 0.5f);
  ConvWeights weights = {data.data(), p.depth(), 1, nullptr, {}, 0, nullptr, nullptr};
  if (is_integer) {
    weights.scales = scales.data();
    weights.scale_stride = 1;
    weights.bias = bias.data();
  }
  for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
    if (!algorithm->applicable(p)) continue;
    const ConvTarget target = {features, 1};
    std::vector<uint8_t> packed(algorithm->packed_bytes(p, target));
    algorithm->pack(p, target, weights, packed.data());
    hashes->Add(algorithm->name(p, target), packed);
  }
}

// Of algorithms with half arithmetic.
void AddHalves(CpuFeatures features, const ConvShape& shape, Hashes* hashes) {
  Conv2DParams p = MakeParams(shape);
  p.types.x = p.types.weights = p.types.y = DType::kFloat16;
  p.types.half = true;
  std::vector<uint16_t> data;
  for (const float x : Elements<float>(static_cast<size_t>(p.out_c * p.depth()))) {
    data.push_back(FloatToHalf(x * 0.01f));
  }
  const ConvWeights weights = {data.data(), p.depth(), 1, nullptr, {}, 0, nullptr, nullptr};
  const ConvTarget target = {features, 1};
  for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
    if ((algorithm->features & kCpuFp16) == 0 || !CanRun(*algorithm, p, target)) continue;
    std::vector<uint8_t> packed(algorithm->packed_bytes(p, target));
    algorithm->pack(p, target, weights, packed.data());
    hashes->Add(algorithm->name(p, target), packed);
  }
}

// Weights that stay narrow; the type tells apart what has one name.
void AddNarrow(CpuFeatures features, const char* name, DType type, int64_t group, bool half_scales,
               Hashes* hashes) {
  Conv2DParams p = MakeParams({1, 9, 9, 40, 22});
  p.types.weights = type;
  p.types.weight_group = static_cast<int32_t>(group);
  p.types.half_scales = half_scales;
  const auto data = Elements<uint8_t>(static_cast<size_t>(2 * p.out_c * p.depth()));
  const auto scales = Elements<float>(data.size());
  const int64_t scale_stride = group == 0 ? 1 : CeilDiv(p.depth(), group);
  const Int4Grid grid = Int4Grid::Of(scales.data(), nullptr, nullptr, nullptr);
  const ConvWeights weights = {data.data(),  p.depth(), 1,       scales.data(), grid,
                               scale_stride, nullptr,   nullptr, group};
  const ConvTarget target = {features, 1};
  std::vector<uint8_t> packed(kDequantizingGemmF32.packed_bytes(p, target));
  kDequantizingGemmF32.pack(p, target, weights, packed.data());
  hashes->Add(std::string(kDequantizingGemmF32.name(p, target)) + " " + name, packed);
}

// int4 that stay int4, with float scales and with zero points beside half scales.
void AddInt4(CpuFeatures features, bool asymmetric, Hashes* hashes) {
  Conv2DParams p = MakeParams({3, 1, 1, 80, 22});
  p.types.weights = DType::kInt4;
  p.types.weight_group = 32;
  p.types.grouped = true;
  p.types.asymmetric = p.types.half_scales = asymmetric;
  const auto data = Elements<uint8_t>(static_cast<size_t>(p.out_c * p.depth() / 2));
  const auto scales = Elements<float>(static_cast<size_t>(p.out_c * 3));
  const std::vector<int32_t> zero_points(scales.size(), -5);
  const Int4Grid grid =
      Int4Grid::Of(scales.data(), nullptr, asymmetric ? zero_points.data() : nullptr, nullptr);
  const ConvWeights weights = {data.data(), p.depth(), 1, nullptr, grid, 3, nullptr, nullptr, 32};
  const ConvTarget target = {features, 1};
  std::vector<uint8_t> packed(kInt4Gemm.packed_bytes(p, target));
  kInt4Gemm.pack(p, target, weights, packed.data());
  hashes->Add(std::string(kInt4Gemm.name(p, target)) + (asymmetric ? " asymmetric" : ""), packed);
}

void AddRecurrent(CpuFeatures features, Hashes* hashes) {
  RecurrentParams p = {};
  p.kind = RecurrentKind::kGru;
  p.steps = p.batch = 1;
  p.hidden = 21;
  const RecurrentPlan plan = PlanRecurrent(p, features);
  const auto data = Elements<float>(static_cast<size_t>(p.width() * p.hidden));
  for (int i = 0; i < p.matrices(); ++i) {
    std::vector<uint8_t> packed(RecurrentPackedBytes(p, plan, i));
    PackRecurrent(p, plan, {data.data(), DType::kFloat32, nullptr, 0}, i,
                  reinterpret_cast<float*>(packed.data()));
    hashes->Add(std::string(RecurrentAlgorithm(plan)) + "#" + std::to_string(i), packed);
  }
}

void AddTarget(CpuFeatures features, Hashes* found) {
  AddLayers<float>(features, {1, 9, 9, 14, 22, 3, 1, 1, 1}, found);
  AddLayers<float>(features, {1, 9, 9, 14, 22}, found);
  AddLayers<float>(features, {1, 9, 9, 14, 70}, found);
  AddLayers<float>(features, {1, 9, 9, 14, 14, 3, 1, 1, 1, 14}, found);
  AddLayers<int8_t>(features, {1, 9, 9, 14, 22, 3, 1, 1, 1}, found);
  AddLayers<int8_t>(features, {1, 9, 9, 14, 14, 3, 1, 1, 1, 14}, found);
  AddLayers<float>(features, {1, 9, 9, 32, 32, 3, 1, 1, 1, 8}, found);
  AddLayers<int8_t>(features, {1, 9, 9, 32, 32, 3, 1, 1, 1, 8}, found);
  AddLayers<float>(features, {1, 9, 9, 14, 22, 5, 2, 1, 1}, found, true);
  AddLayers<int8_t>(features, {1, 9, 9, 14, 22, 5, 2, 1, 1}, found, true);
  AddHalves(features, {1, 9, 9, 14, 42, 3, 1, 1, 1}, found);
  AddHalves(features, {1, 9, 9, 22, 22, 3, 1, 1, 1, 22}, found);
  AddNarrow(features, "float16", DType::kFloat16, 0, false, found);
  AddNarrow(features, "int8", DType::kInt8, 0, false, found);
  AddNarrow(features, "int4", DType::kInt4, 32, false, found);
  AddNarrow(features, "int4 halves", DType::kInt4, 32, true, found);
  AddInt4(features, false, found);
  AddInt4(features, true, found);
  AddRecurrent(features, found);
}

TEST(PackedLayout, ChangesWithItsRevisionOnly) {
  Hashes found;
  bool knows_all = true;
  for (const char* name : {"scalar", "sse41", "avx2", "avxvnni", "avx512", "avx512vnni", "neon", "fp16",
                           "dotprod", "i8mm", "armv7-neon", "wasm", "cortex-m3", "cortex-m4", "cortex-m55"}) {
    CpuFeatures features = 0;
    ASSERT_TRUE(ParseTarget(name, &features)) << name;
    if (KnowsKernelsOf(features))
      AddTarget(features, &found);
    else
      knows_all = false;
  }
  const std::map<std::string, uint64_t> expected = {
      {"depthwise_f16/fp16_7", 0x4a7cd583d48cbb14},
      {"depthwise_f32/avx2_4", 0xe582f240d295beef},
      {"depthwise_f32/avx512_4", 0xafa3f8f079e459fb},
      {"depthwise_f32/neon_7", 0xe582f240d295beef},
      {"depthwise_f32/scalar_2", 0xe582f240d295beef},
      {"depthwise_f32/simd128_4", 0xe582f240d295beef},
      {"depthwise_f32/sse41_4", 0xe582f240d295beef},
      {"depthwise_s8/avx2_8", 0x3e1806531b13ee93},
      {"depthwise_s8/avx512vnni_8", 0x3e1806531b13ee93},
      {"depthwise_s8/avxvnni_8", 0x3e1806531b13ee93},
      {"depthwise_s8/dotprod_7", 0x75cfc9f9fa98bdaf},
      {"depthwise_s8/dsp_4", 0x3e1806531b13ee93},
      {"depthwise_s8/neon_7", 0x3e1806531b13ee93},
      {"depthwise_s8/neon_8", 0x3e1806531b13ee93},
      {"depthwise_s8/scalar_2", 0x3e1806531b13ee93},
      {"depthwise_s8/simd128_8", 0x3e1806531b13ee93},
      {"depthwise_s8/sse41_8", 0x3e1806531b13ee93},
      {"grouped_conv_f32/avx2_8x8", 0x91dffae49005e3cf},
      {"grouped_conv_f32/avx512_8x16", 0xe148d1f9cbae716b},
      {"grouped_conv_f32/scalar_4x8", 0x91dffae49005e3cf},
      {"grouped_gemm_s8/avx2_6x16", 0x49d0f3d57871d462},
      {"grouped_gemm_s8/avx512vnni_8x32", 0x7714fd64451ae4c8},
      {"grouped_gemm_s8/avxvnni_6x16", 0x935df507d3c294d0},
      {"grouped_gemm_s8/dotprod_6x16", 0xdb4f2ff86a9abf2e},
      {"grouped_gemm_s8/dsp_2x16", 0xdb4f2ff86a9abf2e},
      {"grouped_gemm_s8/i8mm_8x12", 0xcf01134523f2c0b2},
      {"grouped_gemm_s8/mve_2x4", 0x9de4504a3e06ab36},
      {"grouped_gemm_s8/neon32_4x8", 0x2163c5e582e72dba},
      {"grouped_gemm_s8/neon64_4x8", 0x3399224a5820ee46},
      {"grouped_gemm_s8/scalar_4x4", 0x525431bb8b374456},
      {"grouped_gemm_s8/simd128_4x8", 0x5dfd2714896c3a5e},
      {"grouped_gemm_s8/sse41_4x8", 0x5dfd2714896c3a5e},
      {"implicit_gemm_f16/fp16_6x32", 0xb7e38a497c4d869},
      {"implicit_gemm_f32/avx2_6x16", 0x39756f31e360b8aa},
      {"implicit_gemm_f32/avx512_6x64", 0x86982b57814ed70a},
      {"implicit_gemm_f32/avx512_8x32", 0xf3501310b660bd26},
      {"implicit_gemm_f32/neon_4x8", 0xac218009cc695ba},
      {"implicit_gemm_f32/neon_6x16", 0x39756f31e360b8aa},
      {"implicit_gemm_f32/scalar_4x8", 0xac218009cc695ba},
      {"implicit_gemm_f32/simd128_6x8", 0xac218009cc695ba},
      {"implicit_gemm_f32/sse41_6x8", 0xac218009cc695ba},
      {"implicit_gemm_s8/avx2_6x16", 0x1c312edd7e856189},
      {"implicit_gemm_s8/avx512vnni_8x32", 0x1a8cf196eeea4117},
      {"implicit_gemm_s8/avxvnni_6x16", 0x910e0f3fcdae84d3},
      {"implicit_gemm_s8/dotprod_6x16", 0x98fca5b2f864dbad},
      {"implicit_gemm_s8/dsp_2x16", 0x98fca5b2f864dbad},
      {"implicit_gemm_s8/i8mm_8x12", 0x3bfcc8d526c11eb5},
      {"implicit_gemm_s8/mve_2x4", 0x569001c7fd0c8a6d},
      {"implicit_gemm_s8/neon32_4x8", 0xd880a04755608b33},
      {"implicit_gemm_s8/neon64_4x8", 0xbe710165fec10b7},
      {"implicit_gemm_s8/scalar_4x4", 0xbadf41f45044b88b},
      {"implicit_gemm_s8/simd128_4x8", 0x7430cf39d6699081},
      {"implicit_gemm_s8/sse41_4x8", 0x7430cf39d6699081},
      {"int4_gemm/avx2_4x16", 0x27947ea5e1e98fb},
      {"int4_gemm/avx2_4x16 asymmetric", 0x83f0659046e35479},
      {"int4_gemm/avx512vnni_4x32", 0x974346476eb78ac7},
      {"int4_gemm/avx512vnni_4x32 asymmetric", 0xd7beac0a85dd3ba7},
      {"int4_gemm/avxvnni_4x16", 0x27947ea5e1e98fb},
      {"int4_gemm/avxvnni_4x16 asymmetric", 0x83f0659046e35479},
      {"int4_gemm/dotprod_4x16", 0x7c4f7b3adfdb5d5},
      {"int4_gemm/dotprod_4x16 asymmetric", 0x32845b797fe3b737},
      {"int4_gemm/i8mm_12x16", 0xde35bb737ad6bd35},
      {"int4_gemm/i8mm_12x16 asymmetric", 0x5c3a7f6079934ac7},
      {"int4_gemm/neon64_4x8", 0x4a1d1a122c615373},
      {"int4_gemm/neon64_4x8 asymmetric", 0x9d368ba18d56943},
      {"int4_gemm/scalar_1x8", 0x4a1d1a122c615373},
      {"int4_gemm/scalar_1x8 asymmetric", 0x9d368ba18d56943},
      {"phased_implicit_gemm_f32/avx2_6x16", 0x598c937001c9dac1},
      {"phased_implicit_gemm_f32/avx512_8x32", 0x96c58ad7d1c55929},
      {"phased_implicit_gemm_f32/neon_4x8", 0x62839bfd4f26b405},
      {"phased_implicit_gemm_f32/neon_6x16", 0x598c937001c9dac1},
      {"phased_implicit_gemm_f32/scalar_4x8", 0x62839bfd4f26b405},
      {"phased_implicit_gemm_f32/simd128_6x8", 0x62839bfd4f26b405},
      {"phased_implicit_gemm_f32/sse41_6x8", 0x62839bfd4f26b405},
      {"phased_implicit_gemm_s8/avx2_6x16", 0x3f21cefe11df9a62},
      {"phased_implicit_gemm_s8/avx512vnni_8x32", 0x29ba7bac784ddbb7},
      {"phased_implicit_gemm_s8/avxvnni_6x16", 0xd7879ad6e8de75eb},
      {"phased_implicit_gemm_s8/dotprod_6x16", 0x1392c93cb5f719da},
      {"phased_implicit_gemm_s8/dsp_2x16", 0x1392c93cb5f719da},
      {"phased_implicit_gemm_s8/i8mm_8x12", 0xdccd67c5d0bdf8fa},
      {"phased_implicit_gemm_s8/mve_2x4", 0x570d7edd46b006a},
      {"phased_implicit_gemm_s8/neon32_4x8", 0xd2157273fb9a4b66},
      {"phased_implicit_gemm_s8/neon64_4x8", 0x88734d6d03088b4a},
      {"phased_implicit_gemm_s8/scalar_4x4", 0xd56fc88dc42961b4},
      {"phased_implicit_gemm_s8/simd128_4x8", 0xc23116bc59a06566},
      {"phased_implicit_gemm_s8/sse41_4x8", 0xc23116bc59a06566},
      {"phased_winograd_2x2_f32/avx2_6x16", 0x3e2d025639f7662a},
      {"phased_winograd_2x2_f32/avx512_8x32", 0x64cf73bea33a2c72},
      {"phased_winograd_2x2_f32/neon_4x8", 0xec25c4cd9af19eaa},
      {"phased_winograd_2x2_f32/neon_6x16", 0x3e2d025639f7662a},
      {"phased_winograd_2x2_f32/scalar_4x8", 0xec25c4cd9af19eaa},
      {"phased_winograd_2x2_f32/simd128_6x8", 0xec25c4cd9af19eaa},
      {"phased_winograd_2x2_f32/sse41_6x8", 0xec25c4cd9af19eaa},
      {"phased_winograd_4x4_f32/avx2_6x16", 0xc2a5373b23d70d88},
      {"phased_winograd_4x4_f32/avx512_8x32", 0x8723f60d903a4d0},
      {"phased_winograd_4x4_f32/neon_4x8", 0x668f60ed8e8f31b0},
      {"phased_winograd_4x4_f32/neon_6x16", 0xc2a5373b23d70d88},
      {"phased_winograd_4x4_f32/scalar_4x8", 0x668f60ed8e8f31b0},
      {"phased_winograd_4x4_f32/simd128_6x8", 0x668f60ed8e8f31b0},
      {"phased_winograd_4x4_f32/sse41_6x8", 0x668f60ed8e8f31b0},
      {"recurrent_f32/avx2_6x16#0", 0x55c886b22621c0d3},
      {"recurrent_f32/avx2_6x16#1", 0x178f2ef4f251e5f3},
      {"recurrent_f32/avx512_8x32#0", 0xd1c003b64062cbf},
      {"recurrent_f32/avx512_8x32#1", 0xf1e12fa3edf61963},
      {"recurrent_f32/neon_4x8#0", 0x35f5a457cfafa2ff},
      {"recurrent_f32/neon_4x8#1", 0xf27d1cb4dcaf6cd3},
      {"recurrent_f32/neon_6x16#0", 0x55c886b22621c0d3},
      {"recurrent_f32/neon_6x16#1", 0x178f2ef4f251e5f3},
      {"recurrent_f32/scalar_4x8#0", 0x35f5a457cfafa2ff},
      {"recurrent_f32/scalar_4x8#1", 0xf27d1cb4dcaf6cd3},
      {"recurrent_f32/simd128_6x8#0", 0x35f5a457cfafa2ff},
      {"recurrent_f32/simd128_6x8#1", 0xf27d1cb4dcaf6cd3},
      {"recurrent_f32/sse41_6x8#0", 0x35f5a457cfafa2ff},
      {"recurrent_f32/sse41_6x8#1", 0xf27d1cb4dcaf6cd3},
      {"strassen_f32/avx2_6x16", 0x53874620686b465d},
      {"strassen_f32/avx512_6x64", 0x83a0ea3a4faef6db},
      {"strassen_f32/avx512_8x32", 0x4c927f41f051c05d},
      {"strassen_f32/neon_4x8", 0x3b0a27815ba58389},
      {"strassen_f32/neon_6x16", 0x53874620686b465d},
      {"strassen_f32/scalar_4x8", 0x3b0a27815ba58389},
      {"strassen_f32/simd128_6x8", 0x3b0a27815ba58389},
      {"strassen_f32/sse41_6x8", 0x3b0a27815ba58389},
      {"unpacking_gemm_f32/avx2_6x16 float16", 0xb372b49605fd47c6},
      {"unpacking_gemm_f32/avx2_6x16 int4", 0xa0867bb8eca8865a},
      {"unpacking_gemm_f32/avx2_6x16 int4 halves", 0x2a6be2f0fbea5890},
      {"unpacking_gemm_f32/avx2_6x16 int8", 0xa71d7b2e7270486e},
      {"unpacking_gemm_f32/avx512_8x32 float16", 0x605bacf48b253d62},
      {"unpacking_gemm_f32/avx512_8x32 int4", 0xc35a7a8e9c743c0e},
      {"unpacking_gemm_f32/avx512_8x32 int4 halves", 0x7da66c3bcaad1fe0},
      {"unpacking_gemm_f32/avx512_8x32 int8", 0x16cb1db83f0fb2},
      {"unpacking_gemm_f32/neon_4x8 float16", 0xdef34ed80d607c9a},
      {"unpacking_gemm_f32/neon_4x8 int4", 0xd3674f7ca436773e},
      {"unpacking_gemm_f32/neon_4x8 int4 halves", 0xeaa88d442886dd90},
      {"unpacking_gemm_f32/neon_4x8 int8", 0xa7e334aa9b18ebee},
      {"unpacking_gemm_f32/neon_6x16 float16", 0xb372b49605fd47c6},
      {"unpacking_gemm_f32/neon_6x16 int4", 0xa0867bb8eca8865a},
      {"unpacking_gemm_f32/neon_6x16 int4 halves", 0x2a6be2f0fbea5890},
      {"unpacking_gemm_f32/neon_6x16 int8", 0xa71d7b2e7270486e},
      {"unpacking_gemm_f32/scalar_4x8 float16", 0xdef34ed80d607c9a},
      {"unpacking_gemm_f32/scalar_4x8 int4", 0xd3674f7ca436773e},
      {"unpacking_gemm_f32/scalar_4x8 int4 halves", 0xeaa88d442886dd90},
      {"unpacking_gemm_f32/scalar_4x8 int8", 0xa7e334aa9b18ebee},
      {"unpacking_gemm_f32/simd128_6x8 float16", 0xdef34ed80d607c9a},
      {"unpacking_gemm_f32/simd128_6x8 int4", 0xd3674f7ca436773e},
      {"unpacking_gemm_f32/simd128_6x8 int4 halves", 0xeaa88d442886dd90},
      {"unpacking_gemm_f32/simd128_6x8 int8", 0xa7e334aa9b18ebee},
      {"unpacking_gemm_f32/sse41_6x8 float16", 0xdef34ed80d607c9a},
      {"unpacking_gemm_f32/sse41_6x8 int4", 0xd3674f7ca436773e},
      {"unpacking_gemm_f32/sse41_6x8 int4 halves", 0xeaa88d442886dd90},
      {"unpacking_gemm_f32/sse41_6x8 int8", 0xa7e334aa9b18ebee},
      {"winograd_1x2_f32/avx2_6x16", 0xc457ab3eea5a5c3c},
      {"winograd_1x2_f32/avx512_8x32", 0x14137294e97957d0},
      {"winograd_1x2_f32/neon_4x8", 0x1cda64c7bb4cd240},
      {"winograd_1x2_f32/neon_6x16", 0xc457ab3eea5a5c3c},
      {"winograd_1x2_f32/scalar_4x8", 0x1cda64c7bb4cd240},
      {"winograd_1x2_f32/simd128_6x8", 0x1cda64c7bb4cd240},
      {"winograd_1x2_f32/sse41_6x8", 0x1cda64c7bb4cd240},
      {"winograd_2x2_f16/fp16_6x32", 0x5b85a6b2872c522},
      {"winograd_2x2_f32/avx2_6x16", 0x656bbd35327ed6bf},
      {"winograd_2x2_f32/avx512_8x32", 0xa3ad4dd08c3c7b},
      {"winograd_2x2_f32/neon_4x8", 0x46afdb1c505c3f13},
      {"winograd_2x2_f32/neon_6x16", 0x656bbd35327ed6bf},
      {"winograd_2x2_f32/scalar_4x8", 0x46afdb1c505c3f13},
      {"winograd_2x2_f32/simd128_6x8", 0x46afdb1c505c3f13},
      {"winograd_2x2_f32/sse41_6x8", 0x46afdb1c505c3f13},
      {"winograd_2x2_s8/avx2_6x16", 0x61456c23fd3bb944},
      {"winograd_2x2_s8/neon_4x16", 0xc047b1ba23e71ea4},
      {"winograd_2x2_s8/neon_4x8", 0xcd88ee69ab4af80c},
      {"winograd_2x2_s8/scalar_4x8", 0xcd88ee69ab4af80c},
      {"winograd_2x2_s8/simd128_4x8", 0x52f401b1f5a7f378},
      {"winograd_2x2_s8/sse41_4x8", 0x52f401b1f5a7f378},
      {"winograd_4x4_f32/avx2_6x16", 0x60c18634896b681},
      {"winograd_4x4_f32/avx512_8x32", 0xb30e91867ee4741d},
      {"winograd_4x4_f32/neon_4x8", 0x464db8da40a984bd},
      {"winograd_4x4_f32/neon_6x16", 0x60c18634896b681},
      {"winograd_4x4_f32/scalar_4x8", 0x464db8da40a984bd},
      {"winograd_4x4_f32/simd128_6x8", 0x464db8da40a984bd},
      {"winograd_4x4_f32/sse41_6x8", 0x464db8da40a984bd},
      {"winograd_6x6_f32/avx2_6x16", 0x2029882d9f906b3e},
      {"winograd_6x6_f32/avx512_8x32", 0xda15b69ee6a0b6a6},
      {"winograd_6x6_f32/neon_4x8", 0x3f7ee3ec5f794156},
      {"winograd_6x6_f32/neon_6x16", 0x2029882d9f906b3e},
      {"winograd_6x6_f32/scalar_4x8", 0x3f7ee3ec5f794156},
      {"winograd_6x6_f32/simd128_6x8", 0x3f7ee3ec5f794156},
      {"winograd_6x6_f32/sse41_6x8", 0x3f7ee3ec5f794156},
  };
  EXPECT_EQ(kPackedRevision, 1u) << "then pin what is packed now";
  for (const auto& [name, hash] : found.all()) {
    const auto at = expected.find(name);
    EXPECT_TRUE(at != expected.end() && at->second == hash)
        << "{\"" << name << "\", 0x" << std::hex << hash << "}, then raise kPackedRevision";
  }
  EXPECT_TRUE(!knows_all || found.all().size() == expected.size());
}

}  // namespace
}  // namespace micrort::testing::packed_layout
