// What the converter decides about programs, and whether devices take it.

#include "converter/plan/state_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/emit/build_model.h"
#include "converter/emit/serialize.h"
#include "converter/ir/infer.h"
#include "converter/plan/plan_file.h"
#include "kernels/base/target.h"
#include "micrort/micrort.h"
#include "runtime/interpreter/inspect.h"
#include "tests/converter/graph_testing.h"
#include "tests/status_matchers.h"

namespace micrort::plan {
namespace {

using ::micrort::testing::IsOk;

const CpuFeatures kHere = AvailableFeatures(~CpuFeatures{0});

// An inverted bottleneck beside a branch, then both joined; large enough for every rewrite to pay.
testing::TestGraph Branches(int64_t batch) {
  testing::TestGraph g;
  schema::DepthwiseConv2DOptionsT filter;
  filter.pad_top = filter.pad_left = filter.pad_bottom = filter.pad_right = 1;
  const ir::ValueId x = g.Input("x", {batch, 64, 64, 16});
  const ir::ValueId a = g.Node("a", schema::Conv2DOptionsT(), {x, g.Weights("w1", {96, 1, 1, 16})});
  const ir::ValueId b = g.Node("b", filter, {a, g.Weights("w2", {3, 3, 96})});
  const ir::ValueId c = g.Node("c", schema::Conv2DOptionsT(), {b, g.Weights("w3", {16, 1, 1, 96})});
  const ir::ValueId left = g.Node("left", schema::Conv2DOptionsT(), {c, g.Weights("w4", {16, 1, 1, 16})});
  const ir::ValueId right = g.Node("right", schema::Conv2DOptionsT(), {c, g.Weights("w5", {32, 1, 1, 16})});
  schema::ConcatOptionsT concat;
  concat.axis = 3;
  g.Output(g.Unary("y", schema::UnaryKind::Abs, g.Node("joined", concat, {left, right})));
  return g;
}

struct StatedModel {
  explicit StatedModel(std::optional<uint64_t> max_arena = std::nullopt, int64_t batch = 1)
      : StatedModel(Branches(batch), max_arena) {}
  explicit StatedModel(testing::TestGraph g, std::optional<uint64_t> max_arena = std::nullopt) {
    ir::Module module;
    module.graphs.push_back(std::make_unique<ir::Graph>(std::move(g.graph)));
    EXPECT_THAT(ir::InferShapes(module.entry()), IsOk());
    EXPECT_THAT(emit::BuildModel(module, &model), IsOk());
    EXPECT_THAT(emit::Serialize(model, &plain), IsOk());
    PlanReport report;
    EXPECT_THAT(PlanModel(plain, {kHere, 1, max_arena}, &model, &report), IsOk());
    EXPECT_THAT(emit::Serialize(model, &plain), IsOk());
  }
  Status State(const std::string& name, const ProgramTarget& target) {
    const Status status = StateProgram(plain, name, target, &model);
    EXPECT_THAT(emit::Serialize(model, &file), IsOk());
    return status;
  }
  const std::vector<std::unique_ptr<schema::ProgramT>>& programs() const {
    return model.subgraphs[0]->programs;
  }

  emit::FileModel model;
  AlignedBytes plain, file;  // without and with programs
};

struct Ran {
  bool is_decided = false;
  size_t arena_bytes = 0, fused_elementwise = 0;
  std::vector<float> y;
};

Ran RunOn(const AlignedBytes& file, int threads) {
  auto model = Model::FromBuffer(file.data(), file.size());
  EXPECT_THAT(model, IsOk());
  InterpreterOptions options;
  options.threads = threads;
  auto interpreter = Interpreter::Create(*model, options);
  EXPECT_THAT(interpreter, IsOk());
  const TensorView x = interpreter->input(0);
  for (size_t i = 0; i < x.elements(); ++i) x.as<float>()[i] = static_cast<float>(i % 7) - 3;
  EXPECT_THAT(interpreter->Run(), IsOk());
  const TensorView y = interpreter->output(0);
  size_t fused = 0;
  for (const Step& step : EntryOf(*interpreter).program().steps) {
    fused += step.call == CallKind::kElementwise && !step.removed ? 1 : 0;
  }
  EXPECT_EQ(SearchesOf(*interpreter) == 0, EntryOf(*interpreter).is_decided());
  return {EntryOf(*interpreter).is_decided(),
          interpreter->arena_bytes(),
          fused,
          {y.as<float>(), y.as<float>() + y.elements()}};
}

TEST(StateProgram, IsTakenByDevicesOfItsTargetAndThreads) {
  for (const int threads : {1, 2}) {
    StatedModel stated;
    ASSERT_THAT(stated.State(TargetName(kHere), {kHere, threads}), IsOk());
    EXPECT_EQ(stated.model.schema_version, 6u);
    for (const int device_threads : {1, 2}) {
      const Ran by_file = RunOn(stated.file, device_threads), by_itself = RunOn(stated.plain, device_threads);
      EXPECT_EQ(by_file.is_decided, threads == device_threads);
      EXPECT_FALSE(by_itself.is_decided);
      EXPECT_EQ(by_file.y, by_itself.y);
      EXPECT_LE(by_file.arena_bytes, by_itself.arena_bytes);
    }
  }
}

TEST(StateProgram, HoldsEveryRewrite) {
  StatedModel stated;
  ASSERT_THAT(stated.State(TargetName(kHere), {kHere, 1}), IsOk());
  EXPECT_THAT(stated.programs()[0]->stripes, ::testing::ElementsAre(0, 3));
  EXPECT_THAT(stated.programs()[0]->concats, ::testing::ElementsAre(5));
}

// No file states those: they follow from the program alone, before its places are read.
TEST(StateProgram, IsTakenWhereElementwiseStepsAreFused) {
  testing::TestGraph g;
  ir::ValueId y = g.Input("x", {1, 512, 512, 3});
  for (const char* name : {"a", "b", "c"}) y = g.Unary(name, schema::UnaryKind::Abs, y);
  g.Output(y);
  StatedModel stated(std::move(g));
  ASSERT_THAT(stated.State(TargetName(kHere), {kHere, 1}), IsOk());
  const Ran ran = RunOn(stated.file, 1);
  EXPECT_TRUE(ran.is_decided);
  EXPECT_EQ(ran.fused_elementwise, 1u);
  EXPECT_EQ(ran.y, RunOn(stated.plain, 1).y);
}

TEST(StateProgram, KeepsToALimitOfTheArena) {
  constexpr uint64_t kLimit = 3'000'000;  // b over a, which are larger together
  StatedModel stated(kLimit);
  ASSERT_THAT(stated.State(TargetName(kHere), {kHere, 1}), IsOk());
  const Ran ran = RunOn(stated.file, 1);
  EXPECT_TRUE(ran.is_decided);
  EXPECT_LE(ran.arena_bytes, kLimit);
  EXPECT_THAT(stated.programs()[0]->in_place, ::testing::ElementsAre(1));
}

TEST(StateProgram, IsForDynamicDimensionsOfOne) {
  StatedModel stated(std::nullopt, ir::kDynamic);
  ASSERT_THAT(stated.State(TargetName(kHere), {kHere, 1}), IsOk());
  ASSERT_EQ(stated.programs().size(), 1u);
  auto model = Model::FromBuffer(stated.file.data(), stated.file.size());
  ASSERT_THAT(model, IsOk());
  for (const int64_t batch : {1, 2}) {
    const Shape shapes[] = {Shape::Of(batch, 64, 64, 16)};
    InterpreterOptions options;
    options.input_shapes = shapes;
    auto interpreter = Interpreter::Create(*model, options);
    ASSERT_THAT(interpreter, IsOk());
    EXPECT_EQ(EntryOf(*interpreter).is_decided(), batch == 1);
    const Shape other[] = {Shape::Of(3 - batch, 64, 64, 16)};
    ASSERT_THAT(interpreter->Resize(other), IsOk());
    EXPECT_EQ(EntryOf(*interpreter).is_decided(), batch == 2);
  }
}

// Whatever machine this test runs on: the same decisions, and what runs there is left as it was.
TEST(StateProgram, IsForCpusOfEveryArchitecture) {
  for (const char* name : {"scalar", "avx2", "avx512vnni", "neon", "i8mm", "armv7-neon", "wasm",
                           "cortex-m0plus", "cortex-m4", "cortex-m55"}) {
    CpuFeatures features = 0;
    ASSERT_TRUE(ParseTarget(name, &features));
    StatedModel stated;
    ASSERT_THAT(stated.State(name, {features, 1}), IsOk()) << name;
    ASSERT_EQ(stated.programs().size(), 1u);
    EXPECT_EQ(stated.programs()[0]->target, name);
    EXPECT_EQ(RunOn(stated.file, 1).y, RunOn(stated.plain, 1).y);
    StatedModel again;
    ASSERT_THAT(again.State(name, {features, 1}), IsOk());
    EXPECT_EQ(stated.file, again.file);
  }
}

TEST(StateProgram, MayBeSeveral) {
  StatedModel stated;
  CpuFeatures other = 0;
  ASSERT_TRUE(ParseTarget("cortex-m4", &other));
  ASSERT_THAT(stated.State("cortex-m4", {other, 1}), IsOk());
  ASSERT_THAT(stated.State(TargetName(kHere), {kHere, 2}), IsOk());
  ASSERT_THAT(stated.State(TargetName(kHere), {kHere, 1}), IsOk());
  EXPECT_EQ(stated.programs().size(), 3u);
  for (const int threads : {1, 2, 3}) EXPECT_EQ(RunOn(stated.file, threads).is_decided, threads < 3);
}

}  // namespace
}  // namespace micrort::plan
