// Identities, common subexpressions, constants, reshapes and slices that say the same in a simpler way.

#include <gtest/gtest.h>

#include "converter/ir/print.h"
#include "converter/passes/constant_folding.h"
#include "converter/passes/passes.h"
#include "tests/converter/graph_testing.h"

namespace micrort {
namespace {

using schema::OpCode;
using testing::CountOps;
using testing::Outline;
using testing::RunPasses;
using testing::TestGraph;

// Casts left between two operators, if the casts came from `source_op`.
int CastsThroughHalf(const char* source_op) {
  TestGraph g;
  auto x = g.Relu("first", g.Input("x", {4}));
  x = g.Node("half", schema::CastOptionsT(), {x}, DType::kFloat16);
  x = g.Node("wide", schema::CastOptionsT(), {x}, DType::kFloat32);
  g.Output(g.Relu("second", x));
  for (auto& node : g.graph.nodes) node->source_op = source_op;
  RunPasses(g.graph, {passes::RemoveIdentities}, 1e-3f);
  return CountOps(g.graph, OpCode::Cast);
}

TEST(RemoveIdentitiesPass, RoundsToHalvesWhereTheSourceModelAsksForIt) {
  EXPECT_EQ(CastsThroughHalf("MatMul"), 0);
  EXPECT_EQ(CastsThroughHalf("Cast"), 2);
}

TEST(RemoveIdentitiesPass, RemovesEveryKind) {
  TestGraph g;
  auto x = g.Relu("x_relu", g.Input("x", {1, 2, 3, 4}));
  x = g.Unary("identity", schema::UnaryKind::Identity, x);
  x = g.Reshape("reshape", x, {1, 2, -1, 4});
  x = g.Transpose("transpose", x, {0, 1, 2, 3});
  x = g.Concat("concat", {x}, 2);
  x = g.Binary("add", schema::BinaryKind::Add, x, g.Constant("zero", {}, {0}));
  x = g.Binary("mul", schema::BinaryKind::Mul, g.Constant("ones", {4}, {1, 1, 1, 1}), x);
  schema::SliceOptionsT slice;
  slice.starts = {0};
  slice.ends = {INT64_MAX};
  slice.axes = {2};
  slice.steps = {1};
  x = g.Node("slice", std::move(slice), {x});
  schema::PadOptionsT pad;
  pad.pads.assign(8, 0);
  x = g.Node("pad", std::move(pad), {x});
  schema::TileOptionsT tile;
  tile.repeats = {1, 1, 1, 1};
  x = g.Node("tile", std::move(tile), {x});
  g.Output(g.Relu("y", x));
  EXPECT_TRUE(RunPasses(g.graph, {passes::RemoveIdentities}));
  EXPECT_EQ(Outline(g.graph), "x_relu = Unary(x)\ny = Unary(x_relu)\n");
}

TEST(RemoveIdentitiesPass, AddThatBroadcastsIsNone) {
  TestGraph g;
  const auto x = g.Input("x", {1, 3});
  g.Output(g.Binary("y", schema::BinaryKind::Add, x, g.Constant("zeros", {2, 1}, {0, 0})));
  EXPECT_FALSE(RunPasses(g.graph, {passes::RemoveIdentities}));
}

TEST(RemoveIdentitiesPass, OutputKeepsItsName) {
  TestGraph g;
  const auto x = g.Input("x", {2, 3});
  g.Output(g.Unary("y", schema::UnaryKind::Identity, g.Relu("relu", x)));
  g.Output(g.Unary("z", schema::UnaryKind::Identity, x));  // an input cannot be renamed
  EXPECT_TRUE(RunPasses(g.graph, {passes::RemoveIdentities}));
  EXPECT_EQ(Outline(g.graph), "y = Unary(x)\nz = Unary(x)\n");
}

TEST(CommonSubexpressionPass, MergesEqualNodesAndConstants) {
  TestGraph g;
  const auto x = g.Input("x", {2, 3});
  const auto a = g.Binary("a", schema::BinaryKind::Mul, x, g.Constant("c1", {3}, {1, 2, 3}));
  const auto b = g.Binary("b", schema::BinaryKind::Mul, x, g.Constant("c2", {3}, {1, 2, 3}));
  const auto c = g.Binary("c", schema::BinaryKind::Mul, x, g.Constant("c3", {3}, {1, 2, 4}));
  g.Output(g.Concat("y", {g.Relu("ra", a), g.Relu("rb", b), g.Relu("rc", c)}, 0));
  EXPECT_TRUE(RunPasses(g.graph, {passes::MergeCommonSubexpressions}));
  EXPECT_EQ(Outline(g.graph),
            "a = Binary(x, c1)\nc = Binary(x, c3)\nra = Unary(a)\nrc = Unary(c)\ny = Concat(ra, ra, rc)\n");
}

// The first one takes the name of one output; another of its own stays, and so do those who read it.
TEST(CommonSubexpressionPass, OutputsKeepTheirNames) {
  TestGraph g;
  const auto x = g.Input("x", {2, 3});
  const auto first = g.Relu("first", x), second = g.Relu("second", x), third = g.Relu("third", x);
  g.Output(g.Concat("y", {first, second, third}, 0));
  g.Output(second);
  g.Output(third);
  EXPECT_TRUE(RunPasses(g.graph, {passes::MergeCommonSubexpressions}));
  EXPECT_EQ(Outline(g.graph), "second = Unary(x)\nthird = Unary(x)\ny = Concat(second, second, third)\n");
}

TEST(CommonSubexpressionPass, DifferentOptionsDiffer) {
  TestGraph g;
  const auto x = g.Input("x", {2, 3});
  g.Output(g.Unary("y", schema::UnaryKind::Clip, x, 0, 6));
  g.Output(g.Unary("z", schema::UnaryKind::Clip, x, 0, 5));
  EXPECT_FALSE(RunPasses(g.graph, {passes::MergeCommonSubexpressions}));
}

TEST(MergeReshapesPass, MakesOneOfTwo) {
  TestGraph g;
  const auto x = g.Input("x", {2, 3, 4});
  g.Output(g.Reshape("y", g.Reshape("flat", x, {-2, 12}), {-2, 4, -1}));
  EXPECT_TRUE(RunPasses(g.graph, {passes::MergeReshapes}));
  EXPECT_EQ(ir::Print(g.graph),
            "input x float32[2,3,4]\ny = Reshape(x) { shape: [ 2, 4, 3 ] }\noutput y float32[2,4,3]\n");
}

TEST(MergeConstantsPass, MultipliesOnceByTheProduct) {
  TestGraph g;
  const auto x = g.Input("x", {2, 3});
  const auto a = g.Binary("a", schema::BinaryKind::Mul, x, g.Constant("tenth", {}, {0.1f}));
  const auto b = g.Binary("b", schema::BinaryKind::Mul, g.Weights("c", {3}), a);
  g.Output(g.Binary("y", schema::BinaryKind::Add, b, g.Weights("d", {2, 1})));
  EXPECT_TRUE(RunPasses(g.graph, {passes::MergeConstantOperands, passes::ConstantFolding}, 1e-6f));
  EXPECT_EQ(Outline(g.graph), "b = Binary(x, b/Binary)\ny = Binary(b, d)\n");
}

// A constant of one element and more dimensions makes those of the result.
TEST(MergeConstantsPass, KeepsTheDimensionsOfBoth) {
  for (const auto kind : {schema::BinaryKind::Add, schema::BinaryKind::Mul}) {
    TestGraph g;
    const auto x = g.Input("x", {2, 3});
    const auto a = g.Binary("a", kind, x, g.Constant("one", {1, 1, 1}, {0.3f}));
    const auto b = g.Binary("b", kind, g.Constant("none", {}, {7}), a);
    g.Output(g.Binary("y", kind, b, g.Weights("row", {3})));
    EXPECT_TRUE(RunPasses(g.graph, {passes::MergeConstantOperands}, 1e-6f));
    EXPECT_EQ(Outline(g.graph), "y = Binary(x, y/Binary)\n");
    EXPECT_EQ(g.graph.value(g.graph.FindValue("y/Binary")).shape, (std::vector<int64_t>{1, 1, 3}));
  }
}

TEST(MergeConstantsPass, RowsTimesColumnsStayApart) {
  TestGraph g;
  const auto x = g.Input("x", {4, 3});
  const auto a = g.Binary("a", schema::BinaryKind::Mul, x, g.Weights("row", {1, 3}));
  g.Output(g.Binary("y", schema::BinaryKind::Mul, a, g.Weights("column", {4, 1})));
  EXPECT_FALSE(RunPasses(g.graph, {passes::MergeConstantOperands}));
}

ir::ValueId Slice(TestGraph& g, const std::string& name, ir::ValueId x, int axis, int64_t start,
                  int64_t end) {
  schema::SliceOptionsT options;
  options.starts = {start};
  options.ends = {end};
  options.axes = {axis};
  options.steps = {1};
  return g.Node(name, std::move(options), {x});
}

TEST(SliceOfConcatPass, ReadsThePartItLiesIn) {
  TestGraph g;
  const auto a = g.Relu("a", g.Input("x", {2, 3}));
  const auto b = g.Relu("b", g.Input("w", {2, 4}));
  const auto both = g.Concat("both", {a, b}, 1);
  g.Output(Slice(g, "part", both, 1, 4, INT64_MAX));
  g.Output(Slice(g, "across", both, 1, 2, 4));
  EXPECT_TRUE(RunPasses(g.graph, {passes::ReadPartOfConcat}));
  EXPECT_EQ(Outline(g.graph),
            "a = Unary(x)\nb = Unary(w)\nboth = Concat(a, b)\npart = Slice(b)\nacross = Slice(both)\n");
}

TEST(MergeConcatsPass, MakesOneOfNestedConcatsAlongOneDimension) {
  TestGraph g;
  const auto x = g.Input("x", {2, 3}), w = g.Input("w", {2, 4});
  const auto inner = g.Concat("inner", {x, w}, 1);
  const auto twice = g.Concat("twice", {w, w}, 1);
  g.Output(g.Concat("y", {x, inner, g.Concat("deep", {twice, x}, 1)}, 1));
  EXPECT_TRUE(RunPasses(g.graph, {passes::MergeConcats}));
  EXPECT_EQ(Outline(g.graph), "y = Concat(x, x, w, w, w, x)\n");
}

TEST(MergeConcatsPass, LeavesOtherDimensionsAndWhatIsReadTwice) {
  TestGraph g;
  const auto x = g.Input("x", {2, 3});
  const auto rows = g.Concat("rows", {x, x}, 0);
  g.Output(g.Concat("y", {rows, rows}, 1));
  const auto shared = g.Concat("shared", {x, x}, 1);
  g.Output(g.Concat("z", {shared, x}, 1));
  g.Output(g.Relu("relu", shared));
  g.Output(g.Concat("output", {x, x}, 0));
  g.Output(g.Concat("of_output", {g.graph.outputs.back(), x}, 0));
  EXPECT_FALSE(RunPasses(g.graph, {passes::MergeConcats}));
}

// A file has no operator of more than 1024 inputs.
TEST(MergeConcatsPass, MakesNoneOfMoreInputsThanAFileMayHave) {
  TestGraph g;
  const auto x = g.Input("x", {1, 1});
  ir::ValueId joined = x;
  for (int i = 0; i < 2500; ++i) joined = g.Concat("c" + std::to_string(i), {joined, x}, 1);
  g.Output(joined);
  EXPECT_TRUE(RunPasses(g.graph, {passes::MergeConcats}));
  EXPECT_EQ(g.graph.nodes.size(), 3u);
  for (const auto& node : g.graph.nodes) EXPECT_LE(node->inputs.size(), 1024u);
}

TEST(MergeConcatsPass, KeepsAQuantizationOfItsOwn) {
  for (const bool same : {false, true}) {
    TestGraph g;
    const auto x = g.Input("x", {2, 3});
    const auto inner = g.Concat("inner", {x, x}, 1);
    const auto y = g.Concat("y", {inner, x}, 1);
    g.Output(y);
    g.graph.value(inner).quantization.scales = {0.5f};
    g.graph.value(y).quantization.scales = {same ? 0.5f : 0.25f};
    bool changed = false;
    ASSERT_TRUE(passes::MergeConcats(g.graph, &changed).ok());
    EXPECT_EQ(changed, same);
  }
}

TEST(SliceBeforeReshapePass, PartsOfASplitDimension) {
  TestGraph g;
  const auto x = g.Input("x", {2, 12, 5});
  const auto split = g.Reshape("split", x, {2, 4, 3, 5});
  g.Output(Slice(g, "outer", split, 1, 1, 3));
  g.Output(Slice(g, "inner", split, 2, 2, 3));
  g.Output(Slice(g, "inexpressible", split, 2, 1, 3));
  EXPECT_TRUE(RunPasses(g.graph, {passes::MoveSliceBeforeReshape}));
  EXPECT_EQ(Outline(g.graph),
            "split = Reshape(x)\nouter/Slice = Slice(x)\nouter = Reshape(outer/Slice)\n"
            "inner/Slice = Slice(x)\ninner = Reshape(inner/Slice)\ninexpressible = Slice(split)\n");
}

TEST(GatherToSlicePass, ScalarIndexBecomesSliceWithoutItsDimension) {
  TestGraph g;
  const auto x = g.Input("x", {2, 5, 3});
  schema::GatherOptionsT options;
  options.axis = 1;
  const auto index = g.graph.AddConstantOf<int64_t>("index", {}, {-2});
  g.Output(g.Node("y", std::move(options), {x, index}));
  EXPECT_TRUE(RunPasses(g.graph, {passes::TurnGatherIntoSlice}));
  EXPECT_EQ(Outline(g.graph), "y/Slice = Slice(x)\ny = Reshape(y/Slice)\n");
}

TEST(GatherToSlicePass, EvenIndicesBecomeSliceWithStep) {
  TestGraph g;
  const auto x = g.Input("x", {2, 6});
  schema::GatherOptionsT options;
  options.axis = 1;
  const auto even = g.graph.AddConstantOf<int64_t>("even", {3}, {1, 3, 5});
  g.Output(g.Node("y", options, {x, even}));
  const auto uneven = g.graph.AddConstantOf<int64_t>("uneven", {3}, {1, 2, 5});
  g.Output(g.Node("z", options, {x, uneven}));
  EXPECT_TRUE(RunPasses(g.graph, {passes::TurnGatherIntoSlice}));
  EXPECT_EQ(Outline(g.graph), "y = Slice(x)\nz = Gather(x, uneven)\n");
}

TEST(DeadCodePass, ReleasesTheDataOfConstantsThatNothingReads) {
  TestGraph g;
  const auto x = g.Input("x", {2});
  const auto unread = g.Constant("unread", {2}, {1, 2}), read = g.Constant("read", {2}, {3, 4});
  g.Output(g.Binary("add", schema::BinaryKind::Add, x, read));
  bool changed = false;
  ASSERT_TRUE(passes::EliminateDeadCode(g.graph, &changed).ok());
  EXPECT_FALSE(changed);
  EXPECT_FALSE(g.graph.value(unread).is_constant());
  EXPECT_TRUE(g.graph.value(read).is_constant());
}

}  // namespace
}  // namespace micrort
