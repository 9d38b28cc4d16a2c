// Depthwise convolutions whose output takes over their input, where that makes the arena smaller.

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/runtime/bottleneck_model.h"
#include "tests/runtime/test_session.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

bool IsInPlace(const Bottleneck& model) {
  TestSession s(model.b, Bottleneck::Options());
  EXPECT_TRUE(s.status().ok()) << s.status().message();
  return s->arena_bytes() < 2 * model.wide_bytes;
}

TEST(DepthwiseInPlace, GivesTheBitsOfMemoryOfItsOwn) {
  Bottleneck own(24);
  own.b.Output(own.expanded);  // still read after the filter
  for (const int threads : {1, 2, 3}) {
    TestSession whole(own.b, Bottleneck::Options(threads)),
        in_place(Bottleneck(24).b, Bottleneck::Options(threads));
    EXPECT_EQ(Bottleneck::RunOnWave(whole), Bottleneck::RunOnWave(in_place));
    EXPECT_GE(whole->arena_bytes(), 2 * own.wide_bytes);
    EXPECT_LT(in_place->arena_bytes(),
              own.narrow_bytes + own.wide_bytes + static_cast<size_t>(threads) * own.wide_bytes / 4);
  }
}

TEST(DepthwiseInPlace, RunAllocatesNothing) { ExpectRunAllocatesNothing(Bottleneck(24).b); }

TEST(DepthwiseInPlace, NeedsAnInputThatNobodyReadsLater) {
  Bottleneck model(24);
  EXPECT_TRUE(IsInPlace(model));
  model.b.Output(model.expanded);
  EXPECT_FALSE(IsInPlace(model));
}

TEST(DepthwiseInPlace, KeepsToTheScratchThatAFileAllows) {
  Bottleneck model(24);
  model.b.graph().operators[1]->max_scratch = 1 << 20;
  EXPECT_FALSE(IsInPlace(model));
}

TEST(DepthwiseInPlace, LeavesNodesAloneWhereOthersNeedAsMuch) {
  Bottleneck model(24);
  const int copy = model.b.Tensor("copy", kF32, {1, model.size, model.size, 2 * Bottleneck::kWide});
  schema::ConcatOptionsT concat;
  concat.axis = 3;
  model.b.graph().operators.pop_back();
  model.b.graph().outputs.clear();
  model.b.Node(concat, {model.filtered, model.filtered}, {copy});
  model.b.Output(copy);
  TestSession s(model.b, Bottleneck::Options());
  ASSERT_TRUE(s.status().ok()) << s.status().message();
  EXPECT_EQ(s->arena_bytes(), 3 * model.wide_bytes);
}

TEST(DepthwiseInPlace, FollowsTheFilesPlan) {
  Bottleneck model(24);
  model.Plan(0, model.narrow_bytes, model.narrow_bytes, 0, model.narrow_bytes + model.wide_bytes);
  TestSession s(model.b, Bottleneck::Options()), own(Bottleneck(24).b, Bottleneck::Options());
  EXPECT_EQ(Bottleneck::RunOnWave(s), Bottleneck::RunOnWave(own));
  EXPECT_EQ(static_cast<const uint8_t*>(s->input(0).data), s->output(0).data);
  EXPECT_EQ(s->arena_bytes(), own->arena_bytes());
}

TEST(DepthwiseInPlace, FollowsTheFilesPlanWithinTheScratchAllowed) {
  Bottleneck model(24);
  const auto plan_with = [&](int64_t max_scratch) {
    model.Plan(0, model.narrow_bytes, model.narrow_bytes, 0, model.narrow_bytes + model.wide_bytes);
    model.b.graph().operators[1]->max_scratch = max_scratch;
  };
  const int64_t one_window = static_cast<int64_t>(model.wide_bytes) / 3;  // those of three threads need more
  plan_with(one_window);
  TestSession s(model.b, Bottleneck::Options(3)), own(Bottleneck(24).b, Bottleneck::Options(3));
  EXPECT_EQ(Bottleneck::RunOnWave(s), Bottleneck::RunOnWave(own));
  EXPECT_LE(s->arena_bytes(), model.narrow_bytes + model.wide_bytes + static_cast<size_t>(one_window));
  plan_with(8000);
  const Status status = TestSession(model.b, Bottleneck::Options()).status();
  EXPECT_EQ(status.code(), StatusCode::kOutOfMemory);
  EXPECT_THAT(status.message(), HasSubstr("to work in place, the file allows 8000"));
}

TEST(DepthwiseInPlace, PlansAnewWhereTheFilesPlanCannotBeFollowed) {
  Bottleneck model(24);
  model.b.Output(model.expanded);
  model.Plan(0, model.narrow_bytes, model.narrow_bytes, 0, model.narrow_bytes + model.wide_bytes);
  EXPECT_FALSE(IsInPlace(model));
  TestSession s(model.b, Bottleneck::Options()), own(Bottleneck(24).b, Bottleneck::Options());
  EXPECT_EQ(Bottleneck::RunOnWave(s), Bottleneck::RunOnWave(own));
}

}  // namespace
}  // namespace micrort::testing
