// Operators of TensorFlow at numbers that formulas lose: infinities, NaN, zeros with signs, very large and
// very small ones; and of no elements.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/converter/tensorflow_graph.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::Pointwise;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// y = op(inputs) among `others`, where x and z are placeholders.
Floats RunValues(const std::string& op, const Floats& x, const Floats& z, const std::string& others,
                 const std::vector<std::string>& inputs, std::vector<std::string> attributes = {}) {
  const auto size = [](const Floats& v) { return static_cast<int64_t>(v.size()); };
  attributes.push_back("T { type: DT_FLOAT }");
  const std::string text = TfInput("x", {size(x)}) + TfInput("z", {size(z)}) + others +
                           TfNode("op", op, inputs, attributes) +
                           TfNode("y", "Cast", {"op"}, {"DstT { type: DT_FLOAT }"});
  frontend::ImportOptions options;
  options.outputs = {"y"};
  std::map<std::string, Floats> feeds = {{"x", x}, {"z", z}};
  return ConvertAndRunTf(text, feeds, options)["y"];
}

TEST(TensorflowComplexValues, PartsDoNotTouchEachOther) {
  const std::string number = TfNode("c", "Complex", {"x", "z"});
  const Floats x = {1, kInfinity, -1}, z = {kInfinity, 2, -0.0f};
  EXPECT_THAT(RunValues("Real", x, z, number, {"c"}), ElementsAre(1, kInfinity, -1));
  EXPECT_THAT(RunValues("Imag", x, z, number, {"c"}), ElementsAre(kInfinity, 2, 0));
  EXPECT_TRUE(std::signbit(RunValues("Imag", x, z, number, {"c"}).at(2)));
  // One part is spread over the other.
  EXPECT_THAT(RunValues("Real", {1}, {2, 3}, number, {"c"}), ElementsAre(1, 1));
  EXPECT_THAT(RunValues("Imag", {1}, {2, 3}, number, {"c"}), ElementsAre(2, 3));
}

TEST(TensorflowComplexValues, InputsAndOutputsArePairsOfFloats) {
  const std::string complex = "{ type: DT_COMPLEX64 }";
  const std::string text =
      TfNode("z", "Placeholder", {}, {"dtype " + complex, "shape { shape { dim { size: 2 } } }"}) +
      TfNode("y", "Mul", {"z", "z"}, {"T " + complex});
  EXPECT_THAT(ConvertAndRunTf(text, {{"z", {1, 2, 3, -4}}})["y"], ElementsAre(-3, 4, -7, -24));
}

// Operators of float64 that compute in float32.
TEST(TensorflowDoubles, GiveWhatFloatsGive) {
  const std::string of_doubles = "T { type: DT_DOUBLE }", of_floats = "T { type: DT_FLOAT }";
  const auto cast = [](const char* name, const char* from, const std::string& to) {
    return TfNode(name, "Cast", {from}, {"DstT { type: " + to + " }"});
  };
  for (const char* op : {"Softmax", "LogSoftmax", "Lgamma", "Digamma", "MatrixInverse", "Cholesky"}) {
    const std::string plain = TfInput("x", {2, 2}) + TfNode("y", op, {"x"}, {of_floats});
    const std::string wide = TfInput("x", {2, 2}) + cast("d", "x", "DT_DOUBLE") +
                             TfNode("z", op, {"d"}, {of_doubles}) + cast("y", "z", "DT_FLOAT");
    const std::map<std::string, Floats> feeds = {{"x", {3, 1, 1, 2}}};
    EXPECT_EQ(ConvertAndRunTf(wide, feeds)["y"], ConvertAndRunTf(plain, feeds)["y"]) << op;
  }
}

TEST(TensorflowDoubles, ArePooled) {
  const std::vector<std::string> window = {"T { type: DT_DOUBLE }", "ksize { list { i: 1 i: 2 i: 2 i: 1 } }",
                                           "strides { list { i: 1 i: 2 i: 2 i: 1 } }",
                                           "padding { s: 'VALID' }"};
  const std::string x = TfInput("x", {1, 2, 2, 1}) + TfNode("d", "Cast", {"x"}, {"DstT { type: DT_DOUBLE }"});
  const std::string end = TfNode("y", "Cast", {"p"}, {"DstT { type: DT_FLOAT }"});
  const std::map<std::string, Floats> feeds = {{"x", {1, 2, 3, 4}}};
  EXPECT_EQ(ConvertAndRunTf(x + TfNode("p", "MaxPool", {"d"}, window) + end, feeds)["y"], Floats({4}));
  EXPECT_EQ(ConvertAndRunTf(x + TfNode("p", "AvgPool", {"d"}, window) + end, feeds)["y"], Floats({2.5f}));
}

TEST(TensorflowComplexValues, QuotientsOfLargeAndSmallNumbers) {
  const std::string quotient =
      TfNode("c", "Complex", {"x", "z"}) + TfNode("q", "RealDiv", {"c", "c"}, {"T { type: DT_COMPLEX64 }"});
  const Floats x = {1e25f, 1e-25f, 3e20f, 5}, z = {1e25f, 1e-25f, 1, 0};
  EXPECT_THAT(RunValues("Real", x, z, quotient, {"q"}), Pointwise(FloatNear(1e-6f), Floats(4, 1)));
  EXPECT_THAT(RunValues("Imag", x, z, quotient, {"q"}), Pointwise(FloatNear(1e-6f), Floats(4, 0)));
}

TEST(TensorflowComplexValues, MagnitudesOfLargeAndSmallNumbers) {
  const std::string number = TfNode("c", "Complex", {"x", "z"});
  const Floats x = {3e30f, 3e-30f, 0, kInfinity, -kInfinity}, z = {4e30f, -4e-30f, 0, 1, kInfinity};
  EXPECT_THAT(RunValues("ComplexAbs", x, z, number, {"c"}),
              ElementsAre(FloatNear(5e30f, 1e24f), FloatNear(5e-30f, 1e-36f), 0, kInfinity, kInfinity));
}

TEST(TensorflowComplexValues, Functions) {
  const auto parts = [](const std::string& op, const Floats& x, const Floats& z) {
    const std::string number =
        TfNode("c", "Complex", {"x", "z"}) + TfNode("f", op, {"c"}, {"T { type: DT_COMPLEX64 }"});
    Floats both = RunValues("Real", x, z, number, {"f"});
    for (const float v : RunValues("Imag", x, z, number, {"f"})) both.push_back(v);
    return both;
  };
  const auto are = [](const Floats& expected) { return Pointwise(FloatNear(1e-6f), expected); };
  EXPECT_THAT(parts("Sqrt", {3, -4, 0}, {4, 0, 0}), are({2, 0, 0, 1, 2, 0}));
  EXPECT_THAT(parts("Rsqrt", {3, -4}, {4, 0}), are({0.4f, 0, -0.2f, -0.5f}));
  EXPECT_THAT(parts("Log", {1, 0}, {0, -2}), are({0, 0.69314718f, 0, -1.57079633f}));
  EXPECT_THAT(parts("Reciprocal", {3}, {4}), are({0.12f, -0.16f}));
  EXPECT_THAT(parts("Sign", {3, 0}, {4, 0}), are({0.6f, 0, 0.8f, 0}));
  EXPECT_THAT(parts("Sin", {1}, {2}), are({3.16577851f, 1.95960104f}));
  EXPECT_THAT(parts("Cos", {1}, {2}), are({2.03272301f, -3.05189780f}));
}

TEST(TensorflowComplexValues, AreEqualInBothParts) {
  const std::string numbers = TfNode("c", "Complex", {"x", "z"}) + TfNode("d", "Complex", {"x", "x"});
  const std::vector<std::string> complex = {"T { type: DT_COMPLEX64 }"};
  const std::string equal = TfNode("e", "Equal", {"c", "d"}, complex),
                    differ = TfNode("e", "NotEqual", {"c", "d"}, complex);
  const auto run = [&](const std::string& test) {
    return RunValues("Cast", {1, 2, kNan}, {1, 3, kNan}, numbers + test, {"e"}, {"DstT { type: DT_FLOAT }"});
  };
  EXPECT_THAT(run(equal), ElementsAre(1, 0, 0));
  EXPECT_THAT(run(differ), ElementsAre(0, 1, 1));
}

// [1 + 2i, 3 - i] as a row, and its conjugate transpose.
TEST(TensorflowComplexValues, ConjugateTransposes) {
  const std::string row =
      TfIntegers("wide", {1, 1, 2}) + TfNode("c", "Complex", {"x", "z"}) +
      TfNode("r", "Reshape", {"c", "wide"}, {"T { type: DT_COMPLEX64 }"}) +
      TfNode("b", "BatchMatMulV2", {"r", "r"}, {"T { type: DT_COMPLEX64 }", "adj_y { b: true }"}) +
      TfNode("a", "BatchMatMulV2", {"r", "r"}, {"T { type: DT_COMPLEX64 }", "adj_x { b: true }"});
  EXPECT_THAT(RunValues("Real", {1, 3}, {2, -1}, row, {"b"}), ElementsAre(15));
  EXPECT_THAT(RunValues("Imag", {1, 3}, {2, -1}, row, {"b"}), ElementsAre(0));
  EXPECT_THAT(RunValues("Real", {1, 3}, {2, -1}, row, {"a"}), ElementsAre(5, 1, 1, 10));
  EXPECT_THAT(RunValues("Imag", {1, 3}, {2, -1}, row, {"a"}), ElementsAre(0, -7, 7, 0));
  const std::string turned = row + TfIntegers("order", {0, 2, 1}) +
                             TfNode("t", "ConjugateTranspose", {"r", "order"}, {"T { type: DT_COMPLEX64 }"});
  EXPECT_THAT(RunValues("Real", {1, 3}, {2, -1}, turned, {"t"}), ElementsAre(1, 3));
  EXPECT_THAT(RunValues("Imag", {1, 3}, {2, -1}, turned, {"t"}), ElementsAre(-2, 1));
  const std::string matrix =
      TfIntegers("two", {2, 2}) + TfNode("m", "Reshape", {"x", "two"}) + TfIntegers("swap", {1, 0});
  EXPECT_THAT(RunValues("ConjugateTranspose", {1, 2, 3, 4}, {}, matrix, {"m", "swap"}),
              ElementsAre(1, 3, 2, 4));
}

TEST(TensorflowComplexValues, EachPartByItself) {
  const std::string moved = TfNode("c", "Complex", {"x", "z"}) + TfIntegers("one", {1}, true) +
                            TfIntegers("zero", {0}, true) +
                            TfNode("s", "Cumsum", {"c", "zero"}, {"T { type: DT_COMPLEX64 }"}) +
                            TfNode("m", "Roll", {"s", "one", "zero"}, {"T { type: DT_COMPLEX64 }"}) +
                            TfNode("e", "StopGradient", {"m"}, {"T { type: DT_COMPLEX64 }"});
  EXPECT_THAT(RunValues("Real", {1, 2, 3}, {4, 5, 6}, moved, {"e"}), ElementsAre(6, 1, 3));
  EXPECT_THAT(RunValues("Imag", {1, 2, 3}, {4, 5, 6}, moved, {"e"}), ElementsAre(15, 4, 9));
}

TEST(TensorflowValues, RunningSumsOfExponentialsThatAreFarApart) {
  const std::string axis = TfIntegers("axis", {0}, true);
  const auto run = [&](const Floats& x, std::vector<std::string> attributes) {
    return RunValues("CumulativeLogsumexp", x, {}, axis, {"x", "axis"}, std::move(attributes));
  };
  EXPECT_THAT(run({-200, 0, 200, 200}, {}),
              Pointwise(FloatNear(1e-4f), Floats{-200, 0, 200, 200 + std::log(2.0f)}));
  EXPECT_THAT(run({200, 0, -200}, {"reverse { b: true }"}),
              Pointwise(FloatNear(1e-4f), Floats{200, 0, -200}));
  EXPECT_THAT(run({-kInfinity, 1, kInfinity}, {}), ElementsAre(-kInfinity, 1, kInfinity));
  // TensorFlow's documentation: the lowest number stands for minus infinity.
  EXPECT_THAT(run({1, 2}, {"exclusive { b: true }"}), ElementsAre(std::numeric_limits<float>::lowest(), 1));
}

// 1 / 0.1 is 10 where it is rounded, and 1 is a little less than ten times 0.1 of float32.
TEST(TensorflowValues, RemaindersAreExact) {
  EXPECT_THAT(
      RunValues("FloorMod", {1, -1, 7.5f, -1, 100}, {0.1f, 0.1f, kInfinity, kInfinity, 0.1f}, "", {"x", "z"}),
      Pointwise(FloatNear(1e-7f), Floats{std::fmod(1.0f, 0.1f), 0.1f - std::fmod(1.0f, 0.1f), 7.5f, kInfinity,
                                         std::fmod(100.0f, 0.1f)}));
}

TEST(TensorflowValues, QuantilesOfSmallChances) {
  EXPECT_THAT(RunValues("Ndtri", {1e-9f, 1e-6f, 0, 1, 0.5f}, {}, "", {"x"}),
              ElementsAre(FloatNear(-5.9978f, 1e-3f), FloatNear(-4.75342f, 1e-4f), -kInfinity, kInfinity, 0));
}

TEST(TensorflowValues, NanIsBelowNoBoundary) {
  EXPECT_THAT(
      RunValues("Bucketize", {kNan, 0, 1, 5}, {}, "", {"x"}, {"boundaries { list { f: 0 f: 1 f: 2 } }"}),
      ElementsAre(3, 1, 2, 3));
  const std::string rows = TfIntegers("shape", {1, -1}) + TfNode("r", "Reshape", {"x", "shape"}) +
                           TfNode("v", "Reshape", {"z", "shape"});
  EXPECT_THAT(RunValues("UpperBound", {0, 1, 2}, {kNan, 1, -1}, rows, {"r", "v"}), ElementsAre(3, 2, 0));
  EXPECT_THAT(RunValues("LowerBound", {0, 1, 2}, {kNan, 1, -1}, rows, {"r", "v"}), ElementsAre(0, 1, 0));
}

TEST(TensorflowValues, NoTargetIsAmongScoresThatAreNone) {
  const std::string scores = TfIntegers("shape", {-1, 2}) + TfNode("s", "Reshape", {"x", "shape"}) +
                             TfIntegers("t", {0, 1, 7, -1, 1}) + TfIntegers("k", {1}, true);
  EXPECT_THAT(RunValues("InTopKV2", {3, 1, kNan, 1, 1, 1, 1, 1, 0, kInfinity}, {}, scores, {"s", "t", "k"}),
              ElementsAre(1, 0, 0, 0, 0));
}

TEST(TensorflowValues, OfNothing) {
  const std::string axis = TfIntegers("axis", {0}, true) + TfIntegers("n", {2}, true) +
                           TfNode("i", "Cast", {"x"}, {"DstT { type: DT_INT32 }"}) +
                           TfNode("b", "Cast", {"x"}, {"DstT { type: DT_BOOL }"});
  EXPECT_THAT(RunValues("Any", {}, {}, axis, {"b", "axis"}), ElementsAre(0));
  EXPECT_THAT(RunValues("All", {}, {}, axis, {"b", "axis"}), ElementsAre(1));
  EXPECT_THAT(RunValues("DenseBincount", {}, {}, axis, {"i", "n", "x"}, {"binary_output { b: true }"}),
              ElementsAre(0, 0));
  // A segment without elements, of elements that are multiplied.
  EXPECT_THAT(RunValues("SegmentProd", {2, 3, 4}, {}, TfIntegers("ids", {0, 0, 2}), {"x", "ids"}),
              ElementsAre(6, 1, 4));
}

TEST(TensorflowValues, WeightsOfOtherCountsMayBeInfinite) {
  const std::string values = TfIntegers("i", {0, 1, 0}) + TfIntegers("n", {2}, true);
  EXPECT_THAT(RunValues("Bincount", {1, kInfinity, 2}, {}, values, {"i", "n", "x"}),
              ElementsAre(3, kInfinity));
}

TEST(TensorflowValues, IntegersAreRound) {
  const std::string integers = TfNode("i", "Cast", {"x"}, {"DstT { type: DT_INT64 }"});
  EXPECT_THAT(RunValues("Round", {3, -4}, {}, integers, {"i"}), ElementsAre(3, -4));
}

// Of the types that operators of the file lack; sums that leave a type begin anew at its other end.
TEST(TensorflowValues, OfIntegersOfAnyWidth) {
  const auto of = [](const std::string& type, const Floats& x, const std::string& others,
                     const std::string& op, const std::vector<std::string>& inputs,
                     std::vector<std::string> attributes = {}) {
    const std::string to = "T { type: " + type + " }";
    attributes.push_back(to);
    return RunValues("Cast", x, {},
                     TfNode("i", "Cast", {"x"}, {"DstT { type: " + type + " }"}) + others +
                         TfNode("o", op, inputs, attributes),
                     {"o"}, {"DstT { type: DT_FLOAT }"});
  };
  const std::string axis = TfIntegers("axis", {0}, true);
  EXPECT_THAT(of("DT_INT8", {100, 27, 2}, axis, "Cumsum", {"i", "axis"}), ElementsAre(100, 127, -127));
  EXPECT_THAT(of("DT_UINT8", {16, 15, 2}, axis, "Cumprod", {"i", "axis"}), ElementsAre(16, 240, 224));
  EXPECT_THAT(of("DT_INT16", {1, 2, 3}, axis, "Cumsum", {"i", "axis"}, {"exclusive { b: true }"}),
              ElementsAre(0, 1, 3));
  EXPECT_THAT(of("DT_HALF", {1, 2, 3}, axis, "Cumsum", {"i", "axis"}, {"reverse { b: true }"}),
              ElementsAre(6, 5, 3));
  const std::string bounds =
      TfNode("a", "Const", {},
             {"dtype { type: DT_INT8 }", "value { tensor { dtype: DT_INT8 tensor_shape {} int_val: 10 } }"}) +
      TfNode("b", "Const", {},
             {"dtype { type: DT_INT8 }", "value { tensor { dtype: DT_INT8 tensor_shape {} int_val: 0 } }"}) +
      TfNode("d", "Const", {},
             {"dtype { type: DT_INT8 }", "value { tensor { dtype: DT_INT8 tensor_shape {} int_val: -3 } }"});
  EXPECT_THAT(of("DT_INT8", {1}, bounds, "Range", {"a", "b", "d"}), ElementsAre(10, 7, 4, 1));
  // Maxima of numbers that floats of 32 bits would round, in windows of which one is half outside.
  const std::string image =
      TfIntegers("shape", {1, 1, 3, 1}) + TfNode("l", "Cast", {"x"}, {"DstT { type: DT_INT32 }"}) +
      TfIntegers("n", {-2147483647}) + TfNode("s", "AddV2", {"l", "n"}, {"T { type: DT_INT32 }"}) +
      TfNode("m", "Reshape", {"s", "shape"}, {"T { type: DT_INT32 }"}) +
      TfNode("p", "MaxPool", {"m"},
             {"T { type: DT_INT32 }", "ksize { list { i: 1 i: 1 i: 2 i: 1 } }",
              "strides { list { i: 1 i: 1 i: 2 i: 1 } }", "padding { s: 'SAME' }"}) +
      TfIntegers("back", {2147483647});
  EXPECT_THAT(of("DT_INT32", {1, 5, 3}, image, "AddV2", {"p", "back"}), ElementsAre(5, 3));
}

// y, x and the angle: each sign of zeros and infinities, and what lies between.
TEST(TensorflowValues, AnglesOfAllQuadrants) {
  const Floats values = {0, -0.0f, 1, -1, kInfinity, -kInfinity, 1e30f, -1e-30f};
  Floats x, y, expected;
  for (const float a : values) {
    for (const float b : values) {
      y.push_back(a), x.push_back(b), expected.push_back(std::atan2(a, b));
    }
  }
  EXPECT_THAT(RunValues("Atan2", y, x, "", {"x", "z"}), Pointwise(FloatNear(1e-6f), expected));
  EXPECT_THAT(RunValues("Angle", x, y, TfNode("c", "Complex", {"x", "z"}), {"c"}),
              Pointwise(FloatNear(1e-6f), expected));
}

TEST(TensorflowValues, NextToInfinity) {
  const float largest = std::numeric_limits<float>::max();
  EXPECT_THAT(RunValues("NextAfter", {kInfinity, -kInfinity, largest, kInfinity},
                        {-kInfinity, kInfinity, kInfinity, 0}, "", {"x", "z"}),
              ElementsAre(largest, -largest, kInfinity, largest));
}

}  // namespace
}  // namespace micrort::testing
