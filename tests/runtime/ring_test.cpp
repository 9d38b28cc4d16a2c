// Caches that are rings: runs append over rows that have left the window.

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "micrort/micrort.h"
#include "tests/runtime/loaded_model.h"
#include "tests/runtime/ring_models.h"
#include "tests/status_matchers.h"

namespace micrort::testing::ring {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

constexpr int kPositions = 40;

float Number(int64_t position, int i) { return static_cast<float>((position * 37 + i * 11) % 19 - 9) / 6; }

// What position `at` sees.
std::vector<float> Expected(int64_t at) {
  double sum = 0, y[kRingWidth] = {};
  for (int64_t p = std::max<int64_t>(0, at - kRingWindow + 1); p <= at; ++p) {
    double score = 0;
    for (int i = 0; i < kRingWidth; ++i) score += static_cast<double>(Number(at, i)) * Number(p, i) * 0.5;
    sum += std::exp(score);
    for (int i = 0; i < kRingWidth; ++i) y[i] += std::exp(score) * Number(p, i);
  }
  std::vector<float> out;
  for (const double v : y) out.push_back(static_cast<float>(v / sum));
  return out;
}

Status RunAt(Interpreter& interpreter, int64_t at) {
  const int64_t rows = interpreter.input(0).shape[1];
  for (int64_t r = 0; r < rows; ++r) {
    for (int i = 0; i < kRingWidth; ++i)
      interpreter.input(0).as<float>()[r * kRingWidth + i] = Number(at + r, i);
  }
  return interpreter.Run();
}

void ExpectAt(Interpreter& interpreter, int64_t at, float tolerance = 1e-5f) {
  ASSERT_THAT(RunAt(interpreter, at), IsOk());
  const int64_t rows = interpreter.input(0).shape[1];
  const auto* const y = interpreter.output(0).as<float>();
  for (int64_t r = 0; r < rows; ++r) {
    EXPECT_THAT(std::vector<float>(y + r * kRingWidth, y + (r + 1) * kRingWidth),
                Pointwise(FloatNear(tolerance), Expected(at + r)))
        << at + r;
  }
}

std::vector<uint8_t> Saved(const Interpreter& interpreter) {
  std::vector<uint8_t> saved(interpreter.StateBytes());
  EXPECT_THAT(interpreter.SaveState(saved.data(), saved.size()), IsOk());
  return saved;
}

struct Kind {
  DType type;
  int32_t rows;
  float tolerance;
};
class RingOf : public ::testing::TestWithParam<Kind> {};

// A chunk of 3 lies on both ends of the ring at times.
TEST_P(RingOf, HoldsWhatTheWindowSees) {
  RingIds ids;
  Loaded loaded(AttentionOverRings(&ids, GetParam().rows, GetParam().type));
  Interpreter interpreter = loaded.Create();
  EXPECT_EQ(loaded.model->state_chunk(), 4u);
  for (int sequence = 0; sequence < 2; ++sequence) {
    interpreter.ResetState();
    for (int at = 0; at + GetParam().rows <= kPositions; at += GetParam().rows)
      ExpectAt(interpreter, at, GetParam().tolerance);
  }
}

constexpr Kind kKinds[] = {{kF32, 1, 1e-5f},
                           {kF32, 2, 1e-5f},
                           {kF32, 3, 1e-5f},
                           {kF32, 4, 1e-5f},
                           {DType::kFloat16, 1, 2e-3f},
                           {DType::kFloat16, 3, 2e-3f},
                           {DType::kInt8, 1, 2e-2f},
                           {DType::kInt8, 3, 2e-2f}};
INSTANTIATE_TEST_SUITE_P(Kinds, RingOf, ::testing::ValuesIn(kKinds), [](const auto& info) {
  return std::string(Name(info.param.type)) + "_" + std::to_string(info.param.rows);
});

TEST(Ring, IsSavedAsFarAsTheNextPositionSees) {
  for (const DType type : {kF32, DType::kFloat16, DType::kInt8}) {
    RingIds ids;
    Loaded loaded(AttentionOverRings(&ids, 1, type));
    const size_t row_bytes = static_cast<size_t>(kRingWidth + CacheScaleElements(type)) * SizeOf(type);
    for (const int64_t length : {0, 1, 3, 4, 5, 7, 8, 9, 19, 24}) {
      SCOPED_TRACE(length);
      Interpreter interpreter = loaded.Create();
      for (int64_t at = 0; at < length; ++at) ASSERT_THAT(RunAt(interpreter, at), IsOk());
      const std::vector<uint8_t> saved = Saved(interpreter);
      EXPECT_EQ(
          saved.size(),
          sizeof(int64_t) + 2 * static_cast<size_t>(std::min<int64_t>(kRingWindow - 1, length)) * row_bytes);
      Interpreter other = loaded.Create();
      for (int at = 0; at < 11; ++at) ASSERT_THAT(RunAt(other, at + 5), IsOk());
      ASSERT_THAT(other.RestoreState(saved.data(), saved.size()), IsOk());
      EXPECT_EQ(Saved(other), saved);
      for (int64_t at = length; at < length + 10; ++at)
        ExpectAt(other, at, type == DType::kInt8 ? 2e-2f : 2e-3f);
    }
  }
}

TEST(Ring, GoesBackAsFarAsItHoldsTheWindow) {
  RingIds ids;
  Loaded loaded(AttentionOverRings(&ids));
  Interpreter interpreter = loaded.Create();
  for (int at = 0; at < 20; ++at) ASSERT_THAT(RunAt(interpreter, at), IsOk());
  // Positions 12 to 19 are there, and position 16 sees those from 12 on.
  EXPECT_THAT(interpreter.TruncateState(15),
              IsError(StatusCode::kInvalidArgument,
                      HasSubstr("state 'keys': its ring of 8 rows has positions from 12 on, and position 15 "
                                "sees those from 11 on")));
  EXPECT_EQ(interpreter.StateLength(), 20u);
  EXPECT_THAT(interpreter.TruncateState(16), IsOk());
  for (int at = 16; at < 18; ++at) ExpectAt(interpreter, at);
  // Others than 12 and 13 have not been lost since.
  EXPECT_THAT(interpreter.TruncateState(15), IsError(StatusCode::kInvalidArgument, HasSubstr("from 12 on")));
  EXPECT_THAT(interpreter.TruncateState(17), IsOk());
  for (int at = 17; at < 30; ++at) ExpectAt(interpreter, at);
  EXPECT_THAT(interpreter.TruncateState(0), IsOk());
  for (int at = 0; at < 8; ++at) ExpectAt(interpreter, at);
  for (const size_t length : {size_t{3}, size_t{1}, size_t{0}})
    EXPECT_THAT(interpreter.TruncateState(length), IsOk());
  for (int at = 0; at < 20; ++at) ExpectAt(interpreter, at);
}

TEST(Ring, ThatIsRestoredHasNoMoreThanWasSaved) {
  RingIds ids;
  Loaded loaded(AttentionOverRings(&ids));
  Interpreter interpreter = loaded.Create();
  for (int at = 0; at < 20; ++at) ASSERT_THAT(RunAt(interpreter, at), IsOk());
  const std::vector<uint8_t> saved = Saved(interpreter);
  ASSERT_THAT(interpreter.RestoreState(saved.data(), saved.size()), IsOk());
  EXPECT_THAT(interpreter.TruncateState(19), IsError(StatusCode::kInvalidArgument, HasSubstr("from 16 on")));
  for (int at = 20; at < 23; ++at) ExpectAt(interpreter, at);
  EXPECT_THAT(interpreter.TruncateState(20), IsOk());
  ExpectAt(interpreter, 20);
  for (size_t bytes = 0; bytes < saved.size() + 20; ++bytes) {
    if (bytes == saved.size()) continue;
    std::vector<uint8_t> other(bytes);
    std::copy_n(saved.begin(), std::min(bytes, saved.size()), other.begin());
    EXPECT_FALSE(interpreter.RestoreState(other.data(), bytes).ok()) << bytes;
  }
  ExpectAt(interpreter, 21);
}

// Callers may write what they like into a state.
TEST(Ring, RunsForNoLengthThatItHasNotTheRowsFor) {
  RingIds ids;
  Loaded loaded(AttentionOverRings(&ids));
  Interpreter interpreter = loaded.Create();
  for (int at = 0; at < 20; ++at) ASSERT_THAT(RunAt(interpreter, at), IsOk());
  *interpreter.state(0).as<int64_t>() = 14;
  EXPECT_THAT(RunAt(interpreter, 14),
              IsError(StatusCode::kInvalidArgument, HasSubstr("sees those from 10 on")));
  for (const int64_t length : {int64_t{-1}, int64_t{50}, int64_t{1000}, INT64_MAX, INT64_MIN}) {
    *interpreter.state(0).as<int64_t>() = length;
    EXPECT_FALSE(RunAt(interpreter, 0).ok()) << length;
    EXPECT_LE(interpreter.StateBytes(), sizeof(int64_t) + 2 * 4 * kRingWidth * sizeof(float));
  }
  interpreter.ResetState();
  for (int at = 0; at < 20; ++at) ExpectAt(interpreter, at);
}

TEST(Ring, EndsWhereTheModelCountsNoFurther) {
  RingIds ids;
  Loaded loaded(AttentionOverRings(&ids));
  Interpreter interpreter = loaded.Create();
  for (int at = 0; at < kRingRoom; ++at) ExpectAt(interpreter, at);
  EXPECT_THAT(RunAt(interpreter, kRingRoom),
              IsError(StatusCode::kOutOfRange,
                      HasSubstr("50 rows are taken, and the model counts 49: it has no positions for")));
  EXPECT_EQ(interpreter.StateLength(), 50u);
}

// Rows that it has not are lost to the sequence, and the others stay.
TEST(Ring, LosesRowsToARunThatFails) {
  RingIds ids;
  ModelBuilder b = AttentionOverRings(&ids);
  const int at = b.Input("at", DType::kInt64, {1});
  std::swap(b.graph().inputs[1], b.graph().inputs.back());
  std::rotate(b.graph().inputs.begin() + 2, b.graph().inputs.end() - 1, b.graph().inputs.end());
  const int table = b.Constant<float>("table", {2}, {0, 1}), found = b.Tensor("found", kF32, {1});
  b.Node(schema::GatherOptionsT(), {table, at}, {found}, "look_up");
  b.graph().outputs.insert(b.graph().outputs.begin() + 1, found);
  Loaded loaded(b);
  Interpreter interpreter = loaded.Create();
  *interpreter.input(1).as<int64_t>() = 0;
  for (int position = 0; position < 20; ++position) ExpectAt(interpreter, position);
  *interpreter.input(1).as<int64_t>() = 7;
  EXPECT_FALSE(RunAt(interpreter, 20).ok());
  EXPECT_EQ(interpreter.StateLength(), 20u);
  EXPECT_THAT(interpreter.TruncateState(19), IsError(StatusCode::kInvalidArgument, HasSubstr("from 16 on")));
  *interpreter.input(1).as<int64_t>() = 1;
  for (int position = 20; position < 30; ++position) ExpectAt(interpreter, position);
}

TEST(Ring, OfUntrustedFilesIsReadByAttentionWithItsWindow) {
  struct Case {
    const char* error;
    std::function<void(ModelBuilder& b, const RingIds& ids)> change;
  };
  const auto operator_at = [](ModelBuilder& b, size_t i) -> schema::OperatorT& {
    return *b.graph().operators[i];
  };
  const Case cases[] = {
      {"has the rows of a ring with a window of 5",
       [&](ModelBuilder& b, const RingIds&) {
         operator_at(b, RingIds::kAttend).options.AsAttentionOptions()->window = 6;
       }},
      {"has the rows of a ring with a window of 5",
       [&](ModelBuilder& b, const RingIds&) { operator_at(b, RingIds::kAttend).inputs.resize(3); }},
      {"has the rows of a ring with a window of 5",
       [&](ModelBuilder& b, const RingIds&) { operator_at(b, RingIds::kAttend).inputs[4] = -1; }},
      {"has the rows of a ring with a window of 5",
       [&](ModelBuilder& b, const RingIds& ids) {
         operator_at(b, RingIds::kAttend).inputs[0] = ids.present[0];
       }},
      {"found 'sum'",
       [&](ModelBuilder& b, const RingIds& ids) {
         schema::ReduceOptionsT sum;
         sum.axes = {0, 1, 2, 3};
         b.Node(sum, {ids.present[0]}, {b.Tensor("sum", kF32, {1, 1, 1, 1})}, "sum");
       }},
      {"a ring of 8 rows for a window of 9",
       [&](ModelBuilder& b, const RingIds&) {
         operator_at(b, RingIds::kAppendKeys).options.AsAppendOptions()->window = 9;
       }},
      {"a window of -5",
       [&](ModelBuilder& b, const RingIds&) {
         operator_at(b, RingIds::kAppendValues).options.AsAppendOptions()->window = -5;
       }},
      {"a window of -5",
       [&](ModelBuilder& b, const RingIds&) {
         operator_at(b, RingIds::kAttend).options.AsAttentionOptions()->window = -5;
       }},
      {"expected a window and one int64",
       [&](ModelBuilder& b, const RingIds& ids) { operator_at(b, RingIds::kAttend).inputs[4] = ids.x; }},
  };
  for (const Case& c : cases) {
    RingIds ids;
    ModelBuilder b = AttentionOverRings(&ids);
    c.change(b, ids);
    const ModelFile file = b.Finish();
    auto model = Model::FromBuffer(file.data(), file.size());
    const Status status = model.ok() ? Interpreter::Create(*model).status() : model.status();
    EXPECT_THAT(status, IsError(StatusCode::kInvalidModel, HasSubstr(c.error))) << c.error;
  }
}

TEST(Ring, TakesNoMoreRowsThanLeaveTheWindow) {
  RingIds ids;
  Loaded loaded(AttentionOverRings(&ids, 5));
  EXPECT_THAT(
      Interpreter::Create(*loaded.model),
      IsError(StatusCode::kOutOfRange,
              HasSubstr("a ring of 8 rows for a window of 5 takes at most 4 new rows a run, found 5")));
}

TEST(Ring, OfOneRowIsOfAWindowOfOne) {
  RingIds ids;
  ModelBuilder b = AttentionOverRings(&ids, 1, kF32, 1);
  for (const size_t i : {RingIds::kAppendKeys, RingIds::kAppendValues})
    b.graph().operators[i]->options.AsAppendOptions()->window = 1;
  b.graph().operators[RingIds::kAttend]->options.AsAttentionOptions()->window = 1;
  Loaded loaded(b);
  Interpreter interpreter = loaded.Create();
  for (int at = 0; at < 10; ++at) {
    ASSERT_THAT(RunAt(interpreter, at), IsOk());
    for (int i = 0; i < kRingWidth; ++i) EXPECT_EQ(interpreter.output(0).as<float>()[i], Number(at, i));
  }
  EXPECT_EQ(interpreter.StateBytes(), sizeof(int64_t));
  EXPECT_THAT(interpreter.TruncateState(5), IsOk());
}

}  // namespace
}  // namespace micrort::testing::ring
