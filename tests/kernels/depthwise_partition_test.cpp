#include "kernels/dwconv/depthwise_partition.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/dwconv/filter_rows.h"
#include "tests/kernels/conv2d_case.h"

namespace micrort::testing {
namespace {

TEST(DepthwisePartition, TasksCoverEveryPixelOnce) {
  const ConvShape shapes[] = {
      {1, 7, 7, 8, 8, 3, 1, 1, 1, 8}, {3, 5, 300, 8, 8, 3, 1, 1, 1, 8}, {1, 1, 1000, 1, 1, 3, 2, 1, 1, 1}};
  for (const ConvShape& shape : shapes) {
    const Conv2DParams p = MakeParams(shape);
    for (const int workers : {1, 2, 3}) {
      const DepthwisePartition partition = MakeDepthwisePartition(p, workers);
      std::vector<int> count(static_cast<size_t>(p.rows()));
      for (size_t i = 0; i < static_cast<size_t>(partition.tasks); ++i) {
        const DepthwiseTask t = TaskOf(partition, i);
        EXPECT_LE(t.columns, kDepthwiseWidth);
        for (int64_t y = t.first_row; y < t.first_row + t.rows; ++y) {
          for (int64_t x = t.first_column; x < t.first_column + t.columns; ++x) {
            ++count.at(static_cast<size_t>(y * p.out_w + x));
          }
        }
      }
      EXPECT_EQ(count, std::vector<int>(count.size(), 1)) << Describe(p) << ", " << workers << " workers";
    }
  }
}

TEST(DepthwisePartition, AnEmptyOutputHasNoTasks) {
  Conv2DParams p = MakeParams({1, 7, 7, 8, 8, 3, 1, 1, 1, 8});
  p.batch = 0;
  EXPECT_EQ(MakeDepthwisePartition(p, 2).tasks, 0);
}

TEST(FilterRows, DoNotFitWhereListsWouldBeLargerThanImages) {
  Conv2DParams p = MakeParams({1, 9, 9, 8, 8, 3, 1, 1, 1, 8});
  EXPECT_TRUE(FilterRows<float>::Fits(p, kDepthwiseWidth));
  p.stride_w = int64_t{1} << 30;
  EXPECT_FALSE(FilterRows<float>::Fits(p, kDepthwiseWidth));
  p.stride_w = 1;
  p.dilation_w = int64_t{1} << 40;
  EXPECT_FALSE(FilterRows<float>::Fits(p, kDepthwiseWidth));
}

}  // namespace
}  // namespace micrort::testing
