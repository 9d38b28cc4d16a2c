// Operands that ONNX allows to be computed and that decide shapes: converted, planned for their values, run.

#include <gmock/gmock.h>

#include "tests/converter/converted.h"

namespace micrort {
namespace {

using testing::Array;
using testing::Converted;
using testing::Counting;
using ::testing::HasSubstr;
using testing::Integers;
using testing::OnnxBuilder;

constexpr int kIntegers = ::onnx::TensorProto::INT64;

TEST(ComputedOperands, Reshape) {
  OnnxBuilder builder;
  builder.Input("x", {"2", "3"}).Input("s", {"2"}, kIntegers).Node("Reshape", {"x", "s"}, {"y"});
  Converted converted(builder);
  EXPECT_EQ(converted.Run({Counting({2, 3}), Integers({3, -1})}), "3x2: 1 2 3 4 5 6");
  EXPECT_EQ(converted.Run({Counting({2, 3}), Integers({1, 6})}), "1x6: 1 2 3 4 5 6");
  EXPECT_FALSE(converted.model().decides_shapes(0));
  EXPECT_TRUE(converted.model().decides_shapes(1));
}

// By way of integer operators, next to a dimension of an input's shape, and with a node behind.
TEST(ComputedOperands, AreTracedToInputs) {
  OnnxBuilder builder;
  builder.Input("x", {"N", "1"}).Input("n", {}, kIntegers);
  builder.Integers("zero", {1}, {0}).Integers("two", {}, {2});
  builder.Node("Shape", {"x"}, {"shape"}).Node("Gather", {"shape", "zero"}, {"batch"});
  builder.Node("Mul", {"n", "two"}, {"twice"}).Node("Unsqueeze", {"twice", "zero"}, {"columns"});
  builder.Node("Concat", {"batch", "columns"}, {"target"}).Int("axis", 0);
  builder.Node("Expand", {"x", "target"}, {"wide"}).Node("Neg", {"wide"}, {"y"});
  Converted converted(builder);
  EXPECT_EQ(converted.Run({Counting({2, 1}), Array<int64_t>({}, {1})}), "2x2: -1 -1 -2 -2");
  EXPECT_EQ(converted.Run({Counting({1, 1}), Array<int64_t>({}, {2})}), "1x4: -1 -1 -1 -1");
  EXPECT_TRUE(converted.model().decides_shapes(1));
  EXPECT_FALSE(converted.model().decides_shapes(0));
}

TEST(ComputedOperands, SqueezeAndUnsqueeze) {
  OnnxBuilder squeeze;
  squeeze.Input("x", {"1", "2", "1", "3"}).Input("a", {"2"}, kIntegers).Node("Squeeze", {"x", "a"}, {"y"});
  Converted squeezed(squeeze);
  EXPECT_EQ(squeezed.Run({Counting({1, 2, 1, 3}), Integers({-2, 0})}), "2x3: 1 2 3 4 5 6");
  EXPECT_THAT(squeezed.Run({Counting({1, 2, 1, 3}), Integers({1, 0})}), HasSubstr("cannot reshape"));
  OnnxBuilder unsqueeze;
  unsqueeze.Input("x", {"2", "3"}).Input("a", {"2"}, kIntegers).Node("Unsqueeze", {"x", "a"}, {"y"});
  Converted unsqueezed(unsqueeze);
  EXPECT_EQ(unsqueezed.Run({Counting({2, 3}), Integers({-1, 1})}), "2x1x3x1: 1 2 3 4 5 6");
  EXPECT_EQ(unsqueezed.Run({Counting({2, 3}), Integers({0, 1})}), "1x1x2x3: 1 2 3 4 5 6");
  OnnxBuilder scalar;
  scalar.Input("x", {}).Input("a", {"1"}, kIntegers).Node("Unsqueeze", {"x", "a"}, {"y"});
  EXPECT_EQ(Converted(scalar).Run({Counting({}), Integers({-1})}), "1: 1");
}

// No other size is possible, so that planning does not ask for the values; a run reads them.
TEST(ComputedOperands, ExpandToTheSizesThatThereAre) {
  OnnxBuilder builder;
  builder.Input("x", {"2", "3"}).Input("s", {"2"}, kIntegers).Node("Expand", {"x", "s"}, {"y"});
  Converted converted(builder);
  EXPECT_EQ(converted.Run({Counting({2, 3}), Integers({2, 3})}), "2x3: 1 2 3 4 5 6");
  EXPECT_EQ(converted.Run({Counting({2, 3}), Integers({1, 1})}), "2x3: 1 2 3 4 5 6");
  EXPECT_THAT(converted.Run({Counting({2, 3}), Integers({2, 4})}), HasSubstr("cannot broadcast 2x3 and 2x4"));
  OnnxBuilder chain;
  chain.Input("x", {"3"}).Input("s", {"1"}, kIntegers).Node("Neg", {"x"}, {"z"});
  chain.Node("Expand", {"z", "s"}, {"e"}).Node("Abs", {"e"}, {"y"});
  EXPECT_EQ(Converted(chain).Run({Counting({3}), Integers({1})}), "3: 1 2 3");
}

// A part of a table whose length an input states, beside what has that length or none.
TEST(ComputedOperands, PartsBroadcastWithinTheirBounds) {
  const auto part = [](const std::string& op, const std::vector<std::string>& inputs) {
    OnnxBuilder builder;
    builder.Input("x", {"2"}).Input("n", {"1"}, kIntegers).Floats("table", {4}, {1, 2, 3, 4});
    builder.Integers("zero", {1}, {0}).Node("Slice", {"table", "zero", "n"}, {"s"});
    builder.Node("Less", {"x", "s"}, {"less"}).Node(op, inputs, {"y"});
    return builder;
  };
  OnnxBuilder adds = part("Add", {"s", "x"}), chooses = part("Where", {"less", "x", "s"});
  Converted sum(adds), choice(chooses);
  EXPECT_EQ(sum.Run({Counting({2}), Integers({2})}), "2: 2 4");
  EXPECT_EQ(sum.Run({Counting({2}), Integers({1})}), "2: 2 3");
  EXPECT_THAT(sum.Run({Counting({2}), Integers({3})}), HasSubstr("cannot broadcast 3 and 2"));
  EXPECT_EQ(choice.Run({Counting({2}), Integers({2})}), "2: 1 2");
  EXPECT_EQ(choice.Run({Counting({2}), Integers({1})}), "2: 1 1");
  OnnxBuilder spreads = part("Expand", {"s", "shape"});
  Converted spread(spreads.Integers("shape", {2}, {2, 2}));
  EXPECT_EQ(spread.Run({Counting({2}), Integers({2})}), "2x2: 1 2 1 2");
  EXPECT_EQ(spread.Run({Counting({2}), Integers({1})}), "2x2: 1 1 1 1");
}

TEST(ComputedOperands, PartsAreReshapedWithinTheirBounds) {
  const auto halves = [](std::vector<int64_t> shape) {
    OnnxBuilder builder;
    builder.Input("x", {"5"}).Input("n", {"2"}, kIntegers).Node("Split", {"x", "n"}, {"a", "b"});
    builder.Integers("shape", {2}, shape).Node("Reshape", {"b", "shape"}, {"y"});
    return builder;
  };
  OnnxBuilder fixed = halves({2, 1}), pairs = halves({-1, 2});
  Converted to_fixed(fixed), to_pairs(pairs);
  EXPECT_EQ(to_fixed.Run({Counting({5}), Integers({3, 2})}), "2x1: 4 5");
  EXPECT_THAT(to_fixed.Run({Counting({5}), Integers({2, 3})}), HasSubstr("cannot reshape 3 to 2x1"));
  EXPECT_EQ(to_pairs.Run({Counting({5}), Integers({1, 4})}), "2x2: 2 3 4 5");
  EXPECT_EQ(to_pairs.Run({Counting({5}), Integers({3, 2})}), "1x2: 4 5");
  EXPECT_THAT(to_pairs.Run({Counting({5}), Integers({0, 5})}), HasSubstr("cannot infer"));
}

TEST(ComputedOperands, OfScalars) {
  OnnxBuilder reduce(18);
  reduce.Input("x", {}).Input("a", {"0"}, kIntegers).Node("ReduceSum", {"x", "a"}, {"y"});
  EXPECT_EQ(Converted(reduce).Run({Counting({}), Integers({})}), "scalar: 1");
  OnnxBuilder tile;
  tile.Input("x", {}).Input("r", {"0"}, kIntegers).Node("Tile", {"x", "r"}, {"y"});
  EXPECT_EQ(Converted(tile).Run({Counting({}), Integers({})}), "scalar: 1");
  OnnxBuilder pad;
  pad.Input("x", {}).Input("p", {"0"}, kIntegers).Node("Pad", {"x", "p"}, {"y"});
  EXPECT_EQ(Converted(pad).Run({Counting({}), Integers({})}), "scalar: 1");
}

TEST(ComputedOperands, TileAndConstantOfShape) {
  OnnxBuilder tile;
  tile.Input("x", {"2"}).Input("r", {"1"}, kIntegers).Node("Tile", {"x", "r"}, {"y"});
  EXPECT_EQ(Converted(tile).Run({Counting({2}), Integers({2})}), "4: 1 2 1 2");
  OnnxBuilder zeros;
  zeros.Input("s", {"2"}, kIntegers).Node("ConstantOfShape", {"s"}, {"y"});
  Converted filled(zeros);
  EXPECT_EQ(filled.Run({Integers({1, 2})}), "1x2: 0 0");
  EXPECT_EQ(filled.Run({Integers({0, 2})}), "0x2:");
}

TEST(ComputedOperands, Pad) {
  OnnxBuilder builder(13);
  builder.Input("x", {"1", "2"}).Input("p", {"4"}, kIntegers).Node("Pad", {"x", "p"}, {"y"});
  EXPECT_EQ(Converted(builder).Run({Counting({1, 2}), Integers({0, 1, 0, -1})}), "1x2: 0 1");
  OnnxBuilder axes(18);
  axes.Input("x", {"1", "2"}).Input("p", {"2"}, kIntegers).Integers("a", {1}, {-1});
  axes.Node("Pad", {"x", "p", "", "a"}, {"y"});
  EXPECT_EQ(Converted(axes).Run({Counting({1, 2}), Integers({1, 2})}), "1x5: 0 1 2 0 0");
}

TEST(ComputedOperands, ReduceAxes) {
  OnnxBuilder builder(18);
  builder.Input("x", {"2", "3"}).Input("a", {"1"}, kIntegers).Node("ReduceMax", {"x", "a"}, {"y"});
  Converted converted(builder.Int("keepdims", 0));
  EXPECT_EQ(converted.Run({Counting({2, 3}), Integers({-1})}), "2: 3 6");
  EXPECT_EQ(converted.Run({Counting({2, 3}), Integers({0})}), "3: 4 5 6");
}

TEST(ComputedOperands, Range) {
  OnnxBuilder builder;
  builder.Input("n", {}, kIntegers).Integers("zero", {}, {0}).Integers("one", {}, {1});
  builder.Node("Range", {"zero", "n", "one"}, {"y"});
  EXPECT_EQ(Converted(builder).Run({Array<int64_t>({}, {3})}), "3: 0 1 2");
}

// Planning takes a part without elements for an example.
TEST(ComputedOperands, ThePlaceOfTheLargestInAPart) {
  OnnxBuilder builder;
  builder.Input("x", {"5"}).Input("n", {"2"}, kIntegers).Node("Split", {"x", "n"}, {"a", "b"});
  builder.Node("ArgMax", {"b"}, {"at"}).Node("Cast", {"at"}, {"y"}).Int("to", ::onnx::TensorProto::FLOAT);
  Converted converted(builder);
  EXPECT_EQ(converted.Run({Counting({5}), Integers({2, 3})}), "1: 2");
  EXPECT_THAT(converted.Run({Counting({5}), Integers({5, 0})}), HasSubstr("no element to choose"));
}

// Bounded, so no value is needed at planning.
TEST(ComputedOperands, SliceAndSplit) {
  OnnxBuilder slice;
  slice.Input("x", {"5"}).Input("s", {"1"}, kIntegers).Input("e", {"1"}, kIntegers);
  slice.Node("Slice", {"x", "s", "e"}, {"y0"}).Node("Neg", {"y0"}, {"y"});
  Converted sliced(slice);
  EXPECT_EQ(sliced.Run({Counting({5}), Integers({1}), Integers({-1})}), "3: -2 -3 -4");
  EXPECT_EQ(sliced.Run({Counting({5}), Integers({4}), Integers({9})}), "1: -5");
  EXPECT_FALSE(sliced.model().decides_shapes(1));
  OnnxBuilder split;
  split.Input("x", {"5"}).Input("s", {"2"}, kIntegers).Node("Split", {"x", "s"}, {"first", "y"});
  EXPECT_EQ(Converted(split).Run({Counting({5}), Integers({3, 2})}), "2: 4 5");
  OnnxBuilder even(18);
  even.Input("x", {"N"}).Node("Split", {"x"}, {"first", "y"}).Int("num_outputs", 2);
  Converted halves(even);
  EXPECT_EQ(halves.Run({Counting({5})}), "2: 4 5");
  EXPECT_EQ(halves.Run({Counting({4})}), "2: 3 4");
}

TEST(ComputedOperands, Resize) {
  OnnxBuilder sizes(13);
  sizes.Input("x", {"1", "1", "2", "2"})
      .Input("s", {"4"}, kIntegers)
      .Node("Resize", {"x", "", "", "s"}, {"y"});
  Converted sized(sizes);
  EXPECT_EQ(sized.Run({Counting({1, 1, 2, 2}), Integers({1, 1, 2, 4})}), "1x1x2x4: 1 1 2 2 3 3 4 4");
  OnnxBuilder aspect(18);
  aspect.Input("x", {"1", "1", "2", "4"}).Input("s", {"2"}, kIntegers);
  aspect.Node("Resize", {"x", "", "", "s"}, {"y"}).Ints("axes", {3, 2});
  aspect.String("keep_aspect_ratio_policy", "not_larger");
  EXPECT_THAT(Converted(aspect).Run({Counting({1, 1, 2, 4}), Integers({2, 7})}), HasSubstr("1x1x1x2:"));
  OnnxBuilder scales(13);
  scales.Input("x", {"2"}).Input("s", {"1"}).Node("Resize", {"x", "", "s"}, {"y"});
  EXPECT_EQ(Converted(scales).Run({Counting({2}), Array<float>({1}, {2})}), "4: 1 1 2 2");
}

TEST(ComputedOperands, TriluOfAnySizeAndDiagonal) {
  OnnxBuilder builder(14);
  builder.Input("x", {"N", "M"}).Input("k", {}, kIntegers).Node("Trilu", {"x", "k"}, {"y"}).Int("upper", 0);
  Converted converted(builder);
  EXPECT_EQ(converted.Run({Counting({2, 3}), Array<int64_t>({}, {0})}), "2x3: 1 0 0 4 5 0");
  EXPECT_EQ(converted.Run({Counting({2, 2}), Array<int64_t>({}, {-1})}), "2x2: 0 0 3 0");
}

TEST(ComputedOperands, OneHotDepth) {
  OnnxBuilder builder;
  builder.Input("x", {"2"}, kIntegers).Input("d", {}, kIntegers).Floats("v", {2}, {0, 1});
  builder.Node("OneHot", {"x", "d", "v"}, {"y"});
  EXPECT_EQ(Converted(builder).Run({Integers({1, -1}), Array<int64_t>({}, {3})}), "2x3: 0 1 0 0 0 1");
}

TEST(ComputedOperands, TooManyValuesAreRefused) {
  OnnxBuilder builder;
  builder.Input("x", {"100", "100"}).Integers("zero", {}, {0}).Integers("one", {}, {1});
  builder.Node("ReduceMax", {"x"}, {"max"})
      .Int("keepdims", 0)
      .Node("Cast", {"max"}, {"n"})
      .Int("to", kIntegers);
  builder.Node("Range", {"zero", "n", "one"}, {"y"});
  EXPECT_THAT(Converted(builder).Run({}), HasSubstr("a shape depends on the values of input 'x'"));
}

}  // namespace
}  // namespace micrort
