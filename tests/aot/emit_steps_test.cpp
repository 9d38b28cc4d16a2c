// mnnconvert --emit cpp: steps of all kinds give the bits of the interpreter.

#include "tests/aot/emit_cpp_fixture.h"

namespace micrort::test::aot {
namespace {

using ::testing::HasSubstr;

class EmitSteps : public EmitCpp {
 protected:
  // Of x, [1, 4, 8, 8].
  void ExpectSameBits(OnnxBuilder network) {
    network.model.mutable_opset_import(0)->set_version(17);
    WriteFile(model_, network.Bytes());
    ExpectAsInterpreter(model_, "net_weights.S");
  }
  std::string Source() const { return ReadFile(cpp_ + "/net.cpp"); }
};

OnnxBuilder Image() {
  OnnxBuilder b;
  b.Input("x", {"1", "4", "8", "8"});
  return b;
}

TEST_F(EmitSteps, RecurrentLayers) {
  for (const char* kind : {"LSTM", "GRU"}) {
    const int64_t gates = kind[0] == 'L' ? 4 : 3;
    OnnxBuilder b = Image();
    b.Integers("shape", {3}, {8, 4, 8}).Node("Reshape", {"x", "shape"}, {"sequence"});
    b.Weights("w", {1, 8 * gates, 8}).Weights("r", {1, 8 * gates, 8}).Weights("bias", {1, 16 * gates});
    b.Narrow("lengths", ::onnx::TensorProto::INT32, {4}, {8, 3, 0, 7});
    b.Node(kind, {"sequence", "w", "r", "bias", "lengths"}, {"y"}).Int("hidden_size", 8).Output("y");
    ExpectSameBits(b);
  }
}

// Behind layers with constant weights, a product, and a layer whose weights are computed.
TEST_F(EmitSteps, SlopesOfChannels) {
  OnnxBuilder b = Image();
  b.Weights("w", {6, 4, 3, 3}).Floats("s", {6, 1, 1}, {0.5f, -1, 0.25f, 2, 0, 0.75f});
  b.Node("Conv", {"x", "w"}, {"c"}).Node("PRelu", {"c", "s"}, {"p"});
  b.Weights("m", {6, 3}).Floats("t", {3}, {0.5f, 0.25f, -1});
  b.Node("MatMul", {"p", "m"}, {"q"}).Node("PRelu", {"q", "t"}, {"r"});
  b.Weights("v", {2, 6, 1, 1}).Floats("u", {2, 1, 1}, {0.5f, 0.125f}).Node("ReduceMax", {"x"}, {"most"});
  b.Node("Mul", {"v", "most"}, {"scaled"}).Node("Conv", {"p", "scaled"}, {"d"});
  b.Node("PRelu", {"d", "u"}, {"e"}).Node("Flatten", {"r"}, {"r1"}).Node("Flatten", {"e"}, {"e1"});
  b.Node("Concat", {"r1", "e1"}, {"y"}).Int("axis", 1).Output("y");
  ExpectSameBits(b);
  EXPECT_THAT(Source(), HasSubstr("slopes"));
}

TEST_F(EmitSteps, ChoicesAndRanks) {
  OnnxBuilder b = Image();
  b.Floats("zero", {1}, {0}).Node("Greater", {"x", "zero"}, {"positive"}).Node("Neg", {"x"}, {"negative"});
  b.Node("Where", {"positive", "x", "negative"}, {"size"});
  b.Integers("three", {1}, {3}).Node("TopK", {"size", "three"}, {"y", "places"}).Int("axis", 2);
  ExpectSameBits(b.Output("y"));
}

TEST_F(EmitSteps, BothBranchesOfAnIf) {
  for (const float limit : {-1000.0f, 1000.0f}) {
    OnnxBuilder inner, outer, b = Image();
    inner.Node("Sigmoid", {"n"}, {"s"}).Node("Add", {"s", "x"}, {"r"}).Output("r");
    outer.Node("Neg", {"x"}, {"n"}).Node("Not", {"c"}, {"d"}).Node("If", {"d"}, {"q"});
    outer.Graph("then_branch", testing::Branch("Exp", {"n"})).Graph("else_branch", inner).Output("q");
    b.Floats("limit", {}, {limit}).Node("ReduceSum", {"x"}, {"sum"}).Int("keepdims", 0);
    b.Node("Greater", {"sum", "limit"}, {"c"}).Node("If", {"c"}, {"y"});
    b.Graph("then_branch", outer).Graph("else_branch", testing::Branch("Identity", {"x"}));
    ExpectSameBits(b.Output("y"));
    EXPECT_THAT(Source(), HasSubstr("} else {"));
  }
}

TEST_F(EmitSteps, BranchThatCannotRunIsAnErrorOnlyIfTaken) {
  OnnxBuilder fails, b = Image();
  fails.Floats("three", {3}, {1, 2, 3}).Node("Add", {"x", "three"}, {"r"}).Output("r");
  b.Floats("limit", {}, {1000}).Node("ReduceSum", {"x"}, {"sum"}).Int("keepdims", 0);
  b.Node("Greater", {"sum", "limit"}, {"c"}).Node("If", {"c"}, {"y"});
  b.Graph("then_branch", fails).Graph("else_branch", testing::Branch("Neg", {"x"}));
  ExpectSameBits(b.Output("y"));
  EXPECT_THAT(Source(), HasSubstr("return \"y (If): then branch: node "));
}

// v becomes (v + x) / 2, and w the v before, while the sum of v is below a limit, at most five times.
TEST_F(EmitSteps, LoopsThatAConditionEnds) {
  for (const float limit : {-1000.0f, 1000.0f}) {
    OnnxBuilder body, b = Image();
    body.Input("i", {}, ::onnx::TensorProto::INT64).Input("go_on", {}, ::onnx::TensorProto::BOOL);
    body.Input("v", {"1", "4", "8", "8"}).Input("w", {"1", "4", "8", "8"});
    body.Node("Add", {"v", "x"}, {"more"}).Node("Mul", {"more", "half"}, {"next"});
    body.Node("ReduceSum", {"next"}, {"sum"}).Int("keepdims", 0).Node("Less", {"sum", "limit"}, {"again"});
    body.Node("Identity", {"v"}, {"before"}).Output("again").Output("next").Output("before");
    b.Integers("m", {}, {5}).Narrow("true", ::onnx::TensorProto::BOOL, {}, {1});
    b.Floats("half", {1}, {0.5f}).Floats("limit", {}, {limit}).Node("Sin", {"x"}, {"start"});
    b.Node("Loop", {"m", "true", "start", "x"}, {"last", "previous"}).Graph("body", body);
    ExpectSameBits(b.Node("Sub", {"last", "previous"}, {"y"}).Output("y"));
    EXPECT_THAT(Source(), HasSubstr("i < trips && go_on"));
  }
}

TEST_F(EmitSteps, LoopsThatStackRows) {
  OnnxBuilder body, b = Image();
  body.Input("i", {}, ::onnx::TensorProto::INT64).Input("go_on", {}, ::onnx::TensorProto::BOOL);
  body.Input("v", {"1", "4", "8", "8"}).Node("Add", {"v", "x"}, {"next"});
  body.Node("ReduceMean", {"next"}, {"row"}).Ints("axes", {0, 1}).Int("keepdims", 0);
  body.Node("Identity", {"go_on"}, {"again"}).Output("again").Output("next").Output("row");
  b.Integers("m", {}, {4}).Node("Loop", {"m", "", "x"}, {"last", "y"}).Graph("body", body);
  ExpectSameBits(b.Output("y"));
}

TEST_F(EmitSteps, ElementwiseFunctionsInOne) {
  OnnxBuilder b = Image();
  b.Integers("times", {4}, {1, 1, 8, 9}).Node("Tile", {"x", "times"}, {"large"});
  b.Floats("channels", {4, 1, 1}, {1, -2, 0.5f, 3}).Node("Tan", {"large"}, {"t"});
  b.Node("Mul", {"t", "channels"}, {"m"}).Node("Div", {"m", "large"}, {"d"}).Node("Sin", {"d"}, {"y"});
  ExpectSameBits(b.Output("y"));
  EXPECT_THAT(Source(), HasSubstr("RunFused"));
}

// Biases that no float holds, of a layer and added to sums.
TEST_F(EmitSteps, BiasesOf32Bits) {
  const std::vector<int32_t> bias = {16777217, -33554435, 100000001, -2147483647};
  OnnxBuilder layer = Image();
  layer.Floats("xs", {}, {0.01f}).Narrow("xz", ::onnx::TensorProto::INT8, {}, {3});
  layer.Narrow("w", ::onnx::TensorProto::INT8, {4, 4, 1, 1}, std::vector<int32_t>(16, 5));
  layer.Floats("ws", {}, {0.5f}).Narrow("wz", ::onnx::TensorProto::INT8, {}, {0});
  layer.Floats("ys", {}, {9000}).Narrow("bias", ::onnx::TensorProto::INT32, {4}, bias);
  layer.Node("QuantizeLinear", {"x", "xs", "xz"}, {"xq"});
  OnnxBuilder sums = layer;
  layer.Node("QLinearConv", {"xq", "xs", "xz", "w", "ws", "wz", "ys", "wz", "bias"}, {"yq"});
  ExpectSameBits(layer.Node("DequantizeLinear", {"yq", "ys", "wz"}, {"y"}).Output("y"));
  sums.Narrow("channels", ::onnx::TensorProto::INT32, {4, 1, 1}, bias);
  sums.Node("ConvInteger", {"xq", "w", "xz"}, {"s"}).Node("Add", {"s", "channels"}, {"t"});
  // Its low bits, which floats hold.
  sums.Narrow("modulus", ::onnx::TensorProto::INT32, {}, {1 << 20}).Node("Mod", {"t", "modulus"}, {"m"});
  ExpectSameBits(sums.Node("Cast", {"m"}, {"y"}).Int("to", ::onnx::TensorProto::FLOAT).Output("y"));
}

}  // namespace
}  // namespace micrort::test::aot
