// Constants in fewer bits, and which layers get them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "converter/ir/infer.h"
#include "converter/quantize/balanced_rounding.h"
#include "converter/quantize/given_int4.h"
#include "converter/quantize/int4_weights.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/quantized_weights.h"
#include "converter/quantize/weight_only.h"
#include "kernels/base/half.h"
#include "tests/converter/graph_testing.h"

namespace micrort::quantize {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TestGraph;

ir::Value Constant(std::vector<int64_t> shape, const std::vector<float>& elements) {
  ir::Graph graph;
  return graph.value(graph.AddConstantOf("w", std::move(shape), elements));
}

std::vector<int8_t> Int8Elements(const ir::Value& value) {
  return {value.as<int8_t>(), value.as<int8_t>() + value.elements()};
}

TEST(QuantizedWeights, UsesAScaleAChannelAlongTheAxis) {
  const ir::Value w = Constant({2, 3}, {1.0f, -2.0f, 0.0f, -0.5f, 4.0f, 0.0f});
  EXPECT_THAT(LargestPerChannel(w, 0), ElementsAre(2.0f, 4.0f));
  EXPECT_THAT(LargestPerChannel(w, 1), ElementsAre(1.0f, 4.0f, 0.0f));

  const ir::Value q = QuantizePerChannel(w, 1, SymmetricScales(LargestPerChannel(w, 1)));
  EXPECT_EQ(q.dtype, DType::kInt8);
  EXPECT_EQ(q.quantization.axis, 1);
  EXPECT_FLOAT_EQ(q.quantization.scales[1], 4.0f / 127.0f);
  EXPECT_THAT(Int8Elements(q), ElementsAre(127, -64, 0, -64, 127, 0));
}

TEST(QuantizedWeights, RoundsHalfToEvenAndNeverGivesMinus128) {
  const ir::Value w = Constant({5, 1}, {0.5f, 1.5f, 2.5f, -200.0f, 127.0f});
  EXPECT_THAT(Int8Elements(QuantizePerChannel(w, 1, {1.0f})), ElementsAre(0, 2, 2, -127, 127));
}

TEST(QuantizedWeights, GivesEmptyChannelsAPositiveScale) {
  EXPECT_THAT(SymmetricScales({0.0f}), ElementsAre(kMinScale));
}

TEST(QuantizedWeights, RefusesHalvesThatWouldOverflow) {
  const std::optional<ir::Value> half = ToHalf(Constant({2}, {65504.0f, -0.1f}));
  ASSERT_TRUE(half.has_value());
  EXPECT_EQ(half->as<uint16_t>()[0], 0x7bff);
  EXPECT_NEAR(HalfToFloat(half->as<uint16_t>()[1]), -0.1f, 1e-4f);
  EXPECT_FALSE(ToHalf(Constant({1}, {65520.0f})).has_value());
  EXPECT_FALSE(ToHalf(Constant({1}, {NAN})).has_value());
}

Report Stored(ir::Graph* graph, LayerType asked, const LayerTypes& exceptions = {},
              const WeightCorrection& tools = {}) {
  EXPECT_TRUE(ir::InferShapes(*graph).ok());
  Report report;
  StoreWeights(graph, asked, exceptions, tools, &report);
  return report;
}

TEST(WeightOnly, StoresWeightsAsHalfAndLeavesTheBias) {
  TestGraph g;
  g.graph.outputs = {g.Conv3x3("y", g.Input("x", {1, 8, 8, 4}), 4)};
  const Report report = Stored(&g.graph, LayerType::kFloat16);
  EXPECT_EQ(g.graph.value(g.graph.nodes[0]->inputs[1]).dtype, DType::kFloat16);
  EXPECT_EQ(g.graph.value(g.graph.nodes[0]->inputs[2]).dtype, DType::kFloat32);
  EXPECT_EQ(report.layers, 1);
  EXPECT_EQ(report.quantized, 1);
}

TEST(WeightOnly, AllowsHalfArithmeticWhereWeightsAreHalf) {
  TestGraph g;
  const ir::ValueId half = g.Conv3x3("half", g.Input("x", {1, 8, 8, 4}), 4);
  g.graph.outputs = {g.Conv3x3("float", half, 4)};
  Stored(&g.graph, LayerType::kFloat16, {{"float", LayerType::kFloat32}});
  const auto compute = [&](size_t node) { return g.graph.nodes[node]->as<schema::Conv2DOptionsT>().compute; };
  EXPECT_EQ(compute(0), schema::WeightCompute::Float);
  AllowHalfArithmetic(&g.graph);
  EXPECT_EQ(compute(0), schema::WeightCompute::Half);
  EXPECT_EQ(compute(1), schema::WeightCompute::Float);
}

TEST(WeightOnly, ComputesInt8WeightsInFloat) {
  TestGraph g;
  g.graph.outputs = {g.Conv3x3("y", g.Input("x", {1, 8, 8, 4}), 4)};
  Stored(&g.graph, LayerType::kInt8Weights);
  EXPECT_EQ(g.graph.value(g.graph.nodes[0]->inputs[1]).dtype, DType::kInt8);
  EXPECT_EQ(g.graph.nodes[0]->as<schema::Conv2DOptionsT>().compute, schema::WeightCompute::Float);
}

TEST(QuantizedWeights, LeastSquaresScalesClipLonelyOutliers) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  std::vector<float> w(2 * 40000);
  for (float& x : w) x = normal(random);
  w[0] = 6.5f;  // of channel 0
  const ir::Value constant = Constant({2, 40000}, w);
  const std::vector<float> widest = SymmetricScales(LargestPerChannel(constant, 0));
  const std::vector<float> best = LeastSquaresScales(constant, 0);
  EXPECT_LT(best[0], 0.95f * widest[0]);
  EXPECT_LE(best[1], widest[1]);
  const auto error = [&](const std::vector<float>& scales) {
    const ir::Value quantized = QuantizePerChannel(constant, 0, scales);
    double sum = 0;
    for (size_t i = 0; i < w.size(); ++i) {
      const double e = static_cast<double>(w[i]) - static_cast<double>(quantized.as<int8_t>()[i]) *
                                                       static_cast<double>(scales[i / 40000]);
      sum += e * e;
    }
    return sum;
  };
  EXPECT_LT(error(best), error(widest));
}

constexpr float kOne = 1.0f;

TEST(BalanceErrors, LeavesASumOfHalfAStepAtMost) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(-7.0f, 7.0f);
  std::vector<float> w(32);
  std::vector<int8_t> q(32);
  for (int round = 0; round < 20; ++round) {
    for (size_t i = 0; i < w.size(); ++i) q[i] = static_cast<int8_t>(std::floor(w[i] = uniform(random)));
    BalanceErrors({w.data(), w.size(), &kOne, w.size(), -8, 7, q.data()});
    double sum = 0;
    for (size_t i = 0; i < w.size(); ++i) {
      sum += q[i] - static_cast<double>(w[i]);
      EXPECT_LE(std::fabs(q[i] - static_cast<double>(w[i])), 1.0);
    }
    EXPECT_LE(std::fabs(sum), 0.5 + 1e-6);
  }
}

TEST(BalanceErrors, MovesTheWeightsThatAreNearestToTheOtherSide) {
  const std::vector<float> w = {1.4f, 2.1f, 3.45f, 0.0f};
  std::vector<int8_t> q = {1, 2, 3, 0};
  BalanceErrors({w.data(), w.size(), &kOne, w.size(), -8, 7, q.data()});
  EXPECT_EQ(q, (std::vector<int8_t>{1, 2, 4, 0}));
}

TEST(BalanceErrors, AddsUpGroupsWithScalesOfTheirOwn) {
  const std::vector<float> w = {1.45f, 2.4f, 0.14f, 0.24f}, scales = {1.0f, 0.1f};
  std::vector<int8_t> q = {1, 2, 1, 2};
  BalanceErrors({w.data(), w.size(), scales.data(), 2, -8, 7, q.data()});
  EXPECT_EQ(q, (std::vector<int8_t>{2, 2, 1, 2}));
}

TEST(BalanceErrors, StaysInRange) {
  const std::vector<float> w = {9.0f, 9.0f};
  std::vector<int8_t> q = {7, 7};
  BalanceErrors({w.data(), w.size(), &kOne, w.size(), -8, 7, q.data()});
  EXPECT_EQ(q, (std::vector<int8_t>{7, 7}));
}

double Snr(const std::vector<float>& w, float scale, const std::vector<int8_t>& q) {
  double signal = 0, noise = 0;
  for (size_t i = 0; i < w.size(); ++i) {
    const double error = static_cast<double>(w[i]) - static_cast<double>(scale) * q[i];
    signal += static_cast<double>(w[i]) * static_cast<double>(w[i]);
    noise += error * error;
  }
  return 10 * std::log10(signal / noise);
}

TEST(Int4, FindsTheScaleWithTheLeastError) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  std::vector<float> w(32);
  std::vector<int8_t> best(32), simple(32);
  double gained = 0;
  for (int round = 0; round < 50; ++round) {
    float largest = 0;
    for (float& x : w) largest = std::max(largest, std::fabs(x = normal(random)));
    const float scale = largest / 7;
    for (size_t i = 0; i < w.size(); ++i) simple[i] = static_cast<int8_t>(std::nearbyint(w[i] / scale));
    const double snr = Snr(w, BestInt4Scale(w.data(), w.size(), best.data()), best);
    EXPECT_GE(snr, Snr(w, scale, simple));
    gained += snr - Snr(w, scale, simple);
  }
  EXPECT_GT(gained / 50, 0.8);
}

TEST(Int4, TakesGroupsOfZeros) {
  const std::vector<float> zeros(32);
  std::vector<int8_t> q(32, 1);
  EXPECT_GT(BestInt4Scale(zeros.data(), zeros.size(), q.data()), 0.0f);
  EXPECT_EQ(q, std::vector<int8_t>(32));
}

TEST(WeightOnly, StoresWeightsAsInt4InGroups) {
  TestGraph g;
  const ir::ValueId conv = g.Conv3x3("conv", g.Input("x", {1, 8, 8, 4}), 6);
  const ir::ValueId flat = g.Reshape("flat", conv, {1, -1});
  g.graph.outputs = {g.Node("fc", schema::MatMulOptionsT(), {flat, g.Weights("w", {384, 10})})};
  const Report report = Stored(&g.graph, LayerType::kInt4Weights);
  EXPECT_EQ(report.quantized, 2);
  const ir::Value& filters = g.graph.value(g.graph.nodes[0]->inputs[1]);
  EXPECT_EQ(filters.dtype, DType::kInt4);
  EXPECT_EQ(filters.shape, (std::vector<int64_t>{6, 3, 3, 2}));
  EXPECT_EQ(filters.quantization.scales.size(), 6u * 2u);  // 36 weights a channel
  const ir::Value& matrix = g.graph.value(g.graph.nodes[2]->inputs[1]);
  EXPECT_EQ(matrix.shape, (std::vector<int64_t>{10, 192}));
  EXPECT_TRUE(g.graph.nodes[2]->as<schema::MatMulOptionsT>().transpose_b);
  const Status status = ir::InferShapes(g.graph);
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(WeightOnly, Int4LayersQuantizeInputsAsTheyRunWhereThatIsAskedForAndPays) {
  TestGraph g;
  const ir::ValueId conv = g.Conv3x3("conv", g.Input("x", {1, 8, 8, 8}), 32);
  const ir::ValueId flat = g.Reshape("flat", conv, {1, -1});
  g.graph.outputs = {g.Node("fc", schema::MatMulOptionsT(), {flat, g.Weights("w", {2048, 10})})};
  WeightCorrection tools;
  tools.dynamic_inputs = true;
  const Report report = Stored(&g.graph, LayerType::kInt4Weights, {}, tools);
  EXPECT_EQ(report.quantized, 2);
  EXPECT_EQ(g.graph.nodes[0]->as<schema::Conv2DOptionsT>().compute, schema::WeightCompute::DynamicInt8);
  EXPECT_EQ(g.graph.nodes[2]->as<schema::MatMulOptionsT>().compute, schema::WeightCompute::Float)
      << "ten products for each input";
}

TEST(WeightOnly, WideningInt4ForProductsOfIntegersRoundsNothing) {
  TestGraph g;
  g.graph.outputs = {g.Conv3x3("y", g.Input("x", {1, 8, 8, 32}), 16)};
  WeightCorrection tools;
  tools.dynamic_inputs = true;
  Stored(&g.graph, LayerType::kInt4Weights, {}, tools);
  const std::vector<float>& scales =
      g.graph.value(g.graph.nodes[0]->inputs[kLayerWeights]).quantization.scales;
  constexpr size_t kGroups = 9;
  ASSERT_EQ(scales.size(), 16 * kGroups);
  for (size_t i = 0; i < scales.size(); ++i) {
    const auto channel = scales.begin() + static_cast<std::ptrdiff_t>(i / kGroups * kGroups);
    const float steps = 15 * scales[i] / *std::max_element(channel, channel + kGroups);
    EXPECT_EQ(steps, std::nearbyint(steps)) << "group " << i;
    EXPECT_TRUE(IsHalf(scales[i])) << "group " << i;
  }
}

TEST(WeightOnly, Int4ThatComputeInFloatHaveHalfScales) {
  TestGraph g;
  g.graph.outputs = {g.Conv3x3("y", g.Input("x", {1, 8, 8, 32}), 16)};
  ASSERT_TRUE(ir::InferShapes(g.graph).ok());
  Report report;
  StoreWeights(&g.graph, LayerType::kInt4Weights, {}, {}, &report);
  for (const float scale : g.graph.value(g.graph.nodes[0]->inputs[kLayerWeights]).quantization.scales)
    EXPECT_TRUE(IsHalf(scale));
  EXPECT_EQ(CountFloatScales(g.graph), 0);
}

TEST(WeightOnly, Int4ProductsOfIntegersAreGroupedAndHaveHalfScales) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {8, 64});
  g.graph.outputs = {g.Node("fc", schema::MatMulOptionsT(), {x, g.Weights("w", {64, 64})})};
  WeightCorrection tools;
  tools.dynamic_inputs = true;
  Stored(&g.graph, LayerType::kInt4Weights, {}, tools);
  EXPECT_EQ(g.graph.nodes[0]->as<schema::MatMulOptionsT>().compute, schema::WeightCompute::GroupedInt8);
  for (const float scale : g.graph.value(g.graph.nodes[0]->inputs[kLayerWeights]).quantization.scales)
    EXPECT_EQ(HalfToFloat(FloatToHalf(scale)), scale);
}

// As the steps of an unrolled recurrence do.
TEST(WeightOnly, LayersThatShareWeightsShareTheirIntegers) {
  for (const LayerType type : {LayerType::kInt8, LayerType::kInt8Weights, LayerType::kInt4Weights}) {
    TestGraph g;
    const ir::ValueId x = g.Input("x", {4, 64}), w = g.Weights("w", {64, 64});
    const ir::ValueId a = g.Node("a", schema::MatMulOptionsT(), {x, w});
    g.graph.outputs = {g.Node("b", schema::MatMulOptionsT(), {a, w})};
    const Report report = Stored(&g.graph, type);
    EXPECT_EQ(report.quantized, 2);
    EXPECT_NE(g.graph.nodes[0]->inputs[1], w);
    EXPECT_EQ(g.graph.nodes[0]->inputs[1], g.graph.nodes[1]->inputs[1]);
    EXPECT_TRUE(ir::InferShapes(g.graph).ok());
  }
}

TEST(WeightOnly, StoresAsInt8WhatInt4CannotHold) {
  TestGraph g;
  g.graph.outputs = {g.Conv3x3("y", g.Input("x", {1, 8, 8, 5}), 4)};
  const Report report = Stored(&g.graph, LayerType::kInt4Weights);
  EXPECT_EQ(g.graph.value(g.graph.nodes[0]->inputs[1]).dtype, DType::kInt8);
  ASSERT_EQ(report.exceptions.size(), 1u);
  EXPECT_EQ(report.exceptions[0].reason, "int8 weights: an odd number of input channels");
}

TEST(WeightOnly, KeepsFloatWhereAScaleTakesWhatIsSaved) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {1, 8, 8, 4});
  g.graph.outputs = {g.Node("y", schema::DepthwiseConv2DOptionsT(), {x, g.Weights("w", {1, 1, 4})})};
  const Report report = Stored(&g.graph, LayerType::kInt8Weights);
  EXPECT_EQ(g.graph.value(g.graph.nodes[0]->inputs[1]).dtype, DType::kFloat32);
  ASSERT_EQ(report.exceptions.size(), 1u);
  EXPECT_EQ(report.exceptions[0].node, "y");
  EXPECT_EQ(report.exceptions[0].op, "DepthwiseConv2D");
}

TEST(WeightOnly, ComputesAllLayersInInt8WhereThereAreNoOthers) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {1, 8, 8, 1});
  g.graph.outputs = {g.Node("dw", schema::DepthwiseConv2DOptionsT(), {x, g.Weights("w", {1, 3, 1})})};
  const Report report = Stored(&g.graph, LayerType::kInt8, {}, {{}, nullptr, false, true});
  EXPECT_THAT(report.exceptions, ::testing::IsEmpty());
  EXPECT_EQ(g.graph.nodes[0]->as<schema::DepthwiseConv2DOptionsT>().compute,
            schema::WeightCompute::DynamicInt8);
}

TEST(WeightOnly, ComputesLayersInInt8OnlyWhereThatPays) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {1, 8, 8, 4});
  const ir::ValueId conv = g.Conv3x3("conv", x, 16);
  schema::DepthwiseConv2DOptionsT options;
  g.graph.outputs = {g.Node("dw", std::move(options), {conv, g.Weights("w", {3, 3, 16})})};
  const Report report = Stored(&g.graph, LayerType::kInt8);
  EXPECT_EQ(g.graph.nodes[0]->as<schema::Conv2DOptionsT>().compute, schema::WeightCompute::DynamicInt8);
  EXPECT_EQ(g.graph.nodes[1]->as<schema::DepthwiseConv2DOptionsT>().compute, schema::WeightCompute::Float);
  EXPECT_EQ(g.graph.value(g.graph.nodes[1]->inputs[1]).dtype, DType::kInt8);
  ASSERT_EQ(report.exceptions.size(), 1u);
  EXPECT_THAT(report.exceptions[0].reason, HasSubstr("too few multiply-adds"));
}

TEST(WeightOnly, WeightsWithOutliersStayHalf) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  std::vector<float> weights(64 * 8);
  for (float& w : weights) w = normal(random);
  for (const bool outliers : {false, true}) {
    if (outliers) std::fill(weights.begin(), weights.begin() + 8, 20.0f);  // one of each channel
    TestGraph g;
    g.Output(
        g.Node("y", schema::MatMulOptionsT(), {g.Input("x", {4, 64}), g.Constant("w", {64, 8}, weights)}));
    const Report report = Stored(&g.graph, LayerType::kInt8Weights);
    EXPECT_EQ(g.graph.value(g.graph.nodes[0]->inputs[1]).dtype, outliers ? DType::kFloat16 : DType::kInt8);
    EXPECT_EQ(report.quantized, outliers ? 0 : 1);
    if (!outliers) continue;
    ASSERT_EQ(report.exceptions.size(), 1u);
    EXPECT_THAT(report.exceptions[0].reason, HasSubstr("half: outliers"));
  }
}

// Filters whose outputs are squared, added up and rooted, and a layer that reads the root.
struct SpectrumGraph : TestGraph {
  explicit SpectrumGraph(schema::UnaryKind last) {
    const ir::ValueId bank =
        Node("bank", schema::MatMulOptionsT(), {Input("x", {8, 64}), Weights("w", {64, 64})});
    const ir::ValueId power = Binary("power", schema::BinaryKind::Mul, bank, bank);
    const ir::ValueId magnitude = Unary("magnitude", last, power);
    const ir::ValueId turned = Transpose("turned", magnitude, {1, 0});
    const ir::ValueId first = Node("first", schema::MatMulOptionsT(), {turned, Weights("w1", {8, 64})});
    Output(Node("second", schema::MatMulOptionsT(), {first, Weights("w2", {64, 64})}));
  }
  DType WeightsOf(const std::string& name) const {
    for (const auto& node : graph.nodes) {
      if (node->name == name) return graph.value(node->inputs[1]).dtype;
    }
    return DType::kUnknown;
  }
};

TEST(WeightOnly, LayersAroundSpectraStayHalf) {
  SpectrumGraph g(schema::UnaryKind::Sqrt);
  const Report report = Stored(&g.graph, LayerType::kInt8);
  EXPECT_EQ(g.WeightsOf("bank"), DType::kFloat16);
  EXPECT_EQ(g.WeightsOf("first"), DType::kFloat16);
  EXPECT_EQ(g.WeightsOf("second"), DType::kInt8);
  ASSERT_EQ(report.exceptions.size(), 2u);
  EXPECT_THAT(report.exceptions[0].reason, HasSubstr("square root, which depends on the small ones"));
  EXPECT_THAT(report.exceptions[1].reason, HasSubstr("reads a square root"));
}

TEST(WeightOnly, ALogarithmIsReadInInt8) {
  SpectrumGraph g(schema::UnaryKind::Log);
  Stored(&g.graph, LayerType::kInt8Weights);
  EXPECT_EQ(g.WeightsOf("bank"), DType::kFloat16);
  EXPECT_EQ(g.WeightsOf("first"), DType::kInt8);
}

TEST(WeightOnly, OtherFunctionsOfAPowerAreNoSpectra) {
  SpectrumGraph g(schema::UnaryKind::Tanh);
  const Report report = Stored(&g.graph, LayerType::kInt8Weights);
  EXPECT_EQ(report.quantized, 3);
}

TEST(WeightOnly, ATypeThatIsAskedForWinsOverHalf) {
  SpectrumGraph g(schema::UnaryKind::Sqrt);
  Stored(&g.graph, LayerType::kInt4Weights, {{"bank", LayerType::kInt8Weights}});
  EXPECT_EQ(g.WeightsOf("bank"), DType::kInt8);
}

TEST(WeightOnly, LeavesAConstantThatOthersReadAsItIs) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {2, 8});
  const ir::ValueId w = g.Weights("w", {8, 8});
  const ir::ValueId product = g.Node("product", schema::MatMulOptionsT(), {x, w});
  g.graph.outputs = {product, g.Binary("sum", schema::BinaryKind::Add, w, g.Weights("one", {8}))};
  Stored(&g.graph, LayerType::kInt8Weights);
  EXPECT_EQ(g.graph.value(g.graph.nodes[0]->inputs[1]).dtype, DType::kInt8);
  EXPECT_EQ(g.graph.value(g.graph.nodes[1]->inputs[0]).dtype, DType::kFloat32);
}

TEST(Layer, CountsWorkWithDynamicDimensionsAsOne) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {ir::kDynamic, 8, 8, 4});
  g.graph.outputs = {g.Conv3x3("y", x, 16)};
  ASSERT_TRUE(ir::InferShapes(g.graph).ok());
  const std::optional<Layer> layer = DescribeLayer(g.graph, *g.graph.nodes[0]);
  ASSERT_TRUE(layer.has_value());
  EXPECT_EQ(layer->channels, 16);
  EXPECT_EQ(layer->weights_per_channel, 36);
  EXPECT_EQ(layer->multiply_adds, 8 * 8 * 16 * 36);
  EXPECT_EQ(layer->activations, 8 * 8 * 4 + 8 * 8 * 16);
}

TEST(Layer, FindsTheChannelsOfATransposedProduct) {
  TestGraph g;
  schema::MatMulOptionsT options;
  options.transpose_b = true;
  g.graph.outputs = {g.Node("y", std::move(options), {g.Input("x", {2, 8}), g.Weights("w", {5, 8})})};
  ASSERT_TRUE(ir::InferShapes(g.graph).ok());
  const std::optional<Layer> layer = DescribeLayer(g.graph, *g.graph.nodes[0]);
  ASSERT_TRUE(layer.has_value());
  EXPECT_EQ(layer->channel_axis, 0);
  EXPECT_EQ(layer->channels, 5);
  EXPECT_EQ(layer->multiply_adds, 2 * 5 * 8);
}

TEST(Layer, IsNothingWithoutConstantWeights) {
  TestGraph g;
  g.graph.outputs = {g.Node("y", schema::MatMulOptionsT(), {g.Input("a", {2, 8}), g.Input("b", {8, 5})})};
  ASSERT_TRUE(ir::InferShapes(g.graph).ok());
  EXPECT_FALSE(DescribeLayer(g.graph, *g.graph.nodes[0]).has_value());
}

// An Rnn of 64 units that keeps its weights in int8 and computes in float.
TEST(WeightOnly, RecurrentWeightsAreStoredAsInt8) {
  TestGraph g;
  schema::RecurrentOptionsT options;
  options.last_only = true;
  options.activations.push_back(std::make_unique<schema::RecurrentActivationT>());
  options.activations[0]->kind = schema::UnaryKind::Tanh;
  const ir::ValueId x = g.Input("x", {2, 1, 64});
  g.graph.outputs = {g.Node("y", std::move(options), {x, g.Weights("r", {64, 64})})};
  const Report report = Stored(&g.graph, LayerType::kInt8);
  EXPECT_EQ(g.graph.value(g.graph.nodes[0]->inputs[1]).dtype, DType::kInt8);
  ASSERT_EQ(report.exceptions.size(), 1u);
  EXPECT_EQ(report.exceptions[0].reason, "recurrent");
  EXPECT_TRUE(ir::InferShapes(g.graph).ok());
}

}  // namespace
}  // namespace micrort::quantize
