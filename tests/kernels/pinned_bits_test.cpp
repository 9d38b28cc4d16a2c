// The float kernels that promise the same bits on every instruction set and architecture, pinned: hashes of
// their outputs on fixed inputs. A change here changes what models compute.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "kernels/base/half.h"
#include "kernels/elementwise/binary_f32.h"
#include "kernels/elementwise/convert_f32.h"
#include "kernels/elementwise/softmax_f32.h"
#include "kernels/elementwise/unary_f32.h"
#include "kernels/normalize/normalize.h"
#include "kernels/reduce/reduce.h"

namespace micrort {
namespace {

// FNV-1a over the bytes; NaNs count as one value.
class Hash {
 public:
  void Add(const std::vector<float>& values) {
    for (const float v : values) AddBits(std::isnan(v) ? 0x7fc00000u : FloatToBits(v));
  }
  void AddBits(uint32_t bits) {
    for (int i = 0; i < 4; ++i) value_ = (value_ ^ (bits >> (8 * i) & 0xffu)) * 0x100000001b3u;
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325u;
};

// `n` floats between -range and range, from a linear congruential generator.
std::vector<float> Values(size_t n, float range) {
  std::vector<float> x(n);
  uint32_t state = 12345;
  for (float& v : x) {
    state = state * 1664525u + 1013904223u;
    v = (static_cast<float>(state >> 8) * 0x1p-23f - 1.0f) * range;
  }
  return x;
}

// Subnormal numbers are left out: ARMv7 flushes them.
struct PinnedUnary {
  const char* name;
  UnaryOp op;
  float range;
  uint64_t hash;
};
const PinnedUnary kUnary[] = {
    {"exp", {UnaryKind::kExp, 0, 0}, 80, 0xb3729e7d920c2a71},
    {"log", {UnaryKind::kLog, 0, 0}, 1000, 0x25b0fac4f1a8f969},
    {"tanh", {UnaryKind::kTanh, 0, 0}, 12, 0x474c490694a33970},
    {"sigmoid", {UnaryKind::kSigmoid, 0, 0}, 60, 0x46e3dbd5bcbe0425},
    {"erf", {UnaryKind::kErf, 0, 0}, 5, 0x8cd478ffd7e1ecdc},
    {"silu", {UnaryKind::kSilu, 0, 0}, 60, 0xa501f60be0b7325},
    {"hard_swish", {UnaryKind::kHardSwish, 0, 0}, 5, 0x8f23bff579b4b039},
    {"gelu", {UnaryKind::kGelu, 0, 0}, 6, 0xabb9c0ace62936e9},
    {"mish", {UnaryKind::kMish, 0, 0}, 40, 0x967a13ffeaec7ee9},
    {"softplus", {UnaryKind::kSoftplus, 0, 0}, 60, 0x6958bf91b9f7eaae},
    {"elu", {UnaryKind::kElu, 1, 0}, 20, 0xdef46125e74da7bb},
    {"reciprocal", {UnaryKind::kReciprocal, 0, 0}, 100, 0xbf6c2b7b484bcf16},
    {"sqrt", {UnaryKind::kSqrt, 0, 0}, 100, 0xdff78184a4d70ef9},
};

template <typename Kernel>
bool CanRun(const Kernel& kernel) {
  return (kernel.features & DetectCpuFeatures()) == kernel.features;
}

TEST(PinnedBits, Unary) {
  for (const PinnedUnary& c : kUnary) {
    const std::vector<float> x = Values(3001, c.range);
    for (const UnaryF32Kernel& kernel : UnaryF32Kernels()) {
      if (!CanRun(kernel)) continue;
      std::vector<float> y(x.size());
      kernel.run(c.op, x.data(), y.data(), x.size());
      Hash hash;
      hash.Add(y);
      EXPECT_EQ(hash.value(), c.hash) << c.name << " " << kernel.name << std::hex << " 0x" << hash.value();
    }
  }
}

TEST(PinnedBits, Softmax) {
  const struct {
    SoftmaxShape shape;
    bool log;
    uint64_t hash;
  } cases[] = {{{3, 1000, 1}, false, 0xd62b6b954f953b52},
               {{500, 6, 1}, false, 0x90cf6329b4a93290},
               {{2, 21, 70}, false, 0x75871f2d48f822be},
               {{3, 1000, 1}, true, 0xb9b43d5c37358fa1}};
  for (const auto& c : cases) {
    const std::vector<float> x = Values(c.shape.outer * c.shape.n * c.shape.inner, 10);
    for (const SoftmaxF32Kernel& kernel : SoftmaxF32Kernels()) {
      if (!CanRun(kernel)) continue;
      std::vector<float> y(x.size());
      SoftmaxF32(kernel, c.shape, c.log, x.data(), y.data(), Sequential());
      Hash hash;
      hash.Add(y);
      EXPECT_EQ(hash.value(), c.hash) << kernel.name << std::hex << " 0x" << hash.value();
    }
  }
}

TEST(PinnedBits, Reduce) {
  const struct {
    ReduceKind kind;
    bool is_reduced[3];
    uint64_t hash;
  } cases[] = {
      {ReduceKind::kSum, {false, false, true}, 0xadd373107f1ed83c},
      {ReduceKind::kSum, {true, true, false}, 0xf27e1e8f098e4b49},
      {ReduceKind::kMean, {false, true, false}, 0x6eee43982a5b2aef},
      {ReduceKind::kMean, {false, true, true}, 0xc3fb06395a400974},
      {ReduceKind::kL2, {false, false, true}, 0xbe23efef0b60a3ac},
      {ReduceKind::kProd, {true, false, false}, 0xe1cf668c1a70984},
      {ReduceKind::kLogSumExp, {false, false, true}, 0x64aba6d4ad9886d4},
      {ReduceKind::kLogSumExp, {false, true, false}, 0x4bba14976baa6e8c},
  };
  const Shape shape = Shape::Of(4, 49, 37);
  const std::vector<float> x = Values(static_cast<size_t>(shape.elements()), 3);
  for (const auto& c : cases) {
    for (const FoldF32Kernel& kernel : FoldF32Kernels()) {
      if (!CanRun(kernel)) continue;
      ReduceParams params = {c.kind, {}, {}, PlanReduce(shape, c.is_reduced)};
      ReduceTask task;
      ASSERT_TRUE(PlanReduceTask(params, kernel.features, &task));
      std::vector<float> y(params.plan.outputs());
      RunReduce(task, x.data(), y.data(), Sequential());
      Hash hash;
      hash.Add(y);
      EXPECT_EQ(hash.value(), c.hash)
          << kernel.name << " kind " << static_cast<int>(c.kind) << std::hex << " 0x" << hash.value();
    }
  }
}

TEST(PinnedBits, Normalize) {
  const struct {
    NormalizePlan plan;
    bool centered;
    uint64_t hash;
  } cases[] = {{{5, 1, 1, 197, {}, {}}, true, 0x12c57b743ede5e15},
               {{5, 1, 1, 197, {}, {}}, false, 0x11751264a0d0bae3},
               {{2, 49, 37, 1, {}, {}}, true, 0x4a2260edb4927f45},
               {{2, 12, 3, 20, {}, {}}, true, 0xcb84911b69a25fc2}};
  for (const auto& c : cases) {
    const std::vector<float> x = Values(c.plan.outer * c.plan.rows * c.plan.columns(), 3);
    for (const NormalizeF32Kernel& kernel : NormalizeF32Kernels()) {
      if (!CanRun(kernel)) continue;
      std::vector<float> y(x.size()), scratch(NormalizeScratchBytes(c.plan) / sizeof(float));
      const NormalizeTask task = {c.plan, 1e-5f, c.centered, kernel.id, SelectFoldF32(kernel.features).id};
      Normalize(task, {x.data(), nullptr, nullptr, y.data()}, scratch.data(), Sequential());
      Hash hash;
      hash.Add(y);
      EXPECT_EQ(hash.value(), c.hash) << kernel.name << std::hex << " 0x" << hash.value();
    }
  }
}

TEST(PinnedBits, QuantizationRoundTrip) {
  const std::vector<float> x = Values(3001, 20);
  for (const ConvertF32Kernel& kernel : ConvertF32Kernels()) {
    if (!CanRun(kernel)) continue;
    std::vector<int8_t> q(x.size());
    std::vector<float> y(x.size());
    kernel.quantize_s8(x.data(), q.data(), x.size(), {0.11f, 7});
    kernel.dequantize_s8(q.data(), y.data(), x.size(), {0.11f, 7});
    Hash hash;
    hash.Add(y);
    EXPECT_EQ(hash.value(), 0x1a41afe870551f89u) << kernel.name << std::hex << " 0x" << hash.value();
  }
}

}  // namespace
}  // namespace micrort
