// Inputs and outputs as bytes or floats (--io-type).

#include "converter/qdq/io_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/ir/infer.h"
#include "converter/quantize/static_int8.h"
#include "tests/converter/graph_testing.h"
#include "tests/status_matchers.h"

namespace micrort::qdq {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::OperatorsOf;
using testing::TestGraph;

observe::Ranges RangesOf(const ir::Graph& graph) {
  observe::Ranges ranges;
  for (size_t id = 0; id < graph.value_count(); ++id)
    ranges[graph.value(static_cast<ir::ValueId>(id)).name] = {-1.0f, 3.0f, true};
  return ranges;
}

// A transpose of what the caller gives, two int8 layers, of which the last one gives float.
struct Quantized {
  TestGraph g;
  observe::Ranges ranges;

  Quantized() {
    const auto x = g.Input("x", {1, 4, 9, 9});
    const auto hidden = g.Conv3x3("hidden", g.Transpose("nhwc", x, {0, 2, 3, 1}), 8);
    g.Output(g.Conv3x3("y", hidden, 8));
    EXPECT_THAT(ir::InferShapes(g.graph), IsOk());
    observe::Calibration calibration;
    calibration.ranges = ranges = RangesOf(g.graph);
    quantize::Report report;
    quantize::QuantizeStatically(&g.graph, calibration, {}, {}, {}, &report);
  }
  const ir::Value& input() const { return g.graph.value(g.graph.inputs[0]); }
  const ir::Value& output() const { return g.graph.value(g.graph.outputs[0]); }
};

TEST(IoTypes, BytesGoStraightToTheLayersAndComeStraightFromThem) {
  Quantized q;
  ASSERT_THAT(SetIoTypes(IoType::kInt8, q.ranges, &q.g.graph), IsOk());
  EXPECT_THAT(OperatorsOf(q.g.graph), ElementsAre("Transpose", "Conv2D", "Conv2D"));
  EXPECT_EQ(q.input().name, "x");
  EXPECT_EQ(q.output().name, "y");
  for (const ir::Value* value : {&q.input(), &q.output()}) {
    EXPECT_EQ(value->dtype, DType::kInt8);
    EXPECT_THAT(value->quantization.zero_points, ElementsAre(-64));
    EXPECT_FLOAT_EQ(value->quantization.scales[0], 4.0f / 255);
  }
}

TEST(IoTypes, UnsignedBytesAreTheSameNumbers) {
  Quantized q;
  ASSERT_THAT(SetIoTypes(IoType::kUInt8, q.ranges, &q.g.graph), IsOk());
  EXPECT_THAT(OperatorsOf(q.g.graph), ElementsAre("Unary", "Transpose", "Conv2D", "Conv2D", "Unary"));
  EXPECT_EQ(q.input().dtype, DType::kUInt8);
  EXPECT_EQ(q.output().dtype, DType::kUInt8);
  EXPECT_THAT(q.input().quantization.zero_points, ElementsAre(64));
  EXPECT_FLOAT_EQ(q.input().quantization.scales[0], 4.0f / 255);
}

TEST(IoTypes, BytesBecomeFloatsAgain) {
  Quantized q;
  ASSERT_THAT(SetIoTypes(IoType::kInt8, q.ranges, &q.g.graph), IsOk());
  ASSERT_THAT(SetIoTypes(IoType::kFloat, {}, &q.g.graph), IsOk());
  EXPECT_THAT(OperatorsOf(q.g.graph), ElementsAre("Quantize", "Transpose", "Conv2D", "Conv2D", "Dequantize"));
  EXPECT_EQ(q.input().dtype, DType::kFloat32);
  EXPECT_TRUE(q.output().quantization.empty());
}

// Without any calibration.
TEST(IoTypes, ResultsOfSoftmaxHaveAKnownRange) {
  TestGraph g;
  schema::SoftmaxOptionsT options;
  options.axis = 1;
  ir::Quantization q = {{0.5f}, {3}, -1};
  const auto x = g.Input("x", {2, 5}, DType::kInt8);
  g.graph.value(x).quantization = q;
  g.Output(g.Node("y", options, {g.Node("f", schema::DequantizeOptionsT(), {x}, DType::kFloat32)}));
  ASSERT_THAT(ir::InferShapes(g.graph), IsOk());
  ASSERT_THAT(SetIoTypes(IoType::kInt8, {}, &g.graph), IsOk());
  const ir::Value& y = g.graph.value(g.graph.outputs[0]);
  ASSERT_EQ(y.dtype, DType::kInt8);
  EXPECT_FLOAT_EQ(y.quantization.scales[0], 1.0f / 255);
  EXPECT_THAT(y.quantization.zero_points, ElementsAre(-128));
}

// The graph and its edges.
Status MakeInt16(ir::Graph* graph) {
  MICRORT_RETURN_IF_ERROR(ir::InferShapes(*graph));
  observe::Calibration calibration;
  calibration.ranges = RangesOf(*graph);
  quantize::Report report;
  quantize::QuantizeToInt16(graph, calibration, {}, {}, &report);
  return SetIoTypes(IoType::kInt16, calibration.ranges, graph);
}

// A transpose at the input, two layers, and a transpose at the output.
TEST(IoTypes, Int16GoesStraightToTheLayersAndComesStraightFromThem) {
  for (const bool turns : {false, true}) {
    TestGraph g;
    const auto x = g.Input("x", {1, 4, 9, 9});
    const auto hidden = g.Conv3x3("hidden", g.Transpose("nhwc", x, {0, 2, 3, 1}), 8);
    const auto last = g.Conv3x3(turns ? "last" : "y", hidden, 8);
    g.Output(turns ? g.Transpose("y", last, {0, 3, 1, 2}) : last);
    ASSERT_THAT(MakeInt16(&g.graph), IsOk());
    std::vector<std::string> expected = {"Transpose", "Conv2D", "Conv2D"};
    if (turns) expected.push_back("Transpose");
    EXPECT_EQ(OperatorsOf(g.graph), expected);
    for (const ir::ValueId id : {g.graph.inputs[0], g.graph.outputs[0]}) {
      EXPECT_EQ(g.graph.value(id).dtype, DType::kInt16);
      EXPECT_FLOAT_EQ(g.graph.value(id).quantization.scales[0], 3.0f / 32767);
      EXPECT_TRUE(g.graph.value(id).quantization.zero_points.empty());
    }
    EXPECT_EQ(g.graph.value(g.graph.inputs[0]).name, "x");
    EXPECT_EQ(g.graph.value(g.graph.outputs[0]).name, "y");
  }
}

// A mask that layers make of the input is multiplied by the input itself.
TEST(IoTypes, SeveralOperatorsOfInt16MayReadAnInput) {
  TestGraph g;
  const auto x = g.Input("x", {1, 8, 8, 4});
  const auto mask = g.Unary("mask", schema::UnaryKind::Sigmoid, g.Conv3x3("a", x, 4));
  schema::BinaryOptionsT product;
  product.kind = schema::BinaryKind::Mul;
  g.Output(g.Node("y", std::move(product), {x, mask}));
  ASSERT_THAT(MakeInt16(&g.graph), IsOk());
  EXPECT_THAT(OperatorsOf(g.graph), ElementsAre("Conv2D", "Unary", "Binary"));
}

TEST(IoTypes, Int16NeedsOperatorsOfInt16) {
  Quantized q;
  const Status status = SetIoTypes(IoType::kInt16, q.ranges, &q.g.graph);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("input 'x' is float32, and no operator of int16 alone reads it"));
}

TEST(IoTypes, AFloatOfUnknownRangeIsNamed) {
  TestGraph g;
  g.Output(g.Relu("y", g.Input("x", {3})));
  ASSERT_THAT(ir::InferShapes(g.graph), IsOk());
  const Status status = SetIoTypes(IoType::kInt8, {}, &g.graph);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("input 'x' is float32"));
  EXPECT_THAT(SetIoTypes(IoType::kFloat, {}, &g.graph), IsOk());
}

TEST(IoTypes, IntegersStayWhatTheyAre) {
  TestGraph g;
  g.Output(g.Node("y", schema::CastOptionsT(), {g.Input("x", {3}, DType::kInt64)}, DType::kInt32));
  ASSERT_THAT(ir::InferShapes(g.graph), IsOk());
  ASSERT_THAT(SetIoTypes(IoType::kInt8, {}, &g.graph), IsOk());
  EXPECT_EQ(g.graph.value(g.graph.inputs[0]).dtype, DType::kInt64);
  EXPECT_EQ(g.graph.value(g.graph.outputs[0]).dtype, DType::kInt32);
}

}  // namespace
}  // namespace micrort::qdq
