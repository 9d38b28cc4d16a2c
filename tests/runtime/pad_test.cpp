#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using testing::OpTester;
using testing::Random;

schema::PadOptionsT Pads(schema::PadMode mode, std::vector<int64_t> pads, float value = 0) {
  schema::PadOptionsT options;
  options.mode = mode;
  options.pads = std::move(pads);
  options.value = value;
  return options;
}

TEST(Pad, ModesAlongOneAxis) {
  struct Case {
    schema::PadMode mode;
    std::vector<float> expected;
  };
  const Case cases[] = {
      {schema::PadMode::Constant, {9, 9, 9, 9, 9, 1, 2, 3, 9, 9, 9, 9, 9, 9}},
      {schema::PadMode::Edge, {1, 1, 1, 1, 1, 1, 2, 3, 3, 3, 3, 3, 3, 3}},
      {schema::PadMode::Wrap, {2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3}},
      {schema::PadMode::Reflect, {2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3, 2, 1}},
  };
  for (const Case& c : cases) {
    OpTester op(ops::Pad(), Pads(c.mode, {5, 6}, 9));
    op.Input<float>(Shape::Of(3), {1, 2, 3});
    ASSERT_TRUE(op.Run().ok());
    EXPECT_THAT(op.Output<float>(), ElementsAreArray(c.expected)) << schema::EnumNamePadMode(c.mode);
  }
}

// The index that an output position takes from a dimension of `size` elements; -1: the constant.
int64_t SourceIndex(schema::PadMode mode, int64_t position, int64_t size) {
  if (position >= 0 && position < size) return position;
  switch (mode) {
    case schema::PadMode::Constant:
      return -1;
    case schema::PadMode::Edge:
      return position < 0 ? 0 : size - 1;
    case schema::PadMode::Wrap:
      return ((position % size) + size) % size;
    case schema::PadMode::Reflect: {
      if (size == 1) return 0;
      const int64_t period = 2 * (size - 1);
      const int64_t p = ((position % period) + period) % period;
      return p < size ? p : period - p;
    }
  }
  return -1;
}

// By the definition, for three dimensions whose negative pads have been applied.
std::vector<int32_t> ReferencePad(schema::PadMode mode, const Shape& in, const std::vector<int32_t>& x,
                                  const std::vector<int64_t>& pads, int32_t value) {
  int64_t crop[3];
  int64_t kept[3];
  int64_t out[3];
  for (size_t d = 0; d < 3; ++d) {
    crop[d] = std::max<int64_t>(-pads[d], 0);
    kept[d] = in[static_cast<int>(d)] - crop[d] - std::max<int64_t>(-pads[3 + d], 0);
    out[d] = in[static_cast<int>(d)] + pads[d] + pads[3 + d];
  }
  std::vector<int32_t> y;
  for (int64_t i = 0; i < out[0]; ++i) {
    for (int64_t j = 0; j < out[1]; ++j) {
      for (int64_t k = 0; k < out[2]; ++k) {
        const int64_t position[3] = {i, j, k};
        int64_t index = 0;
        bool constant = false;
        for (size_t d = 0; d < 3; ++d) {
          const int64_t s = SourceIndex(mode, position[d] - std::max<int64_t>(pads[d], 0), kept[d]);
          constant |= s < 0;
          index = index * in[static_cast<int>(d)] + s + crop[d];
        }
        y.push_back(constant ? value : x[static_cast<size_t>(index)]);
      }
    }
  }
  return y;
}

TEST(Pad, RandomPadsMatchTheDefinition) {
  for (uint32_t seed = 0; seed < 800; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto mode = static_cast<schema::PadMode>(random.Integer(0, 3));
    const Shape in = Shape::Of(random.Integer(1, 4), random.Integer(1, 4), random.Integer(1, 4));
    std::vector<int64_t> pads(6);
    for (size_t d = 0; d < 3; ++d) {
      const int64_t size = in[static_cast<int>(d)];
      pads[d] = random.Integer(-(size - 1), 9);
      pads[3 + d] = random.Integer(std::min<int64_t>(0, -(size - 1) - std::min<int64_t>(pads[d], 0)), 9);
    }
    std::vector<int32_t> x(static_cast<size_t>(in.elements()));
    random.Fill(x, -1000, 1000);
    OpTester op(ops::Pad(), Pads(mode, {}));
    op.Input<int32_t>(in, x).Known(pads).Input<int32_t>(Shape(), {77});
    const Status status = op.Run();
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_EQ(op.Output<int32_t>(), ReferencePad(mode, in, x, pads, 77));
  }
}

TEST(Pad, QuantizedFillIsTheLevelOfTheValue) {
  OpTester zero(ops::Pad(), Pads(schema::PadMode::Constant, {1, 0}));
  zero.Input<int8_t>(Shape::Of(1), {5}).Quantized(0.5f, -7).OutputQuantized(0.5f, -7);
  ASSERT_TRUE(zero.Run().ok());
  EXPECT_THAT(zero.Output<int8_t>(), ElementsAre(-7, 5));
  OpTester three(ops::Pad(), Pads(schema::PadMode::Constant, {1, 0}, 3.0f));
  three.Input<int8_t>(Shape::Of(1), {5}).Quantized(0.5f, -7);
  ASSERT_TRUE(three.Run().ok());
  EXPECT_THAT(three.Output<int8_t>(), ElementsAre(-1, 5));
}

TEST(Pad, ConstantAroundNothing) {
  OpTester op(ops::Pad(), Pads(schema::PadMode::Constant, {1, 0, 1, 1}, 4));
  op.Input<float>(Shape::Of(0, 1), {});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(2, 2), op.OutputShape());
  EXPECT_THAT(op.Output<float>(), ElementsAre(4, 4, 4, 4));
}

TEST(Pad, RejectsImpossiblePads) {
  struct Case {
    schema::PadMode mode;
    std::vector<int64_t> pads;
  };
  const Case cases[] = {
      {schema::PadMode::Constant, {-2, -2}},
      {schema::PadMode::Constant, {-4, 9}},
      {schema::PadMode::Constant, {1}},
      {schema::PadMode::Constant, {1, 1, 1, 1}},
      {schema::PadMode::Constant, {INT64_MAX, 1}},
      {schema::PadMode::Constant, {INT64_MIN, INT64_MIN}},
      {schema::PadMode::Constant, {INT64_MAX / 2, 0}},
      {schema::PadMode::Edge, {-3, 1}},
      {static_cast<schema::PadMode>(9), {1, 1}},
  };
  for (const Case& c : cases) {
    OpTester op(ops::Pad(), Pads(c.mode, c.pads));
    op.Input<float>(Shape::Of(3), {1, 2, 3});
    EXPECT_EQ(StatusCode::kInvalidModel, op.Run().code());
  }
}

TEST(Pad, RejectsAFillValueOfAnotherType) {
  OpTester op(ops::Pad(), Pads(schema::PadMode::Constant, {1, 1}));
  op.Input<float>(Shape::Of(1), {1}).Absent().Input<int32_t>(Shape(), {1});
  EXPECT_EQ(StatusCode::kInvalidModel, op.Run().code());
}

}  // namespace
}  // namespace micrort
