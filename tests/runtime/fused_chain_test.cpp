// Convolutions that run in bands, as one operator.

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/runtime/allocation_hook.h"
#include "tests/runtime/control_flow_models.h"
#include "tests/runtime/test_session.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;

constexpr int32_t kSize = 64, kNarrow = 16, kWide = 96;
constexpr size_t kNarrowBytes = size_t{kSize} * kSize * kNarrow * sizeof(float),
                 kWideBytes = size_t{kSize} * kSize * kWide * sizeof(float);

std::vector<float> Wave(size_t n, float step) {
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = std::sin(step * static_cast<float>(i));
  return values;
}

// An inverted bottleneck, x + project(filter(expand(x))), of nodes expand, filter and project.
struct Bottleneck {
  ModelBuilder b;
  int x, expanded, filtered, y;

  Bottleneck() {
    const auto image = [](int32_t channels) { return std::vector<int32_t>{1, kSize, kSize, channels}; };
    x = b.Input("x", kF32, image(kNarrow));
    expanded = b.Tensor("expanded", kF32, image(kWide));
    filtered = b.Tensor("filtered", kF32, image(kWide));
    y = b.Tensor("y", kF32, image(kNarrow));
    const int w1 = b.Constant<float>("w1", {kWide, 1, 1, kNarrow}, Wave(kWide * kNarrow, 1));
    const int w2 = b.Constant<float>("w2", {3, 3, kWide}, Wave(9 * kWide, 2));
    const int w3 = b.Constant<float>("w3", {kNarrow, 1, 1, kWide}, Wave(kNarrow * kWide, 3));
    const int bias = b.Constant<float>("bias", {kNarrow}, Wave(kNarrow, 4));
    b.Node(schema::Conv2DOptionsT(), {x, w1}, {expanded}, "expand");
    schema::DepthwiseConv2DOptionsT filter;
    filter.pad_top = filter.pad_left = filter.pad_bottom = filter.pad_right = 1;
    b.Node(filter, {expanded, w2}, {filtered}, "filter");
    b.Node(schema::Conv2DOptionsT(), {filtered, w3, bias, x}, {y}, "project");
    b.Output(y);
  }
};

class NodeNames final : public OpObserver {
 public:
  void AfterOp(const OpInfo& op) override { names.push_back(op.node); }
  std::vector<std::string> names;
};

InterpreterOptions Options(int threads = 1, OpObserver* observer = nullptr) {
  InterpreterOptions options = RealOps();
  options.threads = threads;
  options.observer = observer;
  return options;
}

std::vector<float> RunOnWave(TestSession& s) {
  s.SetInput(0, Wave(kNarrowBytes / sizeof(float), 0.01f));
  EXPECT_TRUE(s->Run().ok());
  return s.Output(0);
}

bool IsFused(const Bottleneck& model) {
  TestSession s(model.b, Options());
  EXPECT_TRUE(s.status().ok()) << s.status().message();
  return s->arena_bytes() < kWideBytes;
}

TEST(FusedChain, GivesTheBitsOfWholeNodesInAFractionOfTheirMemory) {
  const Bottleneck model;
  for (const int threads : {1, 2}) {
    NodeNames observer;
    TestSession whole(model.b, Options(threads, &observer)), fused(model.b, Options(threads));
    EXPECT_EQ(RunOnWave(whole), RunOnWave(fused));
    EXPECT_THAT(observer.names, ElementsAre("expand", "filter", "project"));
    EXPECT_GE(whole->arena_bytes(), 2 * kWideBytes);
    EXPECT_LT(fused->arena_bytes(), 2 * kNarrowBytes + 400000 * static_cast<size_t>(threads));
  }
}

TEST(FusedChain, RequiredBytesAreThoseOfTheSameOptions) {
  const ModelFile file = Bottleneck().b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  ASSERT_TRUE(model.ok());
  NodeNames observer;
  for (OpObserver* of : {static_cast<OpObserver*>(nullptr), static_cast<OpObserver*>(&observer)}) {
    auto required = Interpreter::RequiredArenaBytes(*model, Options(1, of));
    auto interpreter = Interpreter::Create(*model, Options(1, of));
    ASSERT_TRUE(required.ok() && interpreter.ok());
    EXPECT_EQ(required.value(), interpreter->arena_bytes());
  }
}

TEST(FusedChain, RunAllocatesNothing) {
  TestSession s(Bottleneck().b, Options());
  const AllocationHook hook;
  EXPECT_TRUE(s->Run().ok());
  EXPECT_EQ(AllocationHook::count(), 0u);
}

TEST(FusedChain, NeedsOneReaderInBetween) {
  Bottleneck model;
  EXPECT_TRUE(IsFused(model));
  model.b.Output(model.filtered);
  EXPECT_FALSE(IsFused(model));
}

TEST(FusedChain, KeepsToTheScratchThatAFileAllows) {
  Bottleneck model;
  model.b.graph().operators[1]->max_scratch = 1 << 20;
  EXPECT_FALSE(IsFused(model));
}

// The file's plan lets y have the memory of `expanded`, which is dead by then if nodes run one after another.
TEST(FusedChain, DoesWithoutTheOffsetsInTheFile) {
  Bottleneck model;
  std::vector<int64_t> offsets(model.b.graph().tensors.size(), -1);
  offsets[static_cast<size_t>(model.x)] = 2 * kWideBytes;
  offsets[static_cast<size_t>(model.expanded)] = 0;
  offsets[static_cast<size_t>(model.filtered)] = kWideBytes;
  offsets[static_cast<size_t>(model.y)] = 0;
  const Bottleneck unplanned;
  model.b.Plan(offsets, 2 * kWideBytes + kNarrowBytes);
  TestSession planned(model.b, Options()), other(unplanned.b, Options());
  ASSERT_TRUE(planned.status().ok()) << planned.status().message();
  EXPECT_EQ(planned->arena_bytes(), other->arena_bytes());
  EXPECT_EQ(RunOnWave(planned), RunOnWave(other));
}

TEST(FusedChain, LooksFurtherWhereAChainDoesNotPay) {
  Bottleneck model;
  const int small = model.b.Tensor("small", kF32, {1, kSize, kSize, 1});
  const int w = model.b.Constant<float>("w", {1, 1, 1, kNarrow}, Wave(kNarrow, 1));
  model.b.graph().outputs.clear();
  model.b.Node(schema::Conv2DOptionsT(), {model.y, w}, {small}, "last");
  model.b.Output(small);
  EXPECT_TRUE(IsFused(model));
}

}  // namespace
}  // namespace micrort::testing
