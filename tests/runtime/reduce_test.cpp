#include "kernels/reference/reduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::OpTester;
using testing::Random;

schema::ReduceOptionsT Along(schema::ReduceKind kind, std::vector<int32_t> axes, bool keep_dims = true) {
  schema::ReduceOptionsT options;
  options.kind = kind;
  options.axes = std::move(axes);
  options.keep_dims = keep_dims;
  return options;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<int32_t> AxesOf(unsigned mask, int rank) {
  std::vector<int32_t> axes;
  for (int d = 0; d < rank; ++d) {
    if (mask >> d & 1) axes.push_back(d);
  }
  return axes;
}

template <typename T>
void TestAllAxes(schema::ReduceKind kind, const Shape& shape, double low, double high, double tolerance) {
  Random random(17);
  std::vector<T> x(static_cast<size_t>(shape.elements()));
  random.Fill(x, low, high);
  const std::vector<double> exact(x.begin(), x.end());
  for (unsigned mask = 0; mask < 1u << shape.rank; ++mask) {
    OpTester op(ops::Reduce(), Along(kind, AxesOf(mask, shape.rank)));
    op.Input(shape, x);
    const Status status = op.Run();
    ASSERT_TRUE(status.ok()) << status.message();
    bool is_reduced[kMaxRank] = {};
    for (int d = 0; d < shape.rank; ++d) is_reduced[d] = mask >> d & 1;
    const std::vector<T> y = op.Output<T>();
    std::vector<double> expected(y.size());
    reference::Reduce(static_cast<ReduceKind>(kind), exact.data(), shape, is_reduced, expected.data());
    for (size_t i = 0; i < y.size(); ++i) {
      ASSERT_NEAR(static_cast<double>(y[i]), expected[i], tolerance * (1 + std::fabs(expected[i])))
          << schema::EnumNameReduceKind(kind) << " of " << ShapeString(shape).c_str() << " axes " << mask
          << " at " << i;
    }
  }
}

TEST(Reduce, FloatsAlongAnyAxes) {
  for (int kind = 0; kind <= static_cast<int>(schema::ReduceKind::LogSumExp); ++kind) {
    const auto k = static_cast<schema::ReduceKind>(kind);
    const double low = k == schema::ReduceKind::LogSum || k == schema::ReduceKind::Prod ? 0.9 : -2;
    TestAllAxes<float>(k, Shape::Of(3, 4, 5, 6), low, 1.1, 1e-5);
    TestAllAxes<float>(k, Shape::Of(2, 1, 37), low, 1.1, 1e-5);
    TestAllAxes<double>(k, Shape::Of(3, 2, 9), low, 1.1, 1e-12);
  }
  TestAllAxes<float>(schema::ReduceKind::Sum, Shape::Of(5, 70, 301), -1, 1, 1e-4);
  TestAllAxes<float>(schema::ReduceKind::LogSumExp, Shape::Of(2, 300, 70), 80, 100, 1e-5);
}

TEST(Reduce, IntegersAlongAnyAxes) {
  for (const schema::ReduceKind kind :
       {schema::ReduceKind::Sum, schema::ReduceKind::Max, schema::ReduceKind::Min, schema::ReduceKind::L1,
        schema::ReduceKind::SumSquare}) {
    TestAllAxes<int32_t>(kind, Shape::Of(3, 4, 5), -100, 100, 0);
    TestAllAxes<int64_t>(kind, Shape::Of(2, 3, 300), -100, 100, 0);
    TestAllAxes<uint64_t>(kind, Shape::Of(4, 5), 0, 100, 0);
  }
}

TEST(Reduce, ShapesOfTheOutput) {
  OpTester kept(ops::Reduce(), Along(schema::ReduceKind::Sum, {0, 2}));
  kept.Input<float>(Shape::Of(2, 3, 4), std::vector<float>(24, 1));
  ASSERT_TRUE(kept.Run().ok());
  EXPECT_EQ(kept.OutputShape(), Shape::Of(1, 3, 1));
  EXPECT_THAT(kept.Output<float>(), ElementsAre(8, 8, 8));

  OpTester dropped(ops::Reduce(), Along(schema::ReduceKind::Mean, {0, 1, 2}, false));
  dropped.Input<float>(Shape::Of(2, 3, 4), std::vector<float>(24, 1));
  ASSERT_TRUE(dropped.Run().ok());
  EXPECT_EQ(dropped.OutputShape(), Shape());
  EXPECT_THAT(dropped.Output<float>(), ElementsAre(1));
}

TEST(Reduce, OfNothing) {
  const struct {
    schema::ReduceKind kind;
    float expected;
  } cases[] = {{schema::ReduceKind::Sum, 0},
               {schema::ReduceKind::Prod, 1},
               {schema::ReduceKind::Max, -kInfinity},
               {schema::ReduceKind::Min, kInfinity},
               {schema::ReduceKind::L2, 0},
               {schema::ReduceKind::LogSum, -kInfinity},
               {schema::ReduceKind::LogSumExp, -kInfinity}};
  for (const auto& c : cases) {
    for (const int axis : {0, 1}) {
      Shape shape = Shape::Of(2, 2);
      shape[axis] = 0;
      OpTester op(ops::Reduce(), Along(c.kind, {axis}));
      op.Input<float>(shape, {});
      ASSERT_TRUE(op.Run().ok());
      EXPECT_THAT(op.Output<float>(), ElementsAre(c.expected, c.expected))
          << schema::EnumNameReduceKind(c.kind);
    }
  }
  OpTester mean(ops::Reduce(), Along(schema::ReduceKind::Mean, {0}));
  mean.Input<int32_t>(Shape::Of(0, 1), {});
  ASSERT_TRUE(mean.Run().ok());
  EXPECT_THAT(mean.Output<int32_t>(), ElementsAre(0));
}

template <typename T>
void ExpectBoundsOfNothing() {
  for (const auto kind : {schema::ReduceKind::Max, schema::ReduceKind::Min}) {
    using Limits = std::numeric_limits<T>;
    OpTester op(ops::Reduce(), Along(kind, {0}));
    op.Input<T>(Shape::Of(0, 1), {});
    ASSERT_TRUE(op.Run().ok());
    EXPECT_THAT(op.Output<T>(),
                ElementsAre(kind == schema::ReduceKind::Max ? Limits::lowest() : Limits::max()));
  }
}

TEST(Reduce, BoundsOfNoIntegersAreThoseOfTheirType) {
  ExpectBoundsOfNothing<int8_t>();
  ExpectBoundsOfNothing<int16_t>();
  ExpectBoundsOfNothing<int32_t>();
  ExpectBoundsOfNothing<int64_t>();
  ExpectBoundsOfNothing<uint8_t>();
  ExpectBoundsOfNothing<uint32_t>();
  ExpectBoundsOfNothing<uint64_t>();
}

TEST(Reduce, InfinitiesOfLogSumExp) {
  OpTester op(ops::Reduce(), Along(schema::ReduceKind::LogSumExp, {1}, false));
  op.Input<float>(Shape::Of(3, 2), {-kInfinity, -kInfinity, kInfinity, 0, -kInfinity, 3});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(-kInfinity, kInfinity, 3));
}

TEST(Reduce, QuantizedMeanRoundsOnce) {
  OpTester op(ops::Reduce(), Along(schema::ReduceKind::Mean, {1, 2}));
  op.Input<int8_t>(Shape::Of(1, 2, 2, 3), {10, -5, 100, 20, -6, 101, 30, -7, 102, 40, -8, 104})
      .Quantized(0.5f, 4);
  op.OutputType(DType::kInt8).OutputQuantized(0.25f, -2);
  ASSERT_TRUE(op.Run().ok());
  // Means of levels 25, -6.5 and 101.75 stand for 10.5, -5.25 and 48.875.
  EXPECT_THAT(op.Output<int8_t>(), ElementsAre(40, -23, 127));
}

TEST(Reduce, PositionsOfExtremes) {
  const std::vector<float> x = {1, 5, 5, 2, 7, 0, 0, 9};
  OpTester max(ops::Reduce(), Along(schema::ReduceKind::ArgMax, {1}, false));
  max.Input(Shape::Of(2, 4), x);
  ASSERT_TRUE(max.Run().ok());
  EXPECT_THAT(max.Output<int64_t>(), ElementsAre(1, 3));

  schema::ReduceOptionsT last = Along(schema::ReduceKind::ArgMax, {1}, false);
  last.select_last_index = true;
  OpTester max_last(ops::Reduce(), std::move(last));
  max_last.Input(Shape::Of(2, 4), x);
  ASSERT_TRUE(max_last.Run().ok());
  EXPECT_THAT(max_last.Output<int64_t>(), ElementsAre(2, 3));

  OpTester min(ops::Reduce(), Along(schema::ReduceKind::ArgMin, {0}));
  min.Input(Shape::Of(2, 4), x);
  ASSERT_TRUE(min.Run().ok());
  EXPECT_EQ(min.OutputShape(), Shape::Of(1, 4));
  EXPECT_THAT(min.Output<int64_t>(), ElementsAre(0, 1, 1, 0));

  OpTester nan(ops::Reduce(), Along(schema::ReduceKind::ArgMax, {0}));
  nan.Input<float>(Shape::Of(4), {1, std::nanf(""), 3, std::nanf("")});
  ASSERT_TRUE(nan.Run().ok());
  EXPECT_THAT(nan.Output<int64_t>(), ElementsAre(1));
}

TEST(Reduce, PositionsOfManyChunks) {
  for (const Shape& shape : {Shape::Of(3, 1000, 1), Shape::Of(2, 30, 700), Shape::Of(1, 5, 257)}) {
    Random random(4);
    std::vector<int8_t> x(static_cast<size_t>(shape.elements()));
    random.Fill(x, -128, 127);
    const std::vector<double> exact(x.begin(), x.end());
    OpTester op(ops::Reduce(), Along(schema::ReduceKind::ArgMin, {1}));
    op.Input(shape, x);
    ASSERT_TRUE(op.Run().ok());
    const bool is_reduced[] = {false, true, false};
    const std::vector<int64_t> y = op.Output<int64_t>();
    std::vector<double> expected(y.size());
    reference::Reduce(ReduceKind::kArgMin, exact.data(), shape, is_reduced, expected.data());
    for (size_t i = 0; i < y.size(); ++i) ASSERT_EQ(static_cast<double>(y[i]), expected[i]) << i;
  }
}

TEST(Reduce, RefusesNonsense) {
  const struct {
    schema::ReduceOptionsT options;
    StatusCode code;
    const char* text;
  } cases[] = {
      {Along(schema::ReduceKind::Sum, {2}), StatusCode::kInvalidModel, "axis 2 is outside rank 2"},
      {Along(schema::ReduceKind::Sum, {-1}), StatusCode::kInvalidModel, "axes must be"},
      {Along(schema::ReduceKind::Sum, {1, 0}), StatusCode::kInvalidModel, "axes must be"},
      {Along(schema::ReduceKind::Sum, {0, 0}), StatusCode::kInvalidModel, "axes must be"},
      {Along(schema::ReduceKind::ArgMax, {}), StatusCode::kInvalidModel, "one axis"},
      {Along(schema::ReduceKind::ArgMax, {0}), StatusCode::kInvalidModel, "no element"},
      {Along(static_cast<schema::ReduceKind>(50), {}), StatusCode::kInvalidModel, "kind 50"},
      {Along(schema::ReduceKind::L2, {0}), StatusCode::kUnsupported, "L2 of int32"},
  };
  for (const auto& c : cases) {
    OpTester op(ops::Reduce(), c.options);
    op.Input<int32_t>(Shape::Of(0, 3), {});
    const Status status = op.Run();
    EXPECT_EQ(status.code(), c.code) << status.message();
    EXPECT_THAT(status.message(), HasSubstr(c.text));
  }
}

}  // namespace
}  // namespace micrort
