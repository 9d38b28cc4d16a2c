#include "tools/io/board.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace micrort::io {
namespace {

using ::testing::HasSubstr;

TEST(Board, TextsTellRamAndCyclesOrWhyNot) {
  Board board;
  EXPECT_TRUE(board.is_empty());
  board.target = "cortex-m4";
  board.arena_bytes = 16384;
  board.ram_bytes = 18048;
  board.file_bytes = 71360;
  EXPECT_EQ(MemoryText(board), "18,048 bytes of RAM (arena 16,384), file 71,360 bytes");
  EXPECT_THAT(CyclesText(board), HasSubstr("not all layers are int8"));
  board.cycles = 11.07e6;
  EXPECT_THAT(CyclesText(board), HasSubstr("about 11.1 million a run on cortex-m4"));
  board.refusal = "too new";
  EXPECT_EQ(MemoryText(board), "its library refuses the file: too new");
  board.target = "cortex-m7";
  EXPECT_THAT(CyclesText(board), HasSubstr("no estimate for cortex-m7"));
  EXPECT_THAT(ElsewhereText(board, "avx2"), HasSubstr("with avx2 kernels"));
}

}  // namespace
}  // namespace micrort::io
