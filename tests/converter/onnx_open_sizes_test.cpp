// Models with open dimensions compute the same as the same models with these dimensions fixed.

#include <gmock/gmock.h>

#include <random>

#include "tests/converter/converted.h"

namespace micrort {
namespace {

using testing::Converted;
using testing::Counting;
using ::testing::HasSubstr;
using testing::OnnxBuilder;

constexpr int kMostRows = 3;

// A number made of the sizes of x [rows, columns] by random operators, as exporters write it, then what it
// decides.
class RandomSizes {
 public:
  explicit RandomSizes(unsigned seed) : random_(seed) {
    b_.Input("x", {"rows", "columns"}).Integers("zero", {1}, {0}).Integers("one", {1}, {1});
    b_.Integers("axis", {1}, {1}).Node("Shape", {"x"}, {"shape"});
    b_.Node("Gather", {"shape", "zero"}, {"n0"}).Node("Gather", {"shape", "one"}, {"n1"});
    numbers_ = {"n0", "n1", "one"};
  }

  OnnxBuilder Build() {
    for (int i = 0; i < 5; ++i) AddNumber();
    const std::string end = Limited(numbers_.back());
    switch (Any(0, 4)) {
      case 0:
        b_.Node("Slice", {"x", "zero", end, "axis"}, {"y"});
        break;
      case 1:
        b_.Node("Mul", {"x", AsFloat(numbers_.back())}, {"y"});
        break;
      case 2:
        b_.Node("Concat", {"n0", end}, {"target"}).Int("axis", 0);
        b_.Node("Gather", {"x", "zero"}, {"first"}).Int("axis", 1);
        b_.Node("Expand", {"first", "target"}, {"y"});
        break;
      case 3:
        b_.Node("Concat", {"zero", "zero", "zero", end}, {"pads"}).Int("axis", 0);
        b_.Node("Pad", {"x", "pads"}, {"y"});
        break;
      default:
        b_.Node("ReduceMean", {"x"}, {"mean"}).Int("keepdims", 1);
        b_.Node("Concat", {end, "one"}, {"target"}).Int("axis", 0);
        b_.Node("ConstantOfShape", {"target"}, {"zeros"}).Node("Add", {"zeros", "mean"}, {"y"});
    }
    return b_;
  }

 private:
  int Any(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }
  std::string New() { return "v" + std::to_string(count_++); }
  const std::string& AnyNumber() {
    return numbers_[static_cast<size_t>(Any(0, static_cast<int>(numbers_.size()) - 1))];
  }

  std::string Two(const std::string& op, const std::string& a, const std::string& b) {
    const std::string out = New();
    b_.Node(op, {a, b}, {out});
    return out;
  }

  std::string Constant() {
    const std::string out = New();
    b_.Integers(out, {1}, {Any(1, 9)});
    return out;
  }

  std::string AsFloat(const std::string& number) {
    const std::string out = New();
    b_.Node("Cast", {number}, {out}).Int("to", ::onnx::TensorProto::FLOAT);
    return out;
  }

  void AddNumber() {
    const std::string a = AnyNumber(), b = Any(0, 1) != 0 ? AnyNumber() : Constant();
    switch (Any(0, 7)) {
      case 0:
        numbers_.push_back(Two("Add", a, b));
        return;
      case 1:
        numbers_.push_back(Two("Sub", a, b));
        return;
      case 2:
        numbers_.push_back(Two("Mul", a, Constant()));
        return;
      case 3:
        numbers_.push_back(Two("Div", a, Constant()));
        return;
      case 4:
        numbers_.push_back(Two("Min", a, b));
        return;
      case 5:
        numbers_.push_back(Two("Max", a, b));
        return;
      case 6: {
        const std::string less = Two("Less", a, b), out = New();
        b_.Node("Where", {less, a, Constant()}, {out});
        numbers_.push_back(out);
        return;
      }
      default: {
        const std::string half = New(), floor = New(), out = New();
        b_.Floats(half + "f", {1}, {0.5f}).Node("Mul", {AsFloat(a), half + "f"}, {half});
        b_.Node(Any(0, 1) != 0 ? "Floor" : "Ceil", {half}, {floor});
        b_.Node("Cast", {floor}, {out}).Int("to", ::onnx::TensorProto::INT64);
        numbers_.push_back(out);
      }
    }
  }

  // From 1 to 40.
  std::string Limited(const std::string& number) {
    const std::string most = New();
    b_.Integers(most, {1}, {40});
    return Two("Min", Two("Max", number, "one"), most);
  }

  std::mt19937 random_;
  OnnxBuilder b_;
  std::vector<std::string> numbers_;
  int count_ = 0;
};

class OnnxOpenSizes : public ::testing::TestWithParam<unsigned> {};

TEST_P(OnnxOpenSizes, GiveWhatFixedSizesGive) {
  const OnnxBuilder model = RandomSizes(GetParam()).Build();
  OnnxBuilder any = model;
  Converted open(any);
  ASSERT_TRUE(open.status().ok()) << open.status().message();
  for (const int64_t columns : {1, 2, 5, 20, 230}) {
    const std::vector<int64_t> shape = {1 + columns % kMostRows, columns};
    ConvertOptions options;
    options.input_shapes = {{"x", shape}};
    OnnxBuilder one = model;
    Converted fixed(one, {"y"}, options);
    EXPECT_EQ(open.Run({Counting(shape)}), fixed.Run({Counting(shape)})) << columns << " columns";
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, OnnxOpenSizes, ::testing::Range(0u, 60u));

// Sizes that agree for large inputs are no constants.
TEST(OnnxOpenSize, AMinimumWithASizeIsComputedOnTheDevice) {
  OnnxBuilder b;
  b.Input("x", {"1", "n"}).Integers("most", {1}, {20}).Integers("one", {1}, {1});
  b.Node("Shape", {"x"}, {"shape"}).Node("Gather", {"shape", "one"}, {"n"}).Node("Min", {"n", "most"}, {"m"});
  b.Node("Cast", {"m"}, {"f"}).Int("to", ::onnx::TensorProto::FLOAT).Node("Mul", {"x", "f"}, {"y"});
  Converted converted(b);
  EXPECT_EQ(converted.Run({Counting({1, 2})}), "1x2: 2 4");
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

}  // namespace
}  // namespace micrort
