#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using testing::OpTester;

OpTester TopK(int axis, bool largest) {
  schema::TopKOptionsT options;
  options.axis = axis;
  options.largest = largest;
  OpTester op(ops::TopK(), options);
  op.AddOutput();
  return op;
}

TEST(TopK, LargestAndSmallestBestFirst) {
  OpTester largest = TopK(1, true);
  largest.Input<float>(Shape::Of(2, 4), {0, 3, 1, 2, 7, 5, 7, 6}).Known({3});
  ASSERT_TRUE(largest.Run().ok());
  EXPECT_EQ(largest.OutputShape(), Shape::Of(2, 3));
  EXPECT_THAT(largest.Output<float>(), ElementsAre(3, 2, 1, 7, 7, 6));
  EXPECT_THAT(largest.Output<int64_t>(1), ElementsAre(1, 3, 2, 0, 2, 3));
  OpTester smallest = TopK(0, false);
  smallest.Input<int64_t>(Shape::Of(3, 2), {5, 1, 5, -2, 4, 1}).Known({2});
  ASSERT_TRUE(smallest.Run().ok());
  EXPECT_THAT(smallest.Output<int64_t>(), ElementsAre(4, -2, 5, 1));
  EXPECT_THAT(smallest.Output<int64_t>(1), ElementsAre(2, 1, 0, 0));
}

template <typename T>
void ExpectSorted(const std::vector<T>& values) {
  OpTester op = TopK(0, true);
  op.Input<T>(Shape::Of(values.size()), values).Known({static_cast<int64_t>(values.size())});
  ASSERT_TRUE(op.Run().ok());
  std::vector<T> sorted = values;
  std::sort(sorted.begin(), sorted.end(), std::greater<T>());
  EXPECT_EQ(op.Output<T>(), sorted);
}

TEST(TopK, EveryType) {
  ExpectSorted<float>({-1.5f, 0, 3, -7, 2});
  ExpectSorted<double>({-1.5, 0, 3e100, -7e-300, 2});
  ExpectSorted<int8_t>({-1, 0, 127, -128, 2});
  ExpectSorted<uint8_t>({1, 0, 255, 128, 2});
  ExpectSorted<int16_t>({-1, 0, 3000, -7000, 2});
  ExpectSorted<uint16_t>({1, 0, 65535, 7000, 2});
  ExpectSorted<int32_t>({-1, 0, 300000, INT32_MIN, 2});
  ExpectSorted<uint32_t>({1, 0, UINT32_MAX, 7, 2});
  ExpectSorted<int64_t>({-1, 0, INT64_MAX, INT64_MIN, 2});
  ExpectSorted<uint64_t>({1, 0, UINT64_MAX, 7, 2});
  OpTester half = TopK(0, false);  // 2, -1, 1
  half.Input<uint16_t>(Shape::Of(3), {0x4000, 0xbc00, 0x3c00}).InputType(DType::kFloat16).Known({1});
  ASSERT_TRUE(half.Run().ok());
  EXPECT_THAT(half.Output<int64_t>(1), ElementsAre(1));
}

TEST(TopK, NaNsAreLargestAndZerosEqual) {
  OpTester op = TopK(0, true);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  op.Input<float>(Shape::Of(5), {-0.0f, 1, 0, -nan, std::numeric_limits<float>::infinity()}).Known({5});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int64_t>(1), ElementsAre(3, 4, 1, 0, 2));
}

TEST(TopK, RandomAgainstSorting) {
  std::mt19937 random(5);
  std::uniform_int_distribution<int> value(0, 40);
  for (const size_t k : {1, 7, 99, 100}) {
    std::vector<float> x(100);
    for (float& v : x) v = static_cast<float>(value(random));
    OpTester op = TopK(0, true);
    op.Input<float>(Shape::Of(100), x).Known({static_cast<int64_t>(k)});
    ASSERT_TRUE(op.Run().ok());
    std::vector<int64_t> order(x.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return x[static_cast<size_t>(a)] > x[static_cast<size_t>(b)];
    });
    order.resize(k);
    EXPECT_EQ(op.Output<int64_t>(1), order) << "k = " << k;
  }
}

TEST(TopK, KFromNoneToAll) {
  OpTester none = TopK(0, true);
  none.Input<float>(Shape::Of(3), {1, 2, 3}).Known({0});
  ASSERT_TRUE(none.Run().ok());
  EXPECT_EQ(none.OutputShape(), Shape::Of(0));
  for (const int64_t k : {-1, 4}) {
    OpTester op = TopK(0, true);
    op.Input<float>(Shape::Of(3), {1, 2, 3}).Known({k});
    EXPECT_EQ(op.Run().code(), StatusCode::kOutOfRange);
  }
}

}  // namespace
}  // namespace micrort
