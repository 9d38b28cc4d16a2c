#include "converter/ir/infer.h"

#include <gmock/gmock.h>

#include "converter/ir/budget.h"
#include "converter/ir/build.h"
#include "converter/ir/print.h"
#include "converter/passes/constant_folding.h"

namespace micrort::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Fixture {
  Graph graph;
  Builder build{graph, {"node", "Test", 1}, "n"};

  ValueId Input(const std::string& name, std::vector<int64_t> shape, std::vector<std::string> dims = {}) {
    Value v;
    v.name = name;
    v.dtype = DType::kFloat32;
    v.has_shape = true;
    v.shape = std::move(shape);
    v.dim_names = std::move(dims);
    graph.inputs.push_back(graph.AddValue(std::move(v)));
    return graph.inputs.back();
  }
  std::string TypeOf(ValueId id) const { return PrintType(graph.value(id)); }
};

TEST(InferShapes, OfFixedInputs) {
  Fixture f;
  const ValueId x = f.Input("x", {1, 8, 6, 3});
  const ValueId y = f.build.Transpose(x, {0, 3, 1, 2});
  const ValueId z = f.build.Reshape(y, {-2, -1});
  ASSERT_TRUE(InferShapes(f.graph).ok());
  EXPECT_EQ(f.TypeOf(y), "float32[1,3,8,6]");
  EXPECT_EQ(f.TypeOf(z), "float32[1,144]");
}

TEST(InferShapes, KeepsNamesOfDynamicDimensions) {
  Fixture f;
  const ValueId x = f.Input("x", {kDynamic, kDynamic, kDynamic, 3}, {"batch", "h", "", ""});
  const ValueId y = f.build.Transpose(x, {3, 2, 1, 0});
  const ValueId flat = f.build.Reshape(x, {-2, -1, 3});
  ASSERT_TRUE(InferShapes(f.graph).ok());
  EXPECT_EQ(f.TypeOf(y), "float32[3,?,h,batch]");
  EXPECT_EQ(f.TypeOf(flat), "float32[batch,?,3]");
}

TEST(InferShapes, DimensionsOfOneNameAreEqual) {
  Fixture f;
  const ValueId a = f.Input("a", {kDynamic, 4}, {"n", ""});
  const ValueId b = f.Input("b", {kDynamic, 4}, {"n", ""});
  const ValueId y = f.build.Binary(schema::BinaryKind::Add, a, b);
  ASSERT_TRUE(InferShapes(f.graph).ok());
  EXPECT_EQ(f.TypeOf(y), "float32[n,4]");
}

TEST(InferShapes, TriesEqualSizesForNamelessDimensions) {
  Fixture f;
  const ValueId a = f.Input("a", {4, kDynamic});
  const ValueId b = f.Input("b", {4, kDynamic});
  const ValueId early = f.build.Unary(schema::UnaryKind::Exp, a);
  const ValueId y = f.build.Binary(schema::BinaryKind::Add, early, b);
  ASSERT_TRUE(InferShapes(f.graph).ok());
  EXPECT_EQ(f.TypeOf(early), "float32[4,?]");
  EXPECT_EQ(f.TypeOf(y), "float32[4,?]");
}

// Frames of sound, halved: sizes that are tried must not all come to one frame.
TEST(InferShapes, FramesOfOpenWindowsStayOpen) {
  Fixture f;
  const ValueId x = f.Input("x", {1, 1, kDynamic, 4});
  schema::Pool2DOptionsT frames;
  frames.kernel_w = 1, frames.kernel_h = 256, frames.stride_h = 128, frames.pad_top = 32,
  frames.pad_bottom = 32;
  schema::Pool2DOptionsT half;
  half.kernel_h = 3, half.stride_h = 2, half.pad_top = 1, half.pad_bottom = 1;
  const ValueId y = f.build.Add(half, {f.build.Add(frames, {f.build.Transpose(x, {0, 2, 1, 3})})});
  const Status status = InferShapes(f.graph);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(f.TypeOf(y), "float32[1,?,1,4]");
}

TEST(InferShapes, EquatesWhatAnOperatorNeedsEqual) {
  Fixture f;
  const ValueId a = f.Input("a", {kDynamic, kDynamic}, {"n", ""});
  const ValueId b = f.Input("b", {kDynamic, kDynamic, 7}, {"", "m", ""});
  const ValueId c = f.Input("c", {kDynamic});
  const ValueId y = f.build.Add(schema::MatMulOptionsT(), {a, f.build.Transpose(a, {1, 0})});
  const ValueId z = f.build.Concat({f.build.Reshape(y, {-2, -3, 1}), b}, 2);
  const ValueId other = f.build.Unary(schema::UnaryKind::Exp, c);
  ASSERT_TRUE(InferShapes(f.graph).ok());
  EXPECT_EQ(f.TypeOf(z), "float32[n,n,8]");
  EXPECT_EQ(f.TypeOf(other), "float32[?]");
}

TEST(InferShapes, InputsOfMoreElementsThanCanBeCountedAreRefused) {
  Fixture f;
  const ValueId x = f.Input("x", std::vector<int64_t>(3, int64_t{1} << 30));
  f.build.Cast(x, DType::kInt32);
  const Status status = InferShapes(f.graph);
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), HasSubstr("of 'x' is negative or too large"));
}

TEST(InferShapes, InputsOfNineDimensionsAreRefused) {
  Fixture f;
  f.build.Cast(f.Input("x", std::vector<int64_t>(9, 1)), DType::kInt32);
  const Status status = InferShapes(f.graph);
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("'x' has 9 dimensions, at most 8 are possible"));
}

TEST(InferShapes, ValuesThatNothingWritesAreRefused) {
  Fixture f;
  Value value;
  value.name = "lost";
  value.dtype = DType::kFloat32;
  value.has_shape = true;
  f.build.Cast(f.graph.AddValue(std::move(value)), DType::kInt32);
  const Status status = InferShapes(f.graph);
  EXPECT_EQ(status.code(), StatusCode::kInternal);
  EXPECT_THAT(status.message(), HasSubstr("'lost' is read before it is written"));
}

// A window of two elements, and as many dimensions of size 1 as there are elements, modulo some number.
TEST(InferShapes, RanksThatFollowASizeAreRefused) {
  Fixture f;
  const ValueId x = f.Input("x", {1, kDynamic, 4, 1});
  schema::Pool2DOptionsT window;
  window.kernel_h = 2;
  f.build.Add(window, {x});
  const ValueId size = f.build.Slice(f.build.ShapeOf(x), 0, 1, 2);
  const ValueId count = f.build.Binary(schema::BinaryKind::Mod, size, f.build.Integers({7}));
  const ValueId ones = f.build.Add(schema::ExpandOptionsT(), {f.build.Integers({1}), count});
  f.build.Add(schema::ReshapeOptionsT(), {f.build.Scalar(1), ones});
  const Status status = InferShapes(f.graph);
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(),
              HasSubstr("how many dimensions 'n/Reshape' has depends on sizes of inputs; fix these"));
}

// All is visited again for each that is made equal: with hundreds of them that would take the square of the
// time.
TEST(InferShapes, ManyOperatorsThatNeedSizesEqualTakeLittleWork) {
  ModelLimits limits;
  limits.max_work = 250'000'000'000;
  const ir::ConversionBudget budget(limits);
  Fixture f;
  ValueId sum = f.Input("x", {kDynamic, kDynamic});
  for (int i = 0; i < 400; ++i) {
    const ValueId next = f.Input("x" + std::to_string(i), {kDynamic, kDynamic});
    sum = f.build.Binary(schema::BinaryKind::Add, sum, next);
  }
  const Status status = InferShapes(f.graph);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(f.TypeOf(sum), "float32[?,?]");
}

// The batch is the first dimension of one input and the second of the other, or 1.
TEST(InferShapes, BroadcastsOfOpenDimensionsStayOpen) {
  Fixture f;
  const ValueId x = f.Input("x", {kDynamic, kDynamic, 3}, {"batch", "", ""});
  const ValueId state = f.Input("state", {2, kDynamic, 3});
  const ValueId first = f.build.Gather(state, f.build.Constant<int64_t>({}, {0}), 0);
  const ValueId mean = f.build.Reduce(schema::ReduceKind::Mean, x, {1}, false);
  const ValueId y = f.build.Binary(schema::BinaryKind::Add, mean, first);
  const ValueId exp = f.build.Unary(schema::UnaryKind::Exp, x);
  ASSERT_TRUE(InferShapes(f.graph).ok());
  EXPECT_EQ(f.TypeOf(y), "float32[?,3]");
  EXPECT_EQ(f.TypeOf(exp), "float32[batch,?,3]");
}

// Data may decide a size of 0, beside which ONNX copies a dimension: nothing follows from the number of
// elements.
TEST(InferShapes, ReshapesToSizesThatDataDecideInferNothing) {
  Fixture f;
  const ValueId found = f.build.Add(schema::NonZeroOptionsT(), {f.Input("x", {3, 3})});
  const ValueId count = f.build.Slice(f.build.ShapeOf(found), 0, 1, 2);
  const ValueId target = f.build.Concat({count, f.build.Integers({-1})}, 0);
  const ValueId y = f.build.Add(schema::ReshapeOptionsT(), {found, target});
  const Status status = InferShapes(f.graph);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(f.graph.value(y).shape, (std::vector<int64_t>{kDynamic, kDynamic}));
}

// They fit where one of them is 1.
TEST(InferShapes, BroadcastsOfSizesThatAlwaysDifferStayOpen) {
  Fixture f;
  const ValueId x = f.Input("x", {kDynamic, 3}, {"rows", ""});
  const ValueId y = f.build.Binary(schema::BinaryKind::Add, f.build.Concat({x, x}, 0), x);
  const Status status = InferShapes(f.graph);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(f.graph.value(y).shape, (std::vector<int64_t>{kDynamic, 3}));
}

// A table that is shorter than a size that was chosen refuses nothing: no equation tells which positions are
// read.
TEST(InferShapes, PositionsThatFollowFromSizesAreCheckedInTheRun) {
  Fixture f;
  const ValueId x = f.Input("x", {kDynamic, kDynamic, 2}, {"batch", "length", ""});
  const ValueId table = f.build.Constant<float>({20, 2}, std::vector<float>(40, 1));
  const ValueId ones = f.build.Add(schema::ExpandOptionsT(),
                                   {f.build.Integers({1}), f.build.Slice(f.build.ShapeOf(x), 0, 1, 2)});
  const ValueId positions = f.build.Add(schema::CumulativeSumOptionsT(), {ones, f.build.Integers({0})});
  const ValueId y = f.build.Binary(schema::BinaryKind::Add, x, f.build.Gather(table, positions, 0));
  const Status status = InferShapes(f.graph);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(f.TypeOf(y), "float32[batch,length,2]");
}

// x → [N, C * H * W], as exporters write it: Shape, Slice, Concat, Reshape.
ValueId FlattenByShape(Fixture& f, ValueId x) {
  const ValueId batch = f.build.Slice(f.build.ShapeOf(x), 0, 0, 1);
  const ValueId target = f.build.Concat({batch, f.build.Integers({-1})}, 0);
  return f.build.Add(schema::ReshapeOptionsT(), {x, target});
}

TEST(InferShapes, TakesOneForDimensionsThatStandBesideOneSample) {
  Fixture f;
  const ValueId x = f.Input("x", {1, 4});
  const ValueId state = f.Input("state", {4, kDynamic});
  const ValueId y = f.build.Concat({x, f.build.Transpose(state, {1, 0})}, 1);
  ASSERT_TRUE(InferShapes(f.graph).ok());
  EXPECT_EQ(f.TypeOf(y), "float32[1,8]");
}

TEST(InferShapes, ComputesShapesFromShapes) {
  Fixture f;
  const ValueId x = f.Input("x", {kDynamic, 4, 5}, {"N", "", ""});
  const ValueId y = FlattenByShape(f, x);
  ASSERT_TRUE(InferShapes(f.graph).ok());
  EXPECT_EQ(f.TypeOf(y), "float32[N,20]");
}

TEST(InferShapes, SaysWhichNodeCannotBe) {
  Fixture f;
  const ValueId x = f.Input("x", {2, 3});
  f.build.Reshape(x, {4, 2});
  const Status status = InferShapes(f.graph);
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), StartsWith("node 'node' (Test, opset 1): "));
}

TEST(InferShapes, DimensionsThatDataDecideAreDynamic) {
  Fixture f;
  const ValueId x = f.Input("x", {3});
  const ValueId target = f.build.Cast(x, DType::kInt64);
  const ValueId y = f.build.Add(schema::ReshapeOptionsT(), {x, target});
  const ValueId z = f.build.Reduce(schema::ReduceKind::Sum, y, {0}, true);
  ShapeInference inference(f.graph);
  for (const auto& node : f.graph.nodes) ASSERT_TRUE(inference.Visit(*node).ok());
  EXPECT_THAT(f.graph.value(y).shape, ElementsAre(kDynamic, kDynamic, kDynamic));
  EXPECT_TRUE(f.graph.value(y).sized_by_values);
  EXPECT_THAT(f.graph.value(z).shape, ElementsAre(1, kDynamic, kDynamic));
  EXPECT_THAT(inference.data_sizes().deciders, ElementsAre(ShapeInference::Place(&f.graph, target)));
}

// The product of eight of the large sizes that are tried first is more than 64 bits have.
TEST(InferShapes, SizesThatAreTriedForDataCanBeMultiplied) {
  Fixture f;
  const ValueId x = f.Input("x", {8});
  const ValueId target = f.build.Cast(x, DType::kInt64);
  const ValueId y = f.build.Reshape(f.build.Add(schema::ReshapeOptionsT(), {x, target}), {-1});
  const Status status = InferShapes(f.graph);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(f.TypeOf(y), "float32[?]");
}

// Frontends import a body anew where it turns out to need more, and the bodies in it may then lie where
// others did.
TEST(InferShapes, NothingIsKnownOfBodiesThatAreGone) {
  Fixture f;
  const ValueId x = f.Input("x", {2, 3}), y = f.Input("y", {4});
  ShapeInference inference(f.graph);
  const std::shared_ptr<Graph> branches[2] = {std::make_shared<Graph>(), std::make_shared<Graph>()};
  const auto type_in_branch = [&](ValueId outer) {
    Graph body;
    const Value like = f.graph.value(outer);
    for (const auto& branch : branches) {
      *branch = Graph();
      branch->inputs = {branch->AddValue(like)};
      Builder inside(*branch, {"inside", "Test", 1}, "inside");
      branch->outputs = {inside.Unary(schema::UnaryKind::Identity, branch->inputs[0])};
    }
    inference.Enter(body);
    const ValueId given = body.AddValue(like);
    body.inputs = {given};
    inference.Bind(body, given, outer, false, 0);
    Builder build(body, {"if", "Test", 1}, "if");
    const ValueId decides = build.Cast(build.Constant<float>({}, {1}), DType::kBool);
    build.AddWithBodies(schema::IfOptionsT(), {decides, given}, 1, {branches[0], branches[1]});
    for (const auto& node : body.nodes) EXPECT_TRUE(inference.Visit(*node).ok());
    const std::string type = PrintType(branches[0]->value(branches[0]->outputs[0]));
    inference.Leave();
    return type;
  };
  EXPECT_EQ(type_in_branch(x), "float32[2,3]");
  EXPECT_EQ(type_in_branch(y), "float32[4]");
}

TEST(InferShapes, FindsValuesReadBeforeTheyAreWritten) {
  Fixture f;
  const ValueId x = f.Input("x", {4});
  const ValueId y = f.build.Unary(schema::UnaryKind::Exp, x);
  f.build.Unary(schema::UnaryKind::Log, y);
  std::swap(f.graph.nodes[0], f.graph.nodes[1]);
  EXPECT_EQ(InferShapes(f.graph).code(), StatusCode::kInternal);
}

TEST(ConstantFolding, ReplacesWhatFollowsFromConstants) {
  Fixture f;
  const ValueId x = f.Input("x", {2, 2});
  const ValueId w = f.build.Constant<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const ValueId folded = f.build.Transpose(w, {1, 0});
  f.graph.outputs = {f.build.Add(schema::MatMulOptionsT(), {folded, x})};
  bool changed = false;
  ASSERT_TRUE(passes::ConstantFolding(f.graph, &changed).ok());
  EXPECT_TRUE(changed);
  EXPECT_EQ(f.graph.nodes.size(), 1u);
  const float* elements = f.graph.value(folded).as<float>();
  EXPECT_THAT(std::vector<float>(elements, elements + 6), ElementsAre(1, 4, 2, 5, 3, 6));
  changed = false;
  ASSERT_TRUE(passes::ConstantFolding(f.graph, &changed).ok());
  EXPECT_FALSE(changed);
}

TEST(ConstantFolding, ReplacesShapesOfFixedSizeOnly) {
  for (const int64_t batch : {int64_t{2}, kDynamic}) {
    Fixture f;
    const ValueId x = f.Input("x", {batch, 4, 5});
    f.graph.outputs = {FlattenByShape(f, x)};
    bool changed = false;
    ASSERT_TRUE(passes::ConstantFolding(f.graph, &changed).ok());
    EXPECT_EQ(changed, batch == 2);
    EXPECT_EQ(f.graph.nodes.size(), batch == 2 ? 1u : 4u);
  }
}

TEST(ConstantFolding, KeepsWhatWouldGrowTheFile) {
  Fixture f;
  const ValueId one = f.build.Scalar(1);
  schema::ExpandOptionsT options;
  options.shape = {1024, 1024};
  const ValueId large = f.build.Add(std::move(options), {one});
  f.graph.outputs = {f.build.Unary(schema::UnaryKind::Exp, large)};
  bool changed = false;
  ASSERT_TRUE(passes::ConstantFolding(f.graph, &changed).ok());
  EXPECT_FALSE(changed);
}

TEST(ConstantFolding, LeavesOutputsOfTheGraphToNodes) {
  Fixture f;
  f.graph.outputs = {f.build.Unary(schema::UnaryKind::Exp, f.build.Scalar(1))};
  bool changed = false;
  ASSERT_TRUE(passes::ConstantFolding(f.graph, &changed).ok());
  EXPECT_FALSE(changed);
}

}  // namespace
}  // namespace micrort::ir
