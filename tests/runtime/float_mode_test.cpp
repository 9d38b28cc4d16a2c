// How the CPU computes floats is the caller's choice: an interpreter keeps to it on all its threads and
// leaves it.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/runtime/squares_model.h"
#include "tests/runtime/test_session.h"

namespace micrort::testing {
namespace {

#if defined(__x86_64__)
uint64_t FloatMode() { return __builtin_ia32_stmxcsr() & ~uint64_t{0x3f}; }  // without what has happened
void SetFloatMode(uint64_t mode) { __builtin_ia32_ldmxcsr(static_cast<unsigned>(mode)); }
constexpr uint64_t kFlushToZero = 0x8040;
#elif defined(__aarch64__)
uint64_t FloatMode() {
  uint64_t mode;
  asm volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
}
void SetFloatMode(uint64_t mode) { asm volatile("msr fpcr, %0" : : "r"(mode)); }
constexpr uint64_t kFlushToZero = uint64_t{1} << 24;
#else
#define MICRORT_NO_FLOAT_MODE  // ARMv7's vectors have one
#endif

#ifndef MICRORT_NO_FLOAT_MODE

// All of `expected` where numbers are squared whose squares are too small for a normal float.
void ExpectTinySquares(float expected) {
  InterpreterOptions options = RealOps();
  options.threads = 3;
  TestSession session(Squares(), options);
  ASSERT_TRUE(session.status().ok()) << session.status().message();
  std::fill_n(session->input(0).as<float>(), kSquares, 0x1p-70f);
  const uint64_t before = FloatMode();
  ASSERT_TRUE(session->Run().ok());
  EXPECT_EQ(FloatMode(), before);
  const float* const y = session->output(0).as<float>();
  EXPECT_EQ(std::count(y, y + kSquares, expected), static_cast<std::ptrdiff_t>(kSquares));
}

TEST(FloatMode, SubnormalNumbersAreComputed) { ExpectTinySquares(0x1p-140f); }

TEST(FloatMode, FlushingToZeroReachesThreadsOfInterpretersMadeUnderIt) {
  const uint64_t before = FloatMode();
  SetFloatMode(before | kFlushToZero);
  ExpectTinySquares(0.0f);
  SetFloatMode(before);
}

#endif

}  // namespace
}  // namespace micrort::testing
