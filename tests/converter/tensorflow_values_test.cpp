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

TEST(TensorflowComplexValues, QuotientsOfLargeAndSmallNumbers) {
  const std::string quotient =
      TfNode("c", "Complex", {"x", "z"}) + TfNode("q", "RealDiv", {"c", "c"}, {"T { type: DT_COMPLEX64 }"});
  const Floats x = {1e25f, 1e-25f, 3e20f, 5}, z = {1e25f, 1e-25f, 1, 0};
  EXPECT_THAT(RunValues("Real", x, z, quotient, {"q"}), Pointwise(FloatNear(1e-6f), Floats(4, 1)));
  EXPECT_THAT(RunValues("Imag", x, z, quotient, {"q"}), Pointwise(FloatNear(1e-6f), Floats(4, 0)));
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

}  // namespace
}  // namespace micrort::testing
