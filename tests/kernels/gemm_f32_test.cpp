#include "kernels/gemm/gemm_f32.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/base/half.h"
#include "kernels/gemm/gemm_f32_rows.h"
#include "kernels/gemm/half_row_f32.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/kernels/infinity.h"
#include "tests/support/random.h"

namespace micrort::testing {
namespace {

// Every micro-kernel that this CPU runs.
class GemmF32Test : public ::testing::TestWithParam<GemmF32Kernel> {
 protected:
  void SetUp() override {
    if ((GetParam().features & DetectCpuFeatures()) != GetParam().features) GTEST_SKIP() << "not on this CPU";
  }
};
INSTANTIATE_TEST_SUITE_P(Rows, GemmF32Test,
                         ::testing::ValuesIn(GemmF32Kernels().begin(), GemmF32Kernels().end()),
                         [](const auto& info) { return std::string(info.param.name); });

// Operands of one tile whose rows of A and C are apart.
struct TileCase {
  static constexpr size_t kTaps = 2, kChannels = 5, kOffset = 3;
  const GemmF32Kernel& kernel;
  size_t m, n, c_stride;
  std::vector<float> a, b, bias;
  std::vector<const float*> pointers;
  GuardedBuffer<float> c;

  TileCase(const GemmF32Kernel& k, size_t rows, size_t columns)
      : kernel(k),
        m(rows),
        n(columns),
        c_stride(columns + 3),
        a(kTaps * k.mr * 20),
        b(kTaps * kChannels * k.nr * GemmF32RowPanels(k)),
        bias(columns),
        pointers(kTaps * k.mr),
        c((rows - 1) * c_stride + columns) {
    Random random(static_cast<uint32_t>(rows * 100 + columns));
    random.Fill(a, -1, 1);
    random.Fill(b, -1, 1);
    random.Fill(bias, -1, 1);
    random.Fill(c, -1, 1);
    for (size_t i = 0; i < pointers.size(); ++i) {
      const size_t row = i % k.mr < m ? i : i - i % k.mr;  // rows that do not exist repeat the first
      pointers[i] = a.data() + row * 20;
    }
  }

  GemmF32Tile Tile() {
    GemmF32Tile t = {};
    t.m = m, t.n = n, t.taps = kTaps, t.channels = kChannels;
    t.a = pointers.data(), t.a_offset = kOffset, t.b = b.data();
    t.panel_stride = kTaps * kChannels * kernel.nr;
    t.c = c.data(), t.c_stride = c_stride;
    t.lo = -kInfinity, t.hi = kInfinity;
    return t;
  }
  double Sum(size_t i, size_t j) const {
    const float* panel = b.data() + j / kernel.nr * kTaps * kChannels * kernel.nr;
    double sum = 0;
    for (size_t k = 0; k < kTaps * kChannels; ++k) {
      const float* row = pointers[k / kChannels * kernel.mr + i] + kOffset;
      sum +=
          static_cast<double>(row[k % kChannels]) * static_cast<double>(panel[k * kernel.nr + j % kernel.nr]);
    }
    return sum;
  }
};

TEST_P(GemmF32Test, WritesExactlyItsTile) {
  for (size_t m = 1; m <= GetParam().mr; ++m) {
    for (size_t n = 1; n <= GetParam().nr; ++n) {
      TileCase tile(GetParam(), m, n);
      const std::vector<float> before(tile.c.begin(), tile.c.end());
      GetParam().run(tile.Tile());
      EXPECT_TRUE(tile.c.GuardsIntact());
      for (size_t at = 0; at < tile.c.size(); ++at) {
        const size_t i = at / tile.c_stride, j = at % tile.c_stride;
        if (j < n) {
          EXPECT_NEAR(tile.c[at], tile.Sum(i, j), 1e-5) << m << "x" << n << " at " << i << ", " << j;
        } else {
          EXPECT_EQ(tile.c[at], before[at]) << "between the rows of " << m << "x" << n;
        }
      }
    }
  }
}

TEST_P(GemmF32Test, OneRowOfSeveralPanelsHasTheBitsOfEachAlone) {
  const size_t nr = GetParam().nr, n = GemmF32RowPanels(GetParam()) * nr;
  TileCase tile(GetParam(), 1, n);
  GemmF32Tile t = tile.Tile();
  t.bias = tile.bias.data();
  std::vector<float> alone(n);
  for (size_t j = 0; j < n; j += nr) {
    GemmF32Tile part = t;
    part.n = nr, part.b += j * TileCase::kTaps * TileCase::kChannels, part.bias += j,
    part.c = alone.data() + j;
    GetParam().run(part);
  }
  GetParam().run(t);
  EXPECT_TRUE(tile.c.GuardsIntact());
  EXPECT_EQ(std::vector<float>(tile.c.begin(), tile.c.end()), alone);
  EXPECT_NEAR(alone[n - 1], tile.Sum(0, n - 1) + static_cast<double>(tile.bias[n - 1]), 1e-5);
}

TEST_P(GemmF32Test, StartsFromItsOwnOutputThenAddsBiasThenClamps) {
  for (const size_t n : {GetParam().nr, GetParam().nr - 1}) {
    TileCase tile(GetParam(), GetParam().mr, n);
    const std::vector<float> before(tile.c.begin(), tile.c.end());
    GemmF32Tile t = tile.Tile();
    t.start = t.c, t.start_stride = t.c_stride;
    t.bias = tile.bias.data();
    t.lo = -0.5f, t.hi = 0.25f;
    t.m = GetParam().mr;
    GetParam().run(t);
    for (size_t i = 0; i < t.m; ++i) {
      for (size_t j = 0; j < n; ++j) {
        const size_t at = i * tile.c_stride + j;
        const double v = static_cast<double>(before[at]) + tile.Sum(i, j) + static_cast<double>(tile.bias[j]);
        EXPECT_NEAR(tile.c[at], std::fmin(0.25, std::fmax(-0.5, v)), 1e-5);
      }
    }
  }
}

// Rows of several tiles, each of rows from anywhere in one.
void ExpectBitsOfTiles(const GemmF32Kernel& kernel, size_t m, size_t n, bool started) {
  TileCase data(kernel, kernel.mr, n);
  const size_t tiles = (m + kernel.mr - 1) / kernel.mr, step = data.pointers.size();
  Random random(static_cast<uint32_t>(m));
  std::vector<const float*> pointers;
  for (size_t i = 0; i < tiles * step; ++i) {
    pointers.push_back(data.pointers[static_cast<size_t>(random.Integer(0, static_cast<int64_t>(step) - 1))]);
  }
  std::vector<float> start(m * data.c_stride);
  random.Fill(start, -1, 1);
  GuardedBuffer<float> expected((m - 1) * data.c_stride + n, 7.0f), found(expected.size(), 7.0f);
  GemmF32Tile t = data.Tile();
  t.m = m, t.a = pointers.data(), t.a_step = step, t.bias = data.bias.data();
  t.start = started ? start.data() : nullptr, t.start_stride = data.c_stride;
  for (size_t tile = 0; tile < tiles; ++tile) {
    GemmF32Tile one = t;
    const size_t row = tile * kernel.mr;
    one.m = std::min(m - row, kernel.mr), one.a += tile * step;
    one.c = expected.data() + row * data.c_stride;
    if (started) one.start += row * data.c_stride;
    kernel.run(one);
  }
  t.c = found.data();
  RunGemmF32Rows(kernel, &t);
  EXPECT_TRUE(found.GuardsIntact());
  EXPECT_EQ(std::vector<float>(found.begin(), found.end()),
            std::vector<float>(expected.begin(), expected.end()));
}

TEST_P(GemmF32Test, AnyNumberOfRowsHasTheBitsOfItsTiles) {
  const size_t mr = GetParam().mr, nr = GetParam().nr;
  for (size_t m = 1; m <= 4 * mr + 1; ++m) {
    for (const size_t n : {nr, nr - 1, nr / 2}) {
      SCOPED_TRACE(::testing::Message() << m << "x" << n);
      ExpectBitsOfTiles(GetParam(), m, n, false);
      ExpectBitsOfTiles(GetParam(), m, n, true);
    }
  }
}

TEST_P(GemmF32Test, NanPassesTheClamp) {
  TileCase tile(GetParam(), GetParam().mr, GetParam().nr);
  tile.a[TileCase::kOffset] = std::numeric_limits<float>::quiet_NaN();
  GemmF32Tile t = tile.Tile();
  t.lo = 0.0f, t.hi = 6.0f;
  GetParam().run(t);
  EXPECT_TRUE(std::isnan(tile.c[0]));
  EXPECT_FALSE(std::isnan(tile.c[tile.c_stride]));
}

TEST_P(GemmF32Test, OneRowByHalvesHasTheBitsOfTheSameFloats) {
  const HalfRowF32Fn run = HalfRowF32Of(GetParam());
  if (run == nullptr) GTEST_SKIP() << "reads floats alone";
  const size_t nr = GetParam().nr, whole = nr * GemmF32RowPanels(GetParam());
  std::vector<size_t> columns = {whole};
  for (size_t n = 1; n <= nr; ++n) columns.push_back(n);
  for (const size_t n : columns) {
    TileCase tile(GetParam(), 1, n);
    GuardedBuffer<uint16_t> halves(tile.b.size());
    for (size_t i = 0; i < halves.size(); ++i) {
      halves[i] = FloatToHalf(tile.b[i]);
      tile.b[i] = HalfToFloat(halves[i]);
    }
    GemmF32Tile of_floats = tile.Tile();
    of_floats.bias = tile.bias.data(), of_floats.lo = -1.5f;
    of_floats.start = tile.c.data(), of_floats.start_stride = tile.c_stride;
    const std::vector<float> start(tile.c.begin(), tile.c.end());
    GetParam().run(of_floats);
    const std::vector<float> expected(tile.c.begin(), tile.c.end());
    std::copy(start.begin(), start.end(), tile.c.begin());
    GemmF32Tile of_halves = of_floats;
    of_halves.b = nullptr;
    run(of_halves, halves.data());
    EXPECT_TRUE(tile.c.GuardsIntact());
    EXPECT_EQ(std::vector<float>(tile.c.begin(), tile.c.end()), expected) << n;
  }
}

TEST(HalfRowF32, OfVectorsOfX86AreThere) {
  for (const GemmF32Kernel& kernel : GemmF32Kernels()) {
    const std::string name = kernel.name;
    if (name.rfind("avx", 0) == 0) {
      EXPECT_NE(HalfRowF32Of(kernel), nullptr) << name;
    }
  }
}

}  // namespace
}  // namespace micrort::testing
