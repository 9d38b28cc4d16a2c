// Operands that decide shapes and are inputs instead of options: known while planning, or only in a run.

#include <gmock/gmock.h>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"
#include "tests/runtime/test_session.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Shape kSix = Shape::Of(2, 3);
const std::vector<float> kValues = {1, 2, 3, 4, 5, 6};

TEST(ComputedOperands, Tile) {
  OpTester op(ops::Tile(), schema::TileOptionsT());
  op.Input<float>(Shape::Of(2), {1, 2}).Known({2});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(1, 2, 1, 2));
  OpTester negative(ops::Tile(), schema::TileOptionsT());
  negative.Input<float>(Shape::Of(2), {1, 2}).Known({-1});
  EXPECT_THAT(negative.Infer().message(), HasSubstr("repeats[0] is -1"));
}

TEST(ComputedOperands, ReduceAxes) {
  schema::ReduceOptionsT options;
  options.keep_dims = false;
  OpTester op(ops::Reduce(), options);
  op.Input<float>(kSix, kValues).Known({-1});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), ElementsAre(6, 15));
  OpTester twice(ops::Reduce(), options);
  twice.Input<float>(kSix, kValues).Known({-1, 1});
  EXPECT_THAT(twice.Infer().message(), HasSubstr("axis 1 is listed twice"));
  OpTester outside(ops::Reduce(), options);
  outside.Input<float>(kSix, kValues).Known({2});
  EXPECT_THAT(outside.Infer().message(), HasSubstr("axis 2 is outside rank 2"));
  OpTester unknown(ops::Reduce(), options);
  unknown.Input<float>(kSix, kValues).Input<int64_t>(Shape::Of(1), {0});
  ASSERT_TRUE(unknown.Infer().ok());
  EXPECT_EQ(unknown.OutputShape().rank, 1);
  EXPECT_EQ(unknown.result().deciders, 2u);
}

TEST(ComputedOperands, ResizeScalesAndSizes) {
  OpTester scaled(ops::Resize(), schema::ResizeOptionsT());
  scaled.Input<float>(Shape::Of(2), {1, 2}).Absent().Known<float>(Shape::Of(1), {2});
  ASSERT_TRUE(scaled.Run().ok());
  EXPECT_EQ(scaled.OutputShape(), Shape::Of(4));
  OpTester sized(ops::Resize(), schema::ResizeOptionsT());
  sized.Input<float>(Shape::Of(2), {1, 2}).Absent().Absent().Known({6});
  ASSERT_TRUE(sized.Run().ok());
  EXPECT_EQ(sized.OutputShape(), Shape::Of(6));
  OpTester wrong(ops::Resize(), schema::ResizeOptionsT());
  wrong.Input<float>(Shape::Of(2), {1, 2}).Absent().Known<float>(Shape::Of(1), {-2});
  EXPECT_EQ(wrong.Infer().code(), StatusCode::kInvalidModel);
}

TEST(ComputedOperands, ExpandKeepsWhatCannotBeBroadcast) {
  OpTester op(ops::Expand(), schema::ExpandOptionsT());
  op.Input<float>(Shape::Of(1, 3), {1, 2, 3}).Input<int64_t>(Shape::Of(3), {2, 2, 3});
  ASSERT_TRUE(op.Infer().ok());
  EXPECT_EQ(op.OutputShape().rank, 3);
  EXPECT_EQ(op.OutputShape()[2], 3);
  EXPECT_EQ(op.OutputExtents(), Extents::DataDependent(3));
}

// y = x[start:end] with start and end that only a run knows.
TEST(ComputedOperands, SliceIsBoundedByItsInput) {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {2, 3});
  const int start = b.Input("start", DType::kInt64, {1});
  const int end = b.Input("end", DType::kInt64, {1});
  const int axis = b.Constant<int64_t>("axis", {1}, {-1});
  const int cut = b.Tensor("cut", DType::kFloat32, {2, -1});
  const int y = b.Tensor("y", DType::kFloat32, {-1, 2});
  schema::TransposeOptionsT transpose;
  transpose.permutation = {1, 0};
  b.Node(schema::SliceOptionsT(), {x, start, end, axis}, {cut}, "slice");
  b.Node(transpose, {cut}, {y}, "transpose");
  b.Output(y);
  InterpreterOptions options;
  options.resolver = &AllOps();
  TestSession session(b, options);
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  EXPECT_EQ(session->output(0).shape, Shape::Of(3, 2));
  const auto run = [&](int64_t from, int64_t to) {
    session.SetInput(0, kValues);
    *session->input(1).as<int64_t>() = from;
    *session->input(2).as<int64_t>() = to;
    ASSERT_TRUE(session->Run().ok());
  };
  run(1, 2);
  EXPECT_THAT(session.Output(0), ElementsAre(2, 5));
  run(-2, 100);
  EXPECT_THAT(session.Output(0), ElementsAre(2, 5, 3, 6));
  run(2, 1);
  EXPECT_EQ(session->output(0).shape, Shape::Of(0, 2));
}

}  // namespace
}  // namespace micrort::testing
