// Sums and means of int16 against TensorFlow Lite's arithmetic.

#include "kernels/reduce/reduce_s16.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/kernels/guarded_buffer.h"
#include "tests/kernels/int16_model.h"
#include "tests/kernels/reversed_parallel.h"
#include "tests/support/random.h"

namespace micrort::testing::reduce_s16 {
namespace {

struct Case {
  Shape shape;  // of four dimensions
  bool is_reduced[4];
  float x_scale, y_scale;
};

// The elements of every output, in the order of outputs.
std::vector<std::vector<int16_t>> Groups(const Case& c, const int16_t* x) {
  size_t outputs = 1, steps[4] = {};
  for (int d = 3; d >= 0; --d) {
    if (c.is_reduced[d]) continue;
    steps[d] = outputs;
    outputs *= static_cast<size_t>(c.shape[d]);
  }
  std::vector<std::vector<int16_t>> groups(outputs);
  for (int64_t i = 0; i < c.shape.elements(); ++i) {
    size_t output = 0;
    int64_t rest = i;
    for (int d = 3; d >= 0; --d) {
      output += static_cast<size_t>(rest % c.shape[d]) * steps[d];
      rest /= c.shape[d];
    }
    groups[output].push_back(x[i]);
  }
  return groups;
}

void Check(const Case& c, ReduceKind kind) {
  GuardedBuffer<int16_t> x(static_cast<size_t>(c.shape.elements()));
  Random random(5);
  random.Fill(x, INT16_MIN, INT16_MAX);
  const auto groups = Groups(c, x.data());
  GuardedBuffer<int16_t> y(groups.size());
  const ReducePlan plan = PlanReduce(c.shape, c.is_reduced);
  FixedMultiplier by;
  ASSERT_TRUE(PlanReduceS16(kind, plan.elements_per_output(), c.x_scale, c.y_scale, &by));
  ReduceS16(plan, by, x.data(), y.data(), ReversedParallel(3));
  for (size_t i = 0; i < groups.size(); ++i) {
    ASSERT_EQ(y.data()[i], int16_model::SumOrMean(groups[i], kind == ReduceKind::kMean,
                                                  double{c.x_scale} / double{c.y_scale}))
        << "output " << i << " of shape " << ShapeString(c.shape).text;
  }
  EXPECT_TRUE(y.GuardsIntact());
}

TEST(ReduceS16, IsTensorFlowLites) {
  const Case cases[] = {
      {Shape::Of(2, 5, 7, 33), {false, true, true, false}, 0.001f, 0.0007f},
      {Shape::Of(2, 5, 7, 33), {false, false, false, true}, 0.001f, 0.003f},
      {Shape::Of(3, 5, 7, 3), {true, false, true, false}, 0.5f, 0.5f},
      {Shape::Of(3, 5, 7, 3), {true, true, true, true}, 1e-4f, 2e-3f},
      {Shape::Of(1, 1, 1, 70), {false, true, false, false}, 0.3f, 0.1f},
      {Shape::Of(1, 64, 64, 16), {false, true, true, true}, 0.01f, 0.0001f},
      {Shape::Of(1, 3, 2, 40), {false, true, true, false}, 1.0f, 1e-7f},
      {Shape::Of(1, 3, 2, 40), {false, true, true, false}, 1e-9f, 3.0f},
  };
  for (const Case& c : cases) {
    Check(c, ReduceKind::kMean);
    Check(c, ReduceKind::kSum);
  }
}

TEST(ReduceS16, HasNoOtherKindsAndNoLongerSums) {
  FixedMultiplier by;
  EXPECT_FALSE(PlanReduceS16(ReduceKind::kProd, 2, 1, 1, &by));
  EXPECT_FALSE(PlanReduceS16(ReduceKind::kSum, kMaxReduceS16Elements + 1, 1, 1, &by));
  ASSERT_TRUE(PlanReduceS16(ReduceKind::kMean, kMaxReduceS16Elements, 1, 1, &by));
  const std::vector<int16_t> x(kMaxReduceS16Elements, INT16_MIN);
  const bool all[] = {true};
  int16_t y = 0;
  ReduceS16(PlanReduce(Shape::Of(int64_t{kMaxReduceS16Elements}), all), by, x.data(), &y, Sequential());
  EXPECT_EQ(y, INT16_MIN);
}

TEST(ReduceS16, OfNothingIsZero) {
  for (const ReduceKind kind : {ReduceKind::kSum, ReduceKind::kMean}) {
    FixedMultiplier by;
    ASSERT_TRUE(PlanReduceS16(kind, 0, 1, 1, &by));
    const bool first[] = {true, false};
    int16_t y[3] = {7, 7, 7};
    ReduceS16(PlanReduce(Shape::Of(0, 3), first), by, nullptr, y, Sequential());
    EXPECT_EQ(y[0], 0);
    EXPECT_EQ(y[2], 0);
  }
}

}  // namespace
}  // namespace micrort::testing::reduce_s16
