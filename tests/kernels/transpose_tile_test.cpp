#include "kernels/copy/transpose_tile.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/kernels/guarded_buffer.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using testing::GuardedBuffer;
using testing::Random;

// Strides in bytes that are no multiple of the element, and no more memory than the tile.
void CheckTile(const TransposeTileKernel& kernel, size_t src_gap, size_t dst_gap) {
  const size_t row = kernel.tile * kernel.element_bytes;
  const size_t src_stride = row + src_gap;
  const size_t dst_stride = row + dst_gap;
  GuardedBuffer<uint8_t> src((kernel.tile - 1) * src_stride + row);
  GuardedBuffer<uint8_t> dst((kernel.tile - 1) * dst_stride + row, 0x33);
  Random random(1);
  random.Fill(src, 0, 255);
  kernel.run(src.data(), static_cast<ptrdiff_t>(src_stride), dst.data(), static_cast<ptrdiff_t>(dst_stride));
  EXPECT_TRUE(dst.GuardsIntact());
  for (size_t r = 0; r < kernel.tile; ++r) {
    for (size_t c = 0; c < kernel.tile; ++c) {
      const uint8_t* expected = src.data() + c * src_stride + r * kernel.element_bytes;
      const uint8_t* found = dst.data() + r * dst_stride + c * kernel.element_bytes;
      ASSERT_EQ(0, std::memcmp(expected, found, kernel.element_bytes)) << r << ", " << c;
    }
    if (r + 1 == kernel.tile) continue;
    for (size_t gap = 0; gap < dst_gap; ++gap) ASSERT_EQ(0x33, dst[r * dst_stride + row + gap]);
  }
}

TEST(TransposeTile, EveryRow) {
  for (const TransposeTileKernel& kernel : TransposeTileKernels()) {
    if ((kernel.features & DetectCpuFeatures()) != kernel.features) continue;
    SCOPED_TRACE(kernel.name);
    CheckTile(kernel, 0, 0);
    CheckTile(kernel, 3, 5);
    CheckTile(kernel, 64, 0);
  }
}

TEST(TransposeTile, OtherElementSizesHaveNone) {
  EXPECT_EQ(nullptr, SelectTransposeTile(3, ~CpuFeatures{0}));
  EXPECT_NE(nullptr, SelectTransposeTile(4, ~CpuFeatures{0}));
}

}  // namespace
}  // namespace micrort
