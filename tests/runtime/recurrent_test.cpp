#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"
#include "tests/status_matchers.h"

namespace micrort {
namespace {

using schema::RecurrentKind;
using testing::OpTester;

schema::RecurrentOptionsT Options(RecurrentKind kind) {
  schema::RecurrentOptionsT options;
  options.kind = kind;
  const int count = kind == RecurrentKind::Rnn ? 1 : kind == RecurrentKind::Gru ? 2 : 3;
  for (int i = 0; i < count; ++i) {
    options.activations.push_back(std::make_unique<schema::RecurrentActivationT>());
    options.activations.back()->kind =
        i == 0 && kind != RecurrentKind::Rnn ? schema::UnaryKind::Sigmoid : schema::UnaryKind::Tanh;
  }
  return options;
}

// An Rnn without activation: h = x + h / 2.
schema::RecurrentOptionsT Halving(bool reverse, bool last_only) {
  schema::RecurrentOptionsT options = Options(RecurrentKind::Rnn);
  options.activations[0]->kind = schema::UnaryKind::Identity;
  options.reverse = reverse;
  options.last_only = last_only;
  return options;
}

TEST(Recurrent, StepsForward) {
  OpTester op(ops::Recurrent(), Halving(false, false));
  op.AddOutput().Input<float>(Shape::Of(3, 1, 1), {1, 2, 4}).Constant<float>(Shape::Of(1, 1), {0.5f});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.OutputShape(0), Shape::Of(3, 1, 1));
  EXPECT_EQ(op.OutputShape(1), Shape::Of(1, 1));
  EXPECT_EQ(op.Output<float>(0), (std::vector<float>{1, 2.5f, 5.25f}));
  EXPECT_EQ(op.Output<float>(1), (std::vector<float>{5.25f}));
}

TEST(Recurrent, StepsBackwardFromWhereEachSequenceEnds) {
  OpTester op(ops::Recurrent(), Halving(true, false));
  op.AddOutput().Input<float>(Shape::Of(2, 2, 1), {1, 2, 4, 8}).Constant<float>(Shape::Of(1, 1), {0.5f});
  op.Absent().Input<int32_t>(Shape::Of(2), {2, 1}).Input<float>(Shape::Of(2, 1), {2, 4});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.Output<float>(0), (std::vector<float>{3.5f, 4, 5, 0}));
  EXPECT_EQ(op.Output<float>(1), (std::vector<float>{3.5f, 4}));
}

TEST(Recurrent, WeightsMayBeComputed) {
  OpTester op(ops::Recurrent(), Halving(false, true));
  op.Input<float>(Shape::Of(2, 1, 2), {1, 2, 3, 4}).Input<float>(Shape::Of(2, 2), {0, 1, 1, 0});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.Output<float>(), (std::vector<float>{5, 5}));
}

// h = x + h R, of 127 steps of the largest magnitude.
TEST(Recurrent, StatesMayBeRounded) {
  schema::RecurrentOptionsT options = Halving(false, true);
  options.compute = schema::WeightCompute::SymmetricInt8;
  OpTester op(ops::Recurrent(), std::move(options));
  op.Input<float>(Shape::Of(1, 1, 2), {0, 0}).Input<float>(Shape::Of(2, 2), {1, 0, 0, 1});
  op.Absent().Absent().Input<float>(Shape::Of(1, 2), {-254, 31});
  ASSERT_TRUE(op.Run().ok());
  EXPECT_EQ(op.Output<float>(), (std::vector<float>{-254, 32}));
}

// The rows of the gates z, r and of the new h have the scales 1/2, 1/4 and 1/8.
TEST(Recurrent, WeightsMayBeInt8) {
  const auto run = [](OpTester& op) {
    op.Absent().Absent().Input<float>(Shape::Of(1, 1), {1});
    EXPECT_TRUE(op.Run().ok());
    return op.Output<float>();
  };
  schema::RecurrentOptionsT options = Options(RecurrentKind::Gru);
  options.last_only = true;
  OpTester quantized(ops::Recurrent(), std::move(options));
  quantized.Input<float>(Shape::Of(1, 1, 3), {0.1f, 0.2f, 0.3f});
  quantized.Constant<int8_t>(Shape::Of(3, 1), {2, 4, -8}).QuantizedAlong(0, {0.5f, 0.25f, 0.125f});
  options = Options(RecurrentKind::Gru);
  options.last_only = true;
  OpTester floats(ops::Recurrent(), std::move(options));
  floats.Input<float>(Shape::Of(1, 1, 3), {0.1f, 0.2f, 0.3f}).Constant<float>(Shape::Of(3, 1), {1, 1, -1});
  EXPECT_EQ(run(quantized), run(floats));
}

TEST(Recurrent, LstmAgreesWithItsFormula) {
  OpTester op(ops::Recurrent(), Options(RecurrentKind::Lstm));
  op.AddOutput().AddOutput();
  op.Input<float>(Shape::Of(1, 1, 4), {0.1f, 0.2f, 0.3f, 0.4f});
  op.Constant<float>(Shape::Of(4, 1), {1, 2, 3, 4}).Absent().Absent();
  op.Input<float>(Shape::Of(1, 1), {0.5f}).Input<float>(Shape::Of(1, 1), {0.25f});
  ASSERT_TRUE(op.Run().ok());
  const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
  const double c = sigmoid(0.3 + 1.5) * 0.25 + sigmoid(0.1 + 0.5) * std::tanh(0.4 + 2);
  EXPECT_NEAR(op.Output<float>(2)[0], c, 1e-6);
  EXPECT_NEAR(op.Output<float>(1)[0], sigmoid(0.2 + 1) * std::tanh(c), 1e-6);
}

TEST(Recurrent, LengthsAreChecked) {
  for (const int32_t length : {-1, 3}) {
    OpTester op(ops::Recurrent(), Halving(false, true));
    op.Input<float>(Shape::Of(2, 1, 1), {1, 2}).Constant<float>(Shape::Of(1, 1), {1});
    op.Absent().Input<int32_t>(Shape::Of(1), {length});
    const Status status = op.Run();
    EXPECT_EQ(status.code(), StatusCode::kOutOfRange);
    EXPECT_THAT(status.message(), ::testing::HasSubstr("is not in [0, 2]"));
  }
}

TEST(Recurrent, RefusesWhatDoesNotFit) {
  const auto code = [](schema::RecurrentOptionsT options, const Shape& x, const Shape& r) {
    OpTester op(ops::Recurrent(), std::move(options));
    op.Input(x, std::vector<float>(static_cast<size_t>(x.elements())));
    op.Constant(r, std::vector<float>(static_cast<size_t>(r.elements())));
    return op.Run().code();
  };
  EXPECT_EQ(code(Halving(false, true), Shape::Of(2, 1, 3), Shape::Of(2, 2)), StatusCode::kInvalidModel);
  EXPECT_EQ(code(Halving(false, true), Shape::Of(2, 2), Shape::Of(2, 2)), StatusCode::kInvalidModel);
  EXPECT_EQ(code(Halving(false, true), Shape::Of(2, 1, 0), Shape::Of(0, 0)), StatusCode::kInvalidModel);
  EXPECT_EQ(code(Halving(false, false), Shape::Of(2, 1, 2), Shape::Of(2, 2)), StatusCode::kInvalidModel);
  schema::RecurrentOptionsT missing = Halving(false, true);
  missing.activations.clear();
  EXPECT_EQ(code(std::move(missing), Shape::Of(2, 1, 2), Shape::Of(2, 2)), StatusCode::kInvalidModel);
  schema::RecurrentOptionsT no_function = Halving(false, true);
  no_function.activations[0]->kind = schema::UnaryKind::Not;
  EXPECT_EQ(code(std::move(no_function), Shape::Of(2, 1, 2), Shape::Of(2, 2)), StatusCode::kInvalidModel);
  schema::RecurrentOptionsT clip = Halving(false, true);
  clip.clip = -1;
  EXPECT_EQ(code(std::move(clip), Shape::Of(2, 1, 2), Shape::Of(2, 2)), StatusCode::kInvalidModel);
  schema::RecurrentOptionsT half = Halving(false, true);
  half.compute = schema::WeightCompute::Half;
  EXPECT_EQ(code(std::move(half), Shape::Of(2, 1, 2), Shape::Of(2, 2)), StatusCode::kInvalidModel);
}

TEST(Recurrent, RefusesInputsOfOtherKinds) {
  OpTester op(ops::Recurrent(), Halving(false, true));
  op.Input<float>(Shape::Of(1, 1, 1), {1}).Constant<float>(Shape::Of(1, 1), {1});
  op.Absent().Absent().Absent().Input<float>(Shape::Of(1, 1), {1});
  EXPECT_EQ(op.Run().code(), StatusCode::kInvalidModel);
}

}  // namespace
}  // namespace micrort
