// Values that the interpreter keeps from one run to the next.

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "kernels/base/checked_math.h"
#include "micrort/micrort.h"
#include "tests/runtime/loaded_model.h"
#include "tests/runtime/state_models.h"
#include "tests/status_matchers.h"

namespace micrort::testing::state {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Floats = std::vector<float>;

template <typename T>
void Fill(const TensorView& tensor, const std::vector<T>& values) {
  ASSERT_EQ(tensor.elements(), values.size());
  std::copy(values.begin(), values.end(), tensor.as<T>());
}

template <typename T = float>
std::vector<T> Elements(const TensorView& tensor) {
  return std::vector<T>(tensor.as<T>(), tensor.as<T>() + tensor.elements());
}

// The output after a run on x.
Floats RunOn(Interpreter& interpreter, const Floats& x) {
  Fill(interpreter.input(0), x);
  EXPECT_THAT(interpreter.Run(), IsOk());
  return Elements(interpreter.output(0));
}

TEST(State, IsWhatTheLastRunLeft) {
  Loaded loaded(Accumulator({2}));
  Interpreter interpreter = loaded.Create();
  EXPECT_THAT(RunOn(interpreter, {1, 2}), ElementsAre(-1, -2));
  EXPECT_THAT(RunOn(interpreter, {10, 20}), ElementsAre(-11, -22));
  EXPECT_THAT(RunOn(interpreter, {100, 200}), ElementsAre(-111, -222));
  interpreter.ResetState();
  EXPECT_THAT(RunOn(interpreter, {1, 2}), ElementsAre(-1, -2));
}

TEST(State, IsNoInputOrOutput) {
  Loaded loaded(Accumulator({2}));
  const Interpreter interpreter = loaded.Create();
  EXPECT_EQ(loaded.model->input_count(), 1u);
  EXPECT_EQ(interpreter.input_count(), 1u);
  EXPECT_EQ(interpreter.output_count(), 1u);
  EXPECT_EQ(interpreter.input(1).data, nullptr);
  EXPECT_EQ(interpreter.output(1).data, nullptr);
  ASSERT_EQ(interpreter.state_count(), 1u);
  EXPECT_STREQ(interpreter.state(0).name, "total");
  EXPECT_EQ(interpreter.state(1).data, nullptr);
}

TEST(State, OfSeveralInterpretersIsTheirOwn) {
  Loaded loaded(Accumulator({1}));
  Interpreter a = loaded.Create(), b = loaded.Create();
  EXPECT_THAT(RunOn(a, {1}), ElementsAre(-1));
  EXPECT_THAT(RunOn(b, {5}), ElementsAre(-5));
  EXPECT_THAT(RunOn(a, {1}), ElementsAre(-2));
}

TEST(State, StartsWithTheInitialValueOfTheFile) {
  ModelBuilder b = Accumulator({2});
  b.graph().states[0]->initial = AddBuffer<float>(b, {7, 8});
  Loaded loaded(b);
  Interpreter interpreter = loaded.Create();
  EXPECT_THAT(RunOn(interpreter, {1, 1}), ElementsAre(-8, -9));
  EXPECT_THAT(RunOn(interpreter, {1, 1}), ElementsAre(-9, -10));
  interpreter.ResetState();
  EXPECT_THAT(RunOn(interpreter, {1, 1}), ElementsAre(-8, -9));
}

// q becomes what the next run dequantizes.
ModelBuilder DelayOfInt8() {
  ModelBuilder b;
  const int q = b.Input("q", DType::kInt8, {3});
  const int last = b.Input("last", DType::kInt8, {3});
  const int y = b.Tensor("y", kF32, {3});
  for (const int tensor : {q, last}) {
    b.tensor(tensor).quantization = std::make_unique<schema::QuantizationT>();
    b.tensor(tensor).quantization->scales = {0.5f};
    b.tensor(tensor).quantization->zero_points = {-7};
  }
  b.Node(schema::DequantizeOptionsT(), {last}, {y});
  b.Output(y);
  KeepState(b, q);
  return b;
}

TEST(State, OfIntegersStartsWithTheirZeroPoint) {
  Loaded loaded(DelayOfInt8());
  Interpreter interpreter = loaded.Create();
  EXPECT_THAT(Elements<int8_t>(interpreter.state(0)), ElementsAre(-7, -7, -7));
  Fill<int8_t>(interpreter.input(0), {-7, -6, -5});
  ASSERT_THAT(interpreter.Run(), IsOk());
  EXPECT_THAT(Elements(interpreter.output(0)), ElementsAre(0, 0, 0));
  ASSERT_THAT(interpreter.Run(), IsOk());
  EXPECT_THAT(Elements(interpreter.output(0)), ElementsAre(0, 0.5f, 1));
}

TEST(State, IsSavedAndRestored) {
  Loaded loaded(Accumulator({2}));
  Interpreter a = loaded.Create(), b = loaded.Create();
  RunOn(a, {1, 2});
  ASSERT_EQ(a.StateBytes(), 2 * sizeof(float));
  Floats saved(2);
  ASSERT_THAT(a.SaveState(saved.data(), a.StateBytes()), IsOk());
  EXPECT_THAT(saved, ElementsAre(1, 2));
  ASSERT_THAT(b.RestoreState(saved.data(), b.StateBytes()), IsOk());
  EXPECT_THAT(RunOn(a, {10, 20}), ElementsAre(-11, -22));
  EXPECT_THAT(RunOn(b, {10, 20}), ElementsAre(-11, -22));
}

TEST(State, IsNeitherSavedNorRestoredInAnotherSize) {
  Loaded loaded(Accumulator({2}));
  Interpreter interpreter = loaded.Create();
  Floats memory(3);
  for (const size_t bytes : {size_t{0}, size_t{7}, size_t{9}}) {
    EXPECT_EQ(interpreter.SaveState(memory.data(), bytes).code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(interpreter.RestoreState(memory.data(), bytes).code(), StatusCode::kInvalidArgument);
  }
}

TEST(State, MayBeWrittenByTheCaller) {
  Loaded loaded(Accumulator({2}));
  Interpreter interpreter = loaded.Create();
  Fill<float>(interpreter.state(0), {3, 4});
  EXPECT_THAT(RunOn(interpreter, {1, 1}), ElementsAre(-4, -5));
}

// The next total is computed, then an element of it is looked up.
ModelBuilder AccumulatorWithLookUp() {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {2});
  const int index = b.Input("index", DType::kInt64, {1});
  const int total = b.Input("total", kF32, {2});
  const int next = b.Tensor("next", kF32, {2});
  const int y = b.Tensor("y", kF32, {1});
  b.Node(schema::BinaryOptionsT(), {x, total}, {next}, "add");
  b.Node(schema::GatherOptionsT(), {next, index}, {y}, "look up");
  b.Output(y);
  KeepState(b, next);
  return b;
}

TEST(State, StaysAsItWasWhenARunFails) {
  Loaded loaded(AccumulatorWithLookUp());
  Interpreter interpreter = loaded.Create();
  const auto run = [&](int64_t index) {
    Fill<float>(interpreter.input(0), {1, 2});
    Fill<int64_t>(interpreter.input(1), {index});
    return interpreter.Run();
  };
  ASSERT_THAT(run(1), IsOk());
  EXPECT_EQ(run(5).code(), StatusCode::kOutOfRange);
  EXPECT_THAT(Elements(interpreter.state(0)), ElementsAre(1, 2));
  ASSERT_THAT(run(1), IsOk());
  EXPECT_THAT(Elements(interpreter.output(0)), ElementsAre(4));
}

// The next state are the places of what is not zero, so many as data decide.
TEST(State, StaysAsItWasWhenItsNextValueHasAnotherShape) {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {3});
  const int places = b.Input("places", DType::kInt64, {1, 3});
  const int found = b.Tensor("found", DType::kInt64, {1, -1});
  const int y = b.Tensor("y", DType::kInt64, {1, 3});
  schema::UnaryOptionsT negate;
  negate.kind = schema::UnaryKind::Neg;
  b.Node(schema::NonZeroOptionsT(), {x}, {found});
  b.Node(negate, {places}, {y});
  b.Output(y);
  KeepState(b, found);
  Loaded loaded(b);
  Interpreter interpreter = loaded.Create();
  Fill<float>(interpreter.input(0), {1, 1, 1});
  ASSERT_THAT(interpreter.Run(), IsOk());
  Fill<float>(interpreter.input(0), {1, 0, 1});
  const Status status = interpreter.Run();
  EXPECT_EQ(status.code(), StatusCode::kOutOfRange);
  EXPECT_THAT(status.message(), HasSubstr("state 'places' of shape 1x3: its next value 'found' came to 1x2"));
  EXPECT_THAT(Elements<int64_t>(interpreter.state(0)), ElementsAre(0, 1, 2));
}

TEST(State, IsCountedInTheArena) {
  Loaded with(Accumulator({100}));
  ModelBuilder b = Accumulator({100});
  b.graph().states.clear();  // the same with two inputs and two outputs
  Loaded without(b);
  const size_t bytes = Interpreter::RequiredArenaBytes(*with.model).value();
  // The input no longer shares its memory with anything.
  EXPECT_LE(bytes, Interpreter::RequiredArenaBytes(*without.model).value() + 448);
  std::vector<uint8_t> memory(bytes + 2 * kAlignment, 0xa5);
  auto* arena = reinterpret_cast<uint8_t*>(AlignUp(reinterpret_cast<uintptr_t>(memory.data()), kAlignment));
  InterpreterOptions options;
  options.arena = arena;
  options.arena_bytes = bytes - 1;
  EXPECT_EQ(Interpreter::Create(*with.model, options).status().code(), StatusCode::kOutOfMemory);
  options.arena_bytes = bytes;
  auto interpreter = Interpreter::Create(*with.model, options);
  ASSERT_THAT(interpreter, IsOk());
  EXPECT_EQ(interpreter->arena_bytes(), bytes);
  EXPECT_GE(interpreter->arena_lower_bound(), 2 * 448u);
  EXPECT_EQ(interpreter->state(0).data, arena);
  for (int i = 1; i <= 3; ++i)
    EXPECT_EQ(RunOn(*interpreter, Floats(100, 1)), Floats(100, static_cast<float>(-i)));
  for (size_t i = bytes; i < bytes + kAlignment; ++i) EXPECT_EQ(arena[i], 0xa5);
}

// y = x + count; the next count is one more.
ModelBuilder Counter() {
  ModelBuilder b;
  const int x = b.Input("x", kF32, {-1});
  const int count = b.Input("count", kF32, {1});
  const int one = b.Constant<float>("one", {1}, {1});
  const int next = b.Tensor("next", kF32, {1});
  const int y = b.Tensor("y", kF32, {-1});
  b.Node(schema::BinaryOptionsT(), {count, one}, {next});
  b.Node(schema::BinaryOptionsT(), {x, next}, {y});
  b.Output(y);
  KeepState(b, next);
  return b;
}

TEST(State, StaysWhereResizeLeavesItsShape) {
  Loaded loaded(Counter());
  Interpreter interpreter = loaded.Create();
  EXPECT_THAT(RunOn(interpreter, {10}), ElementsAre(11));
  for (const int64_t size : {int64_t{5000}, int64_t{1}}) {
    const Shape shapes[] = {Shape::Of(size)};
    ASSERT_THAT(interpreter.Resize(shapes), IsOk());
    EXPECT_EQ(RunOn(interpreter, Floats(static_cast<size_t>(size), 10)),
              Floats(static_cast<size_t>(size), size == 1 ? 13.0f : 12.0f));
  }
}

TEST(State, StartsAnewWhereResizeChangesItsShape) {
  ModelBuilder b = Accumulator({-1, 2});
  for (const auto& tensor : b.graph().tensors) tensor->dim_names = {"batch", ""};
  Loaded loaded(b);
  Interpreter interpreter = loaded.Create();
  EXPECT_THAT(RunOn(interpreter, {1, 2}), ElementsAre(-1, -2));
  const Shape shapes[] = {Shape::Of(2, 2)};
  ASSERT_THAT(interpreter.Resize(shapes), IsOk());
  EXPECT_EQ(interpreter.state(0).shape, Shape::Of(2, 2));
  EXPECT_THAT(RunOn(interpreter, {1, 2, 3, 4}), ElementsAre(-1, -2, -3, -4));
  EXPECT_THAT(RunOn(interpreter, {1, 2, 3, 4}), ElementsAre(-2, -4, -6, -8));
}

// Only for x of one element can x + total be the next total.
TEST(State, RefusesShapesThatItCannotKeep) {
  ModelBuilder b = Accumulator({-1});
  b.tensor(1).shape = {1};
  Loaded loaded(b);
  Interpreter interpreter = loaded.Create();
  EXPECT_THAT(RunOn(interpreter, {3}), ElementsAre(-3));
  const Shape shapes[] = {Shape::Of(2)};
  const Status status = interpreter.Resize(shapes);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("state 'total' of shape 1: its next value 'next' has shape 2"));
  EXPECT_THAT(RunOn(interpreter, {3}), ElementsAre(-6));
}

}  // namespace
}  // namespace micrort::testing::state
