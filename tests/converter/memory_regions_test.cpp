// RAM of several speeds.

#include "converter/plan/memory_regions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "converter/emit/build_model.h"
#include "converter/emit/serialize.h"
#include "converter/ir/infer.h"
#include "converter/plan/state_program.h"
#include "converter/target/pack_weights.h"
#include "kernels/base/target.h"
#include "micrort/micrort.h"
#include "runtime/offline/offline_program.h"
#include "runtime/ops/work_control.h"
#include "tests/converter/graph_testing.h"
#include "tests/status_matchers.h"

namespace micrort::plan {
namespace {

using ::micrort::testing::IsError;
using ::micrort::testing::IsOk;
using ::testing::HasSubstr;

TEST(MemoryRegions, AreReadFromText) {
  std::vector<MemoryRegion> regions;
  ASSERT_THAT(ParseMemoryRegions("dtcm=64K,sram=256K,sdram=1M@16M", &regions), IsOk());
  ASSERT_EQ(regions.size(), 3u);
  EXPECT_EQ(regions[0].name, "dtcm");
  EXPECT_EQ(regions[0].bytes, 64u << 10);
  EXPECT_EQ(regions[1].offset, 64u << 10) << "behind the one before";
  EXPECT_EQ(regions[2].offset, 16u << 20);
}

TEST(MemoryRegions, AreRefusedWhereTheyMakeNoSense) {
  std::vector<MemoryRegion> regions;
  for (const char* text :
       {"", "fast", "=64K", "fast=", "fast=x", "fast=0", "fast=65", "fast=64K@64", "a=64K,b=64K@32K",
        "a=64K,b=64K@65537", "a=4G", "a=64K,b=1K@4G", "fast@0=64K", "a=64K,,b=64K"}) {
    EXPECT_THAT(ParseMemoryRegions(text, &regions),
                IsError(StatusCode::kInvalidArgument, HasSubstr("fast=64K")))
        << text;
  }
}

struct Placed {
  Status status;
  RegionPlan plan;
  PlacedItems items;
};

Placed Place(const std::string& regions, const std::vector<PlanItem>& items,
             const std::vector<uint64_t>& touches) {
  Placed placed;
  EXPECT_THAT(ParseMemoryRegions(regions, &placed.plan.regions), IsOk());
  placed.status = PlaceInRegions({items.data(), items.size()}, touches, &placed.plan, &placed.items);
  return placed;
}

TEST(MemoryRegions, HoldWhatIsTouchedMostInTheFastOne) {
  const std::vector<PlanItem> items = {{256, 0, 2}, {256, 0, 2}, {128, 1, 1}};
  const Placed placed = Place("fast=384,slow=1K@4K", items, {2, 5, 9});
  ASSERT_THAT(placed.status, IsOk());
  EXPECT_EQ(placed.items.offsets[0], 4096u);
  EXPECT_LT(placed.items.offsets[1], 384u);
  EXPECT_LT(placed.items.offsets[2], 384u);
  EXPECT_EQ(placed.plan.used_bytes, (std::vector<uint64_t>{384, 256}));
  EXPECT_EQ(placed.plan.touched_bytes, (std::vector<uint64_t>{256 * 5 + 128 * 9, 256 * 2}));
  EXPECT_EQ(placed.items.layout.arena_bytes, 4096u + 256);
}

TEST(MemoryRegions, LeaveNothingAcrossTheirEnds) {
  // The second one would fit into what is left of the first region and the begin of the next.
  const Placed placed = Place("fast=384,slow=1K", {{256, 0, 1}, {256, 0, 1}}, {2, 1});
  ASSERT_THAT(placed.status, IsOk());
  EXPECT_EQ(placed.items.offsets[1], 384u);
}

TEST(MemoryRegions, AreUsedAgainByWhatLivesLater) {
  const Placed placed = Place("fast=256,slow=1K@1K", {{256, 0, 0}, {256, 1, 1}, {256, 2, 2}}, {1, 1, 1});
  ASSERT_THAT(placed.status, IsOk());
  EXPECT_EQ(placed.plan.used_bytes, (std::vector<uint64_t>{256, 0}));
  EXPECT_EQ(placed.items.layout.arena_bytes, 256u);
}

TEST(MemoryRegions, KeepWhatLiesOverAnotherWithIt) {
  std::vector<PlanItem> items = {{256, 0, 1}, {256, 1, 2}, {256, 0, 2}};
  items[1].takes_over = 0;
  const Placed placed = Place("fast=256,slow=256@1K", items, {2, 2, 3});
  ASSERT_THAT(placed.status, IsOk());
  EXPECT_EQ(placed.items.offsets[0], 0u) << "both together are touched more often";
  EXPECT_EQ(placed.items.offsets[1], 0u);
  EXPECT_EQ(placed.items.offsets[2], 1024u);
}

TEST(MemoryRegions, AreAnErrorWhereTheyAreTooSmall) {
  const Placed placed = Place("fast=256,slow=256@1K", {{384, 0, 0}}, {1});
  EXPECT_THAT(placed.status,
              IsError(StatusCode::kUnsupported, HasSubstr("512 bytes, each in one region; 384")));
}

// A network whose arena is cut in two runs in it, and writes nothing between the two.
TEST(MemoryRegions, ArePlacesOfTheProgram) {
  constexpr char kTarget[] = "scalar";
  CpuFeatures features = 0;
  ASSERT_TRUE(ParseTarget(kTarget, &features));
  micrort::testing::TestGraph g;
  const ir::ValueId a = g.Conv3x3("a", g.Input("x", {1, 6, 6, 8}), 8);
  g.Output(g.Binary("y", schema::BinaryKind::Add, a, g.Conv3x3("b", a, 8)));
  ir::Module module;
  module.graphs.push_back(std::make_unique<ir::Graph>(std::move(g.graph)));
  ASSERT_THAT(ir::InferShapes(module.entry()), IsOk());
  emit::FileModel model;
  ASSERT_THAT(emit::BuildModel(module, &model), IsOk());
  AlignedBytes plain_file, file;
  ASSERT_THAT(emit::Serialize(model, &plain_file), IsOk());
  auto plain = Model::FromBuffer(plain_file.data(), plain_file.size());
  ASSERT_THAT(plain, IsOk());
  InterpreterOptions options;
  options.features = features;
  auto interpreter = Interpreter::Create(*plain, options);
  ASSERT_THAT(interpreter, IsOk());

  constexpr size_t kFast = 2048, kSlow = 8192;
  RegionPlan regions;
  ASSERT_THAT(ParseMemoryRegions("fast=2K,slow=64K@8K", &regions.regions), IsOk());
  ASSERT_THAT(StateProgram(plain_file, kTarget, {features, 1}, &model, &regions), IsOk());
  EXPECT_GT(regions.used_bytes[0], 0u);
  EXPECT_GT(regions.used_bytes[1], 0u);
  ASSERT_THAT(emit::Serialize(model, &file), IsOk());
  target::PackedReport report;
  target::Target target;
  target.name = kTarget;
  target.features = features;
  target.packed_only = true;
  ASSERT_THAT(target::PackWeights(target, &file, &report), IsOk());
  WorkControl control;
  control.BeginPlanning();
  PrepareTarget prepared_for;
  prepared_for.features = features;
  prepared_for.control = &control;
  OfflineProgram program;
  ASSERT_THAT(program.Load(*schema::GetModel(file.data()), AllOps(), prepared_for), IsOk());
  EXPECT_EQ(program.arena_bytes(), kSlow + regions.used_bytes[1]);

  constexpr uint8_t kOthers = 0xa5;
  AlignedMemory arena;
  ASSERT_THAT(arena.Allocate(program.arena_bytes()), IsOk());
  auto* const bytes = static_cast<uint8_t*>(static_cast<void*>(arena.data()));
  std::memset(bytes + kFast, kOthers, kSlow - kFast);
  program.Bind(bytes);
  const TensorView x = program.View(model.subgraphs[0]->inputs[0]),
                   y = program.View(model.subgraphs[0]->outputs[0]);
  for (size_t i = 0; i < x.elements(); ++i) {
    x.as<float>()[i] = interpreter->input(0).as<float>()[i] = static_cast<float>(i % 7) - 3;
  }
  ASSERT_THAT(interpreter->Run(), IsOk());
  control.BeginRun(StopSignal::kNoDeadline);
  ASSERT_THAT(program.Run(), IsOk());
  EXPECT_EQ(std::memcmp(y.data, interpreter->output(0).data, y.bytes()), 0);
  for (size_t i = kFast; i < kSlow; ++i) ASSERT_EQ(bytes[i], kOthers) << i;
}

}  // namespace
}  // namespace micrort::plan
