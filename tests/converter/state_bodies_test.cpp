// What the converter decides about the graphs that If and Loop run, and whether devices take it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/emit/build_model.h"
#include "converter/emit/serialize.h"
#include "converter/ir/infer.h"
#include "converter/plan/state_program.h"
#include "kernels/base/target.h"
#include "micrort/micrort.h"
#include "runtime/interpreter/inspect.h"
#include "tests/converter/graph_testing.h"
#include "tests/status_matchers.h"

namespace micrort::plan {
namespace {

using ::micrort::testing::IsOk;
using testing::TestGraph;

const CpuFeatures kThisCpu = AvailableFeatures(~CpuFeatures{0});
const std::vector<int64_t> kBodyImage = {1, 8, 8, 4};

std::vector<int64_t> OfBatch(int64_t batch) { return {batch, kBodyImage[1], kBodyImage[2], kBodyImage[3]}; }

using Body = std::shared_ptr<ir::Graph>;

Body Shared(TestGraph g) { return std::make_shared<ir::Graph>(std::move(g.graph)); }

ir::ValueId AddLoop(TestGraph* g, const std::string& name, ir::ValueId x, const Body& body) {
  ir::Builder build(g->graph, {name, "Test", 1}, name);
  schema::LoopOptionsT loop;
  loop.carried = 1;
  const ir::ValueId trips = build.Constant<int64_t>({}, {3});
  const ir::ValueId y = build.AddWithBodies(loop, {trips, ir::kNoValue, x}, 1, {body})[0];
  EXPECT_THAT(build.status(), IsOk());
  return y;
}

// Calls add(graph, image) for the result of an iteration.
template <typename Add>
Body LoopBody(int64_t batch, Add add) {
  TestGraph body;
  body.Input("iteration", {}, DType::kInt64);
  body.Input("condition", {}, DType::kBool);
  body.Output(add(&body, body.Input("before", OfBatch(batch))));
  return Shared(std::move(body));
}

// Graphs inside: a Loop with two layers.
ir::ValueId LayersInLoop(TestGraph* g, int64_t batch, ir::ValueId x) {
  return AddLoop(g, "loop", x, LoopBody(batch, [](TestGraph* body, ir::ValueId before) {
                   return body->Conv3x3("second", body->Conv3x3("first", before, 16), 4);
                 }));
}

// Graphs inside: a Loop with a layer and a Loop with another.
ir::ValueId LoopInLoop(TestGraph* g, int64_t batch, ir::ValueId x) {
  return AddLoop(g, "outer", x, LoopBody(batch, [batch](TestGraph* body, ir::ValueId before) {
                   const ir::ValueId between = body->Conv3x3("layer", before, 4);
                   return AddLoop(body, "inner", between,
                                  LoopBody(batch, [](TestGraph* inner, ir::ValueId inner_before) {
                                    return inner->Conv3x3("inner_layer", inner_before, 4);
                                  }));
                 }));
}

// Graphs inside: two branches, by the sign of the first element.
ir::ValueId LayersInIf(TestGraph* g, int64_t batch, ir::ValueId x) {
  std::vector<Body> branches;
  for (int b = 0; b < 2; ++b) {
    TestGraph branch;
    branch.Output(branch.Conv3x3("layer", branch.Input("in", OfBatch(batch)), 4));
    branches.push_back(Shared(std::move(branch)));
  }
  ir::Builder build(g->graph, {"choose", "Test", 1}, "choose");
  const ir::ValueId largest = build.Reduce(schema::ReduceKind::Max, x, {0, 1, 2, 3}, false);
  const ir::ValueId condition = build.Binary(schema::BinaryKind::Less, largest, build.Scalar(0));
  const ir::ValueId y = build.AddWithBodies(schema::IfOptionsT(), {condition, x}, 1, branches)[0];
  EXPECT_THAT(build.status(), IsOk());
  return y;
}

struct StatedBodies {
  template <typename AddNode>
  explicit StatedBodies(AddNode add, int64_t batch = 1) {
    TestGraph g;
    g.Output(add(&g, batch, g.Input("x", OfBatch(batch))));
    ir::Module module;
    module.graphs.push_back(std::make_unique<ir::Graph>(std::move(g.graph)));
    EXPECT_THAT(ir::InferShapes(module.entry()), IsOk());
    EXPECT_THAT(emit::BuildModel(module, &model), IsOk());
    EXPECT_THAT(emit::Serialize(model, &plain), IsOk());
  }
  void State(const std::string& name, const ProgramTarget& target) {
    EXPECT_THAT(StateProgram(plain, name, target, &model), IsOk());
    EXPECT_THAT(emit::Serialize(model, &file), IsOk());
  }
  void StateHere(int threads = 1) { State(TargetName(kThisCpu), {kThisCpu, threads}); }

  emit::FileModel model;
  AlignedBytes plain, file;  // without and with programs
};

struct BodyRun {
  size_t searches = 0, arena_bytes = 0;
  std::vector<float> y;
};

BodyRun RunBodies(const AlignedBytes& file, int threads = 1, int64_t batch = 1) {
  auto model = Model::FromBuffer(file.data(), file.size());
  EXPECT_THAT(model, IsOk());
  InterpreterOptions options;
  options.threads = threads;
  const Shape shapes[] = {Shape::Of(batch, kBodyImage[1], kBodyImage[2], kBodyImage[3])};
  options.input_shapes = shapes;
  auto interpreter = Interpreter::Create(*model, options);
  EXPECT_THAT(interpreter, IsOk());
  const TensorView x = interpreter->input(0);
  for (size_t i = 0; i < x.elements(); ++i) x.as<float>()[i] = static_cast<float>(i % 7) - 3;
  EXPECT_THAT(interpreter->Run(), IsOk());
  const TensorView y = interpreter->output(0);
  return {
      SearchesOf(*interpreter), interpreter->arena_bytes(), {y.as<float>(), y.as<float>() + y.elements()}};
}

void ExpectDecided(const StatedBodies& stated, int threads = 1) {
  const BodyRun by_file = RunBodies(stated.file, threads), by_itself = RunBodies(stated.plain, threads);
  EXPECT_EQ(by_file.searches, 0u);
  EXPECT_GT(by_itself.searches, 0u);
  EXPECT_EQ(by_file.y, by_itself.y);
  EXPECT_LE(by_file.arena_bytes, by_itself.arena_bytes);
}

TEST(StateBodies, DevicesSearchNothing) {
  for (const auto add : {LayersInLoop, LoopInLoop, LayersInIf}) {
    StatedBodies stated(add);
    for (const int threads : {1, 2}) stated.StateHere(threads);
    for (const int threads : {1, 2}) ExpectDecided(stated, threads);
    for (const auto& subgraph : stated.model.subgraphs) EXPECT_EQ(subgraph->programs.size(), 2u);
  }
}

TEST(StateBodies, IsForDynamicDimensionsOfOne) {
  StatedBodies stated(LayersInLoop, ir::kDynamic);
  stated.StateHere();
  ExpectDecided(stated);
  const BodyRun by_file = RunBodies(stated.file, 1, 2), by_itself = RunBodies(stated.plain, 1, 2);
  EXPECT_EQ(by_file.searches, by_itself.searches);
  EXPECT_EQ(by_file.y, by_itself.y);
}

TEST(StateBodies, IsForCpusOfEveryArchitecture) {
  for (const char* name : {"scalar", "neon", "cortex-m4"}) {
    CpuFeatures features = 0;
    ASSERT_TRUE(ParseTarget(name, &features));
    StatedBodies stated(LoopInLoop);
    stated.State(name, {features, 1});
    for (const auto& subgraph : stated.model.subgraphs) {
      ASSERT_EQ(subgraph->programs.size(), 1u);
      EXPECT_EQ(subgraph->programs[0]->target, name);
    }
  }
}

// Two choices for the entry (rewrites, places), one for each body's places, and one for each layer; those of
// a body with another inside are prepared for bounds first.
TEST(StateBodies, BodiesWhoseInputsStayArePlannedOnce) {
  EXPECT_EQ(RunBodies(StatedBodies(LayersInLoop).plain).searches, 2u + 1u + 2u);
  EXPECT_EQ(RunBodies(StatedBodies(LayersInIf).plain).searches, 2u + 2u + 2u);
  EXPECT_EQ(RunBodies(StatedBodies(LoopInLoop).plain).searches, 2u + 2u + 3u);
}

// Whatever a file says of a body: the same results, and a search where it does not fit.
TEST(StateBodies, WhatDoesNotFitIsDecidedByTheDevice) {
  const auto expect_searched = [](void (*change)(schema::ProgramT*)) {
    StatedBodies stated(LayersInLoop);
    stated.StateHere();
    change(stated.model.subgraphs[1]->programs[0].get());
    ASSERT_THAT(emit::Serialize(stated.model, &stated.file), IsOk());
    const BodyRun by_file = RunBodies(stated.file), by_itself = RunBodies(stated.plain);
    EXPECT_GT(by_file.searches, 0u);
    EXPECT_EQ(by_file.y, by_itself.y);
  };
  expect_searched([](schema::ProgramT* p) { p->target = "nothing"; });
  expect_searched([](schema::ProgramT* p) { p->workers = 3; });
  expect_searched([](schema::ProgramT* p) { p->input_shapes[0] = 7; });
  expect_searched([](schema::ProgramT* p) { p->algorithms[0] = 255; });
  expect_searched([](schema::ProgramT* p) { p->offsets.assign(p->offsets.size(), UINT32_MAX); });
  expect_searched(
      [](schema::ProgramT* p) { p->scratch_offsets.assign(p->scratch_offsets.size(), 1u << 20); });
  // Bodies stay as they are lowered.
  expect_searched([](schema::ProgramT* p) { p->stripes = {0, 2}; });
  expect_searched([](schema::ProgramT* p) { p->concats = {0}; });
  expect_searched([](schema::ProgramT* p) { p->in_place = {1}; });
}

}  // namespace
}  // namespace micrort::plan
