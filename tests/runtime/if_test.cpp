// If: which branch runs, and what follows for memory and shapes.

#include <gmock/gmock.h>

#include "tests/runtime/allocation_hook.h"
#include "tests/runtime/control_flow_models.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void SetCondition(TestSession& session, uint8_t value) { ByteOf(session->input(0)) = value; }

TEST(If, RunsTheBranchThatTheConditionChooses) {
  TestSession session((NegOrAbs()), RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session.SetInput(1, {-1, 2, -3});
  SetCondition(session, 1);
  ASSERT_TRUE(session->Run().ok());
  EXPECT_THAT(session.Output(0), ElementsAre(1, -2, 3));
  SetCondition(session, 0);
  ASSERT_TRUE(session->Run().ok());
  EXPECT_THAT(session.Output(0), ElementsAre(1, 2, 3));
}

// A caller may write any byte.
TEST(If, AnyByteButZeroIsTrue) {
  TestSession session((NegOrAbs()), RealOps());
  session.SetInput(1, {-1, 2, -3});
  SetCondition(session, 200);
  ASSERT_TRUE(session->Run().ok());
  EXPECT_THAT(session.Output(0), ElementsAre(1, -2, 3));
}

TEST(If, RunAllocatesNothing) {
  TestSession session((NegOrAbs()), RealOps());
  session.SetInput(1, {-1, 2, -3});
  SetCondition(session, 1);
  const AllocationHook hook;
  ASSERT_TRUE(session->Run().ok());
  EXPECT_EQ(AllocationHook::count(), 0u);
}

// Nothing is copied in or out, so the graph needs its tensors and no more.
TEST(If, BranchesWorkInTheMemoryOfTheirOperator) {
  TestSession session((NegOrAbs()), RealOps());
  EXPECT_EQ(session->arena_bytes(), 3u * kAlignment);
}

// y = condition ? x : x[0:2] for x [4].
struct AllOrTwo : ModelBuilder {
  explicit AllOrTwo(std::vector<int32_t> shape = {-1}) {
    const int condition = Input("condition", DType::kBool, {});
    const int x = Input("x", kF32, {4});
    const int y = Tensor("y", kF32, shape);
    const int doubled = Tensor("doubled", kF32, shape);
    const uint32_t all = UnaryGraph(*this, "all", schema::UnaryKind::Identity, {4});
    const uint32_t two = AddGraph("two");
    Use(two);
    const int inner = Input("x", kF32, {4});
    const int part = Tensor("part", kF32, {2});
    schema::SliceOptionsT slice;
    slice.starts = {0};
    slice.ends = {2};
    slice.axes = {0};
    slice.steps = {1};
    Node(slice, {inner}, {part});
    Output(part);
    Use(0);
    Node(IfOf(all, two), {condition, x}, {y}, "choose");
    Node(BinaryOf(schema::BinaryKind::Add), {y, y}, {doubled}, "double");
    Output(doubled);
  }
};

TEST(If, BranchesOfDifferentSizesHaveABound) {
  TestSession session((AllOrTwo()), RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  EXPECT_EQ(session->output(0).shape, Shape::Of(4));
  session.SetInput(1, {1, 2, 3, 4});
  for (int round = 0; round < 2; ++round) {
    SetCondition(session, 0);
    ASSERT_TRUE(session->Run().ok());
    EXPECT_THAT(session.Output(0), ElementsAre(2, 4));
    SetCondition(session, 1);
    ASSERT_TRUE(session->Run().ok());
    EXPECT_THAT(session.Output(0), ElementsAre(2, 4, 6, 8));
  }
}

TEST(If, DeclaredSizeIsChecked) {
  TestSession session(AllOrTwo({4}), RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session.SetInput(1, {1, 2, 3, 4});
  SetCondition(session, 0);
  const Status status = session->Run();
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(),
              HasSubstr("node 'choose' (If): output 'y': shape 2 came out, the file says 4"));
}

TEST(If, BranchesOfAnotherSizeThanWhatTheyReadAreRefused) {
  NegOrAbs b;
  b.tensor(b.x).shape = b.tensor(b.y).shape = {-1};
  const Shape shapes[] = {Shape(), Shape::Of(2)};
  InterpreterOptions options = RealOps();
  options.input_shapes = shapes;
  const TestSession session(b, options);
  EXPECT_EQ(session.status().code(), StatusCode::kInvalidModel);
  EXPECT_THAT(session.status().message(), HasSubstr("expected float32 of shape 3, found float32 of shape 2"));
}

// The branches' ranks differ; the condition tells which it is while shapes are planned.
struct SqueezeOrNot : ModelBuilder {
  explicit SqueezeOrNot(bool is_known, bool squeeze) {
    const int x = Input("x", kF32, {1, 3});
    int condition = 0;
    if (is_known) {
      condition = Constant<uint8_t>("condition", {}, {squeeze ? uint8_t{1} : uint8_t{0}});
      tensor(condition).dtype = schema::DType::Bool;
    } else {
      condition = Input("condition", DType::kBool, {});
    }
    const int y = Tensor("y", kF32, squeeze ? std::vector<int32_t>{3} : std::vector<int32_t>{1, 3});
    const uint32_t squeezed = AddGraph("squeezed");
    Use(squeezed);
    const int inner = Input("x", kF32, {1, 3});
    const int out = Tensor("out", kF32, {3});
    schema::ReshapeOptionsT reshape;
    reshape.shape = {3};
    Node(reshape, {inner}, {out}, "squeeze");
    Output(out);
    Use(0);
    const uint32_t same = UnaryGraph(*this, "same", schema::UnaryKind::Identity, {1, 3});
    Node(IfOf(squeezed, same), {condition, x}, {y}, "choose");
    Output(y);
  }
};

TEST(If, KnownConditionMayChooseTheRank) {
  for (const bool squeeze : {true, false}) {
    TestSession session(SqueezeOrNot(true, squeeze), RealOps());
    ASSERT_TRUE(session.status().ok()) << session.status().message();
    session.SetInput(0, {1, 2, 3});
    ASSERT_TRUE(session->Run().ok());
    EXPECT_EQ(session->output(0).shape, squeeze ? Shape::Of(3) : Shape::Of(1, 3));
    EXPECT_THAT(session.Output(0), ElementsAre(1, 2, 3));
  }
}

TEST(If, RefusesBranchesOfDifferentRank) {
  TestSession session(SqueezeOrNot(false, true), RealOps());
  EXPECT_EQ(session.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(session.status().message(),
              HasSubstr("node 'choose' (If): output 0: the branches give shapes 3 and 1x3"));
}

// One whose sizes do not fit is an error where it is taken, and names the node inside.
TEST(If, BranchThatCannotRunIsAnErrorOnlyIfTaken) {
  NegOrAbs b;
  b.Use(b.absolute);
  b.tensor(1).shape = {4};
  TestSession session(b, RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session.SetInput(1, {1, -2, 3});
  SetCondition(session, 1);
  ASSERT_TRUE(session->Run().ok());
  EXPECT_THAT(session.Output(0), ElementsAre(-1, 2, -3));
  SetCondition(session, 0);
  const Status status = session->Run();
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(),
              HasSubstr("node 'choose' (If): else branch: node 'absolute_node' (Unary): output 'y'"));
}

TEST(If, OfTwoBranchesThatCannotRunIsAnErrorAtOnce) {
  NegOrAbs b;
  for (const uint32_t branch : {b.negate, b.absolute}) {
    b.Use(branch);
    b.tensor(1).shape = {4};
  }
  TestSession session(b, RealOps());
  EXPECT_EQ(session.status().code(), StatusCode::kInvalidModel);
  EXPECT_THAT(session.status().message(), HasSubstr("node 'choose' (If): then branch: node "));
}

TEST(If, RefusesABranchThatCannotRunWhereTheConditionIsKnown) {
  ModelBuilder b;
  const int condition = b.Constant<uint8_t>("condition", {}, {0});
  b.tensor(condition).dtype = schema::DType::Bool;
  const int x = b.Input("x", kF32, {3}), y = b.Tensor("y", kF32, {3});
  const uint32_t negate = UnaryGraph(b, "negate", schema::UnaryKind::Neg, {3});
  const uint32_t absolute = UnaryGraph(b, "absolute", schema::UnaryKind::Abs, {3});
  b.Use(absolute);
  b.tensor(1).shape = {4};
  b.Use(0);
  b.Node(IfOf(negate, absolute), {condition, x}, {y}, "choose");
  b.Output(y);
  TestSession session(b, RealOps());
  EXPECT_EQ(session.status().code(), StatusCode::kInvalidModel);
  EXPECT_THAT(session.status().message(), HasSubstr("else branch: node 'absolute_node'"));
}

// An If inside both branches of another one: y = a ? (b ? -x : |x|) : (b ? exp x : x).
TEST(If, InsideIf) {
  ModelBuilder b;
  const int a = b.Input("a", DType::kBool, {});
  const int c = b.Input("b", DType::kBool, {});
  const int x = b.Input("x", kF32, {3});
  const int y = b.Tensor("y", kF32, {3});
  const auto branch = [&](const char* name, schema::UnaryKind yes, schema::UnaryKind no) {
    const uint32_t graph = b.AddGraph(name);
    const uint32_t then_graph = UnaryGraph(b, "yes", yes, {3}), else_graph = UnaryGraph(b, "no", no, {3});
    b.Use(graph);
    const int inner_c = b.Input("b", DType::kBool, {});
    const int inner_x = b.Input("x", kF32, {3});
    const int inner_y = b.Tensor("y", kF32, {3});
    b.Node(IfOf(then_graph, else_graph), {inner_c, inner_x}, {inner_y}, "inner");
    b.Output(inner_y);
    b.Use(0);
    return graph;
  };
  const uint32_t yes = branch("a", schema::UnaryKind::Neg, schema::UnaryKind::Abs);
  const uint32_t no = branch("not a", schema::UnaryKind::Sign, schema::UnaryKind::Identity);
  b.Node(IfOf(yes, no), {a, c, x}, {y}, "outer");
  b.Output(y);
  TestSession session(b, RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session.SetInput(2, {-1, 2, -3});
  const std::vector<float> expected[2][2] = {{{-1, 2, -3}, {-1, 1, -1}}, {{1, 2, 3}, {1, -2, 3}}};
  for (uint8_t i = 0; i < 2; ++i) {
    for (uint8_t k = 0; k < 2; ++k) {
      ByteOf(session->input(0)) = i;
      ByteOf(session->input(1)) = k;
      ASSERT_TRUE(session->Run().ok());
      EXPECT_EQ(session.Output(0), expected[i][k]);
    }
  }
}

// Weights of a layer inside a branch are packed like those outside, once for both interpreters.
TEST(If, PacksWeightsInsideBranches) {
  ModelBuilder b;
  const int condition = b.Input("condition", DType::kBool, {});
  const int x = b.Input("x", kF32, {2, 3});
  const int y = b.Tensor("y", kF32, {2, 3});
  const uint32_t product = b.AddGraph("product");
  b.Use(product);
  const int inner = b.Input("x", kF32, {2, 3});
  const int w = b.Constant<float>("w", {3, 3}, {1, 0, 0, 0, 2, 0, 0, 0, 3});
  const int out = b.Tensor("out", kF32, {2, 3});
  b.Node(schema::MatMulOptionsT(), {inner, w}, {out}, "product");
  b.Output(out);
  b.Use(0);
  b.Node(IfOf(product, UnaryGraph(b, "same", schema::UnaryKind::Identity, {2, 3})), {condition, x}, {y},
         "choose");
  b.Output(y);
  TestSession session(b, RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session.SetInput(1, {1, 1, 1, 2, 2, 2});
  SetCondition(session, 1);
  ASSERT_TRUE(session->Run().ok());
  EXPECT_THAT(session.Output(0), ElementsAre(1, 2, 3, 2, 4, 6));
  const size_t packed = session.model().packed_bytes();
  auto second = Interpreter::Create(session.model(), RealOps());
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(session.model().packed_bytes(), packed);
}

}  // namespace
}  // namespace micrort::testing
