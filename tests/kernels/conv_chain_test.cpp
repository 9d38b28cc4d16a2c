// Chains of layers against the same layers one after another: the same bits, whatever the stripes.

#include "kernels/conv_call/conv_chain.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/base/checked_math.h"
#include "tests/kernels/conv_operands.h"
#include "tests/kernels/reversed_parallel.h"
#include "tests/support/random.h"

namespace micrort::testing {
namespace {

constexpr int64_t kDepthwise = 0;  // as many columns as channels, one filter each

struct Link {
  int64_t columns, kernel = 1, stride = 1, pad = 0, dilation = 1;
};
struct Chain {
  int64_t height, width, channels;
  std::vector<Link> links;
};

const Chain kChains[] = {
    {9, 7, 8, {{24}, {kDepthwise, 3, 1, 1}, {8}}},
    {15, 9, 3, {{16, 3, 2, 1}, {kDepthwise, 3, 1, 1}, {20}}},
    {14, 6, 8, {{kDepthwise, 3, 2, 1}, {20}, {kDepthwise, 5, 1, 2}, {9}}},
    {13, 5, 6, {{10, 3, 1, 1}, {7, 3, 1, 1}}},
    {12, 8, 9, {{kDepthwise, 3, 1, 2, 2}, {11}}},
    {19, 4, 5, {{6, 1, 3}, {kDepthwise, 2, 3}}},                             // rows that nobody reads
    {3, 3, 4, {{8, 5, 1, 4}, {kDepthwise, 5, 1, 4}, {3, 3, 2, 0}}},          // more padding than image
    {1, 20, 40, {{33}, {kDepthwise, 3, 1, 1}, {40}}},                        // one row
    {40, 2, 4, {{4}, {4}, {4}, {4}, {4}, {4}, {kDepthwise, 7, 2, 3}, {4}}},  // as long as it may be
};

std::vector<Conv2DParams> ParamsOf(const Chain& chain) {
  std::vector<Conv2DParams> params;
  ConvShape s = {1, chain.height, chain.width, chain.channels, 0};
  for (const Link& link : chain.links) {
    s.columns = link.columns == kDepthwise ? s.channels : link.columns;
    s.groups = link.columns == kDepthwise ? s.channels : 1;
    s.kernel = link.kernel, s.stride = link.stride, s.dilation = link.dilation, s.pad = link.pad;
    params.push_back(MakeParams(s));
    const Conv2DParams& p = params.back();
    s.height = p.out_h, s.width = p.out_w, s.channels = p.out_c;
  }
  return params;
}

// The first or the last of the algorithms that can compute a layer in stripes.
const Conv2DAlgorithm* AlgorithmFor(const Conv2DParams& p, bool first) {
  const Conv2DAlgorithm* found = nullptr;
  for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
    if (!algorithm->applicable(p) || !algorithm->by_rows || (first && found != nullptr)) continue;
    found = algorithm;
  }
  return found;
}

// A chain whose layers have weights of their own and, every other one, a residual.
template <typename Case>
class ChainRun {
 public:
  using Values = decltype(Case::residual);

  ChainRun(const std::vector<Conv2DParams>& params, CpuFeatures features, int workers, bool first) {
    for (const Conv2DParams& p : params) {
      cases_.emplace_back(p, static_cast<uint32_t>(cases_.size() + 1));
      cases_.back().has_residual = cases_.size() % 2 == 1;
      layers_.push_back(
          MakeConvCall(cases_.back().p, {features, workers}, *AlgorithmFor(cases_.back().p, first)));
    }
  }

  Values Whole() const {
    Values y = cases_[0].x;
    for (size_t i = 0; i < cases_.size(); ++i) {
      Case c = cases_[i];
      c.x = y;
      y = c.Run(*layers_[i].algorithm, layers_[i].target.features, 1);
    }
    return y;
  }

  Values InStripes(int64_t window_bytes) const {
    std::vector<ConvTensors> tensors(cases_.size());
    std::vector<GuardedBuffer<Block>> packed;
    for (size_t i = 0; i < cases_.size(); ++i) {
      const ConvCall& layer = layers_[i];
      EXPECT_TRUE(ConvChain::IsSupported(layer));
      packed.push_back(Memory(layer.algorithm->packed_bytes(layer.params, layer.target)));
      layer.algorithm->pack(layer.params, layer.target, WeightsOf(cases_[i]), packed[i].data());
      tensors[i].packed = packed[i].data();
      tensors[i].bias = BiasOf(cases_[i]);
      tensors[i].residual = cases_[i].has_residual ? cases_[i].residual.data() : nullptr;
    }
    ConvChain chain;
    chain.Plan(layers_, window_bytes);
    GuardedBuffer<Block> scratch = Memory(chain.scratch_bytes());
    GuardedBuffer<typename Values::value_type> y(cases_.back().residual.size());
    tensors.front().x = cases_[0].x.data();
    tensors.back().y = y.data();
    chain.Run(tensors, scratch.data(), ReversedParallel(layers_[0].target.workers));
    EXPECT_TRUE(scratch.GuardsIntact() && y.GuardsIntact());
    return Values(y.begin(), y.end());
  }

 private:
  std::vector<Case> cases_;
  std::vector<ConvCall> layers_;
};

template <typename Case>
void ExpectSameBits(const std::vector<Conv2DParams>& params) {
  for (const CpuFeatures features : FeatureSets()) {
    for (const bool first : {true, false}) {
      for (const int workers : {1, 3}) {
        const ChainRun<Case> run(params, features, workers, first);
        const auto expected = run.Whole();
        for (const int64_t window_bytes : {1, 3000, 1 << 30}) {
          SCOPED_TRACE(std::string(IsaName(features)) + ", workers " + std::to_string(workers) +
                       ", windows " + std::to_string(window_bytes));
          ASSERT_EQ(run.InStripes(window_bytes), expected);
        }
      }
    }
  }
}

class ConvChainTest : public ::testing::TestWithParam<Chain> {};
INSTANTIATE_TEST_SUITE_P(Chains, ConvChainTest, ::testing::ValuesIn(kChains));

TEST_P(ConvChainTest, FloatBitsDoNotDependOnStripes) { ExpectSameBits<FloatConvCase>(ParamsOf(GetParam())); }

TEST_P(ConvChainTest, IntegerBitsDoNotDependOnStripes) {
  ExpectSameBits<IntegerConvCase<int8_t>>(ParamsOf(GetParam()));
}

TEST(ConvChain, RandomChains) {
  for (uint32_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Chain chain = {random.Integer(20, 40), random.Integer(12, 20), random.Integer(1, 20), {}};
    const int64_t links = random.Integer(2, 4);
    for (int64_t i = 0; i < links; ++i) {
      Link link = {random.Integer(0, 20), random.Integer(1, 3), random.Integer(1, 2)};
      link.dilation = random.Integer(1, 2);
      link.pad = CeilDiv<int64_t>(link.dilation * (link.kernel - 1), 2) + random.Integer(0, 1);
      chain.links.push_back(link);
    }
    ExpectSameBits<FloatConvCase>(ParamsOf(chain));
  }
}

Conv2DParams Pointwise(int64_t size, int64_t channels, int64_t columns) {
  return MakeParams({1, size, size, channels, columns});
}

bool PaysAt(int64_t size, int64_t channels) {
  std::vector<ConvCall> layers;
  for (const Conv2DParams& p :
       {Pointwise(size, 16, channels), MakeParams({1, size, size, channels, channels, 3, 1, 1, 1, channels}),
        Pointwise(size, channels, 16)}) {
    layers.push_back(MakeConvCall(p, {0, 1}, *ChooseConv2D(p, {0, 1})));
  }
  return ConvChain::IsProfitable(layers);
}

TEST(ConvChain, PaysWhereCachesDoNotHoldWhatLiesBetween) {
  EXPECT_TRUE(PaysAt(112, 96));
  EXPECT_FALSE(PaysAt(28, 96));
  EXPECT_FALSE(PaysAt(28, 2048));  // too many weights
}

TEST(ConvChain, MemoryDoesNotGrowWithTheImage) {
  const auto scratch = [](int64_t size) {
    const Conv2DParams expand = Pointwise(size, 8, 32);
    const Conv2DParams filter = MakeParams({1, size, size, 32, 32, 3, 1, 1, 1, 32});
    const std::vector<ConvCall> layers = {MakeConvCall(expand, {0, 1}, *AlgorithmFor(expand, true)),
                                          MakeConvCall(filter, {0, 1}, *AlgorithmFor(filter, true))};
    ConvChain chain;
    chain.Plan(layers, 100000);
    return chain.scratch_bytes();
  };
  EXPECT_LT(scratch(128), 140000u);
  EXPECT_GT(scratch(128), 50000u);
}

TEST(ConvChain, LeavesOutWhatCannotRunInStripes) {
  const ConvTarget target = {0, 1};
  Conv2DParams p = MakeParams({1, 16, 16, 16, 16, 3, 1, 1, 1});
  for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
    if (!algorithm->applicable(p)) continue;
    const bool is_gemm = std::string(algorithm->name(p, target)).rfind("implicit_gemm", 0) == 0;
    EXPECT_EQ(ConvChain::IsSupported(MakeConvCall(p, target, *algorithm)), is_gemm)
        << algorithm->name(p, target);
  }
  p.batch = 2;
  EXPECT_FALSE(ConvChain::IsSupported(MakeConvCall(p, target, *AlgorithmFor(p, true))));
  p.batch = 1;
  p.transposed = true;
  EXPECT_FALSE(ConvChain::IsSupported(MakeConvCall(p, target, *AlgorithmFor(p, true))));
  IntegerConvCase<float> dynamic(MakeParams({1, 4, 4, 4, 4}), 1);
  dynamic.p.types.dynamic = true;
  dynamic.p.types.x = DType::kFloat32;
  EXPECT_FALSE(ConvChain::IsSupported(MakeConvCall(dynamic.p, target, *AlgorithmFor(dynamic.p, true))));
}

}  // namespace
}  // namespace micrort::testing
