// --keep-float and --layer-types: which layers they mean.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "converter/cli/layer_types_file.h"
#include "converter/quantize/weight_only.h"
#include "tests/converter/graph_testing.h"
#include "tests/status_matchers.h"

namespace micrort::quantize {
namespace {

using micrort::testing::IsOk;
using micrort::testing::TestGraph;
using ::testing::AllOf;
using ::testing::HasSubstr;

using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class LayerTypesTest : public ::testing::Test {
 protected:
  LayerTypesTest() {
    ir::ValueId x = g_.Input("x", {1, 8, 8, 8});
    for (const char* name : {"stem/conv1", "stem/conv2", "head/classifier"}) x = g_.Conv3x3(name, x, 8);
    g_.Output(x);
    g_.graph.nodes[0]->name = "Conv_0";
  }

  TestGraph g_;
  LayerTypes resolved_;
};

TEST_F(LayerTypesTest, NamesNodesOrTheirOutputs) {
  ASSERT_THAT(
      ResolveNames(g_.graph, {{"stem/conv1", LayerType::kFloat32}, {"stem/conv2", LayerType::kFloat16}},
                   &resolved_),
      IsOk());
  EXPECT_THAT(resolved_, UnorderedElementsAre(Pair("Conv_0", LayerType::kFloat32),
                                              Pair("stem/conv2", LayerType::kFloat16)));
}

TEST_F(LayerTypesTest, ListsNearNamesWhereNothingMatches) {
  const Status status = ResolveNames(g_.graph, {{"classifer", LayerType::kFloat32}}, &resolved_);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), AllOf(HasSubstr("'classifer'"), HasSubstr("'head/classifier'")));
  EXPECT_THAT(ResolveNames(g_.graph, {{"conv2", LayerType::kFloat32}}, &resolved_).message(),
              HasSubstr("like it: 'stem/conv2'"));
}

TEST_F(LayerTypesTest, GiveSingleLayersAnotherType) {
  Report report;
  StoreWeights(&g_.graph, LayerType::kInt8Weights, {{"stem/conv2", LayerType::kFloat16}}, {}, &report);
  EXPECT_EQ(g_.graph.value(g_.graph.nodes[0]->inputs[1]).dtype, DType::kInt8);
  EXPECT_EQ(g_.graph.value(g_.graph.nodes[1]->inputs[1]).dtype, DType::kFloat16);
  EXPECT_EQ(report.quantized, 2);
  ASSERT_EQ(report.exceptions.size(), 1u);
  EXPECT_EQ(report.exceptions[0].reason, "fp16, as asked");
}

class LayerTypesFile : public ::testing::Test {
 protected:
  Status Read(const std::string& text) {
    const std::string path = ::testing::TempDir() + "layer_types_test.json";
    std::ofstream(path) << text;
    const Status status = cli::ReadLayerTypes(path, &types_);
    std::remove(path.c_str());
    return status;
  }
  LayerTypes types_;
};

TEST_F(LayerTypesFile, MapsNamesToTypes) {
  ASSERT_THAT(Read(R"({"layers": {"a": "float32", "b": "int8-weights"}})"), IsOk());
  EXPECT_THAT(types_,
              UnorderedElementsAre(Pair("a", LayerType::kFloat32), Pair("b", LayerType::kInt8Weights)));
}

TEST_F(LayerTypesFile, SaysWhatItExpected) {
  EXPECT_THAT(Read("{").message(), HasSubstr("layer_types_test.json: expected {\"layers\""));
  EXPECT_THAT(Read(R"({"layer": {}})").message(), HasSubstr("expected {\"layers\""));
  EXPECT_THAT(Read(R"({"layers": {"a": "int3"}})").message(),
              AllOf(HasSubstr("layer 'a': expected one of float32, fp16, int8"), HasSubstr("\"int3\"")));
  EXPECT_EQ(cli::ReadLayerTypes("/no/such/file.json", &types_).code(), StatusCode::kIo);
}

}  // namespace
}  // namespace micrort::quantize
