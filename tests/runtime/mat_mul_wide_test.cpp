// Products in the types that no layer computes in.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::ElementsAre;
using testing::OpTester;

template <typename T>
void ExpectProduct() {
  OpTester op(ops::MatMul(), schema::MatMulOptionsT());
  op.Input<T>(Shape::Of(2, 1, 2), {1, 2, 3, 4}).template Input<T>(Shape::Of(2, 2), {5, 6, 7, 8});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(), Shape::Of(2, 1, 2));
  EXPECT_THAT(op.Output<T>(), ElementsAre(19, 22, 43, 50));

  schema::MatMulOptionsT options;
  options.transpose_b = true;
  OpTester transposed(ops::MatMul(), options);
  transposed.Input<T>(Shape::Of(2, 1, 2), {1, 2, 3, 4}).template Input<T>(Shape::Of(2, 1, 2), {5, 6, 7, 8});
  ASSERT_TRUE(transposed.Run().ok());
  EXPECT_THAT(transposed.Output<T>(), ElementsAre(17, 53));
}

TEST(MatMulWide, EveryType) {
  ExpectProduct<double>();
  ExpectProduct<int32_t>();
  ExpectProduct<uint32_t>();
  ExpectProduct<int64_t>();
  ExpectProduct<uint64_t>();
}

TEST(MatMulWide, IntegersWrap) {
  OpTester op(ops::MatMul(), schema::MatMulOptionsT());
  op.Input<int32_t>(Shape::Of(1, 1), {INT32_MIN}).Input<int32_t>(Shape::Of(1, 2), {-1, 2});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<int32_t>(), ElementsAre(INT32_MIN, 0));
}

TEST(MatMulWide, RefusesMixedTypesAndEpilogues) {
  OpTester mixed(ops::MatMul(), schema::MatMulOptionsT());
  mixed.Input<double>(Shape::Of(1, 1), {1}).Input<float>(Shape::Of(1, 1), {1});
  EXPECT_EQ(mixed.Run().code(), StatusCode::kInvalidModel);
  OpTester bias(ops::MatMul(), schema::MatMulOptionsT());
  bias.Input<double>(Shape::Of(1, 1), {1})
      .Input<double>(Shape::Of(1, 1), {1})
      .Input<double>(Shape::Of(1), {1});
  EXPECT_EQ(bias.Run().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace micrort
