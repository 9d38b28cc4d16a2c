// Static int8: which nodes, which quantization, and the graph afterwards.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "converter/ir/infer.h"
#include "converter/quantize/int8_layer.h"
#include "converter/quantize/int8_plan.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/split_activation.h"
#include "converter/quantize/static_int8.h"
#include "converter/quantize/value_quantization.h"
#include "tests/converter/graph_testing.h"

namespace micrort::quantize {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::OperatorsOf;
using testing::TestGraph;

const ir::Value& ValueOf(const TestGraph& g, const std::string& name) {
  return g.graph.value(g.graph.FindValue(name));
}

// [-1, 3] for every value that is no constant.
observe::Ranges SomeRanges(TestGraph& g) {
  observe::Ranges ranges;
  for (size_t id = 0; id < g.graph.value_count(); ++id) {
    const ir::Value& value = g.graph.value(static_cast<ir::ValueId>(id));
    if (!value.is_constant()) ranges[value.name] = {-1.0f, 3.0f, true};
  }
  return ranges;
}

Report Quantize(TestGraph& g, const observe::Ranges& ranges, const LayerTypes& exceptions = {},
                bool integers_only = false) {
  Report report;
  EXPECT_TRUE(ir::InferShapes(g.graph).ok());
  observe::Calibration calibration;
  calibration.ranges = ranges;
  QuantizeStatically(&g.graph, calibration, PtqCorrection(), exceptions, {integers_only, false}, &report);
  const Status status = ir::InferShapes(g.graph);
  EXPECT_TRUE(status.ok()) << status.message();
  return report;
}

TEST(QuantizeRange, RepresentsZeroAndBothEnds) {
  const ir::Quantization q = QuantizeRange({-1.0f, 3.0f, true});
  EXPECT_FLOAT_EQ(q.scales[0], 4.0f / 255.0f);
  EXPECT_THAT(q.zero_points, ElementsAre(-64));
  EXPECT_THAT(QuantizeRange({0.0f, 2.0f, true}).zero_points, ElementsAre(-128));
  EXPECT_THAT(QuantizeRange({-2.0f, 0.0f, true}).zero_points, ElementsAre(127));
  EXPECT_GT(QuantizeRange({0.0f, 0.0f, true}).scales[0], 0.0f);
}

TEST(StaticInt8, KeepsValuesInt8BetweenLayersAndGivesFloatAtTheEnd) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {1, 8, 8, 8});
  const ir::ValueId a = g.Conv3x3("a", x, 8);
  g.graph.outputs = {g.Conv3x3("b", a, 8)};
  const Report report = Quantize(g, SomeRanges(g));
  EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Quantize", "Conv2D", "Conv2D"));
  EXPECT_EQ(ValueOf(g, "a").dtype, DType::kInt8);
  EXPECT_EQ(ValueOf(g, "b").dtype, DType::kFloat32);
  EXPECT_EQ(ValueOf(g, "x").dtype, DType::kFloat32);
  EXPECT_EQ(g.graph.value(g.graph.nodes[1]->inputs[1]).dtype, DType::kInt8);
  EXPECT_EQ(g.graph.value(g.graph.nodes[1]->inputs[2]).dtype, DType::kInt32);
  EXPECT_EQ(report.layers, 2);
  EXPECT_EQ(report.quantized, 2);
}

TEST(StaticInt8, GivesFloatToFloatReadersAndQuantizesForTheOthers) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
  const ir::ValueId e = g.Unary("e", schema::UnaryKind::Exp, a);
  g.graph.outputs = {e, g.Conv3x3("b", a, 8)};
  Quantize(g, SomeRanges(g));
  EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Quantize", "Conv2D", "Unary", "Quantize", "Conv2D"));
}

TEST(StaticInt8, RunsWhatLiesBetweenLayersInInt8) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
  const ir::ValueId s = g.Unary("s", schema::UnaryKind::HardSwish, a);
  schema::Pool2DOptionsT pool;
  pool.kernel_h = pool.kernel_w = pool.stride_h = pool.stride_w = 2;
  const ir::ValueId p = g.Node("p", std::move(pool), {s});
  g.graph.outputs = {g.Conv3x3("b", p, 8)};
  observe::Ranges ranges = SomeRanges(g);
  ranges["s"] = ranges["p"] = {-0.5f, 2.0f, true};
  Quantize(g, ranges);
  EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Quantize", "Conv2D", "Unary", "Pool2D", "Conv2D"));
  EXPECT_EQ(ValueOf(g, "s").dtype, DType::kInt8);
  // The maximum only moves values.
  EXPECT_EQ(ValueOf(g, "p").quantization, ValueOf(g, "s").quantization);
  EXPECT_FALSE(ValueOf(g, "a").quantization == ValueOf(g, "s").quantization);
}

// `kind` behind a layer that another one reads.
std::vector<std::string> OperatorsWithActivation(TestGraph& g, schema::ActivationKind kind, LayerType type) {
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
  ir::Node& layer = *g.graph.nodes.back();
  layer.as<schema::Conv2DOptionsT>().activation = schema::Activation(kind, 0.25f, 0);
  if (kind == schema::ActivationKind::PRelu) {
    layer.inputs.resize(Layer::kSlopes + 1, ir::kNoValue);
    layer.inputs[Layer::kSlopes] = g.Constant("slopes", {8}, {1, 2, 3, 4, 5, 6, 7, 8});
  }
  g.graph.outputs = {g.Conv3x3("b", a, 8)};
  SplitActivations(&g.graph);
  const LayerTypes types = {{layer.name, type}};
  SplitForInt16(types, &g.graph);
  EXPECT_TRUE(ir::InferShapes(g.graph).ok());
  Quantize(g, SomeRanges(g), types);
  TakeEqualSlopes(&g.graph);
  EXPECT_TRUE(ir::InferShapes(g.graph).ok());
  return OperatorsOf(g.graph);
}

TEST(StaticInt8, SlopesStayInLayers) {
  for (const auto kind : {schema::ActivationKind::PRelu, schema::ActivationKind::LeakyRelu}) {
    TestGraph g;
    EXPECT_THAT(OperatorsWithActivation(g, kind, LayerType::kInt8),
                ElementsAre("Quantize", "Conv2D", "Conv2D"));
    const ir::Node& layer = *g.graph.nodes[1];
    EXPECT_EQ(g.graph.value(layer.outputs[0]).dtype, DType::kInt8);
    EXPECT_EQ(layer.as<schema::Conv2DOptionsT>().activation.kind(), schema::ActivationKind::PRelu);
    EXPECT_EQ(g.graph.value(layer.inputs[Layer::kSlopes]).dtype, DType::kFloat32);
  }
}

TEST(StaticInt8, LayersOfFloatsKeepTheirLeakyRelu) {
  TestGraph g;
  OperatorsWithActivation(g, schema::ActivationKind::LeakyRelu, LayerType::kFloat32);
  const ir::Node& layer = *g.graph.nodes[0];
  EXPECT_EQ(layer.as<schema::Conv2DOptionsT>().activation.kind(), schema::ActivationKind::LeakyRelu);
  EXPECT_EQ(layer.as<schema::Conv2DOptionsT>().activation.a(), 0.25f);
  EXPECT_FALSE(layer.has_input(Layer::kSlopes));
}

TEST(StaticInt8, LayersOfInt16HaveNoSlopes) {
  TestGraph prelu, leaky;
  EXPECT_THAT(OperatorsWithActivation(prelu, schema::ActivationKind::PRelu, LayerType::kInt16x8),
              ::testing::Contains("Binary"));
  EXPECT_THAT(OperatorsWithActivation(leaky, schema::ActivationKind::LeakyRelu, LayerType::kInt16x8),
              ::testing::Contains("Unary"));
}

TEST(StaticInt8, SlopesThatAreNotFiniteStayFloat) {
  TestGraph g;
  g.graph.outputs = {g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 1)};
  ir::Node& layer = *g.graph.nodes[0];
  layer.as<schema::Conv2DOptionsT>().activation = schema::Activation(schema::ActivationKind::PRelu, 0, 0);
  layer.inputs.resize(Layer::kSlopes + 1, ir::kNoValue);
  layer.inputs[Layer::kSlopes] = g.Constant("slopes", {1}, {std::numeric_limits<float>::infinity()});
  EXPECT_FALSE(HasIntegerEpilogue(g.graph, layer));
}

TEST(StaticInt8, PadsInInt8UnlessTheFillIsInfinite) {
  for (const float fill : {0.5f, -std::numeric_limits<float>::infinity()}) {
    TestGraph g;
    const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
    schema::PadOptionsT pad;
    pad.pads = {0, 0, 0, 0, 0, 1, 1, 0};
    pad.value = fill;
    g.graph.outputs = {g.Conv3x3("b", g.Node("p", std::move(pad), {a}), 8)};
    Quantize(g, SomeRanges(g));
    EXPECT_EQ(ValueOf(g, "p").dtype, std::isfinite(fill) ? DType::kInt8 : DType::kFloat32);
    for (const float scale : ValueOf(g, "a").quantization.scales) EXPECT_TRUE(std::isfinite(scale));
  }
}

TEST(StaticInt8, ResizesInInt8WhereElementsAreNearestOrBlendedInPairs) {
  using schema::ResizeMode;
  for (const auto& [mode, antialias] : {std::pair{ResizeMode::Nearest, false},
                                        {ResizeMode::Linear, false},
                                        {ResizeMode::Linear, true},
                                        {ResizeMode::Cubic, false}}) {
    TestGraph g;
    const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
    schema::ResizeOptionsT options;
    options.mode = mode;
    options.antialias = antialias;
    options.scales = {1, 2, 2, 1};
    g.graph.outputs = {g.Conv3x3("b", g.Node("r", std::move(options), {a}), 8)};
    Quantize(g, SomeRanges(g));
    if (mode == ResizeMode::Cubic || antialias) {
      EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Quantize", "Conv2D", "Resize", "Quantize", "Conv2D"));
    } else {
      EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Quantize", "Conv2D", "Resize", "Conv2D"));
      EXPECT_EQ(ValueOf(g, "r").quantization, ValueOf(g, "a").quantization);
    }
  }
}

TEST(StaticInt8, RunsTransposedConvolutionsAndSoftmaxInInt8) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
  schema::ConvTranspose2DOptionsT options;
  options.stride_h = options.stride_w = 2;
  const ir::ValueId up = g.Node("up", std::move(options), {a, g.Weights("w", {8, 3, 3, 8})});
  schema::SoftmaxOptionsT softmax;
  softmax.axis = 3;
  g.graph.outputs = {g.Conv3x3("b", g.Node("s", std::move(softmax), {up}), 8)};
  const Report report = Quantize(g, SomeRanges(g));
  EXPECT_THAT(OperatorsOf(g.graph),
              ElementsAre("Quantize", "Conv2D", "ConvTranspose2D", "Softmax", "Conv2D"));
  EXPECT_EQ(ValueOf(g, "up").dtype, DType::kInt8);
  EXPECT_EQ(ValueOf(g, "s").dtype, DType::kInt8);
  EXPECT_EQ(report.quantized, 3);
}

TEST(StaticInt8, RunsProductsOfActivationsInInt8) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {4, 16});
  const ir::ValueId a = g.Node("a", schema::MatMulOptionsT(), {x, g.Weights("wa", {16, 16})});
  const ir::ValueId b = g.Node("b", schema::MatMulOptionsT(), {x, g.Weights("wb", {16, 16})});
  schema::MatMulOptionsT options;
  options.transpose_b = true;
  const ir::ValueId product = g.Node("product", std::move(options), {a, b});
  g.graph.outputs = {g.Node("c", schema::MatMulOptionsT(), {product, g.Weights("wc", {4, 16})})};
  const Report report = Quantize(g, SomeRanges(g));
  EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Quantize", "MatMul", "MatMul", "MatMul", "MatMul"));
  EXPECT_EQ(ValueOf(g, "product").dtype, DType::kInt8);
  EXPECT_EQ(report.layers, 3);
}

TEST(StaticInt8, LeavesOperatorsFloatThatFeedNoLayer) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
  g.graph.outputs = {g.Unary("s", schema::UnaryKind::Sigmoid, a)};
  Quantize(g, SomeRanges(g));
  EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Quantize", "Conv2D", "Unary"));
  EXPECT_EQ(ValueOf(g, "a").dtype, DType::kFloat32);
}

TEST(StaticInt8, QuantizesResidualsAsTheOutput) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
  const ir::ValueId b = g.Conv3x3("b", a, 8);
  g.graph.nodes[1]->inputs.push_back(a);
  g.graph.outputs = {g.Conv3x3("c", b, 8)};
  Quantize(g, SomeRanges(g));
  EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Quantize", "Conv2D", "Conv2D", "Conv2D"));
  EXPECT_EQ(ValueOf(g, "a").dtype, DType::kInt8);
  EXPECT_EQ(ValueOf(g, "b").dtype, DType::kInt8);
}

TEST(StaticInt8, GivesConcatInputsItsQuantizationWhereNobodyElseReadsThem) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {1, 8, 8, 8});
  const ir::ValueId a = g.Conv3x3("a", x, 8), b = g.Conv3x3("b", x, 8);
  schema::ConcatOptionsT concat;
  concat.axis = 3;
  const ir::ValueId c = g.Node("c", std::move(concat), {a, b});
  const ir::ValueId d = g.Conv3x3("d", c, 8), e = g.Conv3x3("e", b, 8);
  g.graph.outputs = {d, e};
  observe::Ranges ranges = SomeRanges(g);
  ranges["a"] = {0.0f, 1.0f, true};
  ranges["b"] = {0.0f, 2.0f, true};
  ranges["c"] = {0.0f, 2.5f, true};
  Quantize(g, ranges);
  EXPECT_EQ(ValueOf(g, "a").quantization, ValueOf(g, "c").quantization);
  EXPECT_FLOAT_EQ(ValueOf(g, "b").quantization.scales[0], 2.0f / 255.0f);
  EXPECT_FLOAT_EQ(ValueOf(g, "c").quantization.scales[0], 2.5f / 255.0f);
}

TEST(StaticInt8, QuantizesConstantOperandsByTheirOwnRange) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
  const ir::ValueId k = g.graph.AddConstantOf<float>("k", {1}, {2.0f});
  const ir::ValueId m = g.Binary("m", schema::BinaryKind::Mul, a, k);
  g.graph.outputs = {g.Conv3x3("b", m, 8)};
  Quantize(g, SomeRanges(g));
  const ir::Value& constant = g.graph.value(g.graph.nodes[2]->inputs[1]);
  EXPECT_EQ(constant.dtype, DType::kInt8);
  EXPECT_FLOAT_EQ(constant.quantization.scales[0], 2.0f / 255.0f);
  EXPECT_EQ(constant.as<int8_t>()[0], 127);
}

// A device without layers of floats has no slower ones to compare with.
TEST(StaticInt8, TakesLayersThatDoNotPayWhereThereAreNoOthers) {
  for (const bool integers_only : {false, true}) {
    TestGraph g;
    const ir::ValueId x = g.Input("x", {1, 8, 8, 8});
    g.graph.outputs = {g.Node("dw", schema::DepthwiseConv2DOptionsT(), {x, g.Weights("w", {1, 3, 8})})};
    EXPECT_EQ(Quantize(g, SomeRanges(g), {}, integers_only).quantized, integers_only ? 1 : 0);
  }
}

// As the steps of an unrolled recurrence do.
TEST(StaticInt8, LayersThatShareWeightsShareTheirIntegers) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {1, 8, 8, 8});
  const ir::ValueId a = g.Conv3x3("a", x, 8), b = g.Conv3x3("b", a, 8);
  g.graph.outputs = {b};
  g.graph.nodes[1]->inputs[1] = g.graph.nodes[0]->inputs[1];
  EXPECT_EQ(Quantize(g, SomeRanges(g)).quantized, 2);
  EXPECT_EQ(g.graph.nodes[1]->inputs[1], g.graph.nodes[2]->inputs[1]);
}

TEST(StaticInt8, SaysWhyALayerStaysFloat) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {1, 8, 8, 8});
  const ir::ValueId dw = g.Node("dw", schema::DepthwiseConv2DOptionsT(), {x, g.Weights("w", {1, 3, 8})});
  const ir::ValueId infinite = g.Conv3x3("infinite", g.Unary("log", schema::UnaryKind::Log, x), 8);
  const ir::ValueId unseen = g.Conv3x3("unseen", g.Unary("exp", schema::UnaryKind::Exp, x), 8);
  g.graph.outputs = {dw, infinite, unseen};
  observe::Ranges ranges = SomeRanges(g);
  ranges["log"].finite = false;
  ranges.erase("exp");
  const Report report = Quantize(g, ranges);
  EXPECT_EQ(report.quantized, 0);
  ASSERT_EQ(report.exceptions.size(), 3u);
  EXPECT_THAT(report.exceptions[0].reason, HasSubstr("'log' holds NaN or infinity"));
  EXPECT_THAT(report.exceptions[1].reason, HasSubstr("'exp' was never computed"));
  EXPECT_THAT(report.exceptions[2].reason, HasSubstr("too few multiply-adds"));
  EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("DepthwiseConv2D", "Unary", "Conv2D", "Unary", "Conv2D"));
}

// Nothing has to be quantized for them.
TEST(StaticInt8, SmallLayersBehindBytesAreInt8) {
  for (const bool byte_inputs : {false, true}) {
    TestGraph g;
    const ir::ValueId x = g.Transpose("nhwc", g.Input("x", {1, 8, 4, 5}), {0, 2, 3, 1});
    const ir::ValueId first =
        g.Node("first", schema::DepthwiseConv2DOptionsT(), {x, g.Weights("w", {1, 3, 8})});
    const ir::ValueId sine = g.Unary("sine", schema::UnaryKind::Sin, first);
    g.Output(g.Node("second", schema::DepthwiseConv2DOptionsT(), {sine, g.Weights("v", {1, 3, 8})}));
    EXPECT_TRUE(ir::InferShapes(g.graph).ok());
    observe::Calibration calibration;
    calibration.ranges = SomeRanges(g);
    Report report;
    QuantizeStatically(&g.graph, calibration, PtqCorrection(), {}, {false, byte_inputs}, &report);
    EXPECT_EQ(report.quantized, byte_inputs ? 1 : 0);
    ASSERT_EQ(report.exceptions.size(), byte_inputs ? 1u : 2u);
    EXPECT_EQ(report.exceptions.back().node, "second");
  }
}

TEST(StaticInt8, LayersAroundSpectraStayFloatWithHalfWeights) {
  TestGraph g;
  const ir::ValueId bank = g.Conv3x3("bank", g.Input("x", {1, 8, 8, 8}), 8);
  const ir::ValueId power = g.Binary("power", schema::BinaryKind::Mul, bank, bank);
  const ir::ValueId root = g.Unary("root", schema::UnaryKind::Sqrt, power);
  g.Output(g.Conv3x3("second", g.Conv3x3("first", root, 8), 8));
  const Report report = Quantize(g, SomeRanges(g));
  EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Conv2D", "Binary", "Unary", "Conv2D", "Quantize", "Conv2D"));
  EXPECT_EQ(g.graph.value(g.graph.nodes[0]->inputs[1]).dtype, DType::kFloat16);
  EXPECT_EQ(g.graph.value(g.graph.nodes[3]->inputs[1]).dtype, DType::kFloat16);
  EXPECT_EQ(report.quantized, 1);
  ASSERT_EQ(report.exceptions.size(), 2u);
  EXPECT_THAT(report.exceptions[0].reason, HasSubstr("half: its outputs go into a square root"));
}

TEST(StaticInt8, LayersBeforeARecurrentOneQuantizeAsTheyRun) {
  TestGraph g;
  const ir::ValueId conv = g.Conv3x3("conv", g.Input("x", {1, 8, 8, 8}), 8);
  const ir::ValueId steps = g.Reshape("steps", conv, {64, 1, 8});
  schema::RecurrentOptionsT options;
  options.last_only = true;
  options.activations.push_back(std::make_unique<schema::RecurrentActivationT>());
  options.activations[0]->kind = schema::UnaryKind::Tanh;
  g.Output(g.Node("rnn", std::move(options), {steps, g.Weights("r", {8, 8})}));
  const Report report = Quantize(g, SomeRanges(g));
  EXPECT_EQ(g.graph.nodes[0]->as<schema::Conv2DOptionsT>().compute, schema::WeightCompute::DynamicInt8);
  EXPECT_EQ(ValueOf(g, "conv").dtype, DType::kFloat32);
  EXPECT_EQ(report.quantized, 0);
  ASSERT_EQ(report.exceptions.size(), 2u);
  EXPECT_THAT(report.exceptions[0].reason, HasSubstr("before a recurrent layer"));
}

TEST(StaticInt8, KeepsLayersInFloatThatTheUserNames) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
  const ir::ValueId b = g.Conv3x3("b", a, 8), c = g.Conv3x3("c", b, 8);
  g.graph.outputs = {c};
  const Report report = Quantize(g, SomeRanges(g), {{"b", LayerType::kFloat32}, {"c", LayerType::kFloat16}});
  EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Quantize", "Conv2D", "Conv2D", "Conv2D"));
  EXPECT_EQ(g.graph.value(g.graph.nodes[2]->inputs[1]).dtype, DType::kFloat32);
  EXPECT_EQ(g.graph.value(g.graph.nodes[3]->inputs[1]).dtype, DType::kFloat16);
  ASSERT_EQ(report.exceptions.size(), 2u);
  EXPECT_EQ(report.exceptions[0].reason, "float32, as asked");
  EXPECT_EQ(report.exceptions[1].reason, "fp16, as asked");
}

TEST(StaticInt8, KeepsNamesOfOutputsThatOthersReadInInt8) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
  const ir::ValueId t = g.Unary("t", schema::UnaryKind::Tanh, a);
  g.graph.outputs = {t, g.Conv3x3("b", t, 8)};
  Quantize(g, SomeRanges(g));
  const ir::Value& output = g.graph.value(g.graph.outputs[0]);
  EXPECT_EQ(output.name, "t");
  EXPECT_EQ(output.dtype, DType::kFloat32);
  EXPECT_TRUE(output.in_source);
  EXPECT_EQ(ValueOf(g, "t_int8").dtype, DType::kInt8);
  EXPECT_FALSE(ValueOf(g, "t_int8").in_source);
}

// What the layer's integers say of the mean of each output channel, if its inputs have these means.
std::vector<double> MeansOf(TestGraph& g, const std::vector<double>& x, double x_scale) {
  const ir::Value& w = g.graph.value(g.graph.nodes[0]->inputs[1]);
  const ir::Value& b = g.graph.value(g.graph.nodes[0]->inputs[2]);
  std::vector<double> means;
  for (size_t o = 0; o < w.quantization.scales.size(); ++o) {
    const double scale = static_cast<double>(w.quantization.scales[o]);
    means.push_back(b.as<int32_t>()[o] * x_scale * scale);
    for (size_t k = 0; k < x.size(); ++k)
      means[o] += w.as<int8_t>()[k * w.quantization.scales.size() + o] * scale * x[k];
  }
  return means;
}

TEST(Int8Layer, BiasTakesOffTheMeanErrorOfRoundedWeights) {
  const std::vector<double> x_means = {9.0, 3.0, 5.0};
  const std::vector<float> w = {1.0f, 0.30f, 0.303f, 0.9f, 0.307f, 0.301f};
  double error[2] = {};
  for (const bool corrected : {false, true}) {
    TestGraph g;
    const ir::ValueId x = g.Input("x", {1, 3});
    g.graph.outputs = {g.Node("y", schema::MatMulOptionsT(),
                              {x, g.Constant("w", {3, 2}, w), g.Constant("bias", {2}, {1.0f, -1.0f})})};
    ASSERT_TRUE(ir::InferShapes(g.graph).ok());
    PtqCorrection correction;
    correction.bias = corrected;
    StoredWeights stored;
    QuantizeLayerConstants(&g.graph, g.graph.nodes[0].get(), {1e-4f, &x_means}, correction, &stored);
    const std::vector<double> found = MeansOf(g, x_means, 1e-4);
    for (size_t o = 0; o < 2; ++o) {
      double expected = o == 0 ? 1.0 : -1.0;
      for (size_t k = 0; k < 3; ++k) expected += static_cast<double>(w[k * 2 + o]) * x_means[k];
      error[corrected] += std::fabs(found[o] - expected);
    }
  }
  EXPECT_LT(error[true], 1e-4);
  EXPECT_GT(error[false], 1e-3);
}

TEST(Int8Layer, BiasReadsTheMeansOfTheChannelsThatAFilterReads) {
  // Two groups of one channel each, two filters a group, the second channel always 0.
  TestGraph g;
  const ir::ValueId x = g.Input("x", {1, 1, 1, 2});
  schema::Conv2DOptionsT options;
  options.groups = 2;
  g.graph.outputs = {g.Node(
      "y", std::move(options),
      {x, g.Constant("w", {4, 1, 1, 1}, {1.0f, 1.0f, 1.0f, 1.0f}), g.Constant("bias", {4}, {0, 0, 0, 0})})};
  ASSERT_TRUE(ir::InferShapes(g.graph).ok());
  const std::vector<double> means = {1e6, 0.0};
  StoredWeights stored;
  QuantizeLayerConstants(&g.graph, g.graph.nodes[0].get(), {1.0f, &means}, PtqCorrection(), &stored);
  const int32_t* bias = g.graph.value(g.graph.nodes[0]->inputs[2]).as<int32_t>();
  EXPECT_EQ(bias[0], bias[1]);
  EXPECT_EQ(bias[2], 0);
  EXPECT_EQ(bias[3], 0);
}

TEST(Int8Layer, RaisesTheScaleOfAChannelWhoseBiasWouldOverflow) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {1, 4});
  const ir::ValueId w = g.graph.AddConstantOf<float>("w", {4, 2}, {0, 1, 0, 1, 0, 1, 0, 1});
  const ir::ValueId bias = g.graph.AddConstantOf<float>("bias", {2}, {5.0f, 0.5f});
  g.graph.outputs = {g.Node("y", schema::MatMulOptionsT(), {x, w, bias})};
  ASSERT_TRUE(ir::InferShapes(g.graph).ok());
  StoredWeights stored;
  QuantizeLayerConstants(&g.graph, g.graph.nodes[0].get(), {0.01f, nullptr}, PtqCorrection(), &stored);
  const ir::Value& weights = g.graph.value(g.graph.nodes[0]->inputs[1]);
  const int32_t* q = g.graph.value(g.graph.nodes[0]->inputs[2]).as<int32_t>();
  EXPECT_NEAR(q[0] * 0.01 * static_cast<double>(weights.quantization.scales[0]), 5.0, 1e-3);
  EXPECT_NEAR(q[1] * 0.01 * static_cast<double>(weights.quantization.scales[1]), 0.5, 1e-3);
}

}  // namespace
}  // namespace micrort::quantize
