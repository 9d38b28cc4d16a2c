// Operators on other element types than float32.

#include <gmock/gmock.h>

#include "tests/converter/folded_values.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using testing::FoldedValues;
using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;

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
