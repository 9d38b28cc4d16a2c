// Convolutions that run in stripes, as one operator.

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/runtime/bottleneck_model.h"
#include "tests/runtime/test_session.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;

// Those of a step are joined by "+".
class NodeNames final : public OpObserver {
 public:
  void AfterOp(const OpInfo& op) override {
    std::string joined;
    for (const OpSource& source : op.sources)
      joined += (joined.empty() ? "" : "+") + std::string(source.node);
    names.push_back(joined);
    multiply_adds += op.multiply_adds;
  }
  std::vector<std::string> names;
  int64_t multiply_adds = 0;
};

bool IsFused(const Bottleneck& model) {
  TestSession s(model.b, Bottleneck::Options());
  EXPECT_TRUE(s.status().ok()) << s.status().message();
  return s->arena_bytes() < model.wide_bytes;
}

TEST(FusedChain, GivesTheBitsOfWholeNodesInAFractionOfTheirMemory) {
  const Bottleneck model(64);
  for (const int threads : {1, 2}) {
    NodeNames observer;
    TestSession whole(model.b, Bottleneck::Options(threads, true, &observer)),
        fused(model.b, Bottleneck::Options(threads));
    EXPECT_EQ(Bottleneck::RunOnWave(whole), Bottleneck::RunOnWave(fused));
    EXPECT_THAT(observer.names, ElementsAre("expand", "filter", "project"));
    EXPECT_GE(whole->arena_bytes(), model.wide_bytes);
    EXPECT_LT(fused->arena_bytes(), 2 * model.narrow_bytes + 400000 * static_cast<size_t>(threads));
  }
}

TEST(FusedChain, IsOneStepToAnObserver) {
  const Bottleneck model(64);
  NodeNames one_by_one, together;
  TestSession whole(model.b, Bottleneck::Options(1, true, &one_by_one)),
      fused(model.b, Bottleneck::Options(1, false, &together));
  EXPECT_EQ(Bottleneck::RunOnWave(whole), Bottleneck::RunOnWave(fused));
  EXPECT_THAT(together.names, ElementsAre("expand+filter+project"));
  EXPECT_EQ(together.multiply_adds, one_by_one.multiply_adds);
}

TEST(FusedChain, AnObserverChangesNoMemory) {
  const ModelFile file = Bottleneck(64).b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_TRUE(model.ok());
  NodeNames observer;
  for (const bool whole : {false, true}) {
    auto required = Interpreter::RequiredArenaBytes(*model, Bottleneck::Options(1, whole));
    auto interpreter = Interpreter::Create(*model, Bottleneck::Options(1, whole, &observer));
    ASSERT_TRUE(required.ok() && interpreter.ok());
    EXPECT_EQ(required.value(), interpreter->arena_bytes());
  }
}

TEST(FusedChain, RunAllocatesNothing) { ExpectRunAllocatesNothing(Bottleneck(64).b); }

TEST(FusedChain, NeedsOneReaderInBetween) {
  Bottleneck model(64);
  EXPECT_TRUE(IsFused(model));
  model.b.Output(model.filtered);
  EXPECT_FALSE(IsFused(model));
}

TEST(FusedChain, KeepsToTheScratchThatAFileAllows) {
  Bottleneck model(64);
  model.b.graph().operators[1]->max_scratch = 1 << 20;
  EXPECT_FALSE(IsFused(model));
}

// The file's plan lets y have the memory of `expanded`, which is dead by then if nodes run one after another.
TEST(FusedChain, DoesWithoutTheOffsetsInTheFile) {
  Bottleneck model(64);
  const Bottleneck unplanned(64);
  const size_t wide = model.wide_bytes;
  model.Plan(2 * wide, 0, wide, 0, 2 * wide + model.narrow_bytes);
  TestSession planned(model.b, Bottleneck::Options()), other(unplanned.b, Bottleneck::Options());
  ASSERT_TRUE(planned.status().ok()) << planned.status().message();
  EXPECT_EQ(planned->arena_bytes(), other->arena_bytes());
  EXPECT_EQ(Bottleneck::RunOnWave(planned), Bottleneck::RunOnWave(other));
}

TEST(FusedChain, LooksFurtherWhereAChainDoesNotPay) {
  Bottleneck model(64);
  const int small = model.b.Tensor("small", kF32, {1, model.size, model.size, 1});
  const int w = model.b.Constant<float>("w", {1, 1, 1, Bottleneck::kNarrow}, Wave(Bottleneck::kNarrow, 1));
  model.b.graph().outputs.clear();
  model.b.Node(schema::Conv2DOptionsT(), {model.y, w}, {small}, "last");
  model.b.Output(small);
  EXPECT_TRUE(IsFused(model));
}

}  // namespace
}  // namespace micrort::testing
