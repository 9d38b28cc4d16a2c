#include "converter/observe/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "converter/observe/progress_format.h"

namespace micrort::observe {
namespace {

TEST(Progress, SaysHowMuchIsDoneAndHowLongTheRestTakes) {
  EXPECT_EQ(ProgressText("calibrating", 0, 20, 0.0), "calibrating 0/20");
  EXPECT_EQ(ProgressText("calibrating", 5, 20, 10.0), "calibrating 5/20, 30 s left");
  EXPECT_EQ(ProgressText("searching", 1, 11, 60.0), "searching 1/11, 10 min left");
  EXPECT_EQ(ProgressText("verifying", 3, 3, 6.0), "verifying 3/3");
}

TEST(Progress, IsSilentWhereItTakesNoTime) {
  SetProgressFormat(ProgressFormat::kForPeople);
  ::testing::internal::CaptureStderr();
  {
    Progress progress("verifying", 3, true);
    for (int i = 0; i < 3; ++i) progress.Advance();
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(Progress, HasALineNowAndThenHoweverShortTheStepsAre) {
  constexpr double kSeconds = 0.02;
  SetProgressFormat(ProgressFormat::kForPeople, kSeconds);
  ::testing::internal::CaptureStderr();
  for (int step = 0; step < 8; ++step) {
    Progress progress("step " + std::to_string(step), 1, true);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    progress.Advance();
  }
  const std::string text = ::testing::internal::GetCapturedStderr();
  SetProgressFormat(ProgressFormat::kForPeople);
  EXPECT_THAT(text, ::testing::HasSubstr("mnnconvert: progress: step "));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("step 0 1/1")));
}

TEST(Progress, TellsProgramsWhenAStepIsDone) {
  SetProgressFormat(ProgressFormat::kJson);
  ::testing::internal::CaptureStderr();
  {
    Progress shown("verifying", 3, true), hidden("searching", 1, false);
    for (int i = 0; i < 3; ++i) shown.Advance();
    hidden.Advance();
  }
  const std::string text = ::testing::internal::GetCapturedStderr();
  SetProgressFormat(ProgressFormat::kForPeople);
  EXPECT_THAT(text, ::testing::StartsWith(
                        R"({"event":"progress","step":"verifying","done":3,"total":3,"seconds":0.)"));
  EXPECT_THAT(text, ::testing::EndsWith("\"seconds_left\":0.0}\n"));
}

}  // namespace
}  // namespace micrort::observe
