// int16 activations by int8 weights: which nodes, which scales, and what that keeps of a network.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "converter/convert.h"
#include "converter/ir/infer.h"
#include "converter/quantize/int16_roles.h"
#include "converter/quantize/int8_plan.h"
#include "converter/quantize/split_activation.h"
#include "converter/quantize/static_int8.h"
#include "kernels/base/target.h"
#include "tests/converter/graph_testing.h"
#include "tests/converter/onnx_builder.h"
#include "tests/tools/temporary_folder.h"
#include "tools/io/file.h"
#include "tools/io/npy.h"

namespace micrort::testing::quantize_int16 {
namespace {

using namespace quantize;  // NOLINT: what these tests are of

using ::testing::ElementsAre;
using testing::Floats;
using ::testing::HasSubstr;
using testing::OnnxBuilder;
using testing::OperatorsOf;
using testing::TestGraph;

const ir::Value& ValueOf(const TestGraph& g, const std::string& name) {
  return g.graph.value(g.graph.FindValue(name));
}

// [-1, 3] for every value that is no constant, unless `ranges` says otherwise.
observe::Calibration CalibrationOf(const TestGraph& g, observe::Ranges ranges) {
  for (size_t id = 0; id < g.graph.value_count(); ++id) {
    const ir::Value& value = g.graph.value(static_cast<ir::ValueId>(id));
    if (!value.is_constant()) ranges.insert({value.name, {-1.0f, 3.0f, true}});
  }
  observe::Calibration calibration;
  calibration.ranges = std::move(ranges);
  return calibration;
}

Report Quantize(TestGraph& g, observe::Ranges ranges = {}, const quantize::LayerTypes& exceptions = {}) {
  Report report;
  EXPECT_TRUE(ir::InferShapes(g.graph).ok());
  SplitActivations(&g.graph);
  SplitForInt16(&g.graph);
  EXPECT_TRUE(ir::InferShapes(g.graph).ok());
  QuantizeToInt16(&g.graph, CalibrationOf(g, std::move(ranges)), PtqCorrection(), exceptions, &report);
  const Status status = ir::InferShapes(g.graph);
  EXPECT_TRUE(status.ok()) << status.message();
  return report;
}

// To int8, but for one layer.
Report QuantizeAsked(TestGraph& g, observe::Ranges ranges, const std::string& layer) {
  Report report;
  EXPECT_TRUE(ir::InferShapes(g.graph).ok());
  QuantizeStatically(&g.graph, CalibrationOf(g, std::move(ranges)), PtqCorrection(),
                     {{layer, LayerType::kInt16x8}}, {}, &report);
  const Status status = ir::InferShapes(g.graph);
  EXPECT_TRUE(status.ok()) << status.message();
  return report;
}

TEST(QuantizeInt16, LayersGiveInt16AndFloatsAreAtTheEdges) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 4}), 8);
  g.graph.outputs = {g.Conv3x3("b", a, 4)};
  const Report report = Quantize(g);
  EXPECT_EQ(report.quantized, 2);
  EXPECT_TRUE(report.exceptions.empty());
  EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Quantize", "Conv2D", "Conv2D", "Cast", "Binary"));
  EXPECT_EQ(ValueOf(g, "a").dtype, DType::kInt16);
  EXPECT_THAT(ValueOf(g, "a").quantization.scales, ElementsAre(3.0f / 32767));
  EXPECT_TRUE(ValueOf(g, "a").quantization.zero_points.empty());
  EXPECT_EQ(ValueOf(g, "b").dtype, DType::kFloat32);
  for (const size_t layer : {1, 2}) {
    const ir::Node& node = *g.graph.nodes[layer];
    EXPECT_EQ(node.rounding, schema::Rounding::Tflite);
    EXPECT_EQ(g.graph.value(node.inputs[1]).dtype, DType::kInt8);
    EXPECT_EQ(g.graph.value(node.inputs[2]).dtype, DType::kInt64);
  }
  EXPECT_EQ(g.graph.nodes[0]->rounding, schema::Rounding::Tflite);
}

// Between layers of int8, to and from which it converts.
TEST(QuantizeInt16, LayersMayBeAskedFor) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8);
  const ir::ValueId b = g.Conv3x3("b", a, 8), c = g.Conv3x3("c", b, 8);
  g.graph.outputs = {c};
  const Report report = QuantizeAsked(g, {}, "b");
  EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Quantize", "Conv2D", "Quantize", "Conv2D", "Cast", "Binary",
                                                "Quantize", "Conv2D"));
  EXPECT_EQ(ValueOf(g, "b").dtype, DType::kInt16);
  const ir::Node& wide = *g.graph.nodes[3];
  EXPECT_EQ(wide.rounding, schema::Rounding::Tflite);
  EXPECT_EQ(g.graph.value(wide.inputs[1]).dtype, DType::kInt8);
  EXPECT_EQ(g.graph.value(wide.inputs[2]).dtype, DType::kInt64);
  EXPECT_EQ(g.graph.value(g.graph.nodes[7]->inputs[0]).dtype, DType::kInt8);
  EXPECT_EQ(report.quantized, 2);
  ASSERT_EQ(report.exceptions.size(), 1u);
  EXPECT_EQ(report.exceptions[0].reason, "int16x8, as asked");
}

TEST(QuantizeInt16, SaysWhyALayerThatIsAskedForIsNot) {
  TestGraph g;
  g.graph.outputs = {g.Conv3x3("a", g.Input("x", {1, 8, 8, 8}), 8)};
  const Report report = QuantizeAsked(g, {{"x", {-1.0f, 3.0f, false}}}, "a");
  ASSERT_EQ(report.exceptions.size(), 1u);
  EXPECT_THAT(report.exceptions[0].reason, HasSubstr("'x' holds NaN or infinity"));
}

TEST(QuantizeInt16, ResidualsAreAddedBehindTheirLayer) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {1, 8, 8, 4});
  const ir::ValueId a = g.Conv3x3("a", x, 4);
  const ir::ValueId b = g.Conv3x3("b", a, 4);
  ir::Node& layer = *g.graph.nodes.back();
  layer.inputs.push_back(a);
  layer.as<schema::Conv2DOptionsT>().activation =
      schema::Activation(schema::ActivationKind::Clip, 0, INFINITY);
  g.graph.outputs = {g.Conv3x3("c", b, 4)};
  EXPECT_EQ(Quantize(g).quantized, 3);
  EXPECT_THAT(OperatorsOf(g.graph),
              ElementsAre("Quantize", "Conv2D", "Conv2D", "Binary", "Conv2D", "Cast", "Binary"));
  const ir::Node& sum = *g.graph.nodes[3];
  EXPECT_EQ(sum.as<schema::BinaryOptionsT>().activation.kind(), schema::ActivationKind::Clip);
  EXPECT_EQ(sum.rounding, schema::Rounding::Tflite);
  EXPECT_EQ(ValueOf(g, "b").dtype, DType::kInt16);
}

// Not so those before the first layer: their operands would have to be rounded for it.
TEST(QuantizeInt16, OperatorsBehindTheLastLayerComputeWithIt) {
  TestGraph g;
  const ir::ValueId x = g.Unary("before", schema::UnaryKind::Tanh, g.Input("x", {1, 8, 8, 4}));
  const ir::ValueId a = g.Conv3x3("a", x, 4);
  schema::SoftmaxOptionsT options;
  options.axis = -1;
  g.graph.outputs = {g.Node("y", options, {a})};
  EXPECT_EQ(Quantize(g).quantized, 1);
  EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Unary", "Quantize", "Conv2D", "Softmax", "Cast", "Binary"));
}

TEST(QuantizeInt16, TablesHaveTheirOwnScale) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 4}), 4);
  const ir::ValueId t = g.Unary("t", schema::UnaryKind::Tanh, a);
  const ir::ValueId flat = g.Transpose("flat", t, {0, 2, 1, 3});
  g.graph.outputs = {g.Conv3x3("b", flat, 4)};
  EXPECT_EQ(Quantize(g).quantized, 2);
  for (const char* name : {"t", "flat"})
    EXPECT_THAT(ValueOf(g, name).quantization.scales, ElementsAre(1.0f / 32768)) << name;
}

// What is joined has one scale; a sigmoid beside larger numbers would lose its own.
TEST(QuantizeInt16, ConcatenationsOfSeveralScalesStayFloat) {
  TestGraph g;
  const ir::ValueId x = g.Input("x", {1, 8, 8, 4});
  const ir::ValueId a = g.Unary("a", schema::UnaryKind::Sigmoid, g.Conv3x3("p", x, 4));
  const ir::ValueId b = g.Conv3x3("b", x, 4);
  g.graph.outputs = {g.Conv3x3("c", g.Concat("joined", {a, b}, 3), 4)};
  EXPECT_EQ(Quantize(g).quantized, 3);
  EXPECT_EQ(ValueOf(g, "joined").dtype, DType::kFloat32);

  TestGraph same;
  const ir::ValueId y = same.Input("x", {1, 8, 8, 4});
  const ir::ValueId joined = same.Concat("joined", {same.Conv3x3("a", y, 4), same.Conv3x3("b", y, 4)}, 3);
  same.graph.outputs = {same.Conv3x3("c", joined, 4)};
  EXPECT_EQ(Quantize(same, {{"b", {-9.0f, 1.0f, true}}}).quantized, 3);
  for (const char* name : {"a", "b", "joined"})
    EXPECT_THAT(ValueOf(same, name).quantization.scales, ElementsAre(9.0f / 32767)) << name;
}

TEST(QuantizeInt16, LayersWhoseSumsAreTooLargeStayFloat) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 4}), 4);
  g.graph.outputs = {g.Conv3x3("b", a, 4)};
  const Report report = Quantize(g, {{"x", {-1e6f, 1e6f, true}}, {"a", {0.0f, 1e-3f, true}}});
  EXPECT_EQ(report.quantized, 1);
  ASSERT_EQ(report.exceptions.size(), 1u);
  EXPECT_THAT(report.exceptions[0].reason, HasSubstr("too large"));
}

TEST(QuantizeInt16, OtherOperatorsAndExceptionsStayFloat) {
  TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 8, 8, 4}), 4);
  const ir::ValueId e = g.Unary("e", schema::UnaryKind::Exp, a);
  const ir::ValueId b = g.Conv3x3("b", e, 4);
  g.graph.outputs = {g.Conv3x3("c", b, 4)};
  const Report report = Quantize(g, {}, {{"c", LayerType::kFloat32}});
  EXPECT_EQ(report.quantized, 2);
  EXPECT_THAT(report.exceptions[0].reason, HasSubstr("float32, as asked"));
  EXPECT_EQ(ValueOf(g, "e").dtype, DType::kFloat32);
}

// Whole conversions.

constexpr int64_t kSide = 12;

// Sums of waves, and a peak now and then, as pictures and signals are.
std::vector<std::string> SavedSamples(const TemporaryFolder& folder, const std::vector<int64_t>& shape,
                                      int64_t count) {
  std::vector<int64_t> dims = {count};
  dims.insert(dims.end(), shape.begin() + 1, shape.end());
  int64_t elements = 1;
  for (const int64_t d : dims) elements *= d;
  Floats x;
  for (int64_t i = 0; i < elements; ++i) {
    const int64_t sample = i / (elements / count), at = i % (elements / count);
    const double row = static_cast<double>(at / kSide), column = static_cast<double>(at % kSide);
    const double phase = static_cast<double>(sample), peak = (at + 5 * sample) % 97 == 7 ? 3 : 0;
    x.push_back(static_cast<float>(0.5 * std::sin(0.9 * row + 1.7 * phase) +
                                   0.4 * std::cos(0.7 * column - 2.3 * phase) + 0.1 * std::sin(row * column) +
                                   peak));
  }
  const std::string path = folder.path() + "/x.npy";
  const std::vector<uint8_t> bytes = io::FormatNpy(DType::kFloat32, dims, x.data());
  EXPECT_TRUE(io::WriteFileAtomically(path, Span<const uint8_t>(bytes.data(), bytes.size())).ok());
  return {path};
}

// Seeded, without a pattern.
Floats Noise(size_t n, float largest) {
  Floats x;
  uint32_t state = 11;
  for (size_t i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    x.push_back(largest * (static_cast<float>(state >> 8) / 8388608.0f - 1.0f));
  }
  return x;
}

// Twice as many pixels each way: the nearest, and what two layers correct of them, brighter by a factor.
OnnxBuilder SuperResolution() {
  OnnxBuilder b;
  b.Input("x", {"1", "1", "12", "12"});
  b.Floats("w1", {8, 1, 3, 3}, Noise(72, 0.4f)).Floats("b1", {8}, Noise(8, 0.1f));
  b.Floats("w2", {4, 8, 3, 3}, Noise(288, 0.02f)).Floats("b2", {4}, Noise(4, 0.01f));
  b.Floats("scales", {4}, {1, 1, 2, 2});
  b.Node("Conv", {"x", "w1", "b1"}, {"c1"}).Ints("pads", {1, 1, 1, 1}).Node("Relu", {"c1"}, {"r1"});
  b.Node("Conv", {"r1", "w2", "b2"}, {"c2"}).Ints("pads", {1, 1, 1, 1});
  b.Node("DepthToSpace", {"c2"}, {"detail"}).Int("blocksize", 2);
  b.Node("Resize", {"x", "", "scales"}, {"large"}).String("mode", "nearest");
  b.String("coordinate_transformation_mode", "asymmetric").String("nearest_mode", "floor");
  b.Floats("gain", {1, 1, 1, 1}, {0.7f});
  b.Node("Add", {"large", "detail"}, {"sum"}).Node("Conv", {"sum", "gain"}, {"y"}).Output("y");
  return b;
}

// The next values of signals: the last ones, and a small correction, each in a unit of its own.
OnnxBuilder Regression() {
  OnnxBuilder b;
  b.Input("x", {"1", "12"});
  b.Floats("w1", {12, 24}, Noise(288, 0.3f)).Floats("b1", {24}, Noise(24, 0.1f));
  b.Floats("w2", {24, 12}, Noise(288, 0.01f)).Floats("b2", {12}, Noise(12, 0.01f));
  b.Node("Gemm", {"x", "w1", "b1"}, {"h"}).Node("Tanh", {"h"}, {"t"});
  Floats units(144);
  for (size_t i = 0; i < 12; ++i) units[13 * i] = 0.5f + 0.1f * static_cast<float>(i);
  b.Floats("units", {12, 12}, units);
  b.Node("Gemm", {"t", "w2", "b2"}, {"step"}).Node("Add", {"x", "step"}, {"sum"});
  b.Node("Gemm", {"sum", "units"}, {"y"}).Output("y");
  return b;
}

// Layers that add what they read.
OnnxBuilder Residuals() {
  OnnxBuilder b;
  b.Input("x", {"1", "4", "12", "12"});
  std::string from = "x";
  for (const std::string n : {"1", "2", "3"}) {
    b.Floats("w" + n, {4, 4, 3, 3}, Noise(144, 0.1f)).Floats("b" + n, {4}, Noise(4, 0.1f));
    b.Node("Conv", {from, "w" + n, "b" + n}, {"c" + n}).Ints("pads", {1, 1, 1, 1});
    b.Node("Add", {"c" + n, from}, {"s" + n}).Node("Relu", {"s" + n}, {"r" + n});
    from = "r" + n;
  }
  b.Node("Identity", {from}, {"y"}).Output("y");
  return b;
}

ConvertResult Converted(const OnnxBuilder& network, QuantMode quant, const std::vector<std::string>& samples,
                        ConvertOptions options = {}) {
  options.quant = quant;
  options.calibration = samples;
  options.verify = VerifyMode::kOutputs;
  const std::string onnx = network.Bytes();
  ConvertResult result;
  const Status status = ConvertBytes(
      "test.onnx", {reinterpret_cast<const uint8_t*>(onnx.data()), onnx.size()}, options, &result);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(result.verification.size(), 1u);
  return result;
}

TEST(QuantizeInt16, KeepsWhatInt8Loses) {
  const TemporaryFolder folder;
  struct Network {
    const char* name;
    OnnxBuilder model;
    std::vector<int64_t> input;
  };
  for (const Network& network : {Network{"super-resolution", SuperResolution(), {1, 1, kSide, kSide}},
                                 Network{"regression", Regression(), {1, kSide}}}) {
    SCOPED_TRACE(network.name);
    const std::vector<std::string> samples = SavedSamples(folder, network.input, 24);
    const ConvertResult wide = Converted(network.model, QuantMode::kInt16x8, samples),
                        narrow = Converted(network.model, QuantMode::kInt8, samples);
    EXPECT_EQ(wide.summary.quantization.quantized, 3);
    EXPECT_GE(wide.verification[0].similarity.Snr(), 55);
    EXPECT_LE(narrow.verification[0].similarity.Snr(), 40);
    EXPECT_THAT(report::SummaryText(wide.summary), HasSubstr("int16x8    3 of 3 layers"));
  }
}

// On a device whose library computes no floats.
TEST(QuantizeInt16, AutoGivesItToLayersThatAddAResidual) {
  const TemporaryFolder folder;
  const std::vector<std::string> samples = SavedSamples(folder, {1, 4, 12, 12}, 8);
  ConvertOptions options;
  options.target.name = "cortex-m7";
  ASSERT_TRUE(ParseTarget(options.target.name.c_str(), &options.target.features));
  options.max_loss = 1;
  const ConvertResult narrow = Converted(Residuals(), QuantMode::kAuto, samples, options);
  EXPECT_EQ(narrow.summary.quantization.quantized, 3);
  // Three decibels more than int8 keeps.
  const double most = narrow.verification[0].similarity.Snr() + 3;
  options.max_loss = std::pow(10.0, -most / 10);
  const ConvertResult found = Converted(Residuals(), QuantMode::kAuto, samples, options);
  EXPECT_GE(found.verification[0].similarity.Snr(), most - 0.1);
  ASSERT_FALSE(found.summary.quantization.exceptions.empty());
  for (const Exception& exception : found.summary.quantization.exceptions)
    EXPECT_THAT(exception.reason, HasSubstr("int16x8: int8 here costs more accuracy"));
}

}  // namespace
}  // namespace micrort::testing::quantize_int16
