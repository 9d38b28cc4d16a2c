#include "tools/io/catch_all.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>

#include "tools/io/heap_use.h"

namespace micrort::io {
namespace {

using ::testing::HasSubstr;

int RunsOutOfMemory(int, char**) { throw std::bad_alloc(); }

// The exit code of a program that has been refused so many bytes, and what it says.
int ExitOf(const HeapUse& heap, std::string* message) {
  CurrentHeapUse() = heap;
  ::testing::internal::CaptureStderr();
  const int code = CatchAll("program", RunsOutOfMemory, 0, nullptr);
  *message = ::testing::internal::GetCapturedStderr();
  CurrentHeapUse() = HeapUse();
  return code;
}

TEST(CatchAll, SaysWhoRefusedMemoryAndHowMuch) {
  std::string message;
  HeapUse heap;
  EXPECT_EQ(ExitOf(heap, &message), 1);
  EXPECT_THAT(message, HasSubstr("program: error: the system gives no more memory\n"));
  heap.refused = 123;
  EXPECT_EQ(ExitOf(heap, &message), 1);
  EXPECT_THAT(message, HasSubstr("the system gives no more memory: cannot allocate 123 bytes"));
  heap.over_limit = true;
  heap.limit = 100;
  EXPECT_EQ(ExitOf(heap, &message), 3);
  EXPECT_THAT(message,
              HasSubstr("it takes more than 100 bytes of memory (--max-memory): cannot allocate 123"));
}

}  // namespace
}  // namespace micrort::io
