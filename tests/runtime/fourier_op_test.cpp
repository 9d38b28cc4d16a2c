#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"

namespace micrort {
namespace {

using ::testing::FloatNear;
using testing::OpTester;
using ::testing::Pointwise;
using Floats = std::vector<float>;

schema::FourierOptionsT Options(int axis, bool inverse = false, bool one_sided = false) {
  schema::FourierOptionsT o;
  o.axis = axis;
  o.inverse = inverse;
  o.one_sided = one_sided;
  return o;
}

TEST(FourierOp, OfRealNumbers) {
  OpTester op(ops::Fourier(), Options(1));
  op.Input<float>(Shape::Of(1, 4, 1), {1, 2, 3, 4});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(Shape::Of(1, 4, 2), op.OutputShape());
  EXPECT_THAT(op.Output<float>(), Pointwise(FloatNear(1e-6f), Floats{10, 0, -2, 2, -2, 0, -2, -2}));
}

TEST(FourierOp, AlongAnyAxisAndBack) {
  Floats x;
  for (int i = 0; i < 2 * 3 * 5 * 2; ++i) x.push_back(static_cast<float>(i * i % 7));
  for (int axis = 0; axis < 3; ++axis) {
    OpTester forward(ops::Fourier(), Options(axis));
    forward.Input<float>(Shape::Of(2, 3, 5, 2), x);
    ASSERT_TRUE(forward.Run().ok());
    OpTester back(ops::Fourier(), Options(axis - 4, true));
    back.Input<float>(Shape::Of(2, 3, 5, 2), forward.Output<float>());
    ASSERT_TRUE(back.Run().ok());
    EXPECT_THAT(back.Output<float>(), Pointwise(FloatNear(1e-5f), x));
  }
}

TEST(FourierOp, OneSidedAndBackToRealNumbers) {
  for (int64_t length : {5, 6}) {
    const Floats x = {1, -2, 3, 0.5f, 4, 2};
    OpTester forward(ops::Fourier(), Options(0, false, true));
    forward.Input<float>(Shape::Of(6, 1), x).Absent().Known({length});
    ASSERT_TRUE(forward.Run().ok());
    EXPECT_EQ(Shape::Of(length / 2 + 1, 2), forward.OutputShape());
    OpTester back(ops::Fourier(), Options(0, true, true));
    back.Input<float>(Shape::Of(length / 2 + 1, 2), forward.Output<float>()).Absent().Known({length});
    ASSERT_TRUE(back.Run().ok());
    EXPECT_EQ(Shape::Of(length, 1), back.OutputShape());
    EXPECT_THAT(back.Output<float>(), Pointwise(FloatNear(1e-5f), Floats(x.begin(), x.begin() + length)));
  }
}

TEST(FourierOp, PadsWithZerosToALongerLength) {
  OpTester padded(ops::Fourier(), Options(0));
  padded.Input<float>(Shape::Of(3, 1), {1, 2, 3}).Absent().Known({5});
  ASSERT_TRUE(padded.Run().ok());
  OpTester longer(ops::Fourier(), Options(0));
  longer.Input<float>(Shape::Of(5, 1), {1, 2, 3, 0, 0});
  ASSERT_TRUE(longer.Run().ok());
  EXPECT_EQ(longer.Output<float>(), padded.Output<float>());
}

TEST(FourierOp, FramesAreWindowedPieces) {
  const Floats x = {1, 2, 3, 4, 5, 6, 7};
  OpTester frames(ops::Fourier(), Options(1, false, true));
  frames.Input<float>(Shape::Of(1, 7, 1), x).Input<float>(Shape::Of(4), {1, 0.5f, 2, 1});
  ASSERT_TRUE(frames.Known({4}).Known({2}).Run().ok());
  EXPECT_EQ(Shape::Of(1, 2, 3, 2), frames.OutputShape());
  OpTester second(ops::Fourier(), Options(0, false, true));
  second.Input<float>(Shape::Of(4, 1), {3, 2, 10, 6});
  ASSERT_TRUE(second.Run().ok());
  const Floats all = frames.Output<float>();
  EXPECT_THAT(Floats(all.begin() + 6, all.end()), Pointwise(FloatNear(1e-5f), second.Output<float>()));
}

TEST(FourierOp, TheAxisMayBeAnInput) {
  OpTester op(ops::Fourier(), Options(7));
  op.Input<float>(Shape::Of(2, 1, 1), {1, 2}).Absent().Absent().Absent().Known({0});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_THAT(op.Output<float>(), Pointwise(FloatNear(1e-6f), Floats{3, 0, -1, 0}));
}

TEST(FourierOp, RejectsNonsense) {
  const auto run = [](const schema::FourierOptionsT& options, const Shape& shape) {
    OpTester op(ops::Fourier(), options);
    op.Input<float>(shape, Floats(static_cast<size_t>(shape.elements())));
    return op.Run().code();
  };
  EXPECT_EQ(StatusCode::kInvalidModel, run(Options(0), Shape::Of(3, 3)));
  EXPECT_EQ(StatusCode::kInvalidModel, run(Options(0), Shape::Of(2)));
  EXPECT_EQ(StatusCode::kInvalidModel, run(Options(1), Shape::Of(3, 2)));
  EXPECT_EQ(StatusCode::kInvalidModel, run(Options(2), Shape::Of(3, 2)));
  EXPECT_EQ(StatusCode::kInvalidModel, run(Options(0), Shape::Of(0, 2)));
  EXPECT_EQ(StatusCode::kInvalidModel, run(Options(0, true, true), Shape::Of(1, 2)));
  const auto framed = [](int64_t length, int64_t step, int64_t window) {
    OpTester op(ops::Fourier(), Options(0));
    op.Input<float>(Shape::Of(6, 1), Floats(6)).Input<float>(Shape::Of(window), Floats(window));
    return op.Known({length}).Known({step}).Run().code();
  };
  EXPECT_EQ(StatusCode::kOk, framed(6, 1, 6));
  EXPECT_EQ(StatusCode::kInvalidModel, framed(7, 1, 7));
  EXPECT_EQ(StatusCode::kInvalidModel, framed(4, 0, 4));
  EXPECT_EQ(StatusCode::kInvalidModel, framed(4, 1, 3));
  EXPECT_EQ(StatusCode::kInvalidModel, framed(-1, 1, 0));
  EXPECT_EQ(StatusCode::kInvalidModel, framed(int64_t{1} << 40, 1, 0));
}

}  // namespace
}  // namespace micrort
