// Loops on all processors.

#include "converter/threads/each_range.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace micrort::threads {
namespace {

constexpr int64_t kMuchWork = int64_t{1} << 40, kLittleWork = 1;

TEST(ForEachRange, VisitsEachOnce) {
  for (const int64_t work : {kLittleWork, kMuchWork}) {
    for (const size_t n : {0, 1, 2, 7, 1000}) {
      std::vector<int> visits(n);
      ForEachRange(n, work, [&](size_t first, size_t last) {
        for (size_t i = first; i < last; ++i) ++visits[i];
      });
      EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), static_cast<std::ptrdiff_t>(n));
    }
  }
}

TEST(ForEachRange, LittleWorkStaysInOnePiece) {
  size_t calls = 0;
  ForEachRange(1000, kLittleWork, [&](size_t, size_t) { ++calls; });
  EXPECT_EQ(calls, 1u);
}

TEST(ForEachRange, AnExceptionReachesTheCaller) {
  for (const int64_t work : {kLittleWork, kMuchWork}) {
    const auto fail = [&] {
      ForEachRange(1000, work, [](size_t, size_t last) {
        if (last == 1000) throw std::runtime_error("the last one");
      });
    };
    EXPECT_THROW(fail(), std::runtime_error);
  }
}

}  // namespace
}  // namespace micrort::threads
