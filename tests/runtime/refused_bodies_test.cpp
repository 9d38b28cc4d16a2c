// If and Loop around graphs that do not fit them. A file's were compared with their operator when it was
// loaded; prepare must not rely on that, for the converter brings its own.

#include <deque>

#include "micrort/op_resolver.h"
#include "tests/refusal.h"
#include "tests/runtime/control_flow_models.h"
#include "tests/runtime/op_tester.h"

namespace micrort::testing::refused_bodies {
namespace {

Tensor TensorOf(DType dtype, const Shape& shape) {
  Tensor t;
  t.name = "value";
  t.dtype = dtype;
  t.shape = shape;
  return t;
}

// Whatever it is asked to compute, it gives these outputs.
struct FakeBody final : BodyPlan {
  FakeBody(std::vector<Tensor> in, std::vector<Tensor> out)
      : inputs(std::move(in)), outputs(std::move(out)) {}

  int input_count() const override { return static_cast<int>(inputs.size()); }
  int output_count() const override { return static_cast<int>(outputs.size()); }
  const Tensor& input(int i) const override { return inputs[static_cast<size_t>(i)]; }
  Status SetInput(int i, const Tensor& like) override {
    inputs[static_cast<size_t>(i)].shape = like.shape;
    return Status();
  }
  Status Infer(InferGoal) override { return Status(); }
  const Tensor& output(int i) const override { return outputs[static_cast<size_t>(i)]; }
  int64_t multiply_adds() const override { return 0; }
  uint64_t work() const override { return 0; }
  Status PlanArena(size_t* bytes) override {
    *bytes = 0;
    return Status();
  }

  std::vector<Tensor> inputs, outputs;
};

const Tensor kFloat = TensorOf(DType::kFloat32, Shape::Of(2));
const Tensor kInteger = TensorOf(DType::kInt64, Shape::Of(1));
const Tensor kCondition = TensorOf(DType::kBool, Shape());

// If of one captured float.
Status Choose(FakeBody then_body, FakeBody else_body, bool has_condition = true) {
  OpTester op(ops::If(), schema::IfOptionsT());
  op.Body(then_body).Body(else_body);
  has_condition ? op.Input<uint8_t>(Shape(), {1}).InputType(DType::kBool) : op.Absent();
  return op.Input<float>(Shape::Of(2), {1, 2}).Infer();
}

// A loop of two trips with one carried value of this shape.
Status Repeat(FakeBody body, const Shape& carried = Shape::Of(2), int stacked = 0, bool is_absent = false) {
  schema::LoopOptionsT options;
  options.carried = 1;
  OpTester op(ops::Loop(), options);
  op.Body(body).Known(Shape(), std::vector<int64_t>{2}).Absent();
  is_absent ? op.Absent() : op.Input<float>(carried, {});
  for (int i = 0; i < stacked; ++i) op.AddOutput();
  return op.Infer();
}

const Refusal kBodies[] = {
    {"BranchOfMoreInputs", MICRORT_STATUS(Choose({{kFloat, kFloat}, {kFloat}}, {{kFloat}, {kFloat}})),
     "then branch: expected 1 inputs and 1 outputs, found 2 and 1"},
    {"BranchWithoutOutputs", MICRORT_STATUS(Choose({{kFloat}, {kFloat}}, {{kFloat}, {}})),
     "else branch: expected 1 inputs and 1 outputs, found 1 and 0"},
    {"NoCondition", MICRORT_STATUS(Choose({{kFloat}, {kFloat}}, {{kFloat}, {kFloat}}, false)),
     "input 0 is required, but absent"},
    {"ConditionOfTwoElements",
     [] {
       FakeBody body({kFloat}, {kFloat});
       OpTester op(ops::If(), schema::IfOptionsT());
       op.Body(body).Body(body).Input<uint8_t>(Shape::Of(2), {1, 0}).InputType(DType::kBool);
       return op.Input<float>(Shape::Of(2), {1, 2}).Infer();
     },
     "expected one bool, found bool of shape 2"},
    {"FloatsAsACondition",
     [] {
       FakeBody body({kFloat}, {kFloat});
       OpTester op(ops::If(), schema::IfOptionsT());
       return op.Body(body).Body(body).Input<float>(Shape(), {1}).Input<float>(Shape::Of(2), {1, 2}).Infer();
     },
     "expected one bool, found float32"},
    {"BillionsOfCarriedValues",
     [] {
       schema::LoopOptionsT options;
       options.carried = UINT32_MAX;
       OpTester op(ops::Loop(), options);
       return op.Absent().Absent().Infer();
     },
     "4294967295 carried values"},
    {"NoBranches",
     [] {
       OpTester op(ops::If(), schema::IfOptionsT());
       return op.Input<uint8_t>(Shape(), {1}).InputType(DType::kBool).Infer();
     },
     "expected two branches"},
    {"BranchesOfOtherTypes", MICRORT_STATUS(Choose({{kFloat}, {kFloat}}, {{kFloat}, {kInteger}})),
     "output 0: the branches give float32 and int64"},
    {"BodyOfFewerInputs", MICRORT_STATUS(Repeat({{kInteger, kCondition}, {kFloat}})),
     "3 inputs, 1 outputs and 1 carried values do not fit a body of 2 inputs and 1 outputs"},
    {"AbsentCarriedValue",
     MICRORT_STATUS(Repeat({{kInteger, kCondition, kFloat}, {kFloat}}, Shape::Of(2), 0, true)),
     "input 2 is required, but absent"},
    {"CarriedValueOfAnotherType", MICRORT_STATUS(Repeat({{kInteger, kCondition, kFloat}, {kInteger}})),
     "carried value 0 ('value'): float32 of shape 2 becomes int64 of shape 1"},
    {"StackedOfEightDimensions",
     [] {
       const Tensor eight = TensorOf(DType::kFloat32, Shape::Of(1, 1, 1, 1, 1, 1, 1, 1));
       return Repeat({{kInteger, kCondition, kFloat}, {kFloat, eight}}, Shape::Of(2), 1);
     },
     "values of 8 dimensions cannot be stacked", StatusCode::kUnsupported},
};

MICRORT_EXPECT_REFUSALS(RefusedBody, kBodies);

TEST(BodyRefusals, CarriedValuesThatFillTheAddressSpace) {
  if (sizeof(size_t) < 8) GTEST_SKIP() << "each of them is more than an address space";
  const Tensor huge = TensorOf(DType::kFloat32, Shape::Of(int64_t{1} << 60));
  FakeBody body({kInteger, kCondition, huge, huge, huge, huge}, {huge, huge, huge, huge});
  schema::LoopOptionsT options;
  options.carried = 4;
  OpTester op(ops::Loop(), options);
  op.Body(body).Known(Shape(), std::vector<int64_t>{2}).Absent().AddOutput().AddOutput().AddOutput();
  for (int k = 0; k < 4; ++k) op.Input<float>(huge.shape, {});
  EXPECT_THAT(op.Infer().message(), ::testing::HasSubstr("carried values are larger than an address space"));
}

// The number of trips that a run decides may be more than the largest one that planning has seen.
TEST(BodyRefusals, MoreTripsThanPlanned) {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {4});
  const int places = b.Tensor("places", DType::kInt64, {1, -1}),
            count = b.Tensor("count", DType::kInt64, {1});
  const int four = b.Constant<int64_t>("four", {1}, {4}), trips = b.Tensor("trips", DType::kInt64, {1});
  const int start = b.Constant<float>("start", {1}, {0});
  const int last = b.Tensor("last", DType::kFloat32, {1}), rows = b.Tensor("rows", DType::kFloat32, {-1, 1});
  const uint32_t body = b.AddGraph("body");
  schema::ShapeOptionsT size;
  size.start = 1;
  b.Node(schema::NonZeroOptionsT(), {x}, {places});
  b.Node(size, {places}, {count});
  b.Node(BinaryOf(schema::BinaryKind::Sub), {four, count}, {trips});
  b.Node(LoopOf(body, 1, false), {trips, -1, start}, {last, rows}, "loop");
  b.Output(rows);
  b.Use(body);
  b.Input("iteration", DType::kInt64, {});
  b.Input("condition", DType::kBool, {});
  const int before = b.Input("before", DType::kFloat32, {1});
  const int after = b.Tensor("after", DType::kFloat32, {1}), row = b.Tensor("row", DType::kFloat32, {1});
  b.Node(UnaryOf(schema::UnaryKind::Identity), {before}, {after});
  b.Node(UnaryOf(schema::UnaryKind::Identity), {before}, {row});
  b.Output(after);
  b.Output(row);
  b.Use(0);
  TestSession session(b, RealOps());
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  session.SetInput(0, {1, 1, 1, 1});
  EXPECT_TRUE(session->Run().ok());
  session.SetInput(0, {1, 0, 0, 1});
  EXPECT_EQ(session->Run().code(), StatusCode::kOutOfRange);
}

}  // namespace
}  // namespace micrort::testing::refused_bodies
