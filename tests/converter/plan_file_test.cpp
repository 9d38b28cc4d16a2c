// Memory planned offline, and what the runtime makes of it.

#include "converter/plan/plan_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "converter/emit/build_model.h"
#include "converter/emit/serialize.h"
#include "converter/ir/infer.h"
#include "micrort/micrort.h"
#include "tests/converter/graph_testing.h"

namespace micrort::plan {
namespace {

// Convolutions with a branch, so that more than two tensors are alive at once.
ir::Module Network(int64_t batch) {
  testing::TestGraph g;
  const ir::ValueId x = g.Input("x", {batch, 8, 8, 4});
  const ir::ValueId a = g.Conv3x3("a", x, 8);
  const ir::ValueId b = g.Conv3x3("b", a, 16);
  const ir::ValueId c = g.Conv3x3("c", b, 8);
  g.Output(g.Binary("y", schema::BinaryKind::Add, a, c));
  ir::Module module;
  module.graphs.push_back(std::make_unique<ir::Graph>(std::move(g.graph)));
  return module;
}

struct PlannedModel {
  explicit PlannedModel(int64_t batch) {
    ir::Module module = Network(batch);
    EXPECT_TRUE(ir::InferShapes(module.entry()).ok());
    EXPECT_TRUE(emit::BuildModel(module, &model).ok());
    EXPECT_TRUE(emit::Serialize(model, &without_plan).ok());
    EXPECT_TRUE(PlanModel(without_plan, ~CpuFeatures{0}, &model).ok());
    EXPECT_TRUE(emit::Serialize(model, &file).ok());
  }
  const schema::MemoryPlanT* plan() const { return model.subgraphs[0]->plan.get(); }
  size_t Required() const {
    auto loaded = Model::FromBuffer(file.data(), file.size());
    EXPECT_TRUE(loaded.ok()) << loaded.status().message();
    auto bytes = Interpreter::RequiredArenaBytes(*loaded);
    EXPECT_TRUE(bytes.ok()) << bytes.status().message();
    return *bytes;
  }

  schema::ModelT model;
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

TEST(PlanModel, IsTheSameEveryTime) { EXPECT_EQ(PlannedModel(1).file, PlannedModel(1).file); }

}  // namespace
}  // namespace micrort::plan
