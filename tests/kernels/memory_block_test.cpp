#include "kernels/base/memory_block.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace micrort::test::memory_block {
namespace {

constexpr size_t kBytes = 1 << 14;

struct Piece {
  uint8_t* data;
  size_t bytes;
  uint8_t filling;

  bool IsWhole() const {
    for (size_t i = 0; i < bytes; ++i) {
      if (data[i] != filling) return false;
    }
    return true;
  }
};

// Takes and gives pieces, always the same ones; false if there was no room for one.
bool TakeAndGive(MemoryBlock* block, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Piece> pieces;
  for (int i = 0; i < 400; ++i) {
    if (!pieces.empty() && random() % 2 == 0) {
      const size_t at = random() % pieces.size();
      EXPECT_TRUE(pieces[at].IsWhole()) << "seed " << seed << ", piece " << at;
      MemoryBlock::Give(pieces[at].data);
      pieces.erase(pieces.begin() + static_cast<ptrdiff_t>(at));
      continue;
    }
    const size_t bytes = random() % 200, alignment = size_t{1} << random() % 7;
    auto* const data = static_cast<uint8_t*>(block->Allocate(bytes, alignment));
    if (data == nullptr) return false;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % alignment, 0u);
    pieces.push_back({data, bytes, static_cast<uint8_t>(random())});
    std::memset(data, pieces.back().filling, bytes);
  }
  for (const Piece& piece : pieces) EXPECT_TRUE(piece.IsWhole()) << "seed " << seed;
  return true;
}

TEST(MemoryBlock, PeakIsWhatTheSameCallsNeedToTheByte) {
  alignas(64) static uint8_t memory[kBytes];
  for (unsigned seed = 1; seed <= 20; ++seed) {
    MemoryBlock large(memory, kBytes);
    ASSERT_TRUE(TakeAndGive(&large, seed));
    const size_t peak = large.peak_bytes();
    ASSERT_LT(peak, kBytes);
    MemoryBlock exact(memory, peak);
    EXPECT_TRUE(TakeAndGive(&exact, seed)) << "seed " << seed;
    EXPECT_EQ(exact.peak_bytes(), peak);
    MemoryBlock small(memory, peak - 1);
    EXPECT_FALSE(TakeAndGive(&small, seed)) << "seed " << seed;
  }
}

TEST(MemoryBlock, WhatIsGivenBackIsTakenAgain) {
  alignas(64) static uint8_t memory[kBytes];
  MemoryBlock block(memory, kBytes);
  void* const first = block.Allocate(100, 8);
  void* const second = block.Allocate(100, 8);
  const size_t used = block.used_bytes();
  MemoryBlock::Give(first);
  MemoryBlock::Give(second);
  EXPECT_EQ(block.used_bytes(), 0u);
  // Both together, from where they were.
  EXPECT_EQ(block.Allocate(200, 8), first);
  EXPECT_LE(block.used_bytes(), used);
  EXPECT_EQ(block.peak_bytes(), used);
}

TEST(MemoryBlock, HasNoRoomWhereThereIsNoMemory) {
  EXPECT_EQ(MemoryBlock(nullptr, 100).Allocate(1, 1), nullptr);
  alignas(64) uint8_t memory[256];
  EXPECT_EQ(MemoryBlock(memory, 8).Allocate(1, 1), nullptr);
  EXPECT_EQ(MemoryBlock(memory, sizeof memory).Allocate(SIZE_MAX, 1), nullptr);
  EXPECT_EQ(MemoryBlock(memory, sizeof memory).Allocate(sizeof memory, 1), nullptr);
}

TEST(MemoryBlock, IsInForceAsLongAsItsUse) {
  alignas(64) uint8_t memory[256];
  MemoryBlock block(memory, sizeof memory);
  EXPECT_EQ(MemoryBlock::Take(8, 8), nullptr);
  {
    UseBlock use(&block);
    EXPECT_NE(MemoryBlock::Take(8, 8), nullptr);
  }
  EXPECT_EQ(MemoryBlock::Take(8, 8), nullptr);
}

}  // namespace
}  // namespace micrort::test::memory_block
