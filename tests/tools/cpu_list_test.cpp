#include "tools/io/cpu_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace micrort::io {
namespace {

TEST(ParseCpuList, ReadsNumbersAndRanges) {
  uint64_t cpus = 1;
  ASSERT_TRUE(ParseCpuList("", &cpus).ok());
  EXPECT_EQ(cpus, 0u);
  ASSERT_TRUE(ParseCpuList("3", &cpus).ok());
  EXPECT_EQ(cpus, 0b1000u);
  ASSERT_TRUE(ParseCpuList("0-2,5,63", &cpus).ok());
  EXPECT_EQ(cpus, uint64_t{0b100111} | uint64_t{1} << 63);
}

TEST(ParseCpuList, SaysWhatItExpected) {
  for (const char* text : {"64", "3-1", "-1", "1,", ",1", "1-", "a", "1 2", "1-2-3", "huge", "99999999999"}) {
    uint64_t cpus = 0;
    const Status status = ParseCpuList(text, &cpus);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(status.message(), ::testing::HasSubstr(std::string("found '") + text + "'"));
  }
}

}  // namespace
}  // namespace micrort::io
