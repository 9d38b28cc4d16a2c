#include "tools/io/byte_count.h"

#include <gtest/gtest.h>

namespace micrort::io {
namespace {

TEST(ByteCount, ReadsNumbersWithAndWithoutUnits) {
  const std::pair<const char*, uint64_t> cases[] = {
      {"0", 0},          {"215040", 215040},   {"210K", 215040}, {"210k", 215040},
      {"1.5M", 1572864}, {"2GiB", 2147483648}, {"64KB", 65536},  {"10B", 10}};
  for (const auto& [text, expected] : cases) {
    uint64_t bytes = 1;
    EXPECT_TRUE(ParseByteCount(text, &bytes)) << text;
    EXPECT_EQ(bytes, expected) << text;
  }
}

TEST(ByteCount, RefusesEverythingElse) {
  for (const char* text : {"", "-5", "+5", "K", "1.5", "0.0001K", "1e3", "1 K", "1KK", "1.2.3", "0x10", "nan",
                           "99999999999999999999"}) {
    uint64_t bytes = 0;
    EXPECT_FALSE(ParseByteCount(text, &bytes)) << text;
  }
}

}  // namespace
}  // namespace micrort::io
