// Biases that were given as integers of 32 bits are the same integers in int8 layers, whether float holds
// them or not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/pipeline/pipeline.h"
#include "tests/converter/converted.h"
#include "tests/converter/folded_values.h"
#include "tests/converter/onnx_builder.h"
#include "tests/converter/tflite_builder.h"

namespace micrort::testing {
namespace {

using ::onnx::TensorProto;
using Type = fb::TensorType;

// 2^24 + 1, and others that are no floats.
const std::vector<int32_t> kBias = {16777217, -33554435, 2147483647, -2147483647 - 1};

// The bias of the only layer.
std::vector<int32_t> BiasOf(const ir::Graph& graph) {
  constexpr size_t kBiasInput = 2;
  for (const auto& node : graph.nodes) {
    if (!node->has_input(kBiasInput)) continue;
    const ir::Value& bias = graph.value(node->inputs[kBiasInput]);
    if (bias.dtype != DType::kInt32 || !bias.is_constant()) continue;
    return {bias.as<int32_t>(), bias.as<int32_t>() + bias.elements()};
  }
  return {};
}

std::vector<int32_t> BiasOfTflite(const TfliteBuilder& b) {
  ImportedTflite result = ImportTflite(b.Bytes());
  EXPECT_TRUE(result.status.ok()) << result.status.message();
  if (!result.status.ok()) return {};
  const Status status = passes::Optimize(result.module, {});
  EXPECT_TRUE(status.ok()) << status.message();
  return BiasOf(result.graph());
}

std::vector<int32_t> BiasOfOnnx(const OnnxBuilder& b) {
  Imported result = Import(b);
  EXPECT_TRUE(result.status.ok()) << result.status.message();
  if (!result.status.ok()) return {};
  const Status status = passes::Optimize(result.module, {});
  EXPECT_TRUE(status.ok()) << status.message();
  return BiasOf(result.graph());
}

// A layer of TFLite with x [1,1,1,2], weights of `shape` and four outputs.
struct TfliteLayer {
  std::string op;
  std::vector<int32_t> weights;
  bool per_channel, bias_has_scales;
};

class TfliteBias : public ::testing::TestWithParam<TfliteLayer> {
 protected:
  // Input, weights and bias; the layer's output has scale 0.5.
  TfliteBuilder Model() const {
    const TfliteLayer& layer = GetParam();
    TfliteBuilder b;
    const bool is_matrix = layer.op == "FULLY_CONNECTED";
    const std::vector<int32_t> of_x =
        is_matrix ? std::vector<int32_t>{1, 2} : std::vector<int32_t>{1, 1, 1, 2};
    const std::vector<int32_t> of_y =
        is_matrix ? std::vector<int32_t>{1, 4} : std::vector<int32_t>{1, 1, 1, 4};
    int elements = 1;
    for (const int32_t d : layer.weights) elements *= d;
    const int axis = layer.op == "DEPTHWISE_CONV_2D" ? 3 : 0;
    Quantized of_w = {{0.1f}, {0}}, of_bias = {{0.03f}, {0}};
    if (layer.per_channel) {
      of_w = {{0.1f, 0.7f, 0.3f, 0.9f}, {0, 0, 0, 0}, axis};
      of_bias = {{0.03f, 0.21f, 0.09f, 0.27f}, {0, 0, 0, 0}, 0};
    }
    if (!layer.bias_has_scales) of_bias = {};
    const int x = b.Input("x", of_x, Type::Int8, {{0.3f}, {3}});
    const int w = b.Constant<int8_t>("w", layer.weights, Type::Int8,
                                     std::vector<int8_t>(static_cast<size_t>(elements), 5), of_w);
    const int bias = b.Constant<int32_t>("bias", {4}, Type::Int32, kBias, of_bias);
    const int y = b.Tensor("y", of_y, Type::Int8, {{0.5f}, {0}});
    Add(&b, x, w, bias, y);
    b.Output(y);
    return b;
  }

 private:
  void Add(TfliteBuilder* b, int x, int w, int bias, int y) const {
    const std::string& op = GetParam().op;
    fb::Conv2DOptionsT conv;
    conv.stride_h = conv.stride_w = 1;
    fb::DepthwiseConv2DOptionsT depthwise;
    depthwise.stride_h = depthwise.stride_w = 1;
    depthwise.depth_multiplier = 2;
    fb::TransposeConvOptionsT transposed;
    transposed.stride_h = transposed.stride_w = 1;
    if (op == "CONV_2D") b->Op(op, {x, w, bias}, {y}, conv);
    if (op == "DEPTHWISE_CONV_2D") b->Op(op, {x, w, bias}, {y}, depthwise);
    if (op == "FULLY_CONNECTED") b->Op(op, {x, w, bias}, {y}, fb::FullyConnectedOptionsT());
    if (op == "TRANSPOSE_CONV") {
      const int shape = b->Integers("shape", {1, 1, 1, 4});
      b->Op(op, {shape, w, x, bias}, {y}, transposed);
    }
  }
};

TEST_P(TfliteBias, StaysAsGiven) { EXPECT_EQ(BiasOfTflite(Model()), kBias); }

INSTANTIATE_TEST_SUITE_P(Layers, TfliteBias,
                         ::testing::Values(TfliteLayer{"FULLY_CONNECTED", {4, 2}, false, true},
                                           TfliteLayer{"FULLY_CONNECTED", {4, 2}, true, true},
                                           TfliteLayer{"FULLY_CONNECTED", {4, 2}, false, false},
                                           TfliteLayer{"CONV_2D", {4, 1, 1, 2}, true, true},
                                           TfliteLayer{"CONV_2D", {4, 1, 1, 2}, true, false},
                                           TfliteLayer{"DEPTHWISE_CONV_2D", {1, 1, 1, 4}, true, true},
                                           TfliteLayer{"TRANSPOSE_CONV", {4, 1, 1, 2}, true, true}));

// Input x_q and weights w_q [4,2,...] of bytes, and a bias.
OnnxBuilder QuantizedOperands(const std::vector<std::string>& of_x, const std::vector<int64_t>& of_w) {
  OnnxBuilder b;
  b.Input("x", of_x, TensorProto::INT8);
  b.Floats("xs", {}, {0.3f}).Narrow("xz", TensorProto::INT8, {}, {3});
  b.Floats("ws", {}, {0.7f}).Narrow("wz", TensorProto::INT8, {}, {0});
  b.Floats("ys", {}, {0.5f}).Narrow("yz", TensorProto::INT8, {}, {0});
  b.Narrow("w", TensorProto::INT8, of_w, std::vector<int32_t>(8, 5));
  b.Narrow("bias", TensorProto::INT32, {4}, kBias).Floats("bs", {}, {0.3f * 0.7f});
  return b;
}

TEST(OnnxBias, OfQLinearConvStaysAsGiven) {
  OnnxBuilder b = QuantizedOperands({"1", "2", "1", "1"}, {4, 2, 1, 1});
  b.Node("QLinearConv", {"x", "xs", "xz", "w", "ws", "wz", "ys", "yz", "bias"}, {"y"}).Output("y");
  EXPECT_EQ(BiasOfOnnx(b), kBias);
}

TEST(OnnxBias, OfQGemmStaysAsGiven) {
  OnnxBuilder b = QuantizedOperands({"1", "2"}, {4, 2});
  auto* domain = b.model.add_opset_import();
  domain->set_domain("com.microsoft");
  domain->set_version(1);
  b.Node("QGemm", {"x", "xs", "xz", "w", "ws", "wz", "bias", "ys", "yz"}, {"y"}).Int("transB", 1);
  b.graph().mutable_node(0)->set_domain("com.microsoft");
  b.Output("y");
  EXPECT_EQ(BiasOfOnnx(b), kBias);
}

// C broadcasts to the result, and so do the scales, one a column.
TEST(OnnxBias, OfQGemmBroadcasts) {
  const std::pair<std::vector<int64_t>, std::vector<int32_t>> kinds[] = {
      {{}, {3}},           {{1}, {3}},       {{3}, {1, 2, 3}},
      {{1, 3}, {1, 2, 3}}, {{2, 1}, {4, 5}}, {{2, 3}, {1, 2, 3, 4, 5, 6}}};
  for (const auto& [shape, sums] : kinds) {
    SCOPED_TRACE(::testing::PrintToString(shape));
    OnnxBuilder b;
    b.Narrow("a", TensorProto::INT8, {2, 1}, {1, 2})
        .Floats("as", {}, {0.5f})
        .Narrow("z", TensorProto::INT8, {}, {0});
    b.Narrow("b", TensorProto::INT8, {1, 3}, {1, 1, 1}).Floats("bs", {3}, {2, 4, 8});
    b.Narrow("bz", TensorProto::INT8, {3}, {0, 0, 0}).Narrow("c", TensorProto::INT32, shape, sums);
    auto* domain = b.model.add_opset_import();
    domain->set_domain("com.microsoft");
    domain->set_version(1);
    b.Node("QGemm", {"a", "as", "z", "b", "bs", "bz", "c"}, {"y"});
    b.graph().mutable_node(0)->set_domain("com.microsoft");
    const size_t rows = shape.size() == 2 ? static_cast<size_t>(shape[0]) : 1;
    const size_t columns = shape.empty() ? 1 : static_cast<size_t>(shape.back());
    Floats expected;
    for (size_t i = 0; i < 2; ++i) {
      for (size_t j = 0; j < 3; ++j) {
        const int32_t sum = sums[(rows == 1 ? 0 : i) * columns + (columns == 1 ? 0 : j)];
        expected.push_back(static_cast<float>(static_cast<int32_t>(i) + 1 + sum) *
                           static_cast<float>(1 << j));
      }
    }
    EXPECT_EQ(FoldedY(b), expected);
  }
}

TEST(OnnxBias, BehindDequantizeLinearStaysAsGiven) {
  OnnxBuilder b = QuantizedOperands({"1", "2"}, {4, 2});
  b.Node("DequantizeLinear", {"x", "xs", "xz"}, {"xd"}).Node("DequantizeLinear", {"w", "ws", "wz"}, {"wd"});
  b.Node("DequantizeLinear", {"bias", "bs"}, {"bd"});
  b.Node("Gemm", {"xd", "wd", "bd"}, {"yd"}).Int("transB", 1);
  b.Node("QuantizeLinear", {"yd", "ys", "yz"}, {"y"}).Output("y");
  EXPECT_EQ(BiasOfOnnx(b), kBias);
}

TEST(OnnxBias, ThatIsAddedStaysAsGiven) {
  OnnxBuilder b = QuantizedOperands({"1", "2"}, {2, 4});
  b.Node("DequantizeLinear", {"x", "xs", "xz"}, {"xd"}).Node("DequantizeLinear", {"w", "ws", "wz"}, {"wd"});
  b.Node("DequantizeLinear", {"bias", "bs"}, {"bd"});
  b.Node("MatMul", {"xd", "wd"}, {"m"}).Node("Add", {"m", "bd"}, {"yd"});
  b.Node("QuantizeLinear", {"yd", "ys", "yz"}, {"y"}).Output("y");
  EXPECT_EQ(BiasOfOnnx(b), kBias);
}

// One number a channel of an image, in either place.
TEST(OnnxBias, ThatIsAddedToAnImageStaysAsGiven) {
  for (const bool is_first : {false, true}) {
    OnnxBuilder b = QuantizedOperands({"1", "2", "3", "3"}, {4, 2, 1, 1});
    b.Narrow("image_bias", TensorProto::INT32, {1, 4, 1, 1}, kBias);
    b.Node("DequantizeLinear", {"x", "xs", "xz"}, {"xd"}).Node("DequantizeLinear", {"w", "ws", "wz"}, {"wd"});
    b.Node("DequantizeLinear", {"image_bias", "bs"}, {"bd"}).Node("Conv", {"xd", "wd"}, {"m"});
    is_first ? b.Node("Add", {"bd", "m"}, {"yd"}) : b.Node("Add", {"m", "bd"}, {"yd"});
    b.Node("QuantizeLinear", {"yd", "ys", "yz"}, {"y"}).Output("y");
    EXPECT_EQ(BiasOfOnnx(b), kBias);
  }
}

// Sums of integers are added as integers, which wrap as those of ONNX do.
TEST(OnnxBias, ThatIsAddedToSumsOfIntegersIsExact) {
  for (const bool is_image : {false, true}) {
    OnnxBuilder b;
    const std::vector<int64_t> of_bias =
        is_image ? std::vector<int64_t>{1, 4, 1, 1} : std::vector<int64_t>{4};
    b.Input("x", is_image ? std::vector<std::string>{"1", "2", "1", "1"} : std::vector<std::string>{"1", "2"},
            TensorProto::INT8);
    b.Narrow("xz", TensorProto::INT8, {}, {3}).Narrow("bias", TensorProto::INT32, of_bias, kBias);
    b.Narrow("w", TensorProto::INT8, is_image ? std::vector<int64_t>{4, 2, 1, 1} : std::vector<int64_t>{2, 4},
             {5, 5, 5, 5, 5, 5, 5, 5});
    b.Node(is_image ? "ConvInteger" : "MatMulInteger", {"x", "w", "xz"}, {"sums"});
    // The low bits, which are printed.
    b.Narrow("modulus", TensorProto::INT32, {}, {1 << 16});
    b.Node("Add", {"sums", "bias"}, {"t"}).Node("Mod", {"t", "modulus"}, {"y"});
    Converted model(b);
    ASSERT_TRUE(model.status().ok()) << model.status().message();
    const std::vector<int64_t> of_x =
        is_image ? std::vector<int64_t>{1, 2, 1, 1} : std::vector<int64_t>{1, 2};
    const std::string shape = is_image ? "1x4x1x1" : "1x4";
    // 5 * (4 - 3) + 5 * (1 - 3), which is -5
    EXPECT_EQ(model.Run({Array<int8_t>(of_x, {4, 1})}), shape + ": 65532 65528 65530 65531");
  }
}

// What is folded into the bias counts.
TEST(OnnxBias, ThatChangesIsRoundedAgain) {
  OnnxBuilder b = QuantizedOperands({"1", "2"}, {4, 2});
  b.Node("DequantizeLinear", {"x", "xs", "xz"}, {"xd"}).Node("DequantizeLinear", {"w", "ws", "wz"}, {"wd"});
  b.Narrow("small", TensorProto::INT32, {4}, {1, 2, 3, 4}).Floats("one", {}, {0.3f * 0.7f});
  b.Node("DequantizeLinear", {"small", "bs"}, {"bd"});
  b.Node("Gemm", {"xd", "wd", "bd"}, {"m"}).Int("transB", 1).Node("Add", {"m", "one"}, {"yd"});
  b.Node("QuantizeLinear", {"yd", "ys", "yz"}, {"y"}).Output("y");
  EXPECT_EQ(BiasOfOnnx(b), (std::vector<int32_t>{2, 3, 4, 5}));
}

}  // namespace
}  // namespace micrort::testing
