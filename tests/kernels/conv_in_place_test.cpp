// Convolutions whose output lies over their input, against those with memory of their own: the same bits.

#include "kernels/conv_call/conv_in_place.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/kernels/conv_operands.h"
#include "tests/kernels/reversed_parallel.h"
#include "tests/support/random.h"

namespace micrort::testing {
namespace {

struct Layer {
  int64_t height, width, channels, kernel, dilation = 1;
  int64_t pad_top = -1;  // as much as below
};

const Layer kLayers[] = {
    {24, 7, 16, 3},      {17, 9, 5, 5},       {30, 5, 33, 7},
    {16, 6, 8, 3, 2},    {9, 4, 3, 1},        {1, 12, 8, 3},  // one row
    {2, 3, 4, 7},                                             // fewer rows than the filter
    {5, 5, 20, 5, 3},    {12, 8, 7, 4, 1, 1}, {12, 8, 7, 4, 1, 2},
    {11, 6, 9, 3, 1, 0}, {11, 6, 9, 3, 1, 2},  // all padding at one end
};

Conv2DParams ParamsOf(const Layer& layer) {
  const int64_t reach = layer.dilation * (layer.kernel - 1), pad = reach / 2;
  Conv2DParams p = MakeParams({1, layer.height + reach, layer.width + reach, layer.channels, layer.channels,
                               layer.kernel, 1, layer.dilation, 0, layer.channels});
  p.in_h = layer.height, p.in_w = layer.width;
  p.pad_top = layer.pad_top < 0 ? pad : layer.pad_top;
  p.pad_left = pad;
  return p;
}

template <typename T>
std::vector<T> Values(const GuardedBuffer<Block>& memory, size_t count) {
  const T* values = reinterpret_cast<const T*>(memory.data());
  return {values, values + count};
}

template <typename Case>
void ExpectSameBits(const Conv2DParams& params, CpuFeatures features, int workers) {
  SCOPED_TRACE(Describe(params) + ", " + IsaName(features) + ", workers " + std::to_string(workers));
  const Case c(params, 1);
  using T = typename decltype(Case::residual)::value_type;
  const ConvTarget target = {features, workers};
  const Conv2DAlgorithm& algorithm = *ChooseConv2D(c.p, target);
  ASSERT_TRUE(ConvInPlace::IsSupported(c.p, algorithm));
  GuardedBuffer<Block> packed = Memory(algorithm.packed_bytes(c.p, target));
  algorithm.pack(c.p, target, WeightsOf(c), packed.data());
  ConvCall call = MakeConvCall(c.p, target, algorithm);
  PlanInPlace(workers, &call);
  const ConvInPlace layer(call);
  GuardedBuffer<Block> scratch = Memory(layer.scratch_bytes()), image = Memory(c.x.size() * sizeof(T));
  std::memcpy(image.data(), c.x.data(), c.x.size() * sizeof(T));
  const ConvTensors tensors = {image.data(), packed.data(), BiasOf(c), nullptr, image.data(), scratch.data()};
  layer.Run(tensors, ReversedParallel(workers));
  EXPECT_TRUE(scratch.GuardsIntact() && image.GuardsIntact());
  EXPECT_EQ(Values<T>(image, c.x.size()), c.Run(algorithm, features, 1));
}

class ConvInPlaceTest : public ::testing::TestWithParam<Layer> {};
INSTANTIATE_TEST_SUITE_P(Layers, ConvInPlaceTest, ::testing::ValuesIn(kLayers));

TEST_P(ConvInPlaceTest, GivesTheBitsOfARunWithMemoryOfItsOwn) {
  for (const CpuFeatures features : FeatureSets()) {
    for (const int workers : {1, 2, 5, 40}) {
      ExpectSameBits<FloatConvCase>(ParamsOf(GetParam()), features, workers);
      ExpectSameBits<IntegerConvCase<int8_t>>(ParamsOf(GetParam()), features, workers);
    }
  }
}

TEST(ConvInPlace, RandomLayers) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    Layer layer = {random.Integer(1, 40), random.Integer(1, 12), random.Integer(1, 40), random.Integer(1, 6),
                   random.Integer(1, 3)};
    layer.pad_top = random.Integer(0, layer.dilation * (layer.kernel - 1));
    const int workers = static_cast<int>(random.Integer(1, 6));
    ExpectSameBits<FloatConvCase>(ParamsOf(layer), DetectCpuFeatures(), workers);
  }
}

TEST(ConvInPlace, ScratchIsAFractionOfTheImage) {
  const Conv2DParams p = ParamsOf({112, 112, 32, 3});
  const uint64_t image = 112 * 112 * 32 * sizeof(float);
  for (const int workers : {1, 2, 4}) {
    const ConvTarget target = {0, workers};
    ConvCall call = MakeConvCall(p, target, *ChooseConv2D(p, target));
    PlanInPlace(workers, &call);
    EXPECT_LT(InPlaceScratchBytes(call), image / 4) << workers;
  }
}

TEST(ConvInPlace, LeavesOutLayersThatMoveRows) {
  const Conv2DParams fits = ParamsOf({12, 12, 8, 3});
  const Conv2DAlgorithm& algorithm = *ChooseConv2D(fits, {0, 1});
  EXPECT_TRUE(ConvInPlace::IsSupported(fits, algorithm));
  const auto expect_not = [&](auto change) {
    Conv2DParams p = fits;
    change(p);
    EXPECT_FALSE(ConvInPlace::IsSupported(p, algorithm)) << Describe(p);
  };
  expect_not([](Conv2DParams& p) { p.batch = 2; });
  expect_not([](Conv2DParams& p) { p.in_w = p.out_w = 0; });
  expect_not([](Conv2DParams& p) { p.in_h = p.out_h = 0; });
  expect_not([](Conv2DParams& p) { p.stride_h = 2; });
  expect_not([](Conv2DParams& p) { p.out_h = 10, p.pad_top = 0; });
  expect_not([](Conv2DParams& p) { p.out_w = 10, p.pad_left = 0; });
  expect_not([](Conv2DParams& p) { p.groups = 1; });
  expect_not([](Conv2DParams& p) { p.out_c = 16; });
  expect_not([](Conv2DParams& p) { p.pad_top = 3; });
  expect_not([](Conv2DParams& p) { p.transposed = true; });
  expect_not([](Conv2DParams& p) { p.types.dynamic = true; });
  expect_not([](Conv2DParams& p) { p.types.y = DType::kInt8; });
  Conv2DAlgorithm whole = algorithm;
  whole.by_rows = false;
  EXPECT_FALSE(ConvInPlace::IsSupported(fits, whole));
}

}  // namespace
}  // namespace micrort::testing
