#include "converter/emit/aligned_bytes.h"

#include <gtest/gtest.h>

#include <utility>

namespace micrort {
namespace {

bool IsAligned(const AlignedBytes& bytes) {
  return reinterpret_cast<uintptr_t>(bytes.data()) % kAlignment == 0;
}

TEST(AlignedBytes, BeginAsZerosAtAnAlignedAddress) {
  for (const size_t size : {1, 63, 64, 1000}) {
    const AlignedBytes bytes(size);
    ASSERT_EQ(bytes.size(), size);
    EXPECT_TRUE(IsAligned(bytes));
    for (const uint8_t byte : bytes) EXPECT_EQ(byte, 0);
  }
}

TEST(AlignedBytes, CopiesHoldTheSameBytesElsewhere) {
  const uint8_t source[] = {1, 2, 3};
  const AlignedBytes bytes(source, sizeof(source));
  AlignedBytes copy = bytes;
  EXPECT_TRUE(IsAligned(copy));
  EXPECT_EQ(copy, bytes);
  copy[1] = 7;
  EXPECT_NE(copy, bytes);
  EXPECT_EQ(bytes[1], 2);
  copy = bytes;
  EXPECT_EQ(copy, bytes);
}

TEST(AlignedBytes, MovesLeaveNothing) {
  AlignedBytes bytes(5);
  const uint8_t* address = bytes.data();
  AlignedBytes moved = std::move(bytes);
  EXPECT_EQ(moved.data(), address);
  EXPECT_EQ(moved.size(), 5u);
  EXPECT_TRUE(bytes.empty());  // NOLINT(bugprone-use-after-move)
}

TEST(AlignedBytes, TruncateKeepsTheFirstBytes) {
  const uint8_t source[] = {1, 2, 3};
  AlignedBytes bytes(source, sizeof(source));
  bytes.Truncate(2);
  EXPECT_EQ(bytes, AlignedBytes(source, 2));
}

TEST(AlignedBytes, NoneHasNoMemory) {
  EXPECT_EQ(AlignedBytes().data(), nullptr);
  EXPECT_EQ(AlignedBytes(0).data(), nullptr);
  EXPECT_EQ(AlignedBytes(nullptr, 0), AlignedBytes());
}

}  // namespace
}  // namespace micrort
