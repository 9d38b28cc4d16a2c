// Loop: how often it runs, what it carries, what it stacks, and what it refuses.

#include <gmock/gmock.h>

#include "tests/runtime/allocation_hook.h"
#include "tests/runtime/control_flow_models.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void RunSum(LoopSession& session) {
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session->SetInput(1, {1, 2});
  session->SetInput(2, {1, 3});
  const Status status = (**session).Run();
  ASSERT_TRUE(status.ok()) << status.message();
}

// Odd and even counts: the last iteration writes to the output, whichever block that is.
TEST(Loop, CarriesAndStacks) {
  for (const int64_t trips : {1, 2, 3, 4}) {
    LoopSession session(SumLoop(false), trips, {Shape(), Shape::Of(2), Shape::Of(2)});
    RunSum(session);
    EXPECT_EQ((**session).output(1).shape, Shape::Of(trips, 2));
    const auto t = static_cast<float>(trips);
    EXPECT_THAT(session->Output(0), ElementsAre(1 + t, 2 + 3 * t));
    for (size_t i = 0; i < static_cast<size_t>(trips); ++i) {
      EXPECT_EQ(session->Output(1)[2 * i + 1], 2 + 3 * static_cast<float>(i));
    }
  }
}

TEST(Loop, WithoutIterationsGivesTheInitialValues) {
  for (const int64_t trips : {int64_t{0}, int64_t{-5}}) {
    LoopSession session(SumLoop(false), trips, {Shape(), Shape::Of(2), Shape::Of(2)});
    RunSum(session);
    EXPECT_THAT(session->Output(0), ElementsAre(1, 2));
    EXPECT_EQ((**session).output(1).shape, Shape::Of(0, 2));
  }
}

TEST(Loop, EndsWhereTheConditionSaysSo) {
  LoopSession session(SumLoop(true), 100, {Shape(), Shape::Of(2), Shape::Of(2)});
  for (int round = 0; round < 2; ++round) {
    RunSum(session);  // 2, 5, 8, 11
    EXPECT_THAT(session->Output(0), ElementsAre(4, 11));
    EXPECT_THAT(session->Output(1), ElementsAre(1, 2, 2, 5, 3, 8));
  }
}

TEST(Loop, RunAllocatesNothing) {
  LoopSession session(SumLoop(true), 100, {Shape(), Shape::Of(2), Shape::Of(2)});
  session->SetInput(1, {1, 2});
  session->SetInput(2, {1, 3});
  const AllocationHook hook;
  ASSERT_TRUE((**session).Run().ok());
  EXPECT_EQ(AllocationHook::count(), 0u);
}

TEST(Loop, FollowsTheSizesOfItsInputs) {
  LoopSession session(SumLoop(false, {-1}), 3, {Shape(), Shape::Of(4), Shape::Of(4)});
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session->SetInput(1, {0, 0, 0, 0});
  session->SetInput(2, {1, 2, 3, 4});
  ASSERT_TRUE((**session).Run().ok());
  EXPECT_THAT(session->Output(0), ElementsAre(3, 6, 9, 12));
  const int64_t five = 5;
  const Shape shapes[] = {Shape(), Shape::Of(1), Shape::Of(1)};
  const void* values[] = {&five, nullptr, nullptr};
  ASSERT_TRUE((**session).Resize(shapes, values).ok());
  session->SetInput(1, {0});
  session->SetInput(2, {1});
  ASSERT_TRUE((**session).Run().ok());
  EXPECT_THAT(session->Output(1), ElementsAre(0, 1, 2, 3, 4));
}

// Without trip count: doubles x until it is over 10. The initial condition may forbid even the first
// iteration.
struct Doubling : ModelBuilder {
  Doubling() {
    const int go = Input("go", DType::kBool, {});
    const int x = Input("x", kF32, {1});
    const int y = Tensor("y", kF32, {1});
    const uint32_t body = AddGraph("body");
    Use(body);
    Input("iteration", DType::kInt64, {});
    Input("condition", DType::kBool, {});
    const int before = Input("before", kF32, {1});
    const int after = Tensor("after", kF32, {1});
    const int ten = Constant<float>("ten", {1}, {10});
    const int go_on = Tensor("go_on", DType::kBool, {1});
    Node(BinaryOf(schema::BinaryKind::Add), {before, before}, {after}, "double");
    Node(BinaryOf(schema::BinaryKind::LessOrEqual), {after, ten}, {go_on}, "compare");
    Output(go_on);
    Output(after);
    Use(0);
    Node(LoopOf(body, 1, true), {-1, go, x}, {y}, "loop");
    Output(y);
  }
};

TEST(Loop, NeedsNoTripCount) {
  TestSession session((Doubling()), RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session.SetInput(1, {3});
  ByteOf(session->input(0)) = 1;
  ASSERT_TRUE(session->Run().ok());
  EXPECT_THAT(session.Output(0), ElementsAre(12));
  ByteOf(session->input(0)) = 0;
  ASSERT_TRUE(session->Run().ok());
  EXPECT_THAT(session.Output(0), ElementsAre(3));
}

// Carried values that change places, and the number of the iteration as a value: (a, b) = (b, a + i).
TEST(Loop, CarriedValuesMayChangePlaces) {
  ModelBuilder b;
  const int trips = b.Constant<int64_t>("trips", {}, {5});
  const int p = b.Input("p", DType::kInt64, {1});
  const int q = b.Input("q", DType::kInt64, {1});
  const int last_p = b.Tensor("last_p", DType::kInt64, {1});
  const int last_q = b.Tensor("last_q", DType::kInt64, {1});
  const uint32_t body = b.AddGraph("body");
  b.Use(body);
  const int i = b.Input("i", DType::kInt64, {});
  b.Input("condition", DType::kBool, {});
  const int x = b.Input("x", DType::kInt64, {1});
  const int y = b.Input("y", DType::kInt64, {1});
  const int next_x = b.Tensor("next_x", DType::kInt64, {1});
  const int next_y = b.Tensor("next_y", DType::kInt64, {1});
  b.Node(UnaryOf(schema::UnaryKind::Identity), {y}, {next_x});
  b.Node(BinaryOf(schema::BinaryKind::Add), {x, i}, {next_y});
  b.Output(next_x);
  b.Output(next_y);
  b.Use(0);
  b.Node(LoopOf(body, 2, false), {trips, -1, p, q}, {last_p, last_q}, "loop");
  b.Output(last_p);
  b.Output(last_q);
  TestSession session(b, RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  *session->input(0).as<int64_t>() = 100;
  *session->input(1).as<int64_t>() = 200;
  ASSERT_TRUE(session->Run().ok());
  int64_t expected_p = 100, expected_q = 200;
  for (int64_t k = 0; k < 5; ++k) expected_p = std::exchange(expected_q, expected_p + k);
  EXPECT_EQ(*session->output(0).as<int64_t>(), expected_p);
  EXPECT_EQ(*session->output(1).as<int64_t>(), expected_q);
}

// grown = x, x ++ [i], x ++ [i] ++ [i + 1] ...
struct Growing : ModelBuilder {
  explicit Growing(bool constant_trips, int64_t trip_count = 4) {
    const int trips =
        constant_trips ? Constant<int64_t>("trips", {}, {trip_count}) : Input("trips", DType::kInt64, {});
    const int x = Input("x", DType::kInt64, {1});
    const int grown = Tensor("grown", DType::kInt64, {-1});
    const uint32_t body = AddGraph("body");
    Use(body);
    const int i = Input("i", DType::kInt64, {1});
    Input("condition", DType::kBool, {});
    const int before = Input("before", DType::kInt64, {-1});
    const int after = Tensor("after", DType::kInt64, {-1});
    Node(schema::ConcatOptionsT(), {before, i}, {after}, "append");
    Output(after);
    Use(0);
    Node(LoopOf(body, 1, false), {trips, -1, x}, {grown}, "loop");
    Output(grown);
  }
};

TEST(Loop, CarriedValueGrowsWithinTheTripCount) {
  TestSession session(Growing(true), RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  for (int round = 0; round < 2; ++round) {
    *session->input(0).as<int64_t>() = 7;
    ASSERT_TRUE(session->Run().ok());
    const TensorView grown = session->output(0);
    ASSERT_EQ(grown.shape, Shape::Of(5));
    EXPECT_THAT(std::vector<int64_t>(grown.as<int64_t>(), grown.as<int64_t>() + 5),
                ElementsAre(7, 0, 1, 2, 3));
  }
}

TEST(Loop, RefusesGrowthWithoutBound) {
  for (const bool constant_trips : {false, true}) {
    TestSession session(Growing(constant_trips, 100000), RealOps());
    EXPECT_EQ(session.status().code(), StatusCode::kUnsupported);
    EXPECT_THAT(session.status().message(),
                HasSubstr("node 'loop' (Loop): carried value 0 ('before') grows from"));
  }
}

// Each iteration gives the elements of x that are larger than i: fewer and fewer, which cannot be stacked.
TEST(Loop, RefusesEntriesOfDifferentShape) {
  ModelBuilder b;
  const int trips = b.Constant<int64_t>("trips", {}, {3});
  const int x = b.Input("x", DType::kInt64, {4});
  const int rows = b.Tensor("rows", DType::kInt64, {-1, -1, -1});
  const uint32_t body = b.AddGraph("body");
  b.Use(body);
  const int i = b.Input("i", DType::kInt64, {1});
  b.Input("condition", DType::kBool, {});
  const int inner = b.Input("x", DType::kInt64, {4});
  const int larger = b.Tensor("larger", DType::kBool, {4});
  const int where = b.Tensor("where", DType::kInt64, {1, -1});
  b.Node(BinaryOf(schema::BinaryKind::Greater), {inner, i}, {larger});
  b.Node(schema::NonZeroOptionsT(), {larger}, {where});
  b.Output(where);
  b.Use(0);
  b.Node(LoopOf(body, 0, false), {trips, -1, x}, {rows}, "loop");
  b.Output(rows);
  TestSession session(b, RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  EXPECT_EQ(session->output(0).shape, Shape::Of(3, 1, 4));
  const int64_t always[] = {9, 0, 9, 0}, less[] = {9, 1, 9, 2};
  std::copy(always, always + 4, session->input(0).as<int64_t>());
  ASSERT_TRUE(session->Run().ok());
  EXPECT_EQ(session->output(0).shape, Shape::Of(3, 1, 2));
  std::copy(less, less + 4, session->input(0).as<int64_t>());
  const Status status = session->Run();
  EXPECT_EQ(status.code(), StatusCode::kOutOfRange);
  EXPECT_THAT(status.message(),
              HasSubstr("node 'loop' (Loop): iteration 1: output 'rows': expected entries of one"));
}

TEST(Loop, StacksOnlyWithATripCount) {
  SumLoop b(true);
  b.graph().operators[0]->inputs[0] = -1;
  LoopSession session(b, 1, {Shape(), Shape::Of(2), Shape::Of(2)});
  EXPECT_EQ(session.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(session.status().message(), HasSubstr("give it a trip count as large as they may become"));
}

TEST(Loop, RefusesToRunForever) {
  SumLoop b(false);
  b.graph().operators[0]->inputs[0] = -1;
  LoopSession session(b, 1, {Shape(), Shape::Of(2), Shape::Of(2)});
  EXPECT_EQ(session.status().code(), StatusCode::kInvalidModel);
  EXPECT_THAT(session.status().message(), HasSubstr("would never end"));
}

TEST(Loop, StackingNeedsTheTripCountWhilePlanning) {
  SumLoop b(false);
  b.tensor(b.trips).decides_shapes = false;
  TestSession session(b, RealOps());
  EXPECT_EQ(session.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(session.status().message(), HasSubstr("input 0 ('trips') must be known before the model runs"));
}

// A loop in a loop: sum over i < 3 of sum over k < 4 of x, with x from two graphs further out.
TEST(Loop, InsideLoop) {
  ModelBuilder b;
  const int three = b.Constant<int64_t>("three", {}, {3});
  const int zero = b.Constant<float>("zero", {2}, {0, 0});
  const int x = b.Input("x", kF32, {2});
  const int sum = b.Tensor("sum", kF32, {2});
  const auto start_body = [&](const char* name, int* before, int* inner_x) {
    const uint32_t graph = b.AddGraph(name);
    b.Use(graph);
    b.Input("i", DType::kInt64, {});
    b.Input("condition", DType::kBool, {});
    *before = b.Input("before", kF32, {2});
    *inner_x = b.Input("x", kF32, {2});
    return graph;
  };
  int before = 0, inner_x = 0;
  const uint32_t outer = start_body("outer", &before, &inner_x);
  const int four = b.Constant<int64_t>("four", {}, {4});
  const int outer_after = b.Tensor("after", kF32, {2});
  b.Node(LoopOf(outer + 1, 1, false), {four, -1, before, inner_x}, {outer_after}, "inner");
  b.Output(outer_after);
  start_body("inner", &before, &inner_x);
  const int after = b.Tensor("after", kF32, {2});
  b.Node(BinaryOf(schema::BinaryKind::Add), {before, inner_x}, {after}, "add");
  b.Output(after);
  b.Use(0);
  b.Node(LoopOf(outer, 1, false), {three, -1, zero, x}, {sum}, "outer");
  b.Output(sum);
  TestSession session(b, RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session.SetInput(0, {1, -2});
  ASSERT_TRUE(session->Run().ok());
  EXPECT_THAT(session.Output(0), ElementsAre(12, -24));
}

// An If in a loop, on the parity of the iteration: adds or subtracts x.
TEST(Loop, WithIfInside) {
  ModelBuilder b;
  const int trips = b.Constant<int64_t>("trips", {}, {5});
  const int x = b.Input("x", kF32, {1});
  const int sum = b.Tensor("sum", kF32, {1});
  const uint32_t body = b.AddGraph("body");
  b.Use(body);
  const int i = b.Input("i", DType::kInt64, {});
  b.Input("condition", DType::kBool, {});
  const int before = b.Input("before", kF32, {1});
  const int two = b.Constant<int64_t>("two", {}, {2});
  const int rest = b.Tensor("rest", DType::kInt64, {});
  const int odd = b.Tensor("odd", DType::kBool, {});
  const int after = b.Tensor("after", kF32, {1});
  b.Node(BinaryOf(schema::BinaryKind::Mod), {i, two}, {rest});
  b.Node(schema::CastOptionsT(), {rest}, {odd});
  const auto branch = [&](const char* name, schema::BinaryKind kind, float operand) {
    const uint32_t graph = b.AddGraph(name);
    b.Use(graph);
    const int in = b.Input("in", kF32, {1});
    const int k = b.Constant<float>("k", {1}, {operand});
    const int out = b.Tensor("out", kF32, {1});
    b.Node(BinaryOf(kind), {in, k}, {out});
    b.Output(out);
    return graph;
  };
  const uint32_t times_two = branch("times_two", schema::BinaryKind::Mul, 2);
  const uint32_t plus_one = branch("plus_one", schema::BinaryKind::Add, 1);
  b.Use(body);
  b.Node(IfOf(times_two, plus_one), {odd, before}, {after}, "choose");
  b.Output(after);
  b.Use(0);
  b.Node(LoopOf(body, 1, false), {trips, -1, x}, {sum}, "loop");
  b.Output(sum);
  TestSession session(b, RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session.SetInput(0, {1});
  ASSERT_TRUE(session->Run().ok());
  EXPECT_THAT(session.Output(0), ElementsAre(11));  // 2, 4, 5, 10, 11
}

// Everything is known: the loop is run while shapes are planned, and its result may be a shape.
TEST(Loop, OfKnownValuesIsRunWhilePlanning) {
  ModelBuilder b;
  const int trips = b.Constant<int64_t>("trips", {}, {3});
  const int one = b.Constant<int64_t>("one", {1}, {1});
  const int x = b.Input("x", kF32, {1});
  const int size = b.Tensor("size", DType::kInt64, {1});
  const int y = b.Tensor("y", kF32, {-1});
  const uint32_t body = b.AddGraph("body");
  b.Use(body);
  b.Input("i", DType::kInt64, {});
  b.Input("condition", DType::kBool, {});
  const int before = b.Input("before", DType::kInt64, {1});
  const int after = b.Tensor("after", DType::kInt64, {1});
  b.Node(BinaryOf(schema::BinaryKind::Add), {before, before}, {after});
  b.Output(after);
  b.Use(0);
  b.Node(LoopOf(body, 1, false), {trips, -1, one}, {size}, "loop");
  b.Node(schema::ExpandOptionsT(), {x, size}, {y}, "expand");
  b.Output(y);
  TestSession session(b, RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  EXPECT_EQ(session->output(0).shape, Shape::Of(8));
  session.SetInput(0, {2});
  ASSERT_TRUE(session->Run().ok());
  EXPECT_EQ(session.Output(0), std::vector<float>(8, 2.0f));
}

// Profiles show the loop as one operator with the work of all iterations.
TEST(Loop, CountsTheWorkOfAllIterations) {
  struct Counter : OpObserver {
    void AfterOp(const OpInfo& op) override {
      types.emplace_back(op.type);
      multiply_adds = op.multiply_adds;
    }
    std::vector<std::string> types;
    int64_t multiply_adds = 0;
  } counter;
  ModelBuilder b;
  const int trips = b.Constant<int64_t>("trips", {}, {5});
  const int x = b.Input("x", kF32, {2, 3});
  const int y = b.Tensor("y", kF32, {2, 3});
  const uint32_t body = b.AddGraph("body");
  b.Use(body);
  b.Input("i", DType::kInt64, {});
  b.Input("condition", DType::kBool, {});
  const int before = b.Input("before", kF32, {2, 3});
  const int w = b.Constant<float>("w", {3, 3}, {1, 0, 0, 0, 2, 0, 0, 0, 3});
  const int after = b.Tensor("after", kF32, {2, 3});
  b.Node(schema::MatMulOptionsT(), {before, w}, {after});
  b.Output(after);
  b.Use(0);
  b.Node(LoopOf(body, 1, false), {trips, -1, x}, {y}, "loop");
  b.Output(y);
  InterpreterOptions options = RealOps();
  options.observer = &counter;
  TestSession session(b, options);
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session.SetInput(0, {1, 1, 1, 2, 2, 2});
  ASSERT_TRUE(session->Run().ok());
  EXPECT_THAT(session.Output(0), ElementsAre(1, 32, 243, 2, 64, 486));
  EXPECT_THAT(counter.types, ElementsAre("Loop"));
  EXPECT_EQ(counter.multiply_adds, 5 * 2 * 3 * 3);
}

}  // namespace
}  // namespace micrort::testing
