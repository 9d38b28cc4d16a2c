#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::OpTester;
using testing::Random;

schema::BinaryOptionsT Kind(schema::BinaryKind kind,
                            schema::ActivationKind activation = schema::ActivationKind::None, float a = 0,
                            float b = 0) {
  schema::BinaryOptionsT options;
  options.kind = kind;
  options.activation = schema::Activation(activation, a, b);
  return options;
}

// The element of `values` (of shape `shape`) that broadcasting gives output position `index` of shape `out`.
template <typename T>
T Broadcast(const std::vector<T>& values, const Shape& shape, const Shape& out, size_t index) {
  size_t offset = 0, stride = 1;
  for (int d = out.rank - 1; d >= 0; --d) {
    const size_t at = index % static_cast<size_t>(out[d]);
    index /= static_cast<size_t>(out[d]);
    const int own = d - (out.rank - shape.rank);
    if (own < 0) continue;
    if (shape[own] != 1) offset += at * stride;
    stride *= static_cast<size_t>(shape[own]);
  }
  return values[offset];
}

TEST(Binary, BroadcastsLikeNumPy) {
  struct Case {
    Shape a, b, out;
  };
  const Case cases[] = {
      {Shape::Of(7), Shape::Of(7), Shape::Of(7)},
      {Shape(), Shape(), Shape()},
      {Shape::Of(3, 5), Shape(), Shape::Of(3, 5)},
      {Shape(), Shape::Of(3, 5), Shape::Of(3, 5)},
      {Shape::Of(4, 9), Shape::Of(9), Shape::Of(4, 9)},
      {Shape::Of(4, 9), Shape::Of(4, 1), Shape::Of(4, 9)},
      {Shape::Of(4, 1), Shape::Of(1, 9), Shape::Of(4, 9)},
      {Shape::Of(2, 1, 3, 1), Shape::Of(5, 1, 4), Shape::Of(2, 5, 3, 4)},
      {Shape::Of(2, 3, 4, 5), Shape::Of(1, 3, 1, 1), Shape::Of(2, 3, 4, 5)},
      {Shape::Of(2, 3, 40, 50), Shape::Of(2, 1, 40, 50), Shape::Of(2, 3, 40, 50)},
      {Shape::Of(1, 1, 1, 1, 1, 1, 1, 2), Shape::Of(3, 1, 2, 1, 2, 1, 2, 1),
       Shape::Of(3, 1, 2, 1, 2, 1, 2, 2)},
      {Shape::Of(0, 3), Shape::Of(1, 3), Shape::Of(0, 3)},
      {Shape::Of(200, 301), Shape::Of(301), Shape::Of(200, 301)},
      {Shape::Of(500, 67), Shape::Of(67), Shape::Of(500, 67)},  // runs that repeat
      {Shape::Of(67), Shape::Of(500, 67), Shape::Of(500, 67)},
  };
  Random random(3);
  for (const Case& c : cases) {
    std::vector<float> a(static_cast<size_t>(c.a.elements())), b(static_cast<size_t>(c.b.elements()));
    random.Fill(a, -10, 10);
    random.Fill(b, -10, 10);
    OpTester op(ops::Binary(), Kind(schema::BinaryKind::Sub));
    op.Input(c.a, a).Input(c.b, b);
    ASSERT_TRUE(op.Run().ok());
    EXPECT_EQ(op.OutputShape(), c.out);
    const std::vector<float> y = op.Output<float>();
    for (size_t i = 0; i < y.size(); ++i) {
      ASSERT_EQ(y[i], Broadcast(a, c.a, c.out, i) - Broadcast(b, c.b, c.out, i))
          << ShapeString(c.a).c_str() << " - " << ShapeString(c.b).c_str() << " at " << i;
    }
  }
}

TEST(Binary, RefusesShapesThatDoNotBroadcast) {
  OpTester op(ops::Binary(), Kind(schema::BinaryKind::Add));
  op.Input<float>(Shape::Of(2), {1, 2}).Input<float>(Shape::Of(3), {1, 2, 3});
  const Status status = op.Run();
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), HasSubstr("cannot broadcast 2 and 3"));
}

TEST(Binary, TakesThePlaceOfAnInputOfItsShape) {
  OpTester op(ops::Binary(), Kind(schema::BinaryKind::Add));
  op.Input<float>(Shape::Of(1), {1}).Input<float>(Shape::Of(3), {1, 2, 3});
  ASSERT_TRUE(op.Infer().ok());
  EXPECT_EQ(op.result().in_place[0], 1);

  OpTester comparison(ops::Binary(), Kind(schema::BinaryKind::Less));
  comparison.Input<float>(Shape::Of(3), {1, 2, 3}).Input<float>(Shape::Of(3), {3, 2, 1});
  ASSERT_TRUE(comparison.Run().ok());
  EXPECT_EQ(comparison.result().in_place[0], -1);
  EXPECT_THAT(comparison.Output<bool>(), ElementsAre(true, false, false));
}

TEST(Binary, FusesActivations) {
  OpTester op(ops::Binary(), Kind(schema::BinaryKind::Add, schema::ActivationKind::Clip, 0, 6));
  op.Input<float>(Shape::Of(3), {-3, 2, 9}).Input<float>(Shape::Of(3), {1, 1, 1});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(0, 3, 6));

  OpTester integers(ops::Binary(), Kind(schema::BinaryKind::Add, schema::ActivationKind::Clip, 0, 6));
  integers.Input<int32_t>(Shape::Of(1), {1}).Input<int32_t>(Shape::Of(1), {1});
  EXPECT_EQ(integers.Run().code(), StatusCode::kUnsupported);
}

template <typename T>
std::vector<T> Compute(schema::BinaryKind kind, const std::vector<T>& a, const std::vector<T>& b) {
  OpTester op(ops::Binary(), Kind(kind));
  op.Input(Shape::Of(a.size()), a).Input(Shape::Of(b.size()), b);
  const Status status = op.Run();
  EXPECT_TRUE(status.ok()) << status.message();
  return op.Output<T>();
}

TEST(Binary, IntegerArithmeticFollowsOnnx) {
  using schema::BinaryKind;
  EXPECT_THAT(Compute<int32_t>(BinaryKind::Div, {7, -7, INT32_MIN}, {2, 2, -1}),
              ElementsAre(3, -3, INT32_MIN));
  EXPECT_THAT(Compute<int64_t>(BinaryKind::Div, {INT64_MIN}, {-1}), ElementsAre(INT64_MIN));
  EXPECT_THAT(Compute<uint64_t>(BinaryKind::Div, {UINT64_MAX}, {2}), ElementsAre(UINT64_MAX / 2));
  EXPECT_THAT(Compute<int32_t>(BinaryKind::Mod, {7, -7, 7, -7}, {3, 3, -3, -3}), ElementsAre(1, 2, -2, -1));
  EXPECT_THAT(Compute<int32_t>(BinaryKind::Fmod, {7, -7, 7, -7}, {3, 3, -3, -3}), ElementsAre(1, -1, 1, -1));
  EXPECT_THAT(Compute<int8_t>(BinaryKind::Add, {127}, {1}), ElementsAre(-128));
  EXPECT_THAT(Compute<int64_t>(BinaryKind::Mul, {INT64_MAX}, {2}), ElementsAre(-2));
  EXPECT_THAT(Compute<int64_t>(BinaryKind::Pow, {3, 2, 5, -1, 7}, {4, 62, 0, -3, -1}),
              ElementsAre(81, int64_t{1} << 62, 1, -1, 0));
  EXPECT_THAT(Compute<uint8_t>(BinaryKind::ShiftLeft, {1, 255, 3}, {7, 4, 200}), ElementsAre(128, 240, 0));
  EXPECT_THAT(Compute<uint32_t>(BinaryKind::ShiftRight, {0x80000000u, 5}, {31, 64}), ElementsAre(1, 0));
  EXPECT_THAT(Compute<uint16_t>(BinaryKind::BitwiseXor, {0xff00}, {0x0ff0}), ElementsAre(0xf0f0));
  EXPECT_THAT(Compute<int16_t>(BinaryKind::Max, {-3}, {2}), ElementsAre(2));
}

TEST(Binary, FloatRemaindersAndPowers) {
  using schema::BinaryKind;
  EXPECT_THAT(Compute<float>(BinaryKind::Fmod, {-4.5f, 4.5f}, {2, -2}), ElementsAre(-0.5f, 0.5f));
  EXPECT_THAT(Compute<float>(BinaryKind::Mod, {-4.5f, 4.5f}, {2, -2}), ElementsAre(1.5f, -1.5f));
  EXPECT_THAT(Compute<float>(BinaryKind::Pow, {3, 2, 4}, {2, -1, 0.5f}), ElementsAre(9, 0.5f, 2));
  EXPECT_THAT(Compute<double>(BinaryKind::Pow, {2}, {0.5}), ElementsAre(std::sqrt(2.0)));
  EXPECT_THAT(Compute<float>(BinaryKind::PRelu, {-4, 4}, {0.25f, 0.25f}), ElementsAre(-1, 4));
}

TEST(Binary, DivisionByZeroIsAnError) {
  OpTester op(ops::Binary(), Kind(schema::BinaryKind::Div));
  op.Input<int32_t>(Shape::Of(2), {1, 2}).Input<int32_t>(Shape::Of(2), {1, 0});
  const Status status = op.Run();
  EXPECT_EQ(status.code(), StatusCode::kOutOfRange);
  EXPECT_THAT(status.message(), HasSubstr("division by zero"));
}

TEST(Binary, LogicalKindsNeedBools) {
  OpTester bools(ops::Binary(), Kind(schema::BinaryKind::Xor));
  bools.Input<uint8_t>(Shape::Of(4), {0, 0, 1, 1}).InputType(DType::kBool);
  bools.Input<uint8_t>(Shape::Of(4), {0, 1, 0, 1}).InputType(DType::kBool);
  ASSERT_TRUE(bools.Run().ok());
  EXPECT_THAT(bools.Output<bool>(), ElementsAre(false, true, true, false));

  OpTester op(ops::Binary(), Kind(schema::BinaryKind::And));
  op.Input<float>(Shape::Of(1), {1}).Input<float>(Shape::Of(1), {1});
  EXPECT_EQ(op.Run().code(), StatusCode::kUnsupported);
}

TEST(Binary, MixedTypesAreRefused) {
  OpTester op(ops::Binary(), Kind(schema::BinaryKind::Add));
  op.Input<float>(Shape::Of(1), {1}).Input<int32_t>(Shape::Of(1), {1});
  const Status status = op.Run();
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), HasSubstr("float32 and int32"));
}

// Quantized arithmetic is the same as dequantizing both, the float function, the activation and quantizing.
TEST(Binary, QuantizedMatchesItsParts) {
  Random random(5);
  const float scale_a = 0.03f, scale_b = 0.07f, scale_y = 0.09f;
  const int zero_a = 4, zero_b = -20, zero_y = -3;
  for (schema::BinaryKind kind :
       {schema::BinaryKind::Add, schema::BinaryKind::Sub, schema::BinaryKind::Mul}) {
    std::vector<int8_t> a(1003), b(1003);
    random.Fill(a, -128, 127);
    random.Fill(b, -128, 127);
    OpTester op(ops::Binary(), Kind(kind, schema::ActivationKind::Clip, -1, 6));
    op.Input(Shape::Of(1003), a)
        .Quantized(scale_a, zero_a)
        .Input(Shape::Of(1003), b)
        .Quantized(scale_b, zero_b);
    op.OutputType(DType::kInt8).OutputQuantized(scale_y, zero_y);
    ASSERT_TRUE(op.Run().ok());
    const std::vector<int8_t> y = op.Output<int8_t>();
    for (size_t i = 0; i < a.size(); ++i) {
      const float p = static_cast<float>(a[i] - zero_a) * scale_a,
                  q = static_cast<float>(b[i] - zero_b) * scale_b;
      const float v = kind == schema::BinaryKind::Add   ? p + q
                      : kind == schema::BinaryKind::Sub ? p - q
                                                        : p * q;
      const float clipped = std::min(6.0f, std::max(-1.0f, v));
      const float level = std::nearbyint(clipped / scale_y) + static_cast<float>(zero_y);
      ASSERT_EQ(y[i], std::min(127.0f, std::max(-128.0f, level))) << i;
    }
  }
}

}  // namespace
}  // namespace micrort
