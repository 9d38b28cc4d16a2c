// An observer sees every step of the program once, and all that it takes.

#include <gmock/gmock.h>

#include <map>

#include "tests/runtime/bottleneck_model.h"
#include "tests/runtime/control_flow_models.h"
#include "tests/runtime/test_session.h"
#include "tests/runtime/watched_run.h"

namespace micrort::testing {
namespace {

class Steps final : public OpObserver {
 public:
  void BeforeOp(const OpInfo& op) override {
    if (!op.outputs.empty()) shapes_before[op.node] = op.outputs[0].shape;
  }
  void AfterOp(const OpInfo& op) override {
    ++steps;
    sources += op.sources.size();
    if (!op.outputs.empty()) shapes_after[op.node] = op.outputs[0].shape;
  }

  size_t steps = 0, sources = 0;
  std::map<std::string, Shape> shapes_before, shapes_after;
};

// A program of so many steps for so many nodes, which is the same for who watches it.
void ExpectSteps(const ModelBuilder& b, InterpreterOptions options, size_t steps, size_t nodes) {
  Steps seen;
  options.observer = &seen;
  TestSession s(b, options);
  ASSERT_TRUE(s.status().ok()) << s.status().message();
  ASSERT_TRUE(s->Run().ok());
  EXPECT_EQ(seen.steps, steps);
  EXPECT_EQ(seen.sources, nodes);
  const OpResolver fake = FakeOps();
  options.observer = nullptr;
  if (options.resolver == nullptr) options.resolver = &fake;
  ExpectWatchingChangesNothing(s.model(), options);
}

TEST(ObservedSteps, AreThoseOfTheProgram) { ExpectSteps(Chain(5, {3}), {}, 5, 5); }

TEST(ObservedSteps, OfFusedLayersAreOneWithAllItsOperators) {
  ExpectSteps(Bottleneck(64).b, Bottleneck::Options(), 1, 3);
  ExpectSteps(Bottleneck(64).b, Bottleneck::Options(1, true), 3, 3);
}

// The body's steps, in every iteration, are parts of the Loop.
TEST(ObservedSteps, OfLoopsAreOneWithAllIterations) {
  ModelBuilder b;
  const int trips = b.Constant<int64_t>("trips", {}, {5});
  const int x = b.Input("x", kF32, {2});
  const int y = b.Tensor("y", kF32, {2}), z = b.Tensor("z", kF32, {2});
  const uint32_t body = b.AddGraph("body");
  b.Use(body);
  b.Input("i", DType::kInt64, {});
  b.Input("condition", DType::kBool, {});
  const int before = b.Input("before", kF32, {2});
  const int after = b.Tensor("after", kF32, {2});
  b.Node(BinaryOf(schema::BinaryKind::Add), {before, before}, {after});
  b.Output(after);
  b.Use(0);
  b.Node(LoopOf(body, 1, false), {trips, -1, x}, {y}, "loop");
  b.Node(BinaryOf(schema::BinaryKind::Add), {y, y}, {z}, "add");
  b.Output(z);
  ExpectSteps(b, RealOps(), 2, 2);
}

// Nodes whose sizes a run decides are prepared again: that belongs to their step, too.
TEST(ObservedSteps, TakeInThatNodesArePreparedAgain) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {8});
  const int kept = b.Tensor("kept", kF32, {-1}), plus = b.Tensor("plus", kF32, {-1});
  b.Node(schema::SliceOptionsT(), {x}, {kept}, "keep");
  b.Node(schema::UnaryOptionsT(), {kept}, {plus}, "plus");
  b.Output(plus);
  Steps seen;
  InterpreterOptions options;
  options.observer = &seen;
  TestSession s(b, options);
  s.SetInput(0, {-1, 1, -1, 2, -1, -1, 3, -1});
  ASSERT_TRUE(s->Run().ok());
  EXPECT_EQ(seen.shapes_before["plus"], Shape::Of(8));
  EXPECT_EQ(seen.shapes_after["plus"], Shape::Of(3));
  ExpectSteps(b, {}, 2, 2);
}

}  // namespace
}  // namespace micrort::testing
