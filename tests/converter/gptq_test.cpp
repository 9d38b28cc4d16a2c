// Moments of what layers read, and weights rounded for them.

#include "converter/quantize/gptq.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "converter/ir/infer.h"
#include "converter/observe/moments.h"
#include "converter/quantize/adjust_weights.h"
#include "converter/quantize/cholesky_factor.h"
#include "converter/quantize/filter_windows.h"
#include "converter/quantize/int4_budget.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/weight_only.h"
#include "tests/converter/graph_testing.h"

namespace micrort::quantize {
namespace {

using observe::FilterWindow;
using observe::FilterWindows;
using observe::InputMoments;
using observe::MomentObserver;
using ::testing::ElementsAre;
using ::testing::Pointwise;
using testing::TestGraph;

TensorView ViewOf(const char* name, std::vector<float>* elements, const Shape& shape) {
  TensorView view;
  view.name = name;
  view.dtype = DType::kFloat32;
  view.shape = shape;
  view.data = elements->data();
  return view;
}

// Of a layer with these weights that reads x and writes an output of shape y.
InputMoments MomentsOf(const FilterWindow& window, std::vector<float> x, const Shape& x_shape,
                       const Shape& y_shape) {
  const FilterWindows windows = {{"w", window}};
  MomentObserver observer(windows, 1);
  std::vector<float> w(1), y(static_cast<size_t>(y_shape.elements()));
  const TensorView inputs[] = {ViewOf("x", &x, x_shape), ViewOf("w", &w, Shape::Of(1))};
  const TensorView output = ViewOf("y", &y, y_shape);
  OpInfo op;
  op.inputs = {inputs, 2};
  op.outputs = {&output, 1};
  observer.BeforeOp(op);
  observe::MomentsByWeights moments = std::move(observer).moments();
  return moments.count("w") == 0 ? InputMoments() : std::move(moments.at("w"));
}

FilterWindow ProductOf(int64_t depth) {
  FilterWindow window;
  window.is_product = true;
  window.channels = depth;
  return window;
}

TEST(MomentObserver, AddsUpTheRowsOfAProduct) {
  const InputMoments m = MomentsOf(ProductOf(2), {1, 10, 2, 20, 3, 30}, Shape::Of(3, 2), Shape::Of(3, 5));
  EXPECT_EQ(m.rows, 3.0);
  EXPECT_THAT(m.sums, ElementsAre(6.0, 60.0));
  EXPECT_EQ(m.products[0], 14.0f);
  EXPECT_EQ(m.products[1], 140.0f);
  EXPECT_EQ(m.products[3], 1400.0f);
}

TEST(MomentObserver, ReadsZerosWhereAKernelLiesOutside) {
  FilterWindow window;
  window.kernel_h = window.kernel_w = 3;
  window.pad_top = window.pad_left = 1;
  const InputMoments m = MomentsOf(window, {1, 2, 3, 4}, Shape::Of(1, 2, 2, 1), Shape::Of(1, 2, 2, 1));
  EXPECT_EQ(m.rows, 4.0);
  // Each tap of four pixels: the middle one sees all of them.
  EXPECT_THAT(m.sums, ElementsAre(1.0, 3.0, 2.0, 4.0, 10.0, 6.0, 3.0, 7.0, 4.0));
}

TEST(MomentObserver, KeepsTheChannelsOfADepthwiseFilterApart) {
  FilterWindow window;
  window.sets = 2;
  window.kernel_w = 2;
  window.stride_w = 2;
  const InputMoments m =
      MomentsOf(window, {1, 10, 2, 20, 3, 30, 4, 40}, Shape::Of(1, 1, 4, 2), Shape::Of(1, 1, 2, 2));
  EXPECT_THAT(m.sums, ElementsAre(4.0, 6.0, 40.0, 60.0));
  EXPECT_EQ(m.products_of(1, 0)[1], 10.0f * 20.0f + 30.0f * 40.0f);
}

// Every set and element, by plain loops over rows whose sums are small integers, and so exact.
void ExpectMomentsOf(const FilterWindow& window, int64_t height, int64_t width) {
  const int64_t channels = window.sets * window.channels, depth = window.depth();
  std::vector<float> x(static_cast<size_t>(height * width * channels));
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 37 % 11) - 5.0f;
  const InputMoments m =
      MomentsOf(window, x, Shape::Of(1, height, width, channels), Shape::Of(1, height, width, channels));
  const auto at = [&](int64_t pixel, int64_t set, int64_t k) {
    const int64_t tap = k / window.channels, y = pixel / width - window.pad_top + tap / window.kernel_w;
    const int64_t column = pixel % width - window.pad_left + tap % window.kernel_w;
    if (y < 0 || y >= height || column < 0 || column >= width) return 0.0;
    const int64_t channel = set * window.channels + k % window.channels;
    return static_cast<double>(x[static_cast<size_t>((y * width + column) * channels + channel)]);
  };
  ASSERT_EQ(m.rows, static_cast<double>(height * width));
  for (int64_t set = 0; set < window.sets; ++set) {
    for (int64_t i = 0; i < depth; ++i) {
      const auto block = static_cast<int64_t>(m.block);
      for (int64_t j = i; j < depth && j / block == i / block; ++j) {
        double sum = 0.0, product = 0.0;
        for (int64_t pixel = 0; pixel < height * width; ++pixel) {
          sum += at(pixel, set, i);
          product += at(pixel, set, i) * at(pixel, set, j);
        }
        const float* products = m.products_of(static_cast<size_t>(set), static_cast<size_t>(i / block));
        ASSERT_EQ(m.sums[static_cast<size_t>(set * depth + i)], sum) << set << " " << i;
        ASSERT_EQ(products[i % block * block + j % block], static_cast<float>(product)) << set << i << j;
      }
    }
  }
}

TEST(MomentObserver, AgreesWithPlainLoops) {
  FilterWindow window;
  window.kernel_h = window.kernel_w = 3;
  window.pad_top = window.pad_left = 1;
  window.sets = 21;  // depthwise: a vector of sets and a few more
  ExpectMomentsOf(window, 5, 7);
  window.sets = 3;
  window.channels = 5;
  ExpectMomentsOf(window, 4, 3);
  window.sets = 1;
  window.channels = 70;  // three blocks that cut channels of a tap apart
  ExpectMomentsOf(window, 3, 5);
}

TEST(MomentObserver, TakesAFewThousandRowsOfMany) {
  const int64_t rows = 10000;
  const InputMoments m =
      MomentsOf(ProductOf(1), std::vector<float>(rows, 2.0f), Shape::Of(rows, 1), Shape::Of(rows, 1));
  EXPECT_EQ(m.rows, 2048.0);
  EXPECT_EQ(m.mean(0, 0), 2.0);
}

TEST(MomentObserver, IgnoresInputsThatDoNotFit) {
  EXPECT_EQ(MomentsOf(ProductOf(3), {1, 2}, Shape::Of(1, 2), Shape::Of(1, 1)).rows, 0.0);
}

TEST(FilterWindowsOf, DescribesLayersByTheNamesOfTheirWeights) {
  TestGraph g;
  const ir::ValueId conv = g.Conv3x3("conv", g.Input("x", {1, 8, 8, 4}), 6);
  const ir::ValueId dw = g.Node("dw", schema::DepthwiseConv2DOptionsT(), {conv, g.Weights("k", {3, 3, 6})});
  const ir::ValueId flat = g.Reshape("flat", dw, {1, -1});
  g.Output(g.Node("fc", schema::MatMulOptionsT(), {flat, g.Weights("matrix", {216, 10})}));
  ASSERT_TRUE(ir::InferShapes(g.graph).ok());
  const FilterWindows windows = FilterWindowsOf(g.graph);
  ASSERT_EQ(windows.size(), 3u);
  const FilterWindow& of_conv = windows.at(g.graph.value(g.graph.nodes[0]->inputs[1]).name);
  EXPECT_EQ(of_conv.depth(), 36);
  EXPECT_EQ(of_conv.sets, 1);
  EXPECT_EQ(windows.at("k").sets, 6);
  EXPECT_EQ(windows.at("k").depth(), 9);
  EXPECT_EQ(windows.at("matrix").depth(), 216);
}

// Rows whose elements hang together, as those behind a ReLU do.
std::vector<float> CorrelatedRows(size_t rows, size_t depth) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  std::vector<float> x(rows * depth);
  for (size_t r = 0; r < rows; ++r) {
    const float common = std::fabs(normal(random)), slope = normal(random);
    for (size_t k = 0; k < depth; ++k) {
      const float place = static_cast<float>(k) / static_cast<float>(depth);
      x[r * depth + k] = common + slope * place + 0.3f * normal(random);
    }
  }
  return x;
}

struct RoundedExample {
  std::vector<float> weights, scales;
  std::vector<int8_t> quantized;
  RoundedLayer rounded;

  // Channels of `depth` weights with steps of 1/4, rounded to nearest.
  RoundedExample(size_t channels, size_t depth) : weights(channels * depth), scales(channels, 0.25f) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(-1.5f, 1.5f);
    for (float& w : weights) w = uniform(random);
    for (const float w : weights) quantized.push_back(static_cast<int8_t>(std::nearbyint(w / 0.25f)));
    rounded = {weights.data(), channels, depth, scales.data(), depth, -8, 7, quantized.data()};
  }
};

// The mean square of what the errors of the weights add to the sums of the rows.
double SquaredError(const RoundedExample& layer, const std::vector<float>& x) {
  const size_t depth = layer.rounded.depth, rows = x.size() / depth;
  double sum = 0;
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < layer.rounded.channels; ++c) {
      double error = 0;
      for (size_t k = 0; k < depth; ++k)
        error += layer.rounded.error(c, k) * static_cast<double>(x[r * depth + k]);
      sum += error * error;
    }
  }
  return sum / static_cast<double>(rows);
}

InputMoments MomentsOfRows(const std::vector<float>& x, int64_t depth) {
  const auto rows = static_cast<int64_t>(x.size()) / depth;
  return MomentsOf(ProductOf(depth), x, Shape::Of(rows, depth), Shape::Of(rows, 1));
}

TEST(RoundByMoments, TakesMostOfTheErrorOffSumsOfCorrelatedInputs) {
  const std::vector<float> x = CorrelatedRows(512, 64);
  RoundedExample layer(8, 64);
  const double before = SquaredError(layer, x);
  RoundByMoments(layer.rounded, MomentsOfRows(x, 64));
  EXPECT_LT(SquaredError(layer, x), 0.5 * before);
}

// More inputs than one block has: the means hold the blocks together.
TEST(RoundByMoments, GoesOverManyBlocks) {
  const int64_t depth = 3 * InputMoments::kLargestBlock + 7;
  const std::vector<float> x = CorrelatedRows(256, depth);
  RoundedExample layer(2, depth);
  const double before = SquaredError(layer, x);
  const InputMoments moments = MomentsOfRows(x, depth);
  EXPECT_EQ(moments.blocks, 4u);
  RoundByMoments(layer.rounded, moments);
  EXPECT_LT(SquaredError(layer, x), 0.5 * before);
}

TEST(RoundByMoments, LeavesWhatIsNearestWhereInputsAreIndependent) {
  std::vector<float> x(16 * 16);
  for (size_t i = 0; i < 16; ++i) x[i * 16 + i] = i % 2 == 0 ? 1.0f : -1.0f;
  InputMoments moments = MomentsOfRows(x, 16);
  std::fill(moments.sums.begin(), moments.sums.end(), 0.0);
  RoundedExample layer(4, 16);
  const std::vector<int8_t> nearest = layer.quantized;
  RoundByMoments(layer.rounded, moments);
  EXPECT_EQ(layer.quantized, nearest);
}

TEST(RoundByMoments, StaysInRangeAndKeepsZeros) {
  RoundedExample layer(8, 64);
  for (size_t i = 0; i < layer.weights.size(); i += 3) {
    layer.weights[i] = 0.0f;
    layer.quantized[i] = 0;
  }
  layer.rounded.lowest = -6;
  layer.rounded.highest = 6;
  RoundByMoments(layer.rounded, MomentsOfRows(CorrelatedRows(512, 64), 64));
  for (size_t i = 0; i < layer.quantized.size(); ++i) {
    EXPECT_GE(layer.quantized[i], -6);
    EXPECT_LE(layer.quantized[i], 6);
    EXPECT_TRUE(i % 3 != 0 || layer.quantized[i] == 0);
  }
}

TEST(RoundByMoments, LeavesWeightsAloneWhoseInputsAreNoNumbers) {
  std::vector<float> x = CorrelatedRows(8, 16);
  x[5] = NAN;
  RoundedExample layer(2, 16);
  const std::vector<int8_t> nearest = layer.quantized;
  RoundByMoments(layer.rounded, MomentsOfRows(x, 16));
  EXPECT_EQ(layer.quantized, nearest);
}

TEST(RoundByMoments, KeepsWhatIsNearestWhereSumsOverflow) {
  std::vector<float> x = CorrelatedRows(64, 16);
  for (float& value : x) value *= 1e15f;
  RoundedExample layer(2, 16);
  for (float& w : layer.weights) w *= 1e30f;
  for (float& scale : layer.scales) scale *= 1e30f;
  RoundByMoments(layer.rounded, MomentsOfRows(x, 16));
  for (const int8_t q : layer.quantized) {
    EXPECT_GE(q, -8);
    EXPECT_LE(q, 7);
  }
}

TEST(FactorCholesky, GivesTheMatrixBack) {
  const std::vector<double> h = {4, 1, 2, 1, 3, 0.5, 2, 0.5, 5};
  std::vector<double> r = h;
  ASSERT_TRUE(FactorCholesky(3, &r));
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      double sum = 0;
      for (size_t k = std::max(i, j); k < 3; ++k) sum += r[i * 3 + k] * r[j * 3 + k];
      EXPECT_NEAR(sum, h[i * 3 + j], 1e-12);
    }
  }
  const std::vector<double> x = SolveUpper(3, r, {1, 2, 3});
  EXPECT_NEAR(r[0] * x[0] + r[1] * x[1] + r[2] * x[2], 1.0, 1e-12);
  EXPECT_NEAR(r[4] * x[1] + r[5] * x[2], 2.0, 1e-12);
}

TEST(FactorCholesky, RefusesWhatIsNotPositiveDefinite) {
  std::vector<double> h = {1, 2, 2, 1}, nan = {NAN, 0, 0, 1};
  EXPECT_FALSE(FactorCholesky(2, &h));
  EXPECT_FALSE(FactorCholesky(2, &nan));
}

TEST(MeanErrors, AreWhatRoundedWeightsAddOnAverage) {
  const std::vector<float> x = CorrelatedRows(64, 8);
  RoundedExample layer(2, 8);
  const std::vector<double> errors = MeanErrors(layer.rounded, MomentsOfRows(x, 8));
  for (size_t c = 0; c < 2; ++c) {
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i) sum += layer.rounded.error(c, i % 8) * static_cast<double>(x[i]);
    EXPECT_NEAR(errors[c], sum / 64, 1e-6);
  }
}

TEST(NoiseOverSignal, IsThatOfTheSums) {
  const std::vector<float> x = CorrelatedRows(512, 24);
  RoundedExample layer(4, 24);
  RoundedExample nothing(4, 24);
  std::fill(nothing.quantized.begin(), nothing.quantized.end(), int8_t{0});
  const double expected = SquaredError(layer, x) / SquaredError(nothing, x);
  EXPECT_NEAR(NoiseOverSignal(layer.rounded, MomentsOfRows(x, 24)), expected, 0.02 * expected);
}

TEST(TakeBackMostSensitive, TakesTheLargestNoiseForTheBytesWithinTheBudget) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {1, 64});
  const ir::ValueId a = g.Node("a", schema::MatMulOptionsT(), {x, g.Weights("wa", {64, 64})});
  const ir::ValueId b = g.Node("b", schema::MatMulOptionsT(), {a, g.Weights("wb", {64, 64})});
  g.Output(g.Node("large", schema::MatMulOptionsT(), {b, g.Weights("wl", {64, 4096})}));
  ASSERT_TRUE(ir::InferShapes(g.graph).ok());
  const int64_t float_bytes = ConstantBytes(g.graph);
  std::vector<Int4Layer> layers;
  const double noises[] = {0.01, 0.02, 0.3};
  StoredWeights stored;
  WeightCorrection tools;
  tools.stored = &stored;
  for (size_t i = 0; i < 3; ++i) {
    ir::Node* node = g.graph.nodes[i].get();
    layers.push_back({node, node->inputs, false, noises[i]});
    ASSERT_EQ(StoreLayer(&g.graph, node, *DescribeLayer(g.graph, *node), LayerType::kInt4Weights, tools), "");
  }
  const std::vector<ir::Node*> taken = TakeBackMostSensitive(&g.graph, layers, float_bytes);
  // The third is too large for what is left, whatever it gains.
  EXPECT_THAT(taken, ElementsAre(g.graph.nodes[1].get(), g.graph.nodes[0].get()));
  EXPECT_EQ(g.graph.value(g.graph.nodes[0]->inputs[1]).name, "wa");
  EXPECT_FALSE(g.graph.nodes[0]->as<schema::MatMulOptionsT>().transpose_b);
  EXPECT_EQ(g.graph.value(g.graph.nodes[2]->inputs[1]).dtype, DType::kInt4);
  EXPECT_THAT(TakeBackMostSensitive(&g.graph, {}, float_bytes), ElementsAre());
}

TEST(WeightOnly, BiasTakesOffTheMeanErrorThatSamplesShow) {
  const std::vector<float> x = CorrelatedRows(64, 64);
  observe::MomentsByWeights moments;
  moments["w"] = MomentsOfRows(x, 64);
  for (const LayerType type : {LayerType::kInt4Weights, LayerType::kInt8Weights}) {
    TestGraph g;
    g.Output(g.Node("y", schema::MatMulOptionsT(),
                    {g.Input("x", {1, 64}), g.Weights("w", {64, 4}), g.Constant("b", {4}, {1, 2, 3, 4})}));
    ASSERT_TRUE(ir::InferShapes(g.graph).ok());
    std::map<std::string, testing::Floats> before, after;
    testing::Floats means(64);
    for (size_t k = 0; k < 64; ++k) means[k] = static_cast<float>(moments["w"].mean(0, k));
    ASSERT_TRUE(testing::Evaluate(g.graph, {{"x", means}}, &before).ok());
    Report report;
    StoreWeights(&g.graph, type, {}, {PtqCorrection(), &moments}, &report);
    ASSERT_TRUE(ir::InferShapes(g.graph).ok());
    ASSERT_TRUE(testing::Evaluate(g.graph, {{"x", means}}, &after).ok());
    EXPECT_THAT(after.at("y"), Pointwise(::testing::FloatNear(1e-4f), before.at("y")));
  }
}

}  // namespace
}  // namespace micrort::quantize
