#include "kernels/reference/unary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

schema::UnaryOptionsT Kind(schema::UnaryKind kind, float a = 0, float b = 0) {
  schema::UnaryOptionsT options;
  options.kind = kind;
  options.a = a;
  options.b = b;
  return options;
}

TEST(Unary, EnumerationsAgree) {
  for (int kind = 0; kind < kUnaryKindCount; ++kind) {
    EXPECT_STRNE(schema::EnumNameUnaryKind(static_cast<schema::UnaryKind>(kind)), "");
  }
  EXPECT_EQ(static_cast<int>(UnaryKind::kErf), static_cast<int>(schema::UnaryKind::Erf));
  EXPECT_EQ(static_cast<int>(UnaryKind::kShrink), static_cast<int>(schema::UnaryKind::Shrink));
  EXPECT_EQ(static_cast<int>(UnaryKind::kMish), static_cast<int>(schema::UnaryKind::Mish));
}

TEST(Unary, FloatsOfManyTiles) {
  Random random(1);
  std::vector<float> x(40001);
  random.Fill(x, -5, 5);
  OpTester op(ops::Unary(), Kind(schema::UnaryKind::Sigmoid));
  op.Input(Shape::Of(40001), x);
  ASSERT_TRUE(op.Run().ok());
  const std::vector<float> y = op.Output<float>();
  for (size_t i = 0; i < x.size(); ++i) {
    ASSERT_NEAR(y[i], reference::Unary({UnaryKind::kSigmoid, 0, 0}, static_cast<double>(x[i])), 1e-6);
  }
  EXPECT_EQ(op.result().in_place[0], 0);
}

// Every function of floats, and none other, has a form for doubles that keeps their digits.
TEST(Unary, DoublesKeepTheirDigits) {
  const std::vector<double> x = {-1e3, -5.75, -1.0 / 3, -1e-9, 0, 1e-9, 0.123456789012345, 2.5, 5.75, 1e3};
  const auto n = static_cast<int>(x.size());
  for (int kind = 0; kind < kUnaryKindCount; ++kind) {
    SCOPED_TRACE(schema::EnumNameUnaryKind(static_cast<schema::UnaryKind>(kind)));
    const UnaryOp op = {static_cast<UnaryKind>(kind), 0.25f, 1.5f};
    OpTester tester(ops::Unary(), Kind(static_cast<schema::UnaryKind>(kind), op.a, op.b));
    tester.Input<double>(Shape::Of(n), x);
    const bool of_floats = !std::isnan(reference::Unary({op.kind, 0, 1}, 1.0));
    if (!of_floats) {
      EXPECT_EQ(tester.Run().ok(), op.kind == UnaryKind::kIsNaN || op.kind == UnaryKind::kIsInf);
      continue;
    }
    ASSERT_TRUE(tester.Run().ok());
    const std::vector<double> y = tester.Output<double>();
    for (size_t i = 0; i < x.size(); ++i) {
      const double exact = reference::Unary(op, x[i]);
      if (std::isnan(exact) || std::isinf(exact)) {
        EXPECT_EQ(std::isnan(y[i]), std::isnan(exact)) << x[i];
      } else {
        EXPECT_NEAR(y[i], exact, 1e-13 * std::max(1.0, std::fabs(exact))) << x[i];
      }
    }
  }
}

TEST(Unary, IntegersKeepTheirType) {
  OpTester abs(ops::Unary(), Kind(schema::UnaryKind::Abs));
  abs.Input<int32_t>(Shape::Of(3), {-5, 7, INT32_MIN});
  ASSERT_TRUE(abs.Run().ok());
  EXPECT_THAT(abs.Output<int32_t>(), ElementsAre(5, 7, INT32_MIN));

  OpTester clip(ops::Unary(), Kind(schema::UnaryKind::Clip, 0, std::numeric_limits<float>::infinity()));
  clip.Input<int64_t>(Shape::Of(3), {-5, 7, INT64_MAX});
  ASSERT_TRUE(clip.Run().ok());
  EXPECT_THAT(clip.Output<int64_t>(), ElementsAre(0, 7, INT64_MAX));

  OpTester invert(ops::Unary(), Kind(schema::UnaryKind::BitwiseNot));
  invert.Input<uint8_t>(Shape::Of(2), {0, 0x5a});
  ASSERT_TRUE(invert.Run().ok());
  EXPECT_THAT(invert.Output<uint8_t>(), ElementsAre(0xff, 0xa5));
}

TEST(Unary, Predicates) {
  OpTester is_nan(ops::Unary(), Kind(schema::UnaryKind::IsNaN));
  is_nan.Input<float>(Shape::Of(3), {0, std::nanf(""), 1});
  ASSERT_TRUE(is_nan.Run().ok());
  EXPECT_THAT(is_nan.Output<bool>(), ElementsAre(false, true, false));

  OpTester is_inf(ops::Unary(), Kind(schema::UnaryKind::IsInf));
  is_inf.Input<double>(Shape::Of(2), {-std::numeric_limits<double>::infinity(), 1e300});
  ASSERT_TRUE(is_inf.Run().ok());
  EXPECT_THAT(is_inf.Output<bool>(), ElementsAre(true, false));

  OpTester invert(ops::Unary(), Kind(schema::UnaryKind::Not));
  invert.Input<uint8_t>(Shape::Of(2), {1, 0}).InputType(DType::kBool);
  ASSERT_TRUE(invert.Run().ok());
  EXPECT_THAT(invert.Output<bool>(), ElementsAre(false, true));

  OpTester bytes(ops::Unary(), Kind(schema::UnaryKind::Not));
  bytes.Input<uint8_t>(Shape::Of(1), {1});
  EXPECT_EQ(bytes.Run().code(), StatusCode::kUnsupported);
}

// A quantized function is the same as dequantizing, the float function and quantizing.
TEST(Unary, QuantizedByTable) {
  OpTester op(ops::Unary(), Kind(schema::UnaryKind::Tanh));
  std::vector<int8_t> x;
  for (int q = -128; q < 128; ++q) x.push_back(static_cast<int8_t>(q));
  op.Input(Shape::Of(256), x).Quantized(0.05f, 10);
  op.OutputType(DType::kInt8).OutputQuantized(1.0f / 128, 0);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_STREQ(op.result().algorithm, "table");
  const std::vector<int8_t> y = op.Output<int8_t>();
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = std::tanh(static_cast<double>(static_cast<float>(x[i] - 10) * 0.05f)) * 128;
    ASSERT_NEAR(y[i], std::min(exact, 127.0), 0.501) << i;
  }
}

TEST(Unary, DequantizesOnTheWay) {
  OpTester op(ops::Unary(), Kind(schema::UnaryKind::Neg));
  op.Input<uint8_t>(Shape::Of(2), {128, 130}).Quantized(0.5f, 128);
  op.OutputType(DType::kFloat32);
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(0, -1));
}

TEST(Unary, IdentityKeepsElementsOfWhichOneSideAloneHasAScale) {
  for (const bool from : {false, true}) {
    OpTester op(ops::Unary(), Kind(schema::UnaryKind::Identity));
    op.Input<int8_t>(Shape::Of(3), {-128, 0, 5});
    op.OutputType(DType::kInt8);
    from ? op.Quantized(0.5f, 3) : op.OutputQuantized(0.5f, 3);
    ASSERT_TRUE(op.Run().ok());
    EXPECT_EQ(op.Output<int8_t>(), (std::vector<int8_t>{-128, 0, 5}));
  }
}

TEST(Unary, RefusesWhatDoesNotExist) {
  OpTester kind(ops::Unary(), Kind(static_cast<schema::UnaryKind>(77)));
  kind.Input<float>(Shape::Of(1), {1});
  EXPECT_EQ(kind.Run().code(), StatusCode::kInvalidModel);

  OpTester type(ops::Unary(), Kind(schema::UnaryKind::Exp));
  type.Input<int32_t>(Shape::Of(1), {1});
  const Status status = type.Run();
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("Exp of int32"));

  OpTester scale(ops::Unary(), Kind(schema::UnaryKind::Exp));
  scale.Input<int8_t>(Shape::Of(1), {1}).Quantized(0.0f, 0);
  EXPECT_EQ(scale.Run().code(), StatusCode::kInvalidModel);
}

}  // namespace
}  // namespace micrort
