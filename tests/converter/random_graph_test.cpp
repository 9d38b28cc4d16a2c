// Passes on random graphs: results stay the same, and the layout pass never transposes more bytes than
// before.

#include "tests/converter/random_graph.h"

#include <gtest/gtest.h>

#include "converter/emit/serialize.h"
#include "converter/ir/infer.h"
#include "converter/ir/print.h"
#include "converter/passes/layout/relayout.h"
#include "converter/passes/passes.h"
#include "converter/pipeline/pipeline.h"
#include "tests/runtime/watched_run.h"

namespace micrort {
namespace {

using testing::RandomGraph;

constexpr float kTolerance = 1e-4f;

TEST(RandomGraph, LayoutPassKeepsResultsAndNeverMovesMore) {
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    RandomGraph random(seed);
    ir::Graph& graph = random.graph();
    ASSERT_TRUE(ir::InferShapes(graph).ok());
    const int64_t before = passes::Relayout::MovedBy(graph);
    const std::string text = ir::Print(graph);
    testing::RunPasses(graph, {passes::EliminateDeadCode, passes::OptimizeLayout}, kTolerance);
    EXPECT_LE(passes::Relayout::MovedBy(graph), before);
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << text << "became\n" << ir::Print(graph);
  }
}

Status Optimize(ir::Graph& graph, bool* changed) {
  passes::PipelineOptions options;
  options.on_change = [changed](const char*, const ir::Graph&) { *changed = true; };
  return passes::Optimize(graph, options);
}

TEST(RandomGraph, PipelineKeepsResults) {
  for (uint32_t seed = 1001; seed <= 1300; ++seed) {
    RandomGraph random(seed);
    ir::Graph& graph = random.graph();
    const std::string text = ir::Print(graph);
    testing::RunPasses(graph, {Optimize}, kTolerance);
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << text << "became\n" << ir::Print(graph);
  }
}

TEST(RandomGraph, IsTheSameForWhoWatchesIt) {
  for (uint32_t seed = 2001; seed <= 2040; ++seed) {
    RandomGraph random(seed);
    ASSERT_TRUE(passes::Optimize(random.graph(), {}).ok());
    const std::string text = ir::Print(random.graph());
    ir::Module module;
    module.graphs.push_back(std::make_unique<ir::Graph>(std::move(random.graph())));
    AlignedBytes file;
    ASSERT_TRUE(emit::EmitModule(module, &file).ok());
    auto model = Model::FromBuffer(file.data(), file.size());
    ASSERT_TRUE(model.ok()) << model.status().message();
    testing::ExpectWatchingChangesNothing(*model);
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << text;
  }
}

}  // namespace
}  // namespace micrort
