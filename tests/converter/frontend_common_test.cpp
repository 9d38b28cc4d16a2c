// What all frontends share.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "converter/frontend/common/axes.h"
#include "converter/frontend/common/blocks.h"
#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/common/fetches.h"
#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/common/model_inputs.h"
#include "converter/frontend/common/named_values.h"
#include "tests/converter/onnx_builder.h"
#include "tests/refusal.h"

namespace micrort::frontend {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Refusal;

ir::Value Input(const std::string& name, std::vector<int64_t> shape) {
  ir::Value value;
  value.name = name;
  value.dtype = DType::kFloat32;
  value.has_shape = true;
  value.shape = std::move(shape);
  return value;
}

TEST(SettleInputShape, TakesTheUsersByNameAndByPosition) {
  ImportOptions options;
  options.input_shapes = {{"#1", {2, 3}}, {"a", {5}}};
  ir::Value a = Input("a", {4}), b = Input("b", {1, 3});
  ASSERT_TRUE(SettleInputShape(options, 0, &a).ok());
  ASSERT_TRUE(SettleInputShape(options, 1, &b).ok());
  EXPECT_THAT(a.shape, ElementsAre(5));
  EXPECT_THAT(b.shape, ElementsAre(2, 3));
}

TEST(SettleInputShape, RefusesTwoForOneInput) {
  ImportOptions options;
  options.input_shapes = {{"#0", {2}}, {"a", {5}}};
  ir::Value a = Input("a", {4});
  EXPECT_EQ(SettleInputShape(options, 0, &a).code(), StatusCode::kInvalidArgument);
}

Status AddOne(const ImportOptions& options) {
  ir::Graph graph;
  ImportDiagnostics diagnostics;
  ModelInputs inputs(options, &graph, &diagnostics);
  EXPECT_TRUE(inputs.Add(Input("a", {4})).ok());
  return inputs.CheckOptions();
}

TEST(ModelInputs, FindsPositionsThatAreNone) {
  ImportOptions options;
  options.input_shapes = {{"#0", {2}}};
  EXPECT_TRUE(AddOne(options).ok());
  options.input_shapes = {{"#1", {2}}};
  EXPECT_EQ(AddOne(options).code(), StatusCode::kInvalidArgument);
}

TEST(NeededNodes, AreThoseThatComputeTheValues) {
  const std::vector<NodeEdges> nodes = {{{"x"}, {"a"}}, {{"x"}, {"b"}}, {{"a"}, {"c", ""}}, {{"c"}, {"y"}}};
  EXPECT_THAT(NeededNodes(nodes, {"c"}), ElementsAre(true, false, true, false));
}

TEST(NamedValues, AssignReplacesAndUnreachableHides) {
  NamedValues values;
  ASSERT_TRUE(values.Define("a", 1).ok());
  EXPECT_EQ(values.Define("a", 2).code(), StatusCode::kInvalidModel);
  values.Assign("a", 3);
  EXPECT_EQ(values.Find("a"), 3);
  values.MarkUnreachable("a");
  EXPECT_EQ(values.Find("a"), ir::kNoValue);
  EXPECT_TRUE(values.IsUnreachable("a"));
  values.Assign("a", 4);
  EXPECT_FALSE(values.IsUnreachable("a"));
}

TEST(NoteUnsupported, GathersNodesOfOneReason) {
  ImportDiagnostics diagnostics;
  EXPECT_TRUE(UnsupportedNodes(diagnostics).ok());
  EXPECT_TRUE(NoteUnsupported({"n1", "FOO"}, "unknown operator", &diagnostics).ok());
  EXPECT_TRUE(NoteUnsupported({"n2", "FOO"}, "unknown operator", &diagnostics).ok());
  ASSERT_EQ(diagnostics.unsupported.size(), 1u);
  EXPECT_THAT(diagnostics.unsupported[0].nodes, ElementsAre("n1", "n2"));
  EXPECT_THAT(UnsupportedNodes(diagnostics).message(),
              HasSubstr("2 nodes cannot be converted, the first is 'n1' (FOO)"));
}

TEST(NoteUnsupported, EndsTheImportWhenTheListIsFull) {
  ImportDiagnostics nodes, reasons;
  for (size_t i = 1; i <= kMaxUnsupportedNodes; ++i) {
    const Status status = NoteUnsupported({"n" + std::to_string(i), "FOO"}, "unknown operator", &nodes);
    EXPECT_EQ(status.ok(), i < kMaxUnsupportedNodes) << i;
  }
  for (size_t i = 1; i <= kMaxUnsupportedReasons; ++i) {
    const Status status = NoteUnsupported({"n1", "FOO" + std::to_string(i)}, "unknown operator", &reasons);
    EXPECT_EQ(status.ok(), i < kMaxUnsupportedReasons) << i;
    if (!status.ok()) {
      EXPECT_EQ(status.code(), StatusCode::kUnsupported);
      EXPECT_THAT(status.message(),
                  HasSubstr("the rest of the model was not looked at: 1024 nodes cannot be"));
    }
  }
}

TEST(GraphAssembler, MakesConstantsOfWhatFollowsFromConstants) {
  ir::Graph graph;
  GraphAssembler assembler(&graph);
  graph.inputs.push_back(graph.AddValue(Input("x", {2})));
  const ir::ValueId c = graph.AddConstantOf<float>("c", {2}, {1, 2});
  assembler.StartNodes();
  ir::Builder builder = assembler.BuilderFor({"n", "Add", 0}, "n");
  const ir::ValueId sum = builder.Binary(schema::BinaryKind::Add, c, c);
  const ir::ValueId y = builder.Binary(schema::BinaryKind::Add, graph.inputs[0], sum);
  ASSERT_TRUE(builder.status().ok());
  EXPECT_TRUE(graph.value(sum).is_constant());
  EXPECT_EQ(graph.value(sum).as<float>()[1], 4);
  EXPECT_EQ(graph.nodes.size(), 1u);
  EXPECT_THAT(graph.value(y).shape, ElementsAre(2));
}

TEST(GraphAssembler, OutputsAreValuesOfTheirOwn) {
  ir::Graph graph;
  GraphAssembler assembler(&graph);
  graph.inputs.push_back(graph.AddValue(Input("x", {2})));
  assembler.StartNodes();
  const Result<ir::ValueId> added = assembler.AddOutput("y", graph.inputs[0]);
  ASSERT_TRUE(added.ok());
  const ir::ValueId y = added.value();
  EXPECT_NE(y, graph.inputs[0]);
  EXPECT_EQ(graph.value(y).name, "y");
  EXPECT_THAT(graph.outputs, ElementsAre(y));
}

TEST(ImportModel, RefusesASecondFileThatTheFormatDoesNotHave) {
  testing::OnnxBuilder builder;
  builder.Input("x", {"1"}).Node("Relu", {"x"}, {"y"}).Output("y");
  ImportOptions options;
  options.weights = WeightsFile{"w", {}};
  const testing::Imported result = testing::Import(builder, options);
  EXPECT_EQ(result.status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(result.status.message(), HasSubstr("--weights"));
}

using MoveBlocks = Result<ir::ValueId> (*)(ir::Builder& build, ir::ValueId x, int64_t block);
using MoveSpatialBlocks = Result<ir::ValueId> (*)(ir::Builder& build, ir::ValueId x,
                                                  const SpatialBlocks& blocks);

// Of a graph with an input of this shape.
template <typename MoveT, typename BlocksT>
Status Moved(MoveT move, const std::vector<int64_t>& shape, const BlocksT& blocks) {
  ir::Graph graph;
  GraphAssembler assembler(&graph);
  graph.inputs.push_back(graph.AddValue(Input("x", shape)));
  assembler.StartNodes();
  ir::Builder build = assembler.BuilderFor({"n", "Blocks", 0}, "n");
  return move(build, graph.inputs[0], blocks).status();
}

Status ReadBlocks(const std::vector<int64_t>& shape, const std::vector<int64_t>& sizes,
                  const std::vector<int64_t>& borders) {
  return ReadSpatialBlocks(Input("x", shape), sizes, borders).status();
}

Status SettledShape(const std::vector<int64_t>& shape) {
  ir::Value x = Input("x", shape);
  return SettleInputShape({}, 0, &x);
}

constexpr int64_t kLargest = std::numeric_limits<int32_t>::max();

const Refusal kRefusals[] = {
    {"ShapeOfTooManyElements", MICRORT_STATUS(SettledShape({kLargest, kLargest, kLargest})),
     "shape 2147483647x2147483647x2147483647 is too large"},
    {"NumberOfMoreThan32Bits", MICRORT_STATUS(ToInt32(kLargest + 1, "width").status()),
     "width: 2147483648 does not fit 32 bits"},
    {"ValueWithoutAName", MICRORT_STATUS(NamedValues().Define("", 1)), "a value has no name"},
    {"ChannelsThatAreNoBlocks", MICRORT_STATUS(Moved<MoveBlocks>(DepthToSpace, {1, 2, 2, 6}, 2)),
     "6 elements in blocks of 4"},
    {"OpenChannels", MICRORT_STATUS(Moved<MoveBlocks>(DepthToSpace, {1, 2, 2, ir::kDynamic}, 2)),
     "the number of channels is not fixed", StatusCode::kUnsupported},
    {"HeightThatIsNoBlocks", MICRORT_STATUS(Moved<MoveBlocks>(SpaceToDepth, {1, 3, 2, 1}, 2)),
     "3 elements in blocks of 2"},
    {"MoreBlocksThanDimensions", MICRORT_STATUS(ReadBlocks({4, 2}, {2, 2}, {0, 0, 0, 0})),
     "2 block sizes and 4 borders of 2 dimensions"},
    {"BlocksWithoutBorders", MICRORT_STATUS(ReadBlocks({4, 2, 1}, {2}, {0})),
     "1 block sizes and 1 borders of 3 dimensions"},
    {"NegativeBorder", MICRORT_STATUS(ReadBlocks({4, 2, 1}, {2}, {0, -1})), "block size 2, borders 0 and -1"},
    {"BlocksOfNothing", MICRORT_STATUS(ReadBlocks({4, 2, 1}, {0}, {0, 0})), "block size 0, borders 0 and 0"},
    {"MoreIsCutOffThanThereIs",
     [] {
       const SpatialBlocks blocks = {{2}, {3}, {2}};
       return Moved<MoveSpatialBlocks>(BatchToSpace, {2, 2, 1}, blocks);
     },
     "more is cut off than there is"},
};
MICRORT_EXPECT_REFUSALS(FrontendCommonRefusals, kRefusals);

}  // namespace
}  // namespace micrort::frontend
