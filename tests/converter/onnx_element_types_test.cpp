// Operators on other element types than float32.

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
using ::testing::Pointwise;

// The outputs of `op` on [[1, 2], [3, 4]] (twice, if it has two inputs) in a type.
std::vector<float> OnMatrix(const char* op, int type, int inputs) {
  OnnxBuilder b(13);
  b.Floats("f", {2, 2}, {1, 2, 3, 4}).Node("Cast", {"f"}, {"x"}).Int("to", type);
  b.Node(op, std::vector<std::string>(static_cast<size_t>(inputs), "x"), {"y"}).Output("y");
  return FoldedValues(b)[0];
}

TEST(OnnxElementTypes, Products) {
  using Proto = ::onnx::TensorProto;
  for (const int type :
       {Proto::FLOAT, Proto::FLOAT16, Proto::BFLOAT16, Proto::DOUBLE, Proto::INT32, Proto::INT64}) {
    EXPECT_THAT(OnMatrix("MatMul", type, 2), ElementsAre(7, 10, 15, 22)) << type;
    EXPECT_THAT(OnMatrix("Gemm", type, 3), ElementsAre(8, 12, 18, 26)) << type;
  }
}

TEST(OnnxElementTypes, RootsAndLogarithmsOfSumsAreCutOff) {
  for (const int type : {::onnx::TensorProto::INT32, ::onnx::TensorProto::INT64}) {
    EXPECT_THAT(OnMatrix("ReduceL2", type, 1), ElementsAre(5)) << type;         // 5.48
    EXPECT_THAT(OnMatrix("ReduceLogSum", type, 1), ElementsAre(2)) << type;     // 2.30
    EXPECT_THAT(OnMatrix("ReduceLogSumExp", type, 1), ElementsAre(4)) << type;  // 4.44
  }
}

TEST(OnnxElementTypes, SumsOfNoProductsAreTheBias) {
  OnnxBuilder b(13);
  b.Floats("a", {2, 0}, {}).Floats("b", {0, 2}, {}).Floats("c", {2}, {1, -2});
  b.Node("Gemm", {"a", "b", "c"}, {"d"}).Node("Relu", {"d"}, {"y"}).Output("y");
  EXPECT_THAT(FoldedValues(b)[0], ElementsAre(1, 0, 1, 0));
}

TEST(OnnxElementTypes, Softmax) {
  for (const int type : {::onnx::TensorProto::FLOAT16, ::onnx::TensorProto::DOUBLE}) {
    const std::vector<float> y = OnMatrix("Softmax", type, 1);
    EXPECT_NEAR(y[0], 0.2689f, 1e-3f) << type;
    EXPECT_NEAR(y[1], 0.7311f, 1e-3f) << type;
  }
}

TEST(OnnxElementTypes, ActivationsOfDoubles) {
  using Proto = ::onnx::TensorProto;
  for (const char* op : {"Celu", "Elu", "Gelu", "HardSigmoid", "HardSwish", "LeakyRelu", "Mish", "Selu",
                         "Shrink", "Softplus", "Softsign", "Swish", "ThresholdedRelu"}) {
    const auto of = [op](int type) {
      OnnxBuilder b(24);
      b.Floats("f", {5}, {-3.5f, -0.25f, 0, 0.75f, 4}).Node("Cast", {"f"}, {"x"}).Int("to", type);
      b.Node(op, {"x"}, {"y"}).Output("y");
      return FoldedValues(b)[0];
    };
    EXPECT_THAT(of(Proto::DOUBLE), Pointwise(FloatNear(1e-6f), of(Proto::FLOAT))) << op;
  }
}

TEST(OnnxElementTypes, ShrinkOfIntegersIsCutOff) {
  OnnxBuilder b(13);
  b.Floats("f", {5}, {-5, -2, 0, 2, 5}).Node("Cast", {"f"}, {"x"}).Int("to", ::onnx::TensorProto::INT32);
  b.Node("Shrink", {"x"}, {"y"}).Float("lambd", 2).Float("bias", 1.5f).Output("y");
  EXPECT_THAT(FoldedValues(b)[0], ElementsAre(-3, 0, 0, 0, 3));
}

// A zero point that is left out is 0.
TEST(OnnxElementTypes, QuantizedFunctionsNeedNoZeroPoints) {
  for (const char* op : {"QLinearSigmoid", "QLinearLeakyRelu"}) {
    const auto of = [op](const std::vector<std::string>& inputs) {
      OnnxBuilder b(13);
      auto* domain = b.model.add_opset_import();
      domain->set_domain("com.microsoft");
      domain->set_version(1);
      b.Floats("f", {3}, {0, 3, 9}).Node("Cast", {"f"}, {"q"}).Int("to", ::onnx::TensorProto::UINT8);
      b.Floats("s", {}, {0.25f}).Floats("t", {}, {1.0f / 256});
      b.Floats("none", {}, {0}).Node("Cast", {"none"}, {"z"}).Int("to", ::onnx::TensorProto::UINT8);
      b.Node(op, inputs, {"r"});
      b.graph().mutable_node(b.graph().node_size() - 1)->set_domain("com.microsoft");
      b.Node("Cast", {"r"}, {"y"}).Int("to", ::onnx::TensorProto::FLOAT).Output("y");
      return FoldedValues(b)[0];
    };
    const std::vector<float> stated = of({"q", "s", "z", "t", "z"});
    EXPECT_EQ(of({"q", "s", "", "t", ""}), stated) << op;
    EXPECT_EQ(of({"q", "s", "", "t"}), stated) << op;
  }
}

TEST(OnnxElementTypes, HalvesStayHalvesOutside) {
  OnnxBuilder b(13);
  b.Input("x", {"2", "3"}, ::onnx::TensorProto::FLOAT16).Input("w", {"3", "4"}, ::onnx::TensorProto::FLOAT16);
  b.Node("MatMul", {"x", "w"}, {"y"}).Output("y");
  EXPECT_THAT(Import(b).text(), HasSubstr("output y float16[2,4]"));
}

TEST(OnnxElementTypes, IntegersAreNotScaledByFractions) {
  OnnxBuilder b(13);
  b.Input("x", {"2", "2"}, ::onnx::TensorProto::INT32).Node("Gemm", {"x", "x"}, {"y"}).Float("alpha", 0.5f);
  EXPECT_THAT(Import(b.Output("y")).text(), HasSubstr("int32 scaled by alpha 0.5"));
}

}  // namespace
}  // namespace micrort
