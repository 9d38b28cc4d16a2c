// Memory planned offline, and what the runtime makes of it.

#include "converter/plan/plan_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "converter/emit/build_model.h"
#include "converter/emit/serialize.h"
#include "converter/ir/infer.h"
#include "micrort/micrort.h"
#include "tests/converter/graph_testing.h"

namespace micrort::plan {
namespace {

ir::Module ModuleOf(testing::TestGraph g) {
  ir::Module module;
  module.graphs.push_back(std::make_unique<ir::Graph>(std::move(g.graph)));
  return module;
}

// Convolutions with a branch, so that more than two tensors are alive at once.
ir::Module Network(int64_t batch) {
  testing::TestGraph g;
  const ir::ValueId x = g.Input("x", {batch, 8, 8, 4});
  const ir::ValueId a = g.Conv3x3("a", x, 8);
  const ir::ValueId b = g.Conv3x3("b", a, 16);
  const ir::ValueId c = g.Conv3x3("c", b, 8);
  g.Output(g.Binary("y", schema::BinaryKind::Add, a, c));
  return ModuleOf(std::move(g));
}

// An inverted bottleneck: expand, filter, project.
ir::Module Bottleneck() {
  testing::TestGraph g;
  schema::DepthwiseConv2DOptionsT filter;
  filter.pad_top = filter.pad_left = filter.pad_bottom = filter.pad_right = 1;
  const ir::ValueId x = g.Input("x", {1, 24, 24, 4});
  const ir::ValueId a = g.Node("a", schema::Conv2DOptionsT(), {x, g.Weights("w1", {32, 1, 1, 4})});
  const ir::ValueId b = g.Node("b", filter, {a, g.Weights("w2", {3, 3, 32})});
  g.Output(g.Node("c", schema::Conv2DOptionsT(), {b, g.Weights("w3", {4, 1, 1, 32})}));
  return ModuleOf(std::move(g));
}

struct PlannedModel {
  explicit PlannedModel(int64_t batch, std::optional<uint64_t> max_arena = std::nullopt)
      : PlannedModel(Network(batch), max_arena) {}
  explicit PlannedModel(ir::Module module, std::optional<uint64_t> max_arena = std::nullopt) {
    EXPECT_TRUE(ir::InferShapes(module.entry()).ok());
    EXPECT_TRUE(emit::BuildModel(module, &model).ok());
    EXPECT_TRUE(emit::Serialize(model, &without_plan).ok());
    status = PlanModel(without_plan, {DetectCpuFeatures(), 1, max_arena}, &model, &report);
    if (!status.ok()) return;
    EXPECT_TRUE(emit::Serialize(model, &file).ok());
  }
  const schema::MemoryPlanT* plan() const { return model.subgraphs[0]->plan.get(); }
  size_t Required(int threads = 1, CpuFeatures features = ~CpuFeatures{0}) const {
    InterpreterOptions options;
    options.threads = threads;
    options.features = features;
    auto loaded = Model::FromBuffer(file.data(), file.size());
    EXPECT_TRUE(loaded.ok()) << loaded.status().message();
    auto bytes = Interpreter::RequiredArenaBytes(*loaded, options);
    EXPECT_TRUE(bytes.ok()) << bytes.status().message();
    return bytes.ok() ? *bytes : 0;
  }

  Status status;
  PlanReport report;
  emit::FileModel model;
  AlignedBytes without_plan, file;
};

TEST(PlanModel, MeetsTheLowerBoundOfASmallNetwork) {
  const PlannedModel planned(1);
  ASSERT_NE(planned.plan(), nullptr);
  const auto& tensors = planned.model.subgraphs[0]->tensors;
  ASSERT_EQ(planned.plan()->offsets.size(), tensors.size());
  for (size_t t = 0; t < tensors.size(); ++t) {
    const int64_t offset = planned.plan()->offsets[t];
    EXPECT_EQ(offset < 0, tensors[t]->buffer != 0);
    EXPECT_TRUE(offset < 0 || offset % 64 == 0);
  }
  // a and b with either x or c: 8x8 floats of 8, 16 and 8 channels.
  EXPECT_EQ(planned.plan()->lower_bound, 8u * 8 * 4 * (8 + 16 + 8));
  EXPECT_EQ(planned.plan()->arena_bytes, planned.plan()->lower_bound);
}

TEST(PlanModel, StatesTensorsAloneAndTheRuntimeAddsScratch) {
  const PlannedModel planned(1);
  EXPECT_GE(planned.Required(), planned.plan()->arena_bytes);
}

TEST(PlanModel, LeavesDynamicShapesToTheRuntime) {
  const PlannedModel planned(ir::kDynamic);
  EXPECT_EQ(planned.plan(), nullptr);
  EXPECT_EQ(planned.file, planned.without_plan);
  EXPECT_GT(planned.Required(), 0u);
}

// The number that is the smallest arena in the message of a failure.
uint64_t SmallestArena(ir::Module module) {
  const PlannedModel planned(std::move(module), 64);
  EXPECT_EQ(planned.status.code(), StatusCode::kUnsupported);
  const std::string message = planned.status.message();
  return std::stoull(message.substr(message.find("possible is ") + 12));
}
uint64_t SmallestArena(int64_t batch) { return SmallestArena(Network(batch)); }

TEST(PlanModel, KeepsTheArenaWithinAGivenSizeOnEveryDevice) {
  const size_t free_choice = PlannedModel(4).Required();
  const uint64_t smallest = SmallestArena(4);
  ASSERT_LT(smallest, free_choice);
  const PlannedModel planned(4, smallest);
  ASSERT_TRUE(planned.status.ok()) << planned.status.message();
  EXPECT_GT(planned.report.given_up, 0u);
  EXPECT_GT(planned.report.loss, 0.0);
  EXPECT_EQ(planned.model.schema_version, 2u);
  for (const int threads : {1, 2, 5}) EXPECT_LE(planned.Required(threads), smallest) << threads;
}

TEST(PlanModel, NamesTheSmallestArenaWhereTheGivenOneIsSmaller) {
  const uint64_t smallest = SmallestArena(1);
  EXPECT_TRUE(PlannedModel(1, smallest).status.ok());
  EXPECT_FALSE(PlannedModel(1, smallest - 64).status.ok());
}

TEST(PlanModel, LimitsScratchOfOtherDevicesEvenWhereNothingIsGivenUp) {
  const size_t free_choice = PlannedModel(4).Required();
  const PlannedModel planned(4, free_choice);
  ASSERT_TRUE(planned.status.ok());
  EXPECT_EQ(planned.report.given_up, 0u);
  EXPECT_EQ(planned.Required(), free_choice);
  EXPECT_LE(planned.Required(7), free_choice);
}

TEST(PlanModel, WithoutALimitIsAFileOfTheFirstVersion) {
  const PlannedModel planned(1);
  EXPECT_EQ(planned.model.schema_version, 1u);
  for (const auto& op : planned.model.subgraphs[0]->operators) EXPECT_EQ(op->max_scratch, -1);
}

TEST(PlanModel, LetsADepthwiseLayerWriteOverItsInput) {
  const PlannedModel planned(Bottleneck());
  ASSERT_TRUE(planned.status.ok()) << planned.status.message();
  EXPECT_EQ(planned.plan()->arena_bytes, 24u * 24 * 4 * (4 + 32));
  EXPECT_EQ(planned.model.schema_version, 4u);
  for (const int threads : {1, 3}) EXPECT_LT(planned.Required(threads), 24u * 24 * 4 * (32 + 32));
}

TEST(PlanModel, LetsLayersWriteOverTheirInputWhereAGivenSizeAsksForIt) {
  constexpr uint64_t kWhole = 24 * 24 * 4 * (32 + 32);
  const PlannedModel roomy(Bottleneck(), 2 * kWhole);
  ASSERT_TRUE(roomy.status.ok()) << roomy.status.message();
  EXPECT_EQ(roomy.model.schema_version, 2u);
  EXPECT_GE(roomy.Required(), kWhole);
  const uint64_t smallest = SmallestArena(Bottleneck());
  ASSERT_LT(smallest, kWhole);
  const PlannedModel planned(Bottleneck(), smallest);
  ASSERT_TRUE(planned.status.ok()) << planned.status.message();
  EXPECT_EQ(planned.model.schema_version, 4u);
  for (const CpuFeatures features : {CpuFeatures{0}, ~CpuFeatures{0}}) {
    for (const int threads : {1, 2, 5}) EXPECT_LE(planned.Required(threads, features), smallest) << threads;
  }
}

TEST(PlanModel, IsTheSameEveryTime) { EXPECT_EQ(PlannedModel(1).file, PlannedModel(1).file); }

}  // namespace
}  // namespace micrort::plan
