// mnnconvert --state: tensors that the interpreter keeps from one run to the next.

#include "converter/ir/keep_states.h"

#include <gmock/gmock.h>

#include <limits>

#include "tests/converter/converted.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

// y = -(x + total); next = x + total.
OnnxBuilder Accumulator(const std::vector<std::string>& dims = {"2"}) {
  OnnxBuilder builder;
  builder.Input("x", dims).Input("total", dims);
  builder.Node("Add", {"x", "total"}, {"next"}).Node("Neg", {"next"}, {"y"});
  return builder;
}

ConvertOptions Keeping(const std::vector<ir::StateNames>& states) {
  ConvertOptions options;
  options.states = states;
  return options;
}

std::string ErrorOf(OnnxBuilder builder, const std::vector<ir::StateNames>& states) {
  const Converted converted(builder, {"y"}, Keeping(states));
  EXPECT_EQ(converted.status().code(), StatusCode::kInvalidArgument);
  return converted.status().message();
}

TEST(KeepStates, AnInnerTensorBecomesAnInput) {
  OnnxBuilder builder = Accumulator();
  Converted model(builder, {"y"}, Keeping({{"next", "total"}}));
  EXPECT_EQ(model.Run({Array<float>({2}, {1, 2})}), "2: -1 -2");
  EXPECT_EQ(model.Run({Array<float>({2}, {10, 20})}), "2: -11 -22");
  EXPECT_EQ(model.Run({Array<float>({2}, {100, 200})}), "2: -111 -222");
}

TEST(KeepStates, AnOutputIsNoneAnyMore) {
  OnnxBuilder builder = Accumulator();
  Converted model(builder, {"next", "y"}, Keeping({{"next", "total"}}));
  EXPECT_EQ(model.Run({Array<float>({2}, {1, 2})}), "2: -1 -2");
  EXPECT_EQ(model.Run({Array<float>({2}, {1, 2})}), "2: -2 -4");
}

// y = x + what x was two runs ago.
TEST(KeepStates, ValuesAreHandedOnAllAtOnce) {
  for (const bool forward : {true, false}) {
    OnnxBuilder builder;
    builder.Input("x", {"1"}).Input("last", {"1"}).Input("before", {"1"});
    builder.Node("Add", {"x", "before"}, {"y"});
    std::vector<ir::StateNames> states = {{"x", "last"}, {"last", "before"}};
    if (forward) std::swap(states[0], states[1]);
    Converted model(builder, {"y"}, Keeping(states));
    const char* const expected[] = {"1: 1", "1: 2", "1: 4", "1: 6"};
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(model.Run({Array<float>({1}, {static_cast<float>(i + 1)})}), expected[i]);
  }
}

TEST(KeepStates, FollowTheBatchOfAnotherInput) {
  OnnxBuilder builder = Accumulator({"N", "2"});
  Converted model(builder, {"y"}, Keeping({{"next", "total"}}));
  EXPECT_EQ(model.Run({Array<float>({1, 2}, {1, 2})}), "1x2: -1 -2");
  EXPECT_EQ(model.Run({Array<float>({2, 2}, {1, 2, 3, 4})}), "2x2: -1 -2 -3 -4");
  EXPECT_EQ(model.Run({Array<float>({2, 2}, {1, 2, 3, 4})}), "2x2: -2 -4 -6 -8");
}

TEST(KeepStates, RefusesWhatTheModelLacks) {
  EXPECT_THAT(ErrorOf(Accumulator(), {{"next", "totl"}}),
              HasSubstr("--state: the model has no input 'totl'; names like it: 'total', 'x'"));
  EXPECT_THAT(ErrorOf(Accumulator(), {{"nexte", "total"}}),
              HasSubstr("--state: the model has no tensor 'nexte'; names like it: 'next'"));
  EXPECT_THAT(ErrorOf(Accumulator(), {{"next", "total"}, {"y", "total"}}),
              HasSubstr("--state: input 'total' is given twice"));
}

TEST(KeepStates, RefusesOtherTypesAndShapes) {
  OnnxBuilder builder;
  builder.Input("x", {"2"}).Input("total", {"1"}).Node("Add", {"x", "total"}, {"y"});
  EXPECT_THAT(ErrorOf(builder, {{"y", "total"}}),
              HasSubstr("expected 'y' of float32 and shape 1, found float32 and shape 2"));
  builder = Accumulator();
  builder.Node("Cast", {"next"}, {"whole"}).Int("to", ::onnx::TensorProto::INT64);
  EXPECT_THAT(ErrorOf(builder, {{"whole", "total"}}), HasSubstr("found int64 and shape 2"));
}

TEST(KeepStates, RefusesWhatDecidesShapes) {
  OnnxBuilder builder;
  builder.Input("x", {"6"}).Input("shape", {"2"}, ::onnx::TensorProto::INT64);
  builder.Node("Reshape", {"x", "shape"}, {"y"}).Node("Abs", {"shape"}, {"next"});
  EXPECT_THAT(ErrorOf(builder, {{"next", "shape"}}),
              HasSubstr("--state next=shape: 'shape' decides shapes, which callers must do"));
}

TEST(KeepStates, RefusesASizeThatNobodyTells) {
  OnnxBuilder builder;
  builder.Input("x", {"1"}).Input("total", {"N"}).Node("Add", {"x", "total"}, {"next"});
  builder.Node("ReduceSum", {"next"}, {"y"});
  EXPECT_THAT(ErrorOf(builder, {{"next", "total"}}),
              HasSubstr("no other input tells the size of dimension 0 of 'total', which is N; give it by "
                        "--input-shape"));
}

// An LSTM over T steps with weights of its own in both directions of the gates.
OnnxBuilder Lstm(const std::string& steps) {
  OnnxBuilder builder(14);
  builder.Input("x", {steps, "1", "3"}).Input("h", {"1", "1", "2"}).Input("c", {"1", "1", "2"});
  builder.Weights("w", {1, 8, 3}).Weights("r", {1, 8, 2}).Weights("b", {1, 16});
  builder.Node("LSTM", {"x", "w", "r", "b", "", "h", "c"}, {"all", "y", "cell"});
  return builder;
}

TEST(KeepStates, AnLstmStepByStepIsAnLstmOverAllSteps) {
  OnnxBuilder step = Lstm("1"), all = Lstm("4");
  ConvertOptions options = Keeping({{"y", "h"}, {"cell", "c"}});
  options.target = {"scalar", 0, true};
  Converted one(step, {"all", "y", "cell"}, options);
  Converted whole(all);
  const std::vector<float> x = {0.5f, -1, 0.25f, 2, 1, -0.5f, 0.75f, -2, 1, 0, 1.5f, -1};
  const std::string expected = whole.Run(
      {Array<float>({4, 1, 3}, x), Array<float>({1, 1, 2}, {0, 0}), Array<float>({1, 1, 2}, {0, 0})});
  std::string found;
  for (size_t t = 0; t < 4; ++t)
    found = one.Run({Array<float>({1, 1, 3}, {x.begin() + static_cast<ptrdiff_t>(3 * t),
                                              x.begin() + static_cast<ptrdiff_t>(3 * t + 3)})});
  // The output of the last step has one more dimension than the last state.
  EXPECT_EQ(found, "1x" + expected);
}

TEST(KeepStates, AreVerifiedOverSeveralSteps) {
  OnnxBuilder builder = Accumulator();
  ConvertOptions options = Keeping({{"next", "total"}});
  options.verify = VerifyMode::kOutputs;
  const Converted model(builder, {"y"}, options);
  ASSERT_TRUE(model.status().ok()) << model.status().message();
  ASSERT_EQ(model.result().verification.size(), 1u);
  EXPECT_EQ(model.result().verification[0].name, "y");
  EXPECT_EQ(model.result().verification[0].similarity.largest_error(), 0);
}

TEST(KeepStates, CountForMaxArena) {
  OnnxBuilder builder = Accumulator({"1000"});
  const ConvertOptions keeping = Keeping({{"next", "total"}});
  const Converted model(builder, {"y"}, keeping);
  ConvertOptions options = keeping;
  options.max_arena = model.result().summary.arena_bytes;
  EXPECT_GE(*options.max_arena, 12000u);
  builder = Accumulator({"1000"});
  EXPECT_TRUE(Converted(builder, {"y"}, options).status().ok());
  --*options.max_arena;
  builder = Accumulator({"1000"});
  EXPECT_EQ(Converted(builder, {"y"}, options).status().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace micrort::testing
