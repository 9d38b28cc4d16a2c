// Programs that run as the file decided them, with nothing planned and no tables.

#include "runtime/offline/offline_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/emit/build_model.h"
#include "converter/emit/serialize.h"
#include "converter/ir/infer.h"
#include "converter/plan/state_program.h"
#include "converter/target/pack_weights.h"
#include "kernels/base/target.h"
#include "micrort/micrort.h"
#include "runtime/ops/work_control.h"
#include "tests/converter/graph_testing.h"
#include "tests/status_matchers.h"

namespace micrort::offline {
namespace {

using ::micrort::testing::IsError;
using ::micrort::testing::IsOk;
using ::testing::HasSubstr;

constexpr char kTarget[] = "scalar";

CpuFeatures TargetFeatures() {
  CpuFeatures features = 0;
  EXPECT_TRUE(ParseTarget(kTarget, &features));
  return features;
}

ir::Module ModuleOf(micrort::testing::TestGraph g) {
  ir::Module module;
  module.graphs.push_back(std::make_unique<ir::Graph>(std::move(g.graph)));
  return module;
}

// A function that lies over the input, a residual block, of which the sum lies over one of its inputs, then
// pooling and a layer.
ir::Module Block(int64_t batch = 1) {
  micrort::testing::TestGraph g;
  const ir::ValueId x = g.Relu("x0", g.Input("x", {batch, 6, 6, 8}));
  const ir::ValueId a = g.Conv3x3("a", x, 8);
  const ir::ValueId b = g.Relu("b", g.Conv3x3("b_conv", a, 8));
  const ir::ValueId sum = g.Binary("sum", schema::BinaryKind::Add, a, b);
  schema::Pool2DOptionsT pool;
  pool.kernel_h = pool.kernel_w = pool.stride_h = pool.stride_w = 2;
  g.Output(g.Conv3x3("y", g.Node("pool", pool, {sum}), 4));
  return ModuleOf(std::move(g));
}

struct Stated {
  explicit Stated(ir::Module module = Block()) {
    EXPECT_THAT(ir::InferShapes(module.entry()), IsOk());
    EXPECT_THAT(emit::BuildModel(module, &model), IsOk());
    AlignedBytes plain;
    EXPECT_THAT(emit::Serialize(model, &plain), IsOk());
    EXPECT_THAT(plan::StateProgram(plain, kTarget, {TargetFeatures(), 1}, &model), IsOk());
  }
  schema::ProgramT& program() { return *model.subgraphs[0]->programs[0]; }
  void Write(bool packed = true) {
    EXPECT_THAT(emit::Serialize(model, &file), IsOk());
    target::PackedReport report;
    target::Target target;
    target.name = kTarget;
    target.features = TargetFeatures();
    target.packed_only = packed;
    if (!packed) return;
    EXPECT_THAT(target::PackWeights(target, &file, &report), IsOk());
  }
  // The model has packed weights then.
  void Pack() {
    Write();
    model = emit::FileModel();
    emit::Unpack(file, &model);
  }
  Status Load(const OpResolver& resolver = AllOps()) {
    control.BeginPlanning();
    PrepareTarget target;
    target.features = TargetFeatures();
    target.control = &control;
    return loaded.Load(*schema::GetModel(file.data()), resolver, target);
  }

  emit::FileModel model;
  AlignedBytes file;
  WorkControl control;
  OfflineProgram loaded;
};

void Fill(const TensorView& x) {
  for (size_t i = 0; i < x.elements(); ++i) x.as<float>()[i] = static_cast<float>(i % 7) - 3;
}

std::vector<float> ElementsOf(const TensorView& y) { return {y.as<float>(), y.as<float>() + y.elements()}; }

TEST(OfflineProgram, ComputesWhatTheInterpreterComputesInTheSameArena) {
  Stated stated;
  stated.Write();
  ASSERT_THAT(stated.Load(), IsOk());
  auto model = Model::FromBuffer(stated.file.data(), stated.file.size());
  ASSERT_THAT(model, IsOk());
  InterpreterOptions options;
  options.features = TargetFeatures();
  auto interpreter = Interpreter::Create(*model, options);
  ASSERT_THAT(interpreter, IsOk());
  Fill(interpreter->input(0));
  ASSERT_THAT(interpreter->Run(), IsOk());

  EXPECT_EQ(stated.loaded.arena_bytes(), interpreter->arena_bytes());
  EXPECT_EQ(stated.loaded.lower_bound(), interpreter->arena_lower_bound());
  EXPECT_EQ(stated.loaded.packed_in_place_bytes(), interpreter->packed_in_place_bytes());
  AlignedMemory arena;
  ASSERT_THAT(arena.Allocate(stated.loaded.arena_bytes()), IsOk());
  stated.loaded.Bind(arena.data());
  for (int run = 0; run < 2; ++run) {
    Fill(stated.loaded.View(stated.model.subgraphs[0]->inputs[0]));
    stated.control.BeginRun(StopSignal::kNoDeadline);
    ASSERT_THAT(stated.loaded.Run(), IsOk());
    EXPECT_EQ(ElementsOf(stated.loaded.View(stated.model.subgraphs[0]->outputs[0])),
              ElementsOf(interpreter->output(0)));
  }
}

TEST(OfflineProgram, RefusesPlacesThatOverlap) {
  Stated stated;
  std::fill(stated.program().offsets.begin(), stated.program().offsets.end(), 0u);
  stated.Write();
  EXPECT_THAT(stated.Load(), IsError(StatusCode::kInvalidModel, HasSubstr("overlap")));
}

// Every tensor and scratch block moved by 64 bytes, one at a time: it still fits, or that is found.
TEST(OfflineProgram, FindsEachBlockThatIsMovedOverAnother) {
  const size_t tensors = Stated().program().offsets.size();
  size_t refused = 0;
  for (size_t t = 0; t < tensors; ++t) {
    Stated stated;
    const int64_t before = stated.program().offsets[t];
    stated.program().offsets[t] = before == 0 ? 1 : static_cast<uint32_t>(before - 1);
    stated.Write();
    const Status status = stated.Load();
    if (status.ok()) continue;
    ++refused;
    EXPECT_THAT(status, IsError(StatusCode::kInvalidModel, HasSubstr("memory plan")));
  }
  EXPECT_GE(refused, 3u);
}

TEST(OfflineProgram, RefusesPlacesOutsideTheAddressSpaceOrTheLimits) {
  Stated stated;
  stated.program().offsets[static_cast<size_t>(stated.model.subgraphs[0]->outputs[0])] = UINT32_MAX;
  stated.Write();
  const Status status = stated.Load();
  EXPECT_TRUE(status.code() == StatusCode::kInvalidModel || status.code() == StatusCode::kUnsupported);
}

TEST(OfflineProgram, NeedsAProgramForTheCpu) {
  Stated stated;
  stated.model.subgraphs[0]->programs.clear();
  stated.Write();
  EXPECT_THAT(stated.Load(), IsError(StatusCode::kUnsupported, HasSubstr("--target")));
}

TEST(OfflineProgram, NeedsWeightsThatAreNotPackedOnTheDevice) {
  Stated stated;
  stated.Write(/*packed=*/false);
  EXPECT_THAT(stated.Load(), IsError(StatusCode::kUnsupported, HasSubstr("holds no weights packed")));
}

TEST(OfflineProgram, NeedsStaticShapes) {
  Stated stated(Block(ir::kDynamic));
  stated.Write();
  EXPECT_THAT(stated.Load(), IsError(StatusCode::kUnsupported, HasSubstr("--input-shape")));
}

TEST(OfflineProgram, NamesTheOperatorThatTheResolverLacks) {
  Stated stated;
  stated.Write();
  EXPECT_THAT(stated.Load(OpResolver().AddConv2D().AddUnary().AddBinary()),
              IsError(StatusCode::kUnsupported, HasSubstr("the resolver lacks Pool2D, of node 'pool'")));
}

TEST(OfflineProgram, KeepsTheCallersLimits) {
  Stated stated;
  stated.Write();
  ModelLimits limits;
  limits.max_memory_bytes = 1024;
  stated.control.SetLimits(limits);
  EXPECT_THAT(stated.Load(), IsError(StatusCode::kUnsupported, HasSubstr("max_memory_bytes")));
}

TEST(OfflineProgram, NeedsASingleGraphWithoutState) {
  Stated two;
  two.model.subgraphs.push_back(std::make_unique<schema::SubgraphT>());
  two.Write(/*packed=*/false);
  EXPECT_THAT(two.Load(), IsError(StatusCode::kUnsupported, HasSubstr("graphs inside operators")));
  Stated keeps;
  keeps.model.subgraphs[0]->states.push_back(std::make_unique<schema::StateT>());
  keeps.Write(/*packed=*/false);
  EXPECT_THAT(keeps.Load(), IsError(StatusCode::kUnsupported, HasSubstr("values kept between runs")));
}

TEST(OfflineProgram, RunsNoOperatorsTogether) {
  Stated stripes;
  stripes.program().stripes = {0, 2};
  stripes.Write();
  EXPECT_THAT(stripes.Load(), IsError(StatusCode::kUnsupported, HasSubstr("runs operators together")));
  Stated concats;
  concats.program().concats = {0};
  concats.Write();
  EXPECT_THAT(concats.Load(), IsError(StatusCode::kUnsupported, HasSubstr("runs operators together")));
}

TEST(OfflineProgram, ComputesNothingFromConstantsAlone) {
  micrort::testing::TestGraph g;
  g.Output(g.Binary("sum", schema::BinaryKind::Add, g.Input("x", {4}), g.Relu("y", g.Weights("w", {4}))));
  Stated stated(ModuleOf(std::move(g)));
  stated.Write();
  EXPECT_THAT(stated.Load(),
              IsError(StatusCode::kUnsupported, HasSubstr("node 'y' (Unary) computes with constants alone")));
}

TEST(OfflineProgram, NeedsSizesThatDataDoNotDecide) {
  micrort::testing::TestGraph g;
  g.Output(g.Node("places", schema::NonZeroOptionsT(), {g.Input("x", {4})}, DType::kInt64));
  Stated stated(ModuleOf(std::move(g)));
  for (auto& tensor : stated.model.subgraphs[0]->tensors) {
    if (tensor->shape == std::vector<int32_t>{1, -1}) tensor->shape = {1, 4};
  }
  stated.Write(/*packed=*/false);
  EXPECT_THAT(stated.Load(), IsError(StatusCode::kUnsupported, HasSubstr("sizes that data decide")));
}

TEST(OfflineProgram, KeepsToTheScratchThatTheFileAllows) {
  Stated stated;
  stated.Pack();
  for (auto& op : stated.model.subgraphs[0]->operators) op->max_scratch = 0;
  stated.Write(/*packed=*/false);
  EXPECT_THAT(stated.Load(), IsError(StatusCode::kOutOfMemory, HasSubstr("of scratch, the file allows 0")));
}

TEST(OfflineProgram, NeedsPackedWeightsOfTheirSize) {
  Stated stated;
  stated.Pack();
  for (const auto& op : stated.model.subgraphs[0]->operators) {
    for (const auto& packed : op->packed) stated.model.buffers[packed->buffer]->data.pop_back();
  }
  stated.Write(/*packed=*/false);
  EXPECT_THAT(stated.Load(), IsError(StatusCode::kInvalidModel, HasSubstr("weights packed as '")));
}

TEST(OfflineProgram, NeedsPortableWeightsWhereANodeReadsThem) {
  micrort::testing::TestGraph g;
  const ir::ValueId x = g.Input("x", {8, 3, 3, 8});
  const ir::ValueId sum = g.Binary("sum", schema::BinaryKind::Add, x, g.Weights("w", {8, 3, 3, 8}));
  g.Output(g.Conv3x3("y", sum, 8));
  Stated stated(ModuleOf(std::move(g)));
  stated.Pack();
  auto& operators = stated.model.subgraphs[0]->operators;
  operators[0]->inputs[1] = operators[1]->inputs[1];
  stated.Write(/*packed=*/false);
  EXPECT_THAT(stated.Load(),
              IsError(StatusCode::kInvalidModel, HasSubstr("is stored packed only, and not for this node")));
}

TEST(OfflineProgram, RefusesTensorsThatReachOutOfTheAddressSpace) {
  micrort::testing::TestGraph g;
  g.Output(g.Relu("y", g.Input("x", {2, 2, 2})));
  Stated stated(ModuleOf(std::move(g)));
  for (auto& tensor : stated.model.subgraphs[0]->tensors) tensor->shape = {INT32_MAX, INT32_MAX >> 2, 2};
  stated.program().input_shapes = {INT32_MAX, INT32_MAX >> 2, 2};
  stated.program().offsets.assign(2, UINT32_MAX);
  stated.Write(/*packed=*/false);
  ModelLimits limits;
  limits.max_tensor_bytes = limits.max_memory_bytes = limits.max_planning_work = ~uint64_t{0};
  stated.control.SetLimits(limits);
  EXPECT_THAT(stated.Load(), IsError(StatusCode::kInvalidModel, HasSubstr("reach out of the address space")));
}

}  // namespace
}  // namespace micrort::offline
