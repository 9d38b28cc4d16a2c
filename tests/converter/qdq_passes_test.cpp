// Models that were quantized elsewhere: which operators become int8, and that they compute the same.

#include <gmock/gmock.h>

#include <cmath>

#include "converter/pipeline/pipeline.h"
#include "tests/converter/graph_testing.h"
#include "tests/converter/onnx_builder.h"

namespace micrort {
namespace {

using ::onnx::TensorProto;
using testing::CountOps;
using testing::Import;
using testing::OnnxBuilder;

// Values behind QuantizeLinear and DequantizeLinear, and weights behind the latter.
class QdqBuilder : public OnnxBuilder {
 public:
  explicit QdqBuilder(int type = TensorProto::UINT8) : OnnxBuilder(13) {
    Floats("scale", {}, {1.0f / 64}).Narrow("zero_point", type, {}, {type == TensorProto::UINT8 ? 120 : -8});
    Floats("other_scale", {}, {1.0f / 32}).Narrow("other_zero_point", type, {}, {3});
  }

  // name_dq is what name becomes.
  QdqBuilder& Pair(const std::string& name, const std::string& prefix = "") {
    Node("QuantizeLinear", {name, prefix + "scale", prefix + "zero_point"}, {name + "_q"});
    Node("DequantizeLinear", {name + "_q", prefix + "scale", prefix + "zero_point"}, {name + "_dq"});
    return *this;
  }

  // Weights with seeded integers in [low, high], one scale a slice along `axis`, or one for all if it is -1.
  QdqBuilder& Weights(const std::string& name, std::vector<int64_t> dims, int axis, int low, int high,
                      int zero_point = 0, int type = TensorProto::INT8) {
    int64_t count = 1;
    for (const int64_t d : dims) count *= d;
    std::vector<int32_t> elements;
    for (int64_t i = 0; i < count; ++i) {
      elements.push_back(low + static_cast<int32_t>(i * 37 % (high - low + 1)));
    }
    const int64_t scales = axis < 0 ? 1 : dims[static_cast<size_t>(axis)];
    std::vector<float> scale;
    for (int64_t i = 0; i < scales; ++i) scale.push_back(0.01f + 0.001f * static_cast<float>(i));
    const std::vector<int64_t> shape = axis < 0 ? std::vector<int64_t>() : std::vector<int64_t>{scales};
    Narrow(name + "_q", type, std::move(dims), elements).Floats(name + "_scale", shape, scale);
    Narrow(name + "_zero_point", type, shape, std::vector<int32_t>(static_cast<size_t>(scales), zero_point));
    Node("DequantizeLinear", {name + "_q", name + "_scale", name + "_zero_point"}, {name});
    if (axis >= 0) Int("axis", axis);
    return *this;
  }
};

// Optimizes the model and checks that outputs stay within `tolerance`, one step of quantization.
ir::Module Optimized(OnnxBuilder& builder, float tolerance) {
  testing::Imported before = Import(builder), after = Import(builder);
  EXPECT_TRUE(before.status.ok()) << before.status.message();
  const Status status = passes::Optimize(after.module, {});
  EXPECT_TRUE(status.ok()) << status.message();
  if (status.ok()) testing::ExpectSameResults(before.graph(), after.graph(), tolerance);
  return std::move(after.module);
}

constexpr float kStep = 1.001f / 64;
constexpr float kOtherStep = 1.001f / 32;

// Every operator between the first Quantize and the last Dequantize works on int8.
void ExpectInt8Inside(ir::Graph& graph) {
  EXPECT_EQ(CountOps(graph, schema::OpCode::Quantize), 1) << testing::Outline(graph);
  EXPECT_EQ(CountOps(graph, schema::OpCode::Dequantize), 1) << testing::Outline(graph);
}

class QdqConv : public ::testing::TestWithParam<int> {};

TEST_P(QdqConv, BecomesInt8WithItsActivation) {
  QdqBuilder builder(GetParam());
  builder.Input("x", {"1", "4", "6", "6"});
  builder.Pair("x");
  builder.Weights("w", {8, 4, 3, 3}, 0, -127, 127);
  builder.Node("Conv", {"x_dq", "w"}, {"c"}).Ints("pads", {1, 1, 1, 1});
  builder.Node("Relu", {"c"}, {"r"});
  builder.Pair("r", "other_").Output("r_dq");
  ir::Module module = Optimized(builder, kOtherStep);
  ExpectInt8Inside(module.entry());
  EXPECT_EQ(CountOps(module.entry(), schema::OpCode::Conv2D), 1);
  EXPECT_EQ(CountOps(module.entry(), schema::OpCode::Unary), 0);
}

INSTANTIATE_TEST_SUITE_P(Types, QdqConv, ::testing::Values(int{TensorProto::UINT8}, int{TensorProto::INT8}));

TEST(QdqLayer, TakesIntegerBiasAsItIs) {
  QdqBuilder builder;
  builder.Input("x", {"2", "5"}).Floats("bias_scale", {}, {0.01f / 64});
  builder.Narrow("b_q", TensorProto::INT32, {3}, {1000, -70000, 5});
  builder.Pair("x");
  builder.Weights("w", {5, 3}, -1, -100, 120);
  builder.Node("DequantizeLinear", {"b_q", "bias_scale"}, {"b"});
  builder.Node("Gemm", {"x_dq", "w", "b"}, {"y"});
  builder.Pair("y", "other_").Output("y_dq");
  ir::Module module = Optimized(builder, kOtherStep);
  ExpectInt8Inside(module.entry());
  const ir::Node& gemm = *module.entry().nodes[1];
  ASSERT_EQ(gemm.code, schema::OpCode::MatMul);
  const ir::Value& bias = module.entry().value(gemm.inputs[2]);
  ASSERT_EQ(bias.dtype, DType::kInt32);
  EXPECT_EQ(std::vector<int32_t>(bias.as<int32_t>(), bias.as<int32_t>() + 3),
            (std::vector<int32_t>{1000, -70000, 5}));
}

TEST(QdqLayer, GivesFloatWhereNoQuantizeFollows) {
  QdqBuilder builder;
  builder.Input("x", {"2", "5"});
  builder.Pair("x");
  builder.Weights("w", {5, 3}, 1, -128, 127);
  builder.Node("MatMul", {"x_dq", "w"}, {"y"}).Output("y");
  ir::Module module = Optimized(builder, 1e-5f);
  EXPECT_EQ(CountOps(module.entry(), schema::OpCode::Dequantize), 0);
  EXPECT_EQ(module.entry().nodes.size(), 2u);
}

TEST(QdqLayer, DepthwiseAndTransposedConvolutionsToo) {
  QdqBuilder builder;
  builder.Input("x", {"1", "4", "6", "6"});
  builder.Pair("x");
  builder.Weights("w", {4, 1, 3, 3}, 0, -127, 127);
  builder.Node("Conv", {"x_dq", "w"}, {"c"}).Int("group", 4);
  builder.Pair("c");
  builder.Weights("t", {4, 6, 2, 2}, 1, -127, 127);
  builder.Node("ConvTranspose", {"c_dq", "t"}, {"y"}).Ints("strides", {2, 2});
  builder.Pair("y", "other_").Output("y_dq");
  ir::Module module = Optimized(builder, kOtherStep);
  ExpectInt8Inside(module.entry());
  EXPECT_EQ(CountOps(module.entry(), schema::OpCode::DepthwiseConv2D), 1);
}

TEST(QdqLayer, QuantizedFloatWeightsAreFolded) {
  QdqBuilder builder(TensorProto::INT8);
  builder.Input("x", {"2", "4"}).OnnxBuilder::Weights("w", {4, 8});
  builder.Pair("x");
  builder.Pair("w");
  builder.Node("MatMul", {"x_dq", "w_dq"}, {"y"});
  builder.Pair("y", "other_").Output("y_dq");
  ir::Module module = Optimized(builder, kOtherStep);
  ExpectInt8Inside(module.entry());
}

TEST(QdqLayer, FloatWeightsStayFloat) {
  QdqBuilder builder;
  builder.Input("x", {"2", "4"}).OnnxBuilder::Weights("w", {4, 8});
  builder.Pair("x");
  builder.Node("MatMul", {"x_dq", "w"}, {"y"});
  builder.Pair("y").Output("y_dq");
  ir::Module module = Optimized(builder, kStep);
  EXPECT_EQ(CountOps(module.entry(), schema::OpCode::Quantize), 2);
}

TEST(QdqLayer, AsymmetricWeights) {
  QdqBuilder builder;
  builder.Input("x", {"1", "4", "6", "6"});
  builder.Pair("x");
  builder.Weights("w", {4, 4, 3, 3}, -1, 0, 255, 100, TensorProto::UINT8);
  builder.Weights("d", {4, 1, 3, 3}, 0, 0, 255, 170, TensorProto::UINT8);
  builder.Node("Conv", {"x_dq", "w"}, {"c"}).Ints("pads", {1, 1, 1, 1});
  builder.Pair("c", "other_");
  builder.Node("Conv", {"c_dq", "d"}, {"y"}).Int("group", 4);
  builder.Pair("y", "other_").Output("y_dq");
  ir::Module module = Optimized(builder, kOtherStep);
  ExpectInt8Inside(module.entry());
}

TEST(QdqLayer, ProductOfTwoActivations) {
  QdqBuilder builder;
  builder.Input("x", {"2", "3", "5"}).Input("z", {"2", "4", "5"});
  builder.Pair("x");
  builder.Pair("z", "other_");
  builder.Node("Transpose", {"z_dq"}, {"t"}).Ints("perm", {0, 2, 1});
  builder.Node("MatMul", {"x_dq", "t"}, {"y"});
  builder.Pair("y", "other_").Output("y_dq");
  ir::Module module = Optimized(builder, kOtherStep);
  EXPECT_EQ(CountOps(module.entry(), schema::OpCode::Dequantize), 1) << testing::Outline(module.entry());
  EXPECT_EQ(CountOps(module.entry(), schema::OpCode::Transpose), 0);
}

// One operator on x_dq, and on z_dq where it has two inputs.
struct OperatorCase {
  const char* op;
  int inputs;
  const char* attribute;
  int64_t number;
};
void PrintTo(const OperatorCase& c, std::ostream* out) { *out << c.op; }

class QdqOperator : public ::testing::TestWithParam<OperatorCase> {};

TEST_P(QdqOperator, BecomesInt8) {
  const OperatorCase& c = GetParam();
  QdqBuilder builder;
  builder.Input("x", {"1", "4", "6", "6"}).Input("z", {"1", "4", "6", "6"});
  builder.Pair("x");
  builder.Pair("z", "other_");
  builder.Node(c.op,
               c.inputs == 1 ? std::vector<std::string>{"x_dq"} : std::vector<std::string>{"x_dq", "z_dq"},
               {"y"});
  if (c.attribute != nullptr) builder.Int(c.attribute, c.number);
  builder.Pair("y", "other_").Output("y_dq");
  ir::Module module = Optimized(builder, kOtherStep);
  EXPECT_EQ(CountOps(module.entry(), schema::OpCode::Quantize), c.inputs);
  EXPECT_EQ(CountOps(module.entry(), schema::OpCode::Dequantize), 1) << testing::Outline(module.entry());
}

INSTANTIATE_TEST_SUITE_P(
    All, QdqOperator,
    ::testing::Values(OperatorCase{"Add", 2, nullptr, 0}, OperatorCase{"Mul", 2, nullptr, 0},
                      OperatorCase{"Concat", 2, "axis", 1}, OperatorCase{"Sigmoid", 1, nullptr, 0},
                      OperatorCase{"Softmax", 1, "axis", 1}, OperatorCase{"LeakyRelu", 1, nullptr, 0},
                      OperatorCase{"GlobalAveragePool", 1, nullptr, 0},
                      OperatorCase{"ReduceMean", 1, "keepdims", 0}, OperatorCase{"Transpose", 1, nullptr, 0},
                      OperatorCase{"Flatten", 1, "axis", 2}));

TEST(QdqOperators, ThatMoveElementsDoSoInInt8) {
  QdqBuilder builder;
  builder.Input("x", {"1", "4", "6", "6"});
  builder.Pair("x");
  builder.Node("MaxPool", {"x_dq"}, {"p"}).Ints("kernel_shape", {2, 2});
  builder.Pair("p");
  builder.Node("Flatten", {"p_dq"}, {"f"});
  builder.Weights("w", {100, 4}, -1, -127, 127);
  builder.Node("Gemm", {"f", "w"}, {"y"});
  builder.Pair("y", "other_").Output("y_dq");
  ir::Module module = Optimized(builder, kOtherStep);
  ExpectInt8Inside(module.entry());
}

TEST(QdqOperators, ResizeLinearlyInInt8WithinOneQuantization) {
  for (const std::string after : {"", "other_"}) {
    QdqBuilder builder;
    builder.Input("x", {"1", "4", "6", "6"}).Floats("s", {4}, {1, 1, 2, 2});
    builder.Pair("x");
    builder.Node("Resize", {"x_dq", "", "s"}, {"r"}).String("mode", "linear");
    builder.Pair("r", after).Output("r_dq");
    ir::Module module = Optimized(builder, after.empty() ? kStep : kOtherStep);
    if (after.empty()) {
      ExpectInt8Inside(module.entry());
    } else {
      EXPECT_EQ(CountOps(module.entry(), schema::OpCode::Dequantize), 2);
    }
  }
}

TEST(QdqOperators, WorkOnTheIntegersBetween) {
  QdqBuilder builder;
  builder.Input("x", {"1", "4", "6", "6"}).Node("QuantizeLinear", {"x", "scale", "zero_point"}, {"q"});
  builder.Node("MaxPool", {"q"}, {"p"}).Ints("kernel_shape", {2, 2});
  builder.Node("DequantizeLinear", {"p", "scale", "zero_point"}, {"y"}).Output("y");
  ir::Module module = Optimized(builder, 0);
  ExpectInt8Inside(module.entry());
}

TEST(QdqOperators, OthersSeeBareNumbers) {
  QdqBuilder builder;
  builder.Input("x", {"2", "3"}).Node("QuantizeLinear", {"x", "scale", "zero_point"}, {"q"});
  builder.Node("Max", {"q", "zero_point"}, {"m"}).Node("Cast", {"m"}, {"y"}).Int("to", TensorProto::FLOAT);
  builder.Output("y");
  ir::Module module = Optimized(builder, 0);
  std::map<std::string, testing::Floats> outputs;
  const testing::Floats x = {-9, -1, 0, 0.015625f, 1, 9};
  ASSERT_TRUE(testing::Evaluate(module.entry(), {{"x", x}}, &outputs).ok());
  EXPECT_EQ(outputs["y"], (testing::Floats{120, 120, 120, 121, 184, 255}));
}

TEST(QdqConversions, OfTheSameQuantizationCancel) {
  QdqBuilder builder;
  builder.Input("x", {"2", "3"});
  builder.Pair("x");
  builder.Pair("x_dq").Output("x_dq_dq");
  ir::Module module = Optimized(builder, 0);
  EXPECT_EQ(module.entry().nodes.size(), 2u);
}

TEST(QdqConversions, OfAnotherQuantizationBecomeATable) {
  QdqBuilder builder;
  builder.Input("x", {"2", "3"});
  builder.Pair("x");
  builder.Pair("x_dq", "other_").Output("x_dq_dq");
  ir::Module module = Optimized(builder, 0);
  ExpectInt8Inside(module.entry());
  EXPECT_EQ(CountOps(module.entry(), schema::OpCode::Unary), 1);
}

TEST(QdqEdges, UnsignedOutputsStay) {
  QdqBuilder builder;
  builder.Input("x", {"2", "5"});
  builder.Pair("x");
  builder.Weights("w", {5, 3}, 1, -127, 127);
  builder.Node("MatMul", {"x_dq", "w"}, {"m"});
  builder.Node("QuantizeLinear", {"m", "other_scale", "other_zero_point"}, {"y"}).Output("y");
  ir::Module module = Optimized(builder, 1);
  EXPECT_EQ(module.entry().value(module.entry().outputs[0]).dtype, DType::kUInt8);
  EXPECT_EQ(CountOps(module.entry(), schema::OpCode::Dequantize), 0);
}

TEST(QuantizeLinearImporter, BlocksAndFourBits) {
  OnnxBuilder builder(21);
  builder.Input("x", {"2", "4"}).Floats("s", {2, 2}, {1, 2, 4, 8});
  builder.Narrow("w", TensorProto::INT8, {2, 4}, {1, -2, 3, 4, 5, 6, -7, 8});
  builder.Node("DequantizeLinear", {"w", "s"}, {"d"}).Int("axis", 1).Int("block_size", 2);
  builder.Node("Mul", {"x", "d"}, {"y"}).Output("y");
  testing::Imported imported = Import(builder);
  std::map<std::string, testing::Floats> outputs;
  ASSERT_TRUE(testing::Evaluate(imported.graph(), {{"x", testing::Floats(8, 1.0f)}}, &outputs).ok());
  EXPECT_EQ(outputs["y"], (testing::Floats{1, -2, 6, 8, 20, 24, -56, 64}));
}

TEST(QuantizeLinearImporter, SixteenBitsAndParametersThatAreComputed) {
  OnnxBuilder builder(21);
  builder.Input("x", {"2", "2"}).Input("s", {"2"}).Narrow("z", TensorProto::INT16, {2}, {100, -100});
  builder.Node("QuantizeLinear", {"x", "s", "z"}, {"q"}).Int("axis", 0);
  builder.Node("DequantizeLinear", {"q", "s", "z"}, {"y"}).Int("axis", 0).Output("y");
  testing::Imported imported = Import(builder);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  std::map<std::string, testing::Floats> outputs;
  const testing::Floats x = {2.5f, -1e9f, 3, 0.74f};
  ASSERT_TRUE(testing::Evaluate(imported.graph(), {{"x", x}, {"s", {1, 0.5f}}}, &outputs).ok());
  EXPECT_EQ(outputs["y"], (testing::Floats{2, -32868, 3, 0.5f}));
}

// 600 products of 255 and 254: sums beyond the integers that float32 holds.
TEST(IntegerProducts, AreExactHoweverLarge) {
  OnnxBuilder builder;
  builder.Narrow("b", TensorProto::UINT8, {600, 1}, std::vector<int32_t>(600, 254));
  builder.Input("x", {"2", "600"}).Floats("one", {}, {1});
  builder.Node("QuantizeLinear", {"x", "one"}, {"a"}).Node("MatMulInteger", {"a", "b"}, {"s"});
  builder.Narrow("last", TensorProto::INT32, {}, {38861900}).Node("Sub", {"s", "last"}, {"d"});
  builder.Node("Cast", {"d"}, {"y"}).Int("to", TensorProto::FLOAT).Output("y");
  testing::Imported imported = Import(builder);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  ASSERT_TRUE(passes::Optimize(imported.module, {}).ok());
  std::map<std::string, testing::Floats> outputs;
  testing::Floats x(1200, 255.0f);
  x[1199] = 254.0f;
  ASSERT_TRUE(testing::Evaluate(imported.graph(), {{"x", x}}, &outputs).ok());
  EXPECT_EQ(outputs["y"], (testing::Floats{100, 100 - 254}));
}

TEST(IntegerProducts, ZeroPointsThatAreComputed) {
  OnnxBuilder builder;
  builder.Input("x", {"1", "1", "3", "3"}).Narrow("w", TensorProto::INT8, {1, 1, 2, 2}, {1, -2, 3, 4});
  builder.Node("DynamicQuantizeLinear", {"x"}, {"q", "scale", "zero_point"});
  builder.Node("ConvInteger", {"q", "w", "zero_point"}, {"s"}).Ints("pads", {1, 1, 0, 0});
  builder.Node("Cast", {"s"}, {"f"}).Int("to", TensorProto::FLOAT);
  builder.Node("Mul", {"f", "scale"}, {"y"}).Output("y");
  testing::Imported imported = Import(builder);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  ASSERT_TRUE(passes::Optimize(imported.module, {}).ok());
  std::map<std::string, testing::Floats> outputs;
  // The range is [-127, 128]: scale 1, zero point 127.
  ASSERT_TRUE(testing::Evaluate(imported.graph(), {{"x", {-127, 128, 1, 2, 3, 4, 5, 6, 7}}}, &outputs).ok());
  EXPECT_EQ(outputs["y"], (testing::Floats{-508, 131, 388, 262, -365, 151, 16, 35, 41}));
  EXPECT_EQ(CountOps(imported.graph(), schema::OpCode::Conv2D), 1);
}

// What multiplies has a scale by then; what is moved does not.
TEST(IntegerProducts, FactorsThatAreMovedToAnOutputToo) {
  OnnxBuilder builder;
  builder.Input("a", {"1", "8"}, TensorProto::INT8)
      .Narrow("b", TensorProto::INT8, {8, 2}, std::vector<int32_t>(16, 3));
  builder.Node("MatMulInteger", {"a", "b"}, {"s"}).Node("Transpose", {"a"}, {"t"}).Ints("perm", {0, 1});
  builder.Output("s").Output("t");
  testing::Imported imported = Import(builder);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  const Status status = passes::Optimize(imported.module, {});
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(IntegerProducts, OfNoImages) {
  OnnxBuilder builder;
  builder.Input("q", {"0", "1", "3", "3"}, TensorProto::UINT8).Input("zero_point", {}, TensorProto::UINT8);
  builder.Narrow("w", TensorProto::INT8, {1, 1, 2, 2}, {1, -2, 3, 4});
  builder.Node("ConvInteger", {"q", "w", "zero_point"}, {"y"}).Output("y");
  testing::Imported imported = Import(builder);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  EXPECT_EQ(imported.graph().value(imported.graph().outputs[0]).shape, (std::vector<int64_t>{0, 1, 2, 2}));
}

}  // namespace
}  // namespace micrort
