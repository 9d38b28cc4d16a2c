#include "converter/observe/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  ::testing::internal::CaptureStderr();
  {
    Progress progress("verifying", 3, true);
    for (int i = 0; i < 3; ++i) progress.Advance();
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
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
