// XNNPACK's operators behind the contract of external libraries, against the reference.

#include <gmock/gmock.h>

#include "kernels/conv_call/external_library.h"
#include "kernels/elementwise/activate_f32.h"
#include "tests/kernels/conv2d_case.h"
#include "tests/kernels/conv_operands.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/kernels/reversed_parallel.h"
#include "tests/status_matchers.h"

namespace micrort::testing {
namespace {

using ::testing::FloatNear;
using ::testing::Pointwise;

const ConvShape kShapes[] = {
    {1, 1, 1, 1, 1},
    {2, 5, 7, 3, 16},
    {101, 1, 1, 40, 98},  // a matrix product
    {1, 1, 1, 700, 17},
    {2, 9, 8, 4, 19, 3, 2, 1, 1},
    {1, 12, 11, 3, 8, 3, 1, 2, 2},
    {1, 8, 8, 12, 18, 3, 1, 1, 1, 3},
    {1, 6, 6, 8, 8, 1, 2},
    {1, 2, 2, 2, 3, 5, 1, 1, 2},  // more padding than image
    {1, 19, 23, 3, 24, 7, 2, 1, 3},
    {2, 7, 6, 8, 8, 3, 1, 1, 1, 8},  // depthwise
    {1, 13, 26, 20, 20, 5, 2, 1, 2, 20},
    {1, 11, 5, 43, 43, 5, 1, 2, 4, 43},
    {1, 4, 4, 5, 10, 3, 1, 1, 1, 5},
};

// Runs a layer that was made for other memory, twice.
template <typename Case, typename T>
std::vector<T> RunTwice(const Case& c, const std::vector<T>& x, const Conv2DAlgorithm& algorithm,
                        int threads) {
  const ConvCall call = MakeConvCall(c.p, {DetectCpuFeatures(), threads}, algorithm);
  ConvTensors tensors = {};
  ConvWeights weights = {};
  algorithm.pack(c.p, call.target, WeightsOf(c), &weights);
  ExternalThreads* pool = nullptr;
  if (threads > 1) {
    EXPECT_THAT(kExternalLibrary.start_threads(threads, &pool), IsOk());
  }
  const size_t beyond = kExternalLibrary.reads_beyond / sizeof(T);
  std::vector<T> example(x.size() + beyond), elsewhere(example.size() + 5);
  GuardedBuffer<T> y(c.residual.size());
  tensors.x = example.data();
  tensors.y = y.data();
  tensors.bias = BiasOf(c);
  ExternalLayer* layer = nullptr;
  EXPECT_THAT(kExternalLibrary.create(call, weights, tensors, pool, &layer), IsOk());
  if (layer == nullptr) return {};
  tensors.packed = layer;
  for (T* place : {example.data(), elsewhere.data() + 5}) {
    std::copy(x.begin(), x.end(), place);
    std::fill(y.begin(), y.end(), T{99});
    tensors.x = place;
    RunConvCall(call, tensors, ReversedParallel(threads));
    EXPECT_TRUE(y.GuardsIntact());
  }
  kExternalLibrary.destroy(layer);
  if (pool != nullptr) kExternalLibrary.stop_threads(pool);
  return {y.begin(), y.end()};
}

// Float sums over `depth` products of numbers in [-1, 1].
float Tolerance(const Conv2DParams& p) { return 1e-6f * static_cast<float>(8 + p.depth()); }

void ExpectTheReference(const FloatConvCase& c) {
  SCOPED_TRACE(Describe(c.p));
  ASSERT_TRUE(kExternalLibrary.is_available());
  const Conv2DAlgorithm* const algorithm = kExternalLibrary.find(c.p, WeightsOf(c));
  ASSERT_NE(algorithm, nullptr);
  for (const int threads : {1, 3}) {
    EXPECT_THAT(RunTwice(c, c.x, *algorithm, threads), Pointwise(FloatNear(Tolerance(c.p)), c.Expected()));
  }
}

TEST(XnnpackOperators, MatchTheReference) {
  for (const ConvShape& shape : kShapes) {
    FloatConvCase c(MakeParams(shape), 1);
    ExpectTheReference(c);
    std::fill(c.bias.begin(), c.bias.end(), 0.0f);
    ExpectTheReference(c);
  }
}

TEST(XnnpackOperators, OfRandomShapesMatchTheReference) {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Conv2DParams p = MakeParams(RandomShape(random));
    if (p.rows() != 0) ExpectTheReference(FloatConvCase(p, seed));
  }
}

TEST(XnnpackOperators, ClampAndActivate) {
  for (const int64_t groups : {1, 12}) {
    FloatConvCase c(MakeParams({1, 4, 5, 12, 12, 3, 1, 1, 1, groups}), 3);
    c.p.types.activation = {ActivationKind::kClip, 0.0f, 0.75f};
    ExpectTheReference(c);
    c.p.types.activation = {};
    std::vector<float> expected = c.Expected();
    for (float& v : expected) v = v > 0 ? v : 0.125f * v;
    c.p.types.activation = {ActivationKind::kLeakyRelu, 0.125f, 0.0f};
    EXPECT_THAT(RunTwice(c, c.x, *kExternalLibrary.find(c.p, WeightsOf(c)), 3),
                Pointwise(FloatNear(Tolerance(c.p)), expected));
  }
}

// The same bits as the reference.
void ExpectExact(const IntegerConvCase<int8_t>& c) {
  SCOPED_TRACE(Describe(c.p));
  ASSERT_TRUE(kExternalLibrary.is_available());
  const Conv2DAlgorithm* const algorithm = kExternalLibrary.find(c.p, WeightsOf(c));
  ASSERT_NE(algorithm, nullptr);
  for (const int threads : {1, 3}) EXPECT_EQ(RunTwice(c, c.x, *algorithm, threads), c.Expected());
}

TEST(XnnpackOperators, OfInt8HaveTheBitsOfTheReference) {
  for (const ConvShape& shape : kShapes) ExpectExact(IntegerConvCase<int8_t>(MakeParams(shape), 1));
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Conv2DParams p = MakeParams(RandomShape(random));
    if (p.rows() != 0) ExpectExact(IntegerConvCase<int8_t>(p, seed));
  }
}

TEST(XnnpackOperators, OfInt8RoundAndClampAlike) {
  for (const int64_t groups : {1, 24}) {
    IntegerConvCase<int8_t> c(MakeParams({1, 9, 8, 24, 24, 3, 1, 1, 1, groups}), 3);
    for (const float y_scale : {0.0001f, 0.0371f, 5.0f}) {
      for (const Activation& activation : {Activation{}, Activation{ActivationKind::kClip, 0, 6},
                                           Activation{ActivationKind::kClip, -0.37f, 1.23f}}) {
        c.p.types.y_scale = y_scale;
        c.p.types.activation = activation;
        if (kExternalLibrary.find(c.p, WeightsOf(c)) != nullptr) ExpectExact(c);
      }
    }
    // Halves, in both directions.
    c.p.types.activation = {};
    c.p.types.x_scale = c.p.types.y_scale = 1;
    std::fill(c.scales.begin(), c.scales.end(), 1.0f / 128);
    ExpectExact(c);
    // Sums that wrap, and the largest bias.
    std::fill(c.bias.begin(), c.bias.end(), INT32_MAX);
    ExpectExact(c);
    std::fill(c.x.begin(), c.x.end(), int8_t{-128});
    std::fill(c.weights.begin(), c.weights.end(), int8_t{-127});
    ExpectExact(c);
    c.weights.back() = -128;
    EXPECT_EQ(kExternalLibrary.find(c.p, WeightsOf(c)), nullptr);
    c.weights.back() = 127;
    c.scales.back() = 300;
    EXPECT_EQ(kExternalLibrary.find(c.p, WeightsOf(c)), nullptr);
  }
}

TEST(XnnpackOperators, AreForLayersAlikeOnly) {
  const Conv2DParams filter = MakeParams({1, 8, 8, 8, 8, 3, 1, 1, 1});
  EXPECT_NE(kExternalLibrary.find(filter, {}), nullptr);
  for (const auto change : {+[](Conv2DParams* p) { p->transposed = true; },
                            +[](Conv2DParams* p) { p->batch = 0; }, +[](Conv2DParams* p) { p->pad_top = -1; },
                            +[](Conv2DParams* p) { p->out_h = 3; },  // rows that nobody wants
                            +[](Conv2DParams* p) { p->types.weights = DType::kFloat16; },
                            +[](Conv2DParams* p) { p->types.dynamic = true; },
                            +[](Conv2DParams* p) {
                              p->types.activation = {ActivationKind::kClip, 1, 1};
                            }}) {
    Conv2DParams p = filter;
    change(&p);
    EXPECT_EQ(kExternalLibrary.find(p, {}), nullptr) << Describe(p);
  }
}

}  // namespace
}  // namespace micrort::testing
