// Times of operators, by a clock that the test moves.

#include "tools/bench/profiler.h"

#include <gmock/gmock.h>

namespace micrort {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

Profiler::Clock::time_point now;
constexpr auto kRead = std::chrono::microseconds(3);  // what reading the clock takes

Profiler::Clock::time_point ReadClock() {
  now += kRead;
  return now;
}

// A run of two steps that take so many milliseconds, with something that is none of theirs between them.
void RunTwoSteps(Profiler& profiler, int first_ms, int second_ms) {
  const OpSource conv = {"Conv2D", "a"}, add = {"Binary", "b"}, softmax = {"Softmax", "c"};
  const OpSource fused[] = {conv, add};
  OpInfo first, second;
  first.sources = {fused, 2};
  second.sources = {&softmax, 1};
  profiler.BeginRun();
  profiler.BeforeOp(first);
  now += std::chrono::milliseconds(first_ms);
  profiler.AfterOp(first);
  now += std::chrono::milliseconds(100);
  profiler.BeforeOp(second);
  now += std::chrono::milliseconds(second_ms);
  profiler.AfterOp(second);
}

std::vector<double> TimesOf(const Profiler& profiler) {
  std::vector<double> times;
  for (const OpRow& row : profiler.Rows()) times.push_back(row.ms);
  return times;
}

TEST(Profiler, CountsStepsAndNotTheClock) {
  Profiler profiler(ReadClock);
  RunTwoSteps(profiler, 5, 7);
  EXPECT_THAT(TimesOf(profiler), ElementsAre(DoubleEq(5), DoubleEq(7)));
  EXPECT_NEAR(profiler.Rows()[1].start_ms, 105, 0.1);
}

TEST(Profiler, HasARowForEachStepWhateverTheNumberOfRuns) {
  Profiler profiler(ReadClock);
  for (const int ms : {4, 1, 3, 2, 9}) RunTwoSteps(profiler, ms, 2 * ms);
  const std::vector<OpRow> rows = profiler.Rows();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].type, "Conv2D+Binary");
  EXPECT_EQ(rows[0].node, "a+b");
  EXPECT_EQ(rows[1].type, "Softmax");
  EXPECT_THAT(TimesOf(profiler), ElementsAre(DoubleEq(3), DoubleEq(6)));  // medians
  EXPECT_DOUBLE_EQ(rows[0].share + rows[1].share, 1);
}

TEST(Profiler, SharesOutTheTimeBetweenSteps) {
  Profiler profiler(ReadClock);
  RunTwoSteps(profiler, 5, 7);
  std::vector<OpRow> rows = profiler.Rows();
  AddTimeBetween(16, &rows);
  EXPECT_DOUBLE_EQ(rows[0].ms, 7);
  EXPECT_DOUBLE_EQ(rows[1].ms, 9);
  EXPECT_DOUBLE_EQ(rows[1].share, 9.0 / 16);
  AddTimeBetween(15, &rows);  // no run is shorter than its steps
  EXPECT_DOUBLE_EQ(rows[0].ms + rows[1].ms, 16);
}

TEST(Profiler, ForgetsRunsThatWarmUp) {
  Profiler profiler(ReadClock);
  RunTwoSteps(profiler, 90, 90);
  profiler.ForgetRun();
  RunTwoSteps(profiler, 1, 2);
  EXPECT_THAT(TimesOf(profiler), ElementsAre(DoubleEq(1), DoubleEq(2)));
}

}  // namespace
}  // namespace micrort
