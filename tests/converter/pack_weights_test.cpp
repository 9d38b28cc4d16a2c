// Weights packed for a class of CPUs: what the runtime would pack, in the file.

#include "converter/target/pack_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/emit/build_model.h"
#include "converter/emit/serialize.h"
#include "converter/ir/infer.h"
#include "kernels/base/target.h"
#include "kernels/gemm/gemm_f32.h"
#include "micrort/micrort.h"
#include "tests/converter/graph_testing.h"
#include "tests/status_matchers.h"

namespace micrort::target {
namespace {

using ::micrort::testing::IsOk;

// Three convolutions and, if `shares`, a sum with weights of the first one.
AlignedBytes Portable(bool shares = false) {
  micrort::testing::TestGraph g;
  const ir::ValueId x = g.Input("x", {1, 8, 8, 16});
  const ir::ValueId a = g.Conv3x3("a", x, 16);
  const ir::ValueId b = g.Conv3x3("b", a, 16);
  if (shares) g.Output(g.Unary("z", schema::UnaryKind::Abs, g.graph.nodes[0]->inputs[1]));
  g.Output(g.Conv3x3("y", b, 8));
  ir::Module module;
  module.graphs.push_back(std::make_unique<ir::Graph>(std::move(g.graph)));
  EXPECT_THAT(ir::InferShapes(module.entry()), IsOk());
  AlignedBytes file;
  EXPECT_THAT(emit::EmitModule(module, &file), IsOk());
  return file;
}

Target For(const char* name, bool packed_only = false) {
  Target target;
  target.name = name;
  target.packed_only = packed_only;
  EXPECT_TRUE(ParseTarget(name, &target.features));
  return target;
}

struct Ran {
  std::vector<float> y;
  size_t packed_bytes = 0, in_place_bytes = 0;
};

Ran RunOn(const AlignedBytes& file, CpuFeatures features) {
  auto model = Model::FromBuffer(file.data(), file.size());
  EXPECT_THAT(model, IsOk());
  InterpreterOptions options;
  options.features = features;
  auto interpreter = Interpreter::Create(*model, options);
  EXPECT_THAT(interpreter, IsOk());
  const TensorView x = interpreter->input(0);
  for (size_t i = 0; i < x.elements(); ++i) x.as<float>()[i] = static_cast<float>(i % 7) - 3;
  EXPECT_THAT(interpreter->Run(), IsOk());
  const TensorView y = interpreter->output(interpreter->output_count() - 1);
  return {{y.as<float>(), y.as<float>() + y.elements()},
          model->packed_bytes(),
          interpreter->packed_in_place_bytes()};
}

TEST(PackWeights, GivesWhatTheRuntimeWouldPack) {
  for (const char* name : {"scalar", TargetName(DetectCpuFeatures())}) {
    const Target target = For(name);
    AlignedBytes file = Portable();
    const Ran portable = RunOn(file, target.features);
    EXPECT_EQ(portable.in_place_bytes, 0u);
    PackedReport report;
    ASSERT_THAT(PackWeights(target, &file, &report), IsOk());
    const Ran packed = RunOn(file, target.features);
    EXPECT_EQ(packed.y, portable.y);
    EXPECT_EQ(packed.packed_bytes, 0u);
    EXPECT_EQ(packed.in_place_bytes, portable.packed_bytes);
    EXPECT_EQ(report.packed_bytes, packed.in_place_bytes);
    EXPECT_EQ(report.operators, 3u);
    EXPECT_EQ(report.dropped_bytes, 0u);
    EXPECT_EQ(schema::GetModel(file.data())->schema_version(), 3u);
  }
}

// At 1, the filter does not fit.
TEST(PackWeights, TakesSizesThatDynamicDimensionsCanHave) {
  micrort::testing::TestGraph g;
  schema::Conv2DOptionsT conv;
  conv.stride_h = conv.stride_w = conv.dilation_h = conv.dilation_w = 1;
  const ir::ValueId x = g.Input("x", {1, ir::kDynamic, ir::kDynamic, 4});
  g.Output(g.Node("y", std::move(conv), {x, g.Weights("w", {8, 3, 3, 4})}));
  ir::Module module;
  module.graphs.push_back(std::make_unique<ir::Graph>(std::move(g.graph)));
  ASSERT_THAT(ir::InferShapes(module.entry()), IsOk());
  AlignedBytes file;
  ASSERT_THAT(emit::EmitModule(module, &file), IsOk());
  PackedReport report;
  ASSERT_THAT(PackWeights(For("scalar"), &file, &report), IsOk());
  EXPECT_EQ(report.operators, 1u);
}

// Fuzzing and coverage build portable kernels alone.
bool HasKernelsBesidePortable() {
  return SelectGemmF32(ArchitectureFeatures(), 16) != SelectGemmF32(CpuFeatures{0}, 16);
}

TEST(PackWeights, RunsOnOtherCpusWithPortableWeights) {
  AlignedBytes file = Portable();
  const Ran portable = RunOn(file, 0);
  PackedReport report;
  ASSERT_THAT(PackWeights(For(TargetName(ArchitectureFeatures())), &file, &report), IsOk());
  const Ran packed = RunOn(file, 0);
  EXPECT_EQ(packed.y, portable.y);
  EXPECT_EQ(packed.in_place_bytes == 0, HasKernelsBesidePortable());
}

// This CPU need not have the instructions.
TEST(PackWeights, IsForTheStrongestCpuOfTheArchitecture) {
  if (!HasKernelsBesidePortable()) GTEST_SKIP() << "skipped: portable kernels alone";
  const Target target = For(TargetName(ArchitectureFeatures()));
  AlignedBytes file = Portable();
  PackedReport report;
  ASSERT_THAT(PackWeights(target, &file, &report), IsOk());
  const schema::Model& model = *schema::GetModel(file.data());
  EXPECT_EQ(model.target()->str(), target.name);
  AlignedBytes here = Portable();
  ASSERT_THAT(PackWeights(For("scalar"), &here, &report), IsOk());
  for (uint32_t i = 0; i < 3; ++i) {
    const auto layout = [&](const AlignedBytes& of) {
      return schema::GetModel(of.data())
          ->subgraphs()
          ->Get(0)
          ->operators()
          ->Get(i)
          ->packed()
          ->Get(0)
          ->layout()
          ->str();
    };
    EXPECT_NE(layout(file), layout(here));
  }
}

std::string FirstLayout(const AlignedBytes& file) {
  const schema::Subgraph& graph = *schema::GetModel(file.data())->subgraphs()->Get(0);
  return graph.operators()->Get(0)->packed()->Get(0)->layout()->str();
}

// Whatever machine this test runs on.
TEST(PackWeights, IsForCpusOfEveryArchitecture) {
  const std::pair<const char*, const char*> kTargets[] = {
      {"avx2", "avx2_6x16"},       {"neon", "neon_6x16"},   {"i8mm", "neon_6x16"},
      {"armv7-neon", "neon_4x8"},  {"wasm", "simd128_6x8"}, {"cortex-m4", "scalar_4x8"},
      {"cortex-m55", "scalar_4x8"}};
  for (const auto& [name, variant] : kTargets) {
    const Target target = For(name);
    if (!KnowsKernelsOf(target.features)) continue;
    AlignedBytes file = Portable();
    PackedReport report;
    ASSERT_THAT(PackWeights(target, &file, &report), IsOk());
    EXPECT_THAT(FirstLayout(file), ::testing::EndsWith(variant)) << name;
    EXPECT_EQ(report.operators, 3u);
  }
}

TEST(PackWeights, LeavesPortableOnesOut) {
  AlignedBytes file = Portable();
  const Ran portable = RunOn(file, 0);
  const size_t bytes = file.size();
  PackedReport report;
  ASSERT_THAT(PackWeights(For("scalar", true), &file, &report), IsOk());
  EXPECT_EQ(report.dropped_bytes, (2 * 16u * 9 * 16 + 8 * 9 * 16) * sizeof(float));
  EXPECT_NEAR(static_cast<double>(file.size()),
              static_cast<double>(bytes + report.packed_bytes - report.dropped_bytes), 2000);
  const Ran packed = RunOn(file, ~CpuFeatures{0});
  EXPECT_EQ(packed.y, portable.y);
  EXPECT_EQ(packed.packed_bytes, 0u);
}

TEST(PackWeights, KeepsPortableOnesThatOthersRead) {
  AlignedBytes file = Portable(true);
  PackedReport report;
  ASSERT_THAT(PackWeights(For("scalar", true), &file, &report), IsOk());
  EXPECT_EQ(report.dropped_bytes, (16u * 9 * 16 + 8 * 9 * 16) * sizeof(float));
  RunOn(file, 0);
}

TEST(PackWeights, IsTheSameEveryTime) {
  AlignedBytes first = Portable(), second = Portable();
  PackedReport report;
  ASSERT_THAT(PackWeights(For("scalar"), &first, &report), IsOk());
  ASSERT_THAT(PackWeights(For("scalar"), &second, &report), IsOk());
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace micrort::target
