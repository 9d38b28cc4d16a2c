// Importers of operators that pick, order and move elements by indices and values.

#include <gmock/gmock.h>

#include "tests/converter/folded_values.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using testing::FoldedValues;
using ::testing::HasSubstr;
using testing::Import;
using testing::OnnxBuilder;

const std::vector<float> kNine = {1, 2, 3, 4, 5, 6, 7, 8, 9};

TEST(OnnxGatherElements, CountsAxesAndIndicesFromTheEnd) {
  OnnxBuilder b(13);
  b.Floats("x", {3, 3}, kNine).Integers("i", {2, 2}, {0, -1, 1, 1});
  b.Node("GatherElements", {"x", "i"}, {"y"}).Int("axis", -1).Output("y");
  EXPECT_THAT(FoldedValues(b)[0], ElementsAre(1, 3, 5, 5));
}

TEST(OnnxScatter, OldAndNewNamesAndReductions) {
  const auto scatter = [](int opset, const char* op, const char* reduction) {
    OnnxBuilder b(opset);
    b.Floats("x", {4}, {1, 2, 3, 4}).Integers("i", {2}, {1, 1}).Floats("u", {2}, {5, 6});
    b.Node(op, {"x", "i", "u"}, {"y"}).Output("y");
    if (reduction[0] != 0) b.String("reduction", reduction);
    return FoldedValues(b)[0];
  };
  EXPECT_THAT(scatter(9, "Scatter", ""), ElementsAre(1, 6, 3, 4));
  EXPECT_THAT(scatter(11, "ScatterElements", ""), ElementsAre(1, 6, 3, 4));
  EXPECT_THAT(scatter(18, "ScatterElements", "add"), ElementsAre(1, 13, 3, 4));
  EXPECT_THAT(scatter(18, "ScatterElements", "mul"), ElementsAre(1, 60, 3, 4));
  EXPECT_THAT(scatter(18, "ScatterElements", "max"), ElementsAre(1, 6, 3, 4));
  EXPECT_THAT(scatter(18, "ScatterElements", "min"), ElementsAre(1, 2, 3, 4));
}

TEST(OnnxScatter, RefusesUnknownReductions) {
  OnnxBuilder b(18);
  b.Input("x", {"4"}).Integers("i", {1, 1}, {1}).Input("u", {"1"});
  b.Node("ScatterND", {"x", "i", "u"}, {"y"}).String("reduction", "mean").Output("y");
  EXPECT_THAT(Import(b).text(), HasSubstr("reduction 'mean'"));
}

TEST(OnnxTopK, KIsAnAttributeBeforeOpset10) {
  OnnxBuilder attribute(9);
  attribute.Floats("x", {1, 4}, {3, 1, 4, 1}).Node("TopK", {"x"}, {"y", "i"}).Int("k", 2);
  attribute.Output("y").Output("i");
  EXPECT_THAT(FoldedValues(attribute)[0], ElementsAre(4, 3));
  OnnxBuilder input(11);
  input.Floats("x", {1, 4}, {3, 1, 4, 1}).Integers("k", {1}, {3});
  input.Node("TopK", {"x", "k"}, {"y", "i"}).Int("largest", 0).Int("sorted", 0).Output("y").Output("i");
  EXPECT_THAT(FoldedValues(input)[1], ElementsAre(1, 3, 0));
}

TEST(OnnxCompress, AlongAnAxisOrOverAllElements) {
  const auto compress = [](bool has_axis) {
    OnnxBuilder b(11);
    b.Input("x", {"3", "2"}).Input("c", {"2"}, ::onnx::TensorProto::BOOL).Node("Compress", {"x", "c"}, {"y"});
    if (has_axis) b.Int("axis", -2);
    return Import(b.Output("y")).text();
  };
  EXPECT_THAT(compress(true), HasSubstr("y float32[?,2]"));
  EXPECT_THAT(compress(false), HasSubstr("y float32[?]"));
}

TEST(OnnxReverseSequence, EitherAxisIsTime) {
  const auto reverse = [](int time_axis) {
    OnnxBuilder b(10);
    b.Floats("x", {3, 3}, kNine).Integers("n", {3}, {1, 2, 3}).Node("ReverseSequence", {"x", "n"}, {"y"});
    b.Int("time_axis", time_axis).Int("batch_axis", 1 - time_axis).Output("y");
    return FoldedValues(b)[0];
  };
  EXPECT_THAT(reverse(0), ElementsAre(1, 5, 9, 4, 2, 6, 7, 8, 3));
  EXPECT_THAT(reverse(1), ElementsAre(1, 2, 3, 5, 4, 6, 9, 8, 7));
}

TEST(OnnxReverseSequence, SizesMayBeDynamic) {
  OnnxBuilder b(10);
  b.Input("x", {"T", "N", "4"}).Input("n", {"N"}, ::onnx::TensorProto::INT64);
  b.Node("ReverseSequence", {"x", "n"}, {"y"}).Output("y");
  EXPECT_THAT(Import(b).text(), HasSubstr("y float32[T,N,4]"));
}

TEST(OnnxDet, OfEveryMatrix) {
  OnnxBuilder b(11);
  b.Floats("x", {2, 3, 3}, {0, 2, 0, 1, 0, 0, 0, 0, 4, 2, -1, 3, 4, 5, 6, 7, 8, 10});
  b.Node("Det", {"x"}, {"y"}).Output("y");
  EXPECT_THAT(FoldedValues(b)[0], ElementsAre(-8, ::testing::FloatNear(-7, 1e-4f)));
  OnnxBuilder singular(11);
  singular.Floats("x", {2, 2}, {1, 2, 2, 4}).Node("Det", {"x"}, {"y"}).Output("y");
  EXPECT_THAT(FoldedValues(singular)[0], ElementsAre(0));
}

TEST(OnnxDet, RefusesWhatIsNotSquare) {
  OnnxBuilder b(11);
  b.Input("x", {"2", "3"}).Node("Det", {"x"}, {"y"}).Output("y");
  EXPECT_THAT(Import(b).text(), HasSubstr("not square"));
}

TEST(OnnxMaxUnpool, PutsMaximaBack) {
  OnnxBuilder b(11);
  b.Floats("x", {1, 1, 2, 2}, {1, 2, 3, 4}).Integers("i", {1, 1, 2, 2}, {5, 7, 13, 15});
  b.Node("MaxUnpool", {"x", "i"}, {"y"}).Ints("kernel_shape", {2, 2}).Ints("strides", {2, 2}).Output("y");
  EXPECT_THAT(FoldedValues(b)[0], ElementsAre(0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4));
}

std::vector<float> Einsum(const std::string& equation, const std::vector<std::vector<int64_t>>& shapes) {
  OnnxBuilder b(12);
  std::vector<std::string> names;
  for (const auto& shape : shapes) {
    int64_t n = 1;
    for (const int64_t d : shape) n *= d;
    std::vector<float> elements;
    for (int64_t i = 0; i < n; ++i) elements.push_back(static_cast<float>(i + 1));
    names.push_back("x" + std::to_string(names.size()));
    b.Floats(names.back(), shape, elements);
  }
  b.Node("Einsum", names, {"y"}).String("equation", equation).Output("y");
  return FoldedValues(b)[0];
}

TEST(OnnxEinsum, Diagonals) {
  EXPECT_THAT(Einsum("ii->i", {{3, 3}}), ElementsAre(1, 5, 9));
  EXPECT_THAT(Einsum("ii", {{3, 3}}), ElementsAre(15));
  EXPECT_THAT(Einsum("...ii->...i", {{2, 2, 2}}), ElementsAre(1, 4, 5, 8));
  EXPECT_THAT(Einsum("iji->j", {{2, 2, 2}}), ElementsAre(1 + 6, 3 + 8));
}

TEST(OnnxEinsum, EllipsesBroadcast) {
  EXPECT_THAT(Einsum("...i->...", {{2, 3}}), ElementsAre(6, 15));
  EXPECT_THAT(Einsum("...ij,jk", {{1, 1, 2}, {2, 2}}), ElementsAre(1 + 6, 2 + 8));
  EXPECT_THAT(Einsum("...i,...i->...", {{2, 2}, {1, 2}}), ElementsAre(1 + 4, 3 + 8));
  EXPECT_THAT(Einsum("i...->...i", {{2, 2}}), ElementsAre(1, 3, 2, 4));
}

TEST(OnnxEinsum, ThreeOperands) {
  EXPECT_THAT(Einsum("i,ij,j->", {{2}, {2, 2}, {2}}), ElementsAre(1 * (1 + 4) + 2 * (3 + 8)));
  EXPECT_THAT(Einsum("ij,jk,kl->il", {{1, 2}, {2, 1}, {1, 2}}), ElementsAre(5, 10));
}

TEST(OnnxEinsum, RefusesEquationsThatDoNotFit) {
  const auto text = [](const std::string& equation) {
    OnnxBuilder b(12);
    b.Input("x", {"2", "3"}).Node("Einsum", {"x"}, {"y"}).String("equation", equation).Output("y");
    return Import(b).text();
  };
  EXPECT_THAT(text("i->i"), HasSubstr("does not fit 2 dimensions"));
  EXPECT_THAT(text("ij->ik"), HasSubstr("does not follow"));
  EXPECT_THAT(text("ij,jk->ik"), HasSubstr("2 terms, the node 1 inputs"));
  EXPECT_THAT(text("ii->i"), HasSubstr("dimension 'i' has size 3, elsewhere 2"));
}

}  // namespace
}  // namespace micrort
