#include "converter/observe/progress.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace micrort::observe
