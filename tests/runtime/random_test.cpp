#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::OpTester;

std::vector<float> Draw(schema::RandomKind kind, uint32_t seed, const std::vector<int64_t>& shape) {
  schema::RandomOptionsT options;
  options.kind = kind;
  options.seed = seed;
  OpTester op(ops::Random(), options);
  op.Known(shape);
  EXPECT_TRUE(op.Run().ok());
  return op.Output<float>();
}

TEST(RandomOp, DependsOnTheSeedAlone) {
  EXPECT_THAT(Draw(schema::RandomKind::Uniform, 0, {2}), ElementsAre(0.5488135f, 0.71518934f));
  EXPECT_EQ(Draw(schema::RandomKind::Normal, 5, {2, 3}), Draw(schema::RandomKind::Normal, 5, {6}));
  EXPECT_NE(Draw(schema::RandomKind::Normal, 5, {6}), Draw(schema::RandomKind::Normal, 6, {6}));
}

TEST(RandomOp, HasTheDistributionThatItSays) {
  const std::vector<float> uniform = Draw(schema::RandomKind::Uniform, 1, {100, 100});
  EXPECT_THAT(uniform, Each(::testing::AllOf(::testing::Ge(0.0f), ::testing::Lt(1.0f))));
  double sum = 0, squares = 0;
  for (float v : Draw(schema::RandomKind::Normal, 1, {10000})) {
    sum += static_cast<double>(v);
    squares += static_cast<double>(v) * static_cast<double>(v);
  }
  EXPECT_NEAR(0, sum / 10000, 0.05);
  EXPECT_NEAR(1, squares / 10000, 0.05);
}

TEST(RandomOp, TakesAnyShape) {
  EXPECT_EQ(1u, Draw(schema::RandomKind::Uniform, 1, {}).size());
  EXPECT_EQ(0u, Draw(schema::RandomKind::Uniform, 1, {3, 0}).size());
  OpTester negative(ops::Random(), schema::RandomOptionsT());
  EXPECT_EQ(StatusCode::kInvalidModel, negative.Known({-1}).Run().code());
}

}  // namespace
}  // namespace micrort
