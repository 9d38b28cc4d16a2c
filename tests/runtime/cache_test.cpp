// Caches: states that runs append to in place.

#include <gmock/gmock.h>

#include <functional>
#include <vector>

#include "micrort/micrort.h"
#include "tests/runtime/loaded_model.h"
#include "tests/runtime/state_models.h"
#include "tests/status_matchers.h"

namespace micrort::testing::cache {
namespace {

using schema::StateKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int32_t kRows = kCacheRows;
using Ids = CacheIds;

Status RunOn(Interpreter& interpreter, float x) {
  interpreter.input(0).as<float>()[0] = x;
  interpreter.input(0).as<float>()[1] = 10 * x;
  return interpreter.Run();
}

std::vector<float> SumWith(Interpreter& interpreter, float x) {
  EXPECT_THAT(RunOn(interpreter, x), IsOk());
  const TensorView y = interpreter.output(0);
  return {y.as<float>(), y.as<float>() + y.elements()};
}

std::vector<uint8_t> Saved(const Interpreter& interpreter) {
  std::vector<uint8_t> saved(interpreter.StateBytes());
  EXPECT_THAT(interpreter.SaveState(saved.data(), saved.size()), IsOk());
  return saved;
}

TEST(Cache, RunsAppendToIt) {
  Ids ids;
  Loaded loaded(SumOfRows(&ids));
  Interpreter interpreter = loaded.Create();
  EXPECT_EQ(loaded.model->input_count(), 1u);
  EXPECT_EQ(interpreter.output_count(), 1u);
  EXPECT_EQ(interpreter.StateLength(), 0u);
  EXPECT_EQ(interpreter.StateBytes(), sizeof(int64_t));
  EXPECT_THAT(SumWith(interpreter, 1), ElementsAre(1, 10));
  EXPECT_THAT(SumWith(interpreter, 2), ElementsAre(3, 30));
  EXPECT_EQ(interpreter.StateLength(), 2u);
  EXPECT_EQ(interpreter.StateBytes(), sizeof(int64_t) + 2 * 2 * sizeof(float));
  interpreter.ResetState();
  EXPECT_EQ(interpreter.StateLength(), 0u);
  EXPECT_THAT(SumWith(interpreter, 7), ElementsAre(7, 70));
}

TEST(Cache, ThatIsFullTakesNoMore) {
  Ids ids;
  Loaded loaded(SumOfRows(&ids));
  Interpreter interpreter = loaded.Create();
  for (int i = 0; i < kRows; ++i) EXPECT_THAT(RunOn(interpreter, 1), IsOk());
  EXPECT_THAT(RunOn(interpreter, 5),
              IsError(StatusCode::kOutOfRange,
                      HasSubstr("node 'append' (Append): the cache has 4 rows: 4 are taken, and 1 more")));
  EXPECT_EQ(interpreter.StateLength(), 4u);
  EXPECT_THAT(interpreter.TruncateState(3), IsOk());
  EXPECT_THAT(SumWith(interpreter, 1), ElementsAre(4, 40));
}

TEST(Cache, GivesRowsBack) {
  Ids ids;
  Loaded loaded(SumOfRows(&ids));
  Interpreter interpreter = loaded.Create();
  for (const float x : {1, 2, 3}) EXPECT_THAT(RunOn(interpreter, x), IsOk());
  EXPECT_THAT(interpreter.TruncateState(4),
              IsError(StatusCode::kInvalidArgument, HasSubstr("at most 3 rows to keep, found 4")));
  EXPECT_THAT(interpreter.TruncateState(1), IsOk());
  EXPECT_EQ(interpreter.StateLength(), 1u);
  EXPECT_THAT(SumWith(interpreter, 5), ElementsAre(6, 60));

  Loaded without(Accumulator({2}));
  EXPECT_THAT(without.Create().TruncateState(0),
              IsError(StatusCode::kInvalidArgument, HasSubstr("no caches")));
}

TEST(Cache, IsSavedAsFarAsItIsTaken) {
  Ids ids;
  Loaded loaded(SumOfRows(&ids));
  Interpreter interpreter = loaded.Create();
  for (const float x : {1, 2}) EXPECT_THAT(RunOn(interpreter, x), IsOk());
  const std::vector<uint8_t> saved = Saved(interpreter);
  EXPECT_THAT(SumWith(interpreter, 4), ElementsAre(7, 70));

  Interpreter other = loaded.Create();
  EXPECT_THAT(RunOn(other, 50), IsOk());
  EXPECT_THAT(other.RestoreState(saved.data(), saved.size()), IsOk());
  EXPECT_EQ(other.StateLength(), 2u);
  EXPECT_THAT(SumWith(other, 4), ElementsAre(7, 70));
}

TEST(Cache, RestoresNothingThatWasNotSavedSo) {
  Ids ids;
  Loaded loaded(SumOfRows(&ids));
  Interpreter interpreter = loaded.Create();
  for (const float x : {1, 2}) EXPECT_THAT(RunOn(interpreter, x), IsOk());
  const std::vector<uint8_t> saved = Saved(interpreter);
  for (const int64_t length : {int64_t{-1}, int64_t{1}, int64_t{3}, int64_t{5}, INT64_MAX, INT64_MIN}) {
    std::vector<uint8_t> changed = saved;
    std::memcpy(changed.data(), &length, sizeof length);
    EXPECT_THAT(interpreter.RestoreState(changed.data(), changed.size()),
                IsError(StatusCode::kInvalidArgument, HasSubstr("")))
        << length;
  }
  for (size_t bytes = 0; bytes < saved.size(); ++bytes)
    EXPECT_FALSE(interpreter.RestoreState(saved.data(), bytes).ok()) << bytes;
  EXPECT_THAT(SumWith(interpreter, 4), ElementsAre(7, 70));
}

// Callers may write what they like into a state.
TEST(Cache, RunsForNoLengthBeyondIt) {
  Ids ids;
  Loaded loaded(SumOfRows(&ids));
  Interpreter interpreter = loaded.Create();
  for (const int64_t length : {int64_t{-1}, int64_t{4}, int64_t{1000}, INT64_MAX, INT64_MIN}) {
    *interpreter.state(0).as<int64_t>() = length;
    EXPECT_LE(interpreter.StateLength(), 4u);
    EXPECT_THAT(RunOn(interpreter, 1), IsError(StatusCode::kOutOfRange, HasSubstr("more do not fit")))
        << length;
  }
  for (const int64_t counted : {int64_t{5}, int64_t{-1}}) {
    Loaded counts_wrong(SumOfRows(&ids, counted));
    Interpreter wrong = counts_wrong.Create();
    EXPECT_THAT(RunOn(wrong, 1), IsError(StatusCode::kOutOfRange, HasSubstr("rows of caches that have 4")));
    EXPECT_EQ(wrong.StateLength(), 0u);
  }
}

TEST(Cache, OfUntrustedFilesIsAppendedToByOneNode) {
  struct Case {
    const char* error;
    std::function<void(ModelBuilder& b, const Ids& ids)> change;
  };
  const Case cases[] = {
      {"expected no initial value",
       [](ModelBuilder& b, const Ids&) {
         b.graph().states[1]->initial = AddBuffer<float>(b, std::vector<float>(8));
       }},
      {"kind 3", [](ModelBuilder& b, const Ids&) { b.graph().states[1]->kind = static_cast<StateKind>(3); }},
      {"expected a length as the first state",
       [](ModelBuilder& b, const Ids&) { b.graph().states[0]->kind = StateKind::Value; }},
      {"counts rows of no caches",
       [](ModelBuilder& b, const Ids&) {
         b.graph().states.pop_back();
         b.graph().outputs.pop_back();
         std::rotate(b.graph().inputs.begin(), b.graph().inputs.begin() + 2, b.graph().inputs.end());
         std::rotate(b.graph().inputs.begin(), b.graph().inputs.begin() + 1, b.graph().inputs.end() - 1);
       }},
      {"expected int64 of shape 1 for a length",
       [](ModelBuilder& b, const Ids& ids) {
         b.tensor(ids.length).shape = b.tensor(ids.next_length).shape = {2};
       }},
      {"expected a cache of float32, float16 or int8",
       [](ModelBuilder& b, const Ids& ids) {
         b.tensor(ids.cache).dtype = b.tensor(ids.present).dtype = schema::DType::Int32;
       }},
      {"expected a cache of float32, float16 or int8",
       [](ModelBuilder& b, const Ids& ids) {
         b.tensor(ids.cache).shape = {1, 0, 2};
       }},
      {"expected a cache of float32, float16 or int8",
       [](ModelBuilder& b, const Ids& ids) {
         b.tensor(ids.cache).shape = b.tensor(ids.present).shape = {2, 4, 2};
       }},
      {"found 'sum'", [](ModelBuilder& b, const Ids& ids) { b.graph().operators[3]->inputs = {ids.cache}; }},
      {"found 'an output of the model'",
       [](ModelBuilder& b, const Ids& ids) {
         b.graph().outputs.insert(b.graph().outputs.begin(), ids.cache);
       }},
      {"expected a cache and the length of the states",
       [](ModelBuilder& b, const Ids& ids) { b.graph().operators[2]->inputs[1] = ids.next_length; }},
      {"expected a cache and the length of the states",
       [](ModelBuilder& b, const Ids& ids) { b.graph().operators[2]->inputs[0] = ids.x; }},
      {"found 'append'",
       [](ModelBuilder& b, const Ids& ids) { b.graph().operators[2]->inputs[2] = ids.cache; }},
      {"int8 with scales",
       [](ModelBuilder& b, const Ids& ids) {
         for (const int id : {ids.cache, ids.present}) b.tensor(id).dtype = schema::DType::Int8;
         b.tensor(ids.cache).shape = {1, 4, 4};
         b.tensor(ids.present).shape = {1, -1, 4};
       }},
      {"int8 with scales",
       [](ModelBuilder& b, const Ids& ids) {
         for (const int id : {ids.cache, ids.present}) b.tensor(id).dtype = schema::DType::Int8;
         b.tensor(ids.cache).shape = {1, 8};
         b.tensor(ids.present).shape = {1, -1};
       }},
  };
  for (const Case& c : cases) {
    Ids ids;
    ModelBuilder b = SumOfRows(&ids);
    c.change(b, ids);
    const ModelFile file = b.Finish();
    EXPECT_THAT(Model::FromBuffer(file.data(), file.size()),
                IsError(StatusCode::kInvalidModel, HasSubstr(c.error)))
        << c.error;
  }
}

TEST(Cache, IsOfOneNextValue) {
  Ids ids;
  ModelBuilder b = SumOfRows(&ids);
  const int other = b.Tensor("other", kF32, {1, -1, 2});
  const schema::OperatorT& append = *b.graph().operators[2];
  b.Node(schema::AppendOptionsT(), append.inputs, {other}, "again");
  const ModelFile file = b.Finish();
  EXPECT_THAT(Model::FromBuffer(file.data(), file.size()),
              IsError(StatusCode::kInvalidModel, HasSubstr("found 'again'")));
}

TEST(Cache, IsOfTheFirstGraph) {
  Ids ids;
  ModelBuilder b = SumOfRows(&ids);
  b.Use(b.AddGraph("body"));
  const int cache = b.Input("cache", kF32, {1, 4, 2}), length = b.Input("length", DType::kInt64, {1});
  const int rows = b.Input("rows", kF32, {1, 1, 2}), taken = b.Input("taken", kF32, {1});
  const int next = b.Tensor("next", kF32, {1, -1, 2});
  b.Node(schema::AppendOptionsT(), {cache, length, rows, taken}, {next}, "append");
  b.Output(next);
  const ModelFile file = b.Finish();
  EXPECT_THAT(Model::FromBuffer(file.data(), file.size()),
              IsError(StatusCode::kInvalidModel, HasSubstr("expected a cache and the length of the states")));
}

// Numbers of int8 are off by half a scale, 1, 2 and 4 here, at most; the largest of a row is what it was.
TEST(Cache, HoldsNarrowRows) {
  for (const DType type : {DType::kFloat16, DType::kInt8}) {
    SCOPED_TRACE(Name(type));
    Ids ids;
    Loaded loaded(SumOfRows(&ids, 1, type));
    Interpreter interpreter = loaded.Create();
    for (const float x : {12.7f, 25.4f}) EXPECT_THAT(RunOn(interpreter, x), IsOk());
    const size_t row_bytes = type == DType::kInt8 ? 2 + sizeof(float) : 2 * sizeof(uint16_t);
    EXPECT_EQ(interpreter.StateBytes(), sizeof(int64_t) + 2 * row_bytes);
    EXPECT_EQ(interpreter.state(1).dtype, type);
    const std::vector<uint8_t> saved = Saved(interpreter);
    const std::vector<float> expected = SumWith(interpreter, 50.8f);
    EXPECT_NEAR(expected[0], 88.9f, type == DType::kInt8 ? 3.5f : 0.05f);
    EXPECT_NEAR(expected[1], 889, 0.5f);

    EXPECT_THAT(interpreter.TruncateState(2), IsOk());
    EXPECT_EQ(SumWith(interpreter, 50.8f), expected);
    Interpreter other = loaded.Create();
    EXPECT_THAT(RunOn(other, 3), IsOk());
    EXPECT_THAT(other.RestoreState(saved.data(), saved.size()), IsOk());
    EXPECT_EQ(SumWith(other, 50.8f), expected);
    EXPECT_THAT(RunOn(other, 1), IsOk());
    EXPECT_THAT(RunOn(other, 1), IsError(StatusCode::kOutOfRange, HasSubstr("4 are taken, and 1 more")));
  }
}

TEST(Cache, TakesNarrowRowsOfItsOwnSizeOnly) {
  for (const DType type : {DType::kFloat16, DType::kInt8}) {
    Ids ids;
    ModelBuilder b = SumOfRows(&ids, 1, type);
    b.tensor(ids.x).shape = {1, 1, 3};
    Loaded wide(b);
    EXPECT_THAT(Interpreter::Create(*wide.model),
                IsError(StatusCode::kInvalidModel, HasSubstr("rows of shape 1x1x3 do not fit a cache")));
  }
}

// Who reads it as numbers gets no scales for them.
TEST(Cache, OfUntrustedFilesIsReadByItsType) {
  for (const DType type : {DType::kFloat16, DType::kInt8}) {
    Ids ids;
    ModelBuilder b = SumOfRows(&ids, 1, type);
    b.graph().operators.back()->inputs = {ids.present};
    Loaded loaded(b);
    EXPECT_FALSE(Interpreter::Create(*loaded.model).ok());
  }
}

TEST(Cache, TakesRowsOfItsOwnSizeOnly) {
  Ids ids;
  ModelBuilder b = SumOfRows(&ids);
  b.tensor(ids.x).shape = {1, 1, 3};
  Loaded wide(b);
  EXPECT_THAT(
      Interpreter::Create(*wide.model),
      IsError(StatusCode::kInvalidModel, HasSubstr("rows of shape 1x1x3 do not fit a cache of shape 1x4x2")));
  b = SumOfRows(&ids);
  b.tensor(ids.x).shape = {1, 5, 2};
  Loaded many(b);
  EXPECT_THAT(Interpreter::Create(*many.model),
              IsError(StatusCode::kOutOfRange, HasSubstr("0 are taken, and 5 more do not fit")));
}

}  // namespace
}  // namespace micrort::testing::cache
