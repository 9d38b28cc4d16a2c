// What `pack` writes, pinned for the scalar micro-kernels, which every build has: model files hold such bytes
// (kernels/base/packed_revision.h).

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kernels/base/checked_math.h"
#include "kernels/base/packed_revision.h"
#include "kernels/conv2d/implicit_gemm_f32.h"
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

using Hashes = std::map<std::string, uint64_t>;

template <typename T>
void AddLayers(ConvShape shape, Hashes* hashes, bool transposed = false) {
  Conv2DParams p = MakeParams(shape);
  p.transposed = transposed;
  const bool is_integer = sizeof(T) == 1;
  if (is_integer) p.types.x = p.types.weights = p.types.y = DType::kInt8;
  const auto data = Elements<T>(static_cast<size_t>(p.out_c * p.depth()));
  const auto bias = Elements<int32_t>(static_cast<size_t>(p.out_c));
  const std::vector<float> scales(static_cast<size_t>(p.out_c), 0.5f);
  ConvWeights weights = {data.data(), p.depth(), 1, nullptr, 0, nullptr, nullptr};
  if (is_integer) {
    weights.scales = scales.data();
    weights.scale_stride = 1;
    weights.bias = bias.data();
  }
  for (const Conv2DAlgorithm* algorithm : Conv2DAlgorithms()) {
    if (!algorithm->applicable(p)) continue;
    const ConvTarget target = {kCpuScalar, 1};
    std::vector<uint8_t> packed(algorithm->packed_bytes(p, target));
    algorithm->pack(p, target, weights, packed.data());
    hashes->emplace(algorithm->name(p, target), HashOf(packed));
  }
}

// Weights that stay narrow; the type tells apart what has one name.
void AddNarrow(const char* name, DType type, int64_t group, Hashes* hashes) {
  Conv2DParams p = MakeParams({1, 9, 9, 40, 22});
  p.types.weights = type;
  p.types.weight_group = static_cast<int32_t>(group);
  const auto data = Elements<uint8_t>(static_cast<size_t>(2 * p.out_c * p.depth()));
  const auto scales = Elements<float>(data.size());
  const int64_t scale_stride = group == 0 ? 1 : CeilDiv(p.depth(), group);
  const ConvWeights weights = {data.data(),  p.depth(), 1,       scales.data(),
                               scale_stride, nullptr,   nullptr, group};
  const ConvTarget target = {kCpuScalar, 1};
  std::vector<uint8_t> packed(kUnpackingGemmF32.packed_bytes(p, target));
  kUnpackingGemmF32.pack(p, target, weights, packed.data());
  hashes->emplace(std::string(kUnpackingGemmF32.name(p, target)) + " " + name, HashOf(packed));
}

void AddRecurrent(Hashes* hashes) {
  RecurrentParams p = {};
  p.kind = RecurrentKind::kGru;
  p.steps = p.batch = 1;
  p.hidden = 21;
  const auto data = Elements<float>(static_cast<size_t>(p.width() * p.hidden));
  for (int i = 0; i < p.matrices(); ++i) {
    std::vector<uint8_t> packed(RecurrentPackedBytes(p, kCpuScalar, i));
    PackRecurrent(p, kCpuScalar, {data.data(), DType::kFloat32, nullptr, 0}, i,
                  reinterpret_cast<float*>(packed.data()));
    hashes->emplace(std::string(RecurrentAlgorithm(p, kCpuScalar)) + "#" + std::to_string(i), HashOf(packed));
  }
}

TEST(PackedLayout, ChangesWithItsRevisionOnly) {
  Hashes found;
  AddLayers<float>({1, 9, 9, 14, 22, 3, 1, 1, 1}, &found);
  AddLayers<float>({1, 9, 9, 14, 22}, &found);
  AddLayers<float>({1, 9, 9, 14, 14, 3, 1, 1, 1, 14}, &found);
  AddLayers<int8_t>({1, 9, 9, 14, 22, 3, 1, 1, 1}, &found);
  AddLayers<int8_t>({1, 9, 9, 14, 14, 3, 1, 1, 1, 14}, &found);
  AddLayers<float>({1, 9, 9, 14, 22, 5, 2, 1, 1}, &found, true);
  AddLayers<int8_t>({1, 9, 9, 14, 22, 5, 2, 1, 1}, &found, true);
  AddNarrow("float16", DType::kFloat16, 0, &found);
  AddNarrow("int8", DType::kInt8, 0, &found);
  AddNarrow("int4", DType::kInt4, 32, &found);
  AddRecurrent(&found);
  const Hashes expected = {
      {"depthwise_f32/scalar_2", 0xe582f240d295beef},
      {"depthwise_s8/scalar_2", 0x3e1806531b13ee93},
      {"implicit_gemm_f32/scalar_4x8", 0xac218009cc695ba},
      {"implicit_gemm_s8/scalar_4x4", 0xbadf41f45044b88b},
      {"phased_implicit_gemm_f32/scalar_4x8", 0x62839bfd4f26b405},
      {"phased_implicit_gemm_s8/scalar_4x4", 0xd56fc88dc42961b4},
      {"phased_winograd_2x2_f32/scalar_4x8", 0xec25c4cd9af19eaa},
      {"phased_winograd_4x4_f32/scalar_4x8", 0x668f60ed8e8f31b0},
      {"recurrent_f32/scalar_4x8#0", 0x35f5a457cfafa2ff},
      {"recurrent_f32/scalar_4x8#1", 0xf27d1cb4dcaf6cd3},
      {"strassen_f32/scalar_4x8", 0x3b0a27815ba58389},
      {"unpacking_gemm_f32/scalar_4x8 float16", 0xdef34ed80d607c9a},
      {"unpacking_gemm_f32/scalar_4x8 int4", 0xd3674f7ca436773e},
      {"unpacking_gemm_f32/scalar_4x8 int8", 0xa7e334aa9b18ebee},
      {"winograd_1x2_f32/scalar_4x8", 0x1cda64c7bb4cd240},
      {"winograd_2x2_f32/scalar_4x8", 0x46afdb1c505c3f13},
      {"winograd_2x2_s8/scalar_4x8", 0xcd88ee69ab4af80c},
      {"winograd_4x4_f32/scalar_4x8", 0x464db8da40a984bd},
      {"winograd_6x6_f32/scalar_4x8", 0x3f7ee3ec5f794156},
  };
  EXPECT_EQ(kPackedRevision, 1u) << "then pin what is packed now";
  EXPECT_EQ(found, expected) << "then raise kPackedRevision";
}

}  // namespace
}  // namespace micrort::testing::packed_layout
