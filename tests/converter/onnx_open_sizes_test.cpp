// Models with open dimensions compute the same as the same models with these dimensions fixed.

#include <gmock/gmock.h>

#include "tests/converter/converted.h"
#include "tests/status_matchers.h"

namespace micrort {
namespace {

using testing::Converted;
using testing::Counting;
using ::testing::HasSubstr;
using testing::OnnxBuilder;

// Sizes that agree for large inputs are no constants.
TEST(OnnxOpenSize, AMinimumWithASizeIsComputedOnTheDevice) {
  OnnxBuilder b;
  b.Input("x", {"1", "n"}).Integers("most", {1}, {20}).Integers("one", {1}, {1});
  b.Node("Shape", {"x"}, {"shape"}).Node("Gather", {"shape", "one"}, {"n"}).Node("Min", {"n", "most"}, {"m"});
  b.Node("Cast", {"m"}, {"f"}).Int("to", ::onnx::TensorProto::FLOAT).Node("Mul", {"x", "f"}, {"y"});
  EXPECT_EQ(Converted(b).Run({Counting({1, 2})}), "1x2: 2 4");
}

TEST(OnnxOpenSize, AMaskIsAsLongAsPastAndNewTokens) {
  OnnxBuilder b;
  b.Input("past", {"p", "2"}).Input("now", {"s", "2"}).Input("mask", {"1", "total"});
  b.Node("Concat", {"past", "now"}, {"all"}).Int("axis", 0).Node("MatMul", {"mask", "all"}, {"y"});
  Converted converted(b);
  EXPECT_EQ(converted.Run({Counting({1, 2}), Counting({1, 2}), Counting({1, 2})}), "1x2: 3 6");
  EXPECT_EQ(converted.Run({Counting({2, 2}), Counting({1, 2}), Counting({1, 3})}), "1x2: 10 16");
  EXPECT_THAT(converted.Run({Counting({2, 2}), Counting({1, 2}), Counting({1, 2})}),
              HasSubstr("expected 3 (total = s + p"));
}

TEST(OnnxOpenSize, AWeightFixesADimensionAndNoOther) {
  OnnxBuilder b;
  b.Input("x", {"n", "m"}).Weights("w", {3, 2}).Node("MatMul", {"x", "w"}, {"y"});
  const Converted converted(b);
  const Shape shape = converted.model().input(0).shape;
  EXPECT_EQ(shape[0], -1);
  EXPECT_EQ(shape[1], 3);
}

TEST(OnnxOpenSize, WhatIsNeverPossibleIsSaidInTheNamesOfTheSource) {
  OnnxBuilder b;
  b.Input("x", {"n", "4"}).Input("z", {"n", "4"}).Floats("row", {1, 4}, {1, 2, 3, 4});
  b.Node("Concat", {"z", "row"}, {"longer"})
      .Int("axis", 0)
      .Node("Concat", {"x", "longer"}, {"y"})
      .Int("axis", 1);
  EXPECT_THAT(Converted(b).status().message(), HasSubstr("n and n + 1 are never equal"));
}

// Two reshapes of one tensor that no size of it fits.
TEST(OnnxOpenSize, NoMessageTellsASizeThatWasTried) {
  OnnxBuilder b;
  b.Input("x", {"n", "m"}).Integers("three", {2}, {3, 5}).Integers("seven", {1}, {7});
  b.Node("Reshape", {"x", "three"}, {"y"}).Node("Reshape", {"x", "seven"}, {"z"});
  Converted converted(b, {"y", "z"});
  ASSERT_FALSE(converted.status().ok());
  for (const char* tried : {"224", "481", "480", "256", "1951"})
    EXPECT_EQ(std::string(converted.status().message()).find(tried), std::string::npos)
        << converted.status().message();
  EXPECT_THAT(converted.status().message(), HasSubstr("n"));
}

// What ONNX makes of [0, -1] is no empty row: such sizes are refused.
TEST(OnnxOpenSize, ADimensionBesideAnInferredOneIsNotZero) {
  OnnxBuilder b;
  b.Input("x", {"2", "n"}).Integers("one", {1}, {1}).Integers("rest", {1}, {-1});
  b.Node("Shape", {"x"}, {"shape"}).Node("Gather", {"shape", "one"}, {"count"});
  b.Node("Concat", {"count", "rest"}, {"target"}).Int("axis", 0).Node("Reshape", {"x", "target"}, {"y"});
  Converted converted(b);
  EXPECT_EQ(converted.Run({Counting({2, 3})}), "3x2: 1 2 3 4 5 6");
  EXPECT_THAT(converted.Run({Counting({2, 0})}), HasSubstr("n >= 1"));
}

// [n, 0] and [1, 0] have as many elements whatever n is.
TEST(OnnxOpenSize, ReshapesOfEmptyTensorsStay) {
  OnnxBuilder b;
  b.Input("x", {"n", "2"}).Integers("one", {1}, {1}).Integers("rest", {1}, {-1}).Integers("none", {1}, {0});
  b.Integers("two", {1}, {2}).Node("Slice", {"x", "none", "none", "one"}, {"empty"});
  b.Node("Shape", {"x"}, {"shape"}).Node("Gather", {"shape", "none"}, {"n"});
  b.Node("Max", {"n", "two"}, {"most"}).Node("Concat", {"most", "rest"}, {"target"}).Int("axis", 0);
  b.Node("Reshape", {"empty", "target"}, {"y"});
  Converted converted(b);
  EXPECT_EQ(converted.Run({Counting({1, 2})}), "2x0:");
  EXPECT_EQ(converted.Run({Counting({3, 2})}), "3x0:");
}

TEST(OnnxOpenSize, ProductsOfNoElementsAreZeroOrEmpty) {
  OnnxBuilder b;
  b.Input("a", {"m", "k"}).Input("b", {"k", "n"}).Node("MatMul", {"a", "b"}, {"y"});
  Converted converted(b);
  EXPECT_EQ(converted.Run({Counting({2, 0}), Counting({0, 3})}), "2x3: 0 0 0 0 0 0");
  EXPECT_EQ(converted.Run({Counting({2, 1}), Counting({1, 0})}), "2x0:");
  EXPECT_EQ(converted.Run({Counting({2, 1}), Counting({1, 2})}), "2x2: 1 2 2 4");
}

TEST(OnnxOpenSize, KOfATopKIsCheckedWhenSizesAreSet) {
  OnnxBuilder b;
  b.Input("x", {"n"}).Integers("k", {1}, {3}).Node("TopK", {"x", "k"}, {"y", "at"});
  Converted converted(b);
  EXPECT_EQ(converted.Run({Counting({5})}), "3: 5 4 3");
  EXPECT_THAT(converted.Run({Counting({2})}), HasSubstr("k is 3"));
}

TEST(OnnxOpenSize, AnOutputShapeIsReachedFromAnySize) {
  OnnxBuilder b;
  b.Input("x", {"1", "1", "h", "w"}).Floats("w2", {1, 1, 2, 2}, {1, 1, 1, 1}).Floats("bias", {1}, {5});
  b.Node("ConvTranspose", {"x", "w2", "bias"}, {"y"}).Ints("output_shape", {2, 3}).Ints("strides", {2, 2});
  Converted converted(b);
  EXPECT_EQ(converted.Run({Counting({1, 1, 1, 1})}), "1x1x2x3: 6 6 5 6 6 5");
  EXPECT_EQ(converted.Run({Counting({1, 1, 1, 2})}), "1x1x2x3: 6 7 7 6 7 7");
}

TEST(OnnxOpenSize, AnOutputShapeOfASequenceIsReachedFromAnySize) {
  OnnxBuilder b;
  b.Input("x", {"1", "1", "n"}).Floats("w2", {1, 1, 2}, {1, 1}).Floats("bias", {1}, {5});
  b.Node("ConvTranspose", {"x", "w2", "bias"}, {"y"}).Ints("output_shape", {3}).Ints("strides", {2});
  Converted converted(b);
  EXPECT_EQ(converted.Run({Counting({1, 1, 1})}), "1x1x3: 6 6 5");
  EXPECT_EQ(converted.Run({Counting({1, 1, 2})}), "1x1x3: 6 7 7");
}

// A part of x, as long as x is longer than z: operators behind it run where it is long enough.
OnnxBuilder PartOfX(const std::string& size_x, const std::string& size_z) {
  OnnxBuilder b;
  b.Input("x", {"2", size_x}).Input("z", {"1", size_z});
  for (const int64_t number : {0, 1, 2, 3}) b.Integers(std::to_string(number), {1}, {number});
  b.Integers("both", {2}, {0, 1}).Node("Shape", {"x"}, {"of_x"}).Node("Shape", {"z"}, {"of_z"});
  b.Node("Gather", {"of_x", "1"}, {"n"}).Node("Gather", {"of_z", "1"}, {"m"});
  b.Node("Sub", {"n", "m"}, {"longer"}).Node("Max", {"longer", "0"}, {"d"});
  return b.Node("Slice", {"x", "0", "d", "1"}, {"part"});
}

using AddNodes = void (*)(OnnxBuilder&);

void ExpectSizes(AddNodes add) {
  OnnxBuilder any = PartOfX("n", "m");
  add(any);
  Converted open(any);
  ASSERT_TRUE(open.status().ok()) << open.status().message();
  OnnxBuilder fixed = PartOfX("5", "2");
  add(fixed);
  const std::vector<io::NamedArray> inputs = {Counting({2, 5}), Counting({1, 2})};
  EXPECT_EQ(open.Run(inputs), Converted(fixed).Run(inputs));
}

TEST(OnnxOpenSize, SizesAreFoundThatWindowsFit) {
  ExpectSizes([](OnnxBuilder& b) {
    b.Node("Unsqueeze", {"part", "both"}, {"image"})
        .Node("MaxPool", {"image"}, {"y"})
        .Ints("kernel_shape", {1, 3});
  });
  ExpectSizes([](OnnxBuilder& b) {
    b.Node("Unsqueeze", {"part", "both"}, {"image"}).Floats("w", {1, 1, 1, 3}, {1, 2, 3});
    b.Node("Conv", {"image", "w"}, {"y"});
  });
}

TEST(OnnxOpenSize, SizesAreFoundThatBroadcastsFit) {
  ExpectSizes([](OnnxBuilder& b) {
    b.Integers("end", {1}, {4}).Node("Slice", {"x", "1", "end", "1"}, {"three"});
    b.Node("Add", {"part", "three"}, {"y"});
  });
}

TEST(OnnxOpenSize, SizesAreFoundThatHaveSoManyElements) {
  ExpectSizes([](OnnxBuilder& b) { b.Node("TopK", {"part", "3"}, {"y", "places"}); });
}

// A computed 0 is copied from the input, which has other dimensions there.
TEST(OnnxOpenSize, SizesAreFoundForAReshapeToComputedSizes) {
  ExpectSizes([](OnnxBuilder& b) {
    b.Node("Concat", {"d", "2"}, {"target"}).Int("axis", 0).Node("Reshape", {"part", "target"}, {"y"});
  });
}

// Its size is known while memory is planned, however large it is: nobody reads its elements.
TEST(OnnxOpenSize, TheShapeOfALargeTensorIsKnown) {
  OnnxBuilder b;
  b.Input("x", {"n", "1"}).Integers("zero", {}, {0}).Integers("one", {}, {1});
  b.Node("Transpose", {"x"}, {"t"}).Node("MatMul", {"x", "t"}, {"square"});
  b.Node("Shape", {"square"}, {"shape"}).Node("Gather", {"shape", "zero"}, {"n"});
  b.Node("Range", {"zero", "n", "one"}, {"y"}).Output("square");
  const Converted converted(b);
  ASSERT_THAT(converted.status(), testing::IsOk());
  constexpr int64_t kSide = 20000;
  const Shape shapes[] = {Shape::Of(kSide, 1)};
  InterpreterOptions options;
  options.input_shapes = shapes;
  Result<size_t> bytes = Interpreter::RequiredArenaBytes(converted.model(), options);
  ASSERT_THAT(bytes.status(), testing::IsOk());
  EXPECT_GE(*bytes, static_cast<size_t>(kSide * kSide) * sizeof(float));
}

}  // namespace
}  // namespace micrort
