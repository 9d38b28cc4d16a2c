// The loops for cores that execute in order have the bits of those that other cores run, on every core.

#if defined(__aarch64__)

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "arm/dotprod/gemm_s8_in_order.h"
#include "arm/neon/gemm_f32_in_order.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/support/random.h"

namespace micrort::testing {
namespace {

constexpr size_t kMr = 6, kNr = 16;

struct FloatCase {
  static constexpr size_t kTaps = 2, kOffset = 3, kStride = kNr + 5;
  size_t m, channels, tiles;
  std::vector<float> rows, panel, bias, start;
  std::vector<const float*> pointers;

  FloatCase(size_t rows_of_case, size_t of_tap)
      : m(rows_of_case),
        channels(of_tap),
        tiles((m + kMr - 1) / kMr),
        rows(tiles * kMr * kTaps * (channels + kOffset)),
        panel(kTaps * channels * kNr),
        bias(kNr),
        start(m * kStride) {
    Random random(static_cast<uint32_t>(m * 100 + channels));
    random.Fill(rows, -1, 1);
    random.Fill(panel, -1, 1);
    random.Fill(bias, -1, 1);
    random.Fill(start, -1, 1);
    for (size_t i = 0; i < tiles * kTaps * kMr; ++i) {
      pointers.push_back(rows.data() + i * (channels + kOffset));
    }
  }

  GemmF32Tile Tile(float* c, bool with_bias, bool with_start) const {
    GemmF32Tile t = {};
    t.m = m, t.n = kNr, t.taps = kTaps, t.channels = channels;
    t.a = pointers.data(), t.a_offset = kOffset, t.a_step = kTaps * kMr;
    t.b = panel.data(), t.c = c, t.c_stride = kStride;
    if (with_bias) t.bias = bias.data();
    if (with_start) t.start = start.data(), t.start_stride = kStride;
    t.lo = -1, t.hi = 1;
    return t;
  }
};

void ExpectSameFloats(const FloatCase& data, bool with_bias, bool with_start) {
  GuardedBuffer<float> expected((data.m - 1) * FloatCase::kStride + kNr, 7.0f);
  GuardedBuffer<float> found(expected.size(), 7.0f);
  const size_t done = GemmF32InOrder(data.Tile(found.data(), with_bias, with_start));
  const bool partial = data.m % kGemmF32InOrderRows > kMr;
  EXPECT_EQ(done, data.m / 12 * 12 + (partial && !with_start ? data.m % 12 : 0));
  for (size_t i = 0; i < done; i += kMr) {
    GemmF32Tile t = data.Tile(expected.data() + i * FloatCase::kStride, with_bias, with_start);
    t.m = std::min(done - i, kMr);
    t.a += i * FloatCase::kTaps;
    if (with_start) t.start += i * FloatCase::kStride;
    GemmF32_neon_6x16(t);
  }
  EXPECT_TRUE(found.GuardsIntact());
  EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(float)), 0);
}

TEST(GemmInOrder, FloatsHaveTheBitsOfTheOtherLoop) {
  for (size_t m = 7; m <= 31; ++m) {
    for (const size_t channels : {1, 2, 3, 4, 5, 8, 11}) {
      const FloatCase data(m, channels);
      for (const bool with_bias : {false, true}) {
        for (const bool with_start : {false, true}) {
          SCOPED_TRACE(::testing::Message() << m << " rows, " << channels << " channels, bias " << with_bias
                                            << ", start " << with_start);
          ExpectSameFloats(data, with_bias, with_start);
        }
      }
    }
  }
}

struct Int8Case {
  static constexpr size_t kStride = kNr + 3;
  size_t m, depth;
  std::vector<int8_t> rows, panel;
  std::vector<int32_t> bias;
  std::vector<float> multipliers;

  Int8Case(size_t rows_of_case, size_t steps)
      : m(rows_of_case), depth(steps), rows(m * depth), panel(depth * kNr), bias(kNr), multipliers(kNr) {
    Random random(static_cast<uint32_t>(m * 100 + depth));
    random.Fill(rows, -128, 127);
    random.Fill(panel, -128, 127);
    random.Fill(bias, -1000, 1000);
    random.Fill(multipliers, 0.0001, 0.01);
  }

  GemmS8Output Output(int8_t* y) const { return {y, kStride, bias.data(), multipliers.data(), -5, -100, 90}; }
  GemmS8Block Block(size_t first, size_t count, int32_t* sums) const {
    return {count, kNr, depth, rows.data() + first * depth, depth, panel.data(), sums};
  }
};

void ExpectSameSums(const Int8Case& data) {
  const size_t size = (data.m + kMr - 1) / kMr * kMr * kNr;
  GuardedBuffer<int32_t> expected(size), found(size);
  const size_t done = GemmS8InOrder(data.Block(0, data.m, found.data()));
  EXPECT_EQ(done, data.m % 12 > kMr ? data.m : data.m / 12 * 12);
  for (size_t i = 0; i < done; i += kMr) {
    GemmS8_dotprod_6x16(data.Block(i, std::min(done - i, kMr), expected.data() + i * kNr));
  }
  EXPECT_TRUE(found.GuardsIntact());
  EXPECT_EQ(std::memcmp(found.data(), expected.data(), done * kNr * sizeof(int32_t)), 0);
}

void ExpectSameOutputs(const Int8Case& data) {
  GuardedBuffer<int8_t> expected((data.m - 1) * Int8Case::kStride + kNr, 7), found(expected.size(), 7);
  bool written = false;
  GemmS8Output output = data.Output(found.data());
  GemmS8Block block = data.Block(0, data.m, nullptr);
  block.output = &output;
  const size_t done = GemmS8InOrder(block);
  for (size_t i = 0; i < done; i += kMr) {
    output.y = expected.data() + i * Int8Case::kStride;
    GemmS8Block tile = data.Block(i, std::min(done - i, kMr), nullptr);
    tile.output = &output;
    tile.written = &written;
    GemmS8_dotprod_6x16(tile);
  }
  EXPECT_TRUE(found.GuardsIntact());
  EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size()), 0);
}

TEST(GemmInOrder, Int8HasTheBitsOfTheOtherLoop) {
  if ((DetectCpuFeatures() & kCpuDotProd) == 0) GTEST_SKIP() << "not on this CPU";
  for (size_t m = 7; m <= 31; ++m) {
    for (const size_t depth : {4, 8, 12, 16, 20, 44}) {
      SCOPED_TRACE(::testing::Message() << m << " rows, depth " << depth);
      const Int8Case data(m, depth);
      ExpectSameSums(data);
      ExpectSameOutputs(data);
    }
  }
}

}  // namespace
}  // namespace micrort::testing

#endif
