#include "kernels/gemm/packed_b.h"

#include <gtest/gtest.h>

#include "kernels/base/half.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/support/random.h"

namespace micrort::testing {
namespace {

// A random matrix with columns of `depth` elements.
struct Matrix {
  size_t depth, columns;
  std::vector<uint8_t> bytes;
  std::vector<float> scales;
  std::vector<uint16_t> halves;
  std::vector<int32_t> zero_points;  // 0 or kTurnedInt4
  MatrixB b = {};

  Matrix(DType type, size_t rows, size_t n, int64_t group, bool half_scales = false)
      : depth(rows), columns(n), bytes(rows * n * sizeof(float)), scales(rows * n), zero_points(rows * n) {
    Random random(static_cast<uint32_t>(rows * n));
    random.Fill(bytes, 0, 123);  // as halves, no infinities or NaN
    random.Fill(scales, 0.01, 1);
    const int64_t groups = group == 0 ? 1 : (static_cast<int64_t>(depth) + group - 1) / group;
    random.Fill(zero_points, kTurnedInt4, 0);
    for (const float scale : scales) halves.push_back(FloatToHalf(scale));
    const Int4Grid grid = Int4Grid::Of(half_scales ? nullptr : scales.data(),
                                       half_scales ? halves.data() : nullptr, zero_points.data(), nullptr);
    b = {bytes.data(), type, static_cast<int64_t>(depth), 1, scales.data(), grid, groups, group};
  }
};

// The panels as floats, and blocks of them made from narrow ones.
void ExpectSameFloats(const Matrix& m, size_t nr) {
  const CpuFeatures features = DetectCpuFeatures();
  const PackedB floats(DType::kFloat32, m.depth, nr);
  const PackedB narrow(m.b.type, m.depth, nr, SelectDequantizeWeights(features, nr).id,
                       SelectConvertF32(features).id, m.b.grid.has_half_scales());
  GuardedBuffer<float> wide(floats.bytes(m.columns) / sizeof(float));
  GuardedBuffer<uint8_t> packed(narrow.bytes(m.columns));
  floats.Pack(m.b, m.columns, wide.data());
  narrow.Pack(m.b, m.columns, packed.data());
  EXPECT_TRUE(wide.GuardsIntact() && packed.GuardsIntact());
  EXPECT_LT(packed.size(), wide.size() * sizeof(float) * 9 / 16);
  if (m.b.grid.has_half_scales() && m.depth % 32 == 0) {
    EXPECT_EQ(packed.size(), wide.size() * 9 / 16);  // 4.5 bits
  }
  const size_t panels = (m.columns + nr - 1) / nr;
  for (size_t first = 0; first < m.depth; first += 13) {
    const size_t rows = std::min<size_t>(m.depth - first, 29);
    GuardedBuffer<float> scratch(narrow.scratch_elements(rows));
    for (size_t panel = 0; panel < panels; ++panel) {
      const float* expected = floats.Block(wide.data() + panel * m.depth * nr, first, rows, nullptr);
      const float* found =
          narrow.Block(packed.data() + panel * narrow.panel_bytes(), first, rows, scratch.data());
      for (size_t i = 0; i < rows * nr; ++i) {
        ASSERT_EQ(found[i], expected[i]) << "panel " << panel << " rows " << first << " element " << i;
      }
      EXPECT_TRUE(scratch.GuardsIntact());
    }
  }
}

TEST(PackedB, NarrowPanelsStandForTheSameFloats) {
  for (const DType type : {DType::kFloat16, DType::kInt8, DType::kInt4}) {
    for (const size_t nr : {8, 16, 32}) {
      for (const size_t depth : {16, 70, 160}) {
        for (const size_t columns : {1, 16, 37}) {
          SCOPED_TRACE(::testing::Message() << Name(type) << " " << depth << "x" << columns << " nr " << nr);
          ExpectSameFloats(Matrix(type, depth, columns, type == DType::kInt4 ? 32 : 0), nr);
        }
      }
    }
  }
}

TEST(PackedB, Int4MayHaveLargeGroupsOrNone) {
  ExpectSameFloats(Matrix(DType::kInt4, 160, 20, 64), 8);
  ExpectSameFloats(Matrix(DType::kInt4, 160, 20, 0), 8);
}

TEST(PackedB, Int4MayHaveHalfScales) {
  for (const size_t nr : {8, 16, 32}) {
    for (const size_t depth : {16, 70, 160}) {
      for (const int64_t group : {0, 32, 64})
        ExpectSameFloats(Matrix(DType::kInt4, depth, 37, group, true), nr);
    }
  }
}

TEST(PackedB, HoldsWhatHasWholeRuns) {
  EXPECT_TRUE(PackedB::HoldsNarrow(DType::kInt4, 0));
  EXPECT_TRUE(PackedB::HoldsNarrow(DType::kInt4, 128));
  EXPECT_FALSE(PackedB::HoldsNarrow(DType::kInt4, 16));
  EXPECT_FALSE(PackedB::HoldsNarrow(DType::kFloat32, 0));
}

}  // namespace
}  // namespace micrort::testing
