// Importers of recurrent layers.

#include <gmock/gmock.h>

#include "tests/converter/folded_values.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using testing::FoldedValues;
using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;

// Adds a list of strings to the latest node.
void Strings(OnnxBuilder& builder, const std::string& name, const std::vector<std::string>& values) {
  ::onnx::AttributeProto* a = builder.graph().mutable_node(builder.graph().node_size() - 1)->add_attribute();
  a->set_name(name);
  a->set_type(::onnx::AttributeProto::STRINGS);
  for (const std::string& v : values) a->add_strings(v);
}

TEST(OnnxRecurrent, LstmIsAProductAndARecurrentEachDirection) {
  OnnxBuilder builder(14);
  builder.Input("x", {"T", "N", "3"}).Weights("w", {2, 8, 3}).Weights("r", {2, 8, 2}).Weights("b", {2, 16});
  builder.Node("LSTM", {"x", "w", "r", "b"}, {"y"}).String("direction", "bidirectional");
  const std::string text = Import(builder.Output("y")).text();
  EXPECT_THAT(text, HasSubstr("MatMul(x, y/Reshape"));
  EXPECT_THAT(text, HasSubstr("reverse: true"));
  EXPECT_THAT(text, HasSubstr("output y float32[T,2,N,2]"));
}

// Weights are w/4 and r/8 of an LSTM of floats, with a scale a gate or one for all.
TEST(OnnxRecurrent, BytesOfAQuantizedLstmAreFloats) {
  const std::vector<int32_t> w = {1, -2, 3, -4}, r = {5, -6, 7, -8};
  OnnxBuilder floats(14), bytes(14);
  floats.Floats("w", {1, 4, 1}, {0.25f, -0.5f, 0.75f, -1})
      .Floats("r", {1, 4, 1}, {0.5f, -0.875f, 0.75f, -1.125f});
  floats.Floats("x", {2, 1, 1}, {1, 3}).Node("LSTM", {"x", "w", "r"}, {"y", "h", "c"});
  bytes.Narrow("w", ::onnx::TensorProto::INT8, {1, 1, 4}, w)
      .Narrow("r", ::onnx::TensorProto::INT8, {1, 1, 4}, r);
  bytes.Floats("ws", {1}, {0.25f}).Floats("rs", {1, 4}, {0.125f, 0.125f, 0.125f, 0.125f});
  bytes.Narrow("rz", ::onnx::TensorProto::INT8, {1, 4}, {1, 1, 1, 1}).Floats("x", {2, 1, 1}, {1, 3});
  bytes.Node("com.microsoft.DynamicQuantizeLSTM", {"x", "w", "r", "", "", "", "", "", "ws", "", "rs", "rz"},
             {"y", "h", "c"});
  const auto expected = FoldedValues(floats.Output("y").Output("h").Output("c"));
  ASSERT_EQ(expected.size(), 3u);
  EXPECT_EQ(FoldedValues(bytes.Output("y").Output("h").Output("c")), expected);
}

TEST(OnnxRecurrent, OnlyTheLastStatesAreKeptIfNoOthersAreWanted) {
  OnnxBuilder builder(14);
  builder.Input("x", {"4", "N", "3"}).Weights("w", {1, 6, 3}).Weights("r", {1, 6, 2});
  builder.Node("GRU", {"x", "w", "r"}, {"", "h"});
  const std::string text = Import(builder.Output("h")).text();
  EXPECT_THAT(text, HasSubstr("last_only: true"));
  EXPECT_THAT(text, HasSubstr("output h float32[1,N,2]"));
}

// h = 2 * (x + h) + 1, by steps of 1 and 3 from 0, with the batch first.
TEST(OnnxRecurrent, ActivationsHaveParametersAndTheBatchMayComeFirst) {
  OnnxBuilder builder(14);
  builder.Floats("x", {1, 2, 1}, {1, 3}).Floats("w", {1, 1, 1}, {1}).Floats("r", {1, 1, 1}, {1});
  builder.Node("RNN", {"x", "w", "r"}, {"y", "h"}).Int("layout", 1);
  Strings(builder, "activations", {"Affine"});
  for (const auto& [name, value] :
       {std::pair("activation_alpha", 2.0f), std::pair("activation_beta", 1.0f)}) {
    ::onnx::AttributeProto* a = builder.graph().mutable_node(0)->add_attribute();
    a->set_name(name);
    a->set_type(::onnx::AttributeProto::FLOATS);
    a->add_floats(value);
  }
  const auto values = FoldedValues(builder.Output("y").Output("h"));
  ASSERT_EQ(values.size(), 2u);
  EXPECT_THAT(values[0], ElementsAre(3, 13));
  EXPECT_THAT(values[1], ElementsAre(13));
}

// z = r = sigmoid(0), the new h is tanh(x + r * (h + b)) with the weights 1 and the bias of h 1.
TEST(OnnxRecurrent, GruAddsTheBiasOfHBeforeTheResetIfItIsLinear) {
  OnnxBuilder builder(14);
  builder.Floats("x", {1, 1, 1}, {0.5f}).Floats("w", {1, 3, 1}, {0, 0, 1}).Floats("r", {1, 3, 1}, {0, 0, 1});
  builder.Floats("b", {1, 6}, {0, 0, 0, 0, 0, 1}).Floats("h0", {1, 1, 1}, {0.25f});
  builder.Node("GRU", {"x", "w", "r", "b", "", "h0"}, {"", "h"}).Int("linear_before_reset", 1);
  const auto values = FoldedValues(builder.Output("h"));
  ASSERT_EQ(values.size(), 1u);
  const float expected = 0.5f * std::tanh(0.5f + 0.5f * 1.25f) + 0.5f * 0.25f;
  EXPECT_THAT(values[0], ElementsAre(FloatNear(expected, 1e-6f)));
}

TEST(OnnxRecurrent, RefusesContradictions) {
  const auto text = [](int64_t gates, const std::string& direction) {
    OnnxBuilder builder(14);
    builder.Input("x", {"4", "1", "3"}).Weights("w", {1, gates, 3}).Weights("r", {1, gates, 2});
    builder.Node("LSTM", {"x", "w", "r"}, {"y"}).String("direction", direction);
    return Import(builder.Output("y")).text();
  };
  EXPECT_THAT(text(6, "forward"), HasSubstr("weights or biases do not have 1 directions of 8 numbers"));
  EXPECT_THAT(text(8, "bidirectional"), HasSubstr("do not have 2 directions"));
  EXPECT_THAT(text(8, "sideways"), HasSubstr("unknown direction 'sideways'"));
  OnnxBuilder activation(14);
  activation.Input("x", {"4", "1", "3"}).Weights("w", {1, 2, 3}).Weights("r", {1, 2, 2});
  activation.Node("RNN", {"x", "w", "r"}, {"y"});
  Strings(activation, "activations", {"Cosine"});
  EXPECT_THAT(Import(activation.Output("y")).text(), HasSubstr("unknown activation 'Cosine'"));
}

}  // namespace
}  // namespace micrort
