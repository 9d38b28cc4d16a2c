// Products of int4 weights and floats that are quantized in groups, against plain loops: the same bits on
// every instruction set.

#include "kernels/int4_gemm/int4_gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/base/checked_math.h"
#include "kernels/base/half.h"
#include "kernels/base/int4.h"
#include "tests/kernels/conv2d_case.h"
#include "tests/kernels/run_conv.h"

namespace micrort::testing::int4_gemm {
namespace {

struct Sizes {
  int64_t rows, depth, columns;
  int32_t group;
  bool half_scales = false, zero_points = false;
  bool turned = false;  // zero points are 0 or kTurnedInt4, which layers do not count as such
};

struct Case {
  Conv2DParams p;
  int64_t group, groups;
  std::vector<float> x, scales, bias, residual;
  std::vector<uint8_t> weights;
  std::vector<int32_t> zero_points;
  bool has_residual = false, has_zero_points;

  explicit Case(const Sizes& s)
      : p(MakeParams({s.rows, 1, 1, s.depth, s.columns})), has_zero_points(s.zero_points || s.turned) {
    p.types.weights = DType::kInt4;
    p.types.grouped = true;
    p.types.weight_group = s.group;
    p.types.half_scales = s.half_scales;
    p.types.asymmetric = s.zero_points;
    group = s.group == 0 ? s.depth : s.group;
    groups = CeilDiv(s.depth, group);
    x.resize(static_cast<size_t>(s.rows * s.depth));
    weights.resize(static_cast<size_t>(s.columns * s.depth / 2));
    scales.resize(static_cast<size_t>(s.columns * groups));
    zero_points.resize(scales.size());
    bias.resize(static_cast<size_t>(s.columns));
    residual.resize(static_cast<size_t>(s.rows * s.columns));
    Random random(5);
    random.Fill(x, -2, 3);
    random.Fill(weights, 0, 255);
    random.Fill(scales, 0.001, 0.01);
    random.Fill(zero_points, s.turned ? kTurnedInt4 : -8, s.turned ? 0 : 7);
    random.Fill(bias, -1, 1);
    random.Fill(residual, -1, 1);
    for (float& scale : scales) scale = s.half_scales ? HalfToFloat(FloatToHalf(scale)) : scale;
  }

  // Of a row's element within its group, and the group's scale.
  struct Group {
    float scale;
    std::vector<int32_t> integers;
  };
  Group Quantize(int64_t row, int64_t g) const {
    const auto begin = x.begin() + row * p.in_c + g * group;
    const auto end = x.begin() + row * p.in_c + std::min(p.in_c, (g + 1) * group);
    float largest = 0;
    for (auto v = begin; v != end; ++v) largest = std::fabs(*v) > largest ? std::fabs(*v) : largest;
    const bool usable = std::isfinite(largest) && largest / 127.0f >= std::numeric_limits<float>::min();
    Group result = {usable ? largest / 127.0f : 1.0f, {}};
    for (auto v = begin; v != end; ++v) {
      const float rounded = std::min(127.0f, std::max(-128.0f, std::nearbyint(*v / result.scale)));
      result.integers.push_back(std::isnan(*v) ? -128 : static_cast<int32_t>(rounded));
    }
    return result;
  }

  float Sum(int64_t row, int64_t column) const {
    float total = 0;
    for (int64_t g = 0; g < groups; ++g) {
      const Group a = Quantize(row, g);
      const auto at = static_cast<size_t>(column * groups + g);
      int32_t sum = 0;
      for (size_t i = 0; i < a.integers.size(); ++i) {
        const int weight = ReadInt4(weights.data(), column * p.in_c + g * group + static_cast<int64_t>(i));
        sum += a.integers[i] * (weight - (has_zero_points ? zero_points[at] : 0));
      }
      const float scaled = static_cast<float>(sum) * scales[at];
      total += scaled * a.scale;
    }
    return total;
  }

  std::vector<float> Expected() const {
    std::vector<float> y(residual.size());
    for (size_t i = 0; i < y.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      y[i] = Sum(at / p.out_c, at % p.out_c) + bias[i % bias.size()];
      if (has_residual) y[i] += residual[i];
      y[i] = std::min(std::max(y[i], p.types.activation.lo()), p.types.activation.hi());
    }
    return y;
  }

  // As a file holds it.
  struct Stored {
    std::vector<uint16_t> halves;
    std::vector<uint8_t> zero_points;
  };
  Int4Grid GridIn(Stored* stored) const {
    if (!p.types.half_scales)
      return Int4Grid::Of(scales.data(), nullptr, has_zero_points ? zero_points.data() : nullptr, nullptr);
    for (const float scale : scales) stored->halves.push_back(FloatToHalf(scale));
    stored->zero_points.resize((zero_points.size() + 1) / 2);
    for (size_t i = 0; i < zero_points.size(); ++i) {
      uint8_t& byte = stored->zero_points[i / 2];
      byte = static_cast<uint8_t>(byte | (zero_points[i] & 15) << (i % 2 * 4));
    }
    return Int4Grid::Of(nullptr, stored->halves.data(), nullptr,
                        has_zero_points ? stored->zero_points.data() : nullptr);
  }

  std::vector<float> Run(CpuFeatures features, int workers) const {
    Stored stored;
    std::vector<float> y = residual;
    ConvTensors tensors = {};
    tensors.x = x.data();
    tensors.bias = bias.data();
    tensors.residual = has_residual ? y.data() : nullptr;
    const ConvWeights w = {weights.data(),      p.in_c, 1, nullptr, GridIn(&stored), groups, nullptr, nullptr,
                           p.types.weight_group};
    EXPECT_TRUE(kInt4Gemm.applicable(p));
    RunConv(p, kInt4Gemm, {features, workers}, w, tensors, y);
    return y;
  }

  void Check() const {
    const std::vector<float> expected = Expected();
    for (const CpuFeatures features : FeatureSets()) {
      for (const int workers : {1, 3})
        EXPECT_EQ(Run(features, workers), expected) << kInt4Gemm.name(p, {features, 1}) << ", " << workers;
    }
  }
};

TEST(Int4Gemm, RowsOfAnyNumber) {
  for (int64_t rows = 1; rows <= 6; ++rows) Case({rows, 192, 37, 32}).Check();
  for (int64_t rows = 7; rows <= 15; ++rows) Case({rows, 64, 17, 32}).Check();
  Case({70, 96, 65, 32}).Check();
  Case({150, 64, 20, 64}).Check();
}

TEST(Int4Gemm, GroupsOfAnyLengthThatIsAMultipleOfAChunk) {
  for (const int32_t group : {0, 32, 64, 96, 128}) {
    for (const int64_t depth : {2, 20, 64, 70, 130, 320}) Case({3, depth, 19, group}).Check();
  }
}

TEST(Int4Gemm, ZeroPointsAndHalfScales) {
  for (const int32_t group : {32, 64, 128}) {
    for (const bool half : {false, true}) {
      for (const bool zero_points : {false, true}) {
        Case({1, 384, 40, group, half, zero_points}).Check();
        Case({5, 200, 33, group, half, zero_points}).Check();
        Case({14, 200, 33, group, half, zero_points}).Check();
        Case({23, 130, 16, group, half, zero_points}).Check();
      }
    }
  }
}

TEST(Int4Gemm, ZeroPointsThatTurnWeightsNeedNoPlace) {
  Case({5, 200, 33, 32, false, false, true}).Check();
  Case({1, 192, 64, 64, true, false, true}).Check();
}

TEST(Int4Gemm, ResidualAndClamp) {
  Case c({5, 160, 50, 32});
  c.has_residual = true;
  c.p.types.activation = {ActivationKind::kClip, -0.5f, 0.75f};
  c.Check();
}

TEST(Int4Gemm, OtherActivations) {
  Case c({3, 96, 50, 32});
  std::vector<float> expected = c.Expected();
  for (float& y : expected) y = y / (1 + std::exp(-y));
  c.p.types.activation = {ActivationKind::kSilu, 0, 0};
  for (const CpuFeatures features : FeatureSets()) {
    const std::vector<float> found = c.Run(features, 2);
    for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5f);
  }
}

// The largest products, of one sign and of both, and numbers that int8 has no place for.
TEST(Int4Gemm, DoesNotSaturate) {
  for (const int byte : {0x00, 0x77, 0x88, 0xff, 0x78}) {
    for (const float x :
         {1.0f, -1.0f, std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
      for (const int32_t zero_point : {-8, 7}) {
        Case c({7, 256, 33, 128, false, true});
        std::fill(c.x.begin(), c.x.end(), x);
        std::fill(c.weights.begin(), c.weights.end(), static_cast<uint8_t>(byte));
        std::fill(c.zero_points.begin(), c.zero_points.end(), zero_point);
        c.Check();
      }
    }
  }
}

TEST(Int4Gemm, TakesItsBitsAndItsScales) {
  for (const CpuFeatures features : FeatureSets()) {
    const Conv2DParams floats = Case({1, 768, 768, 32}).p, halves = Case({1, 768, 768, 32, true}).p;
    const double weights = 768 * 768;
    EXPECT_EQ(static_cast<double>(kInt4Gemm.packed_bytes(floats, {features, 1})) * 8 / weights, 5.0);
    EXPECT_EQ(static_cast<double>(kInt4Gemm.packed_bytes(halves, {features, 1})) * 8 / weights, 4.5);
    const Conv2DParams zero_points = Case({1, 768, 768, 32, true, true}).p;
    EXPECT_EQ(static_cast<double>(kInt4Gemm.packed_bytes(zero_points, {features, 1})) * 8 / weights, 4.625);
  }
}

TEST(Int4Gemm, LeavesOtherLayersToOthers) {
  Case c({4, 64, 8, 32});
  c.p.types.weight_group = 16;
  EXPECT_FALSE(kInt4Gemm.applicable(c.p));
  Conv2DParams filter = MakeParams({1, 4, 4, 64, 8, 3});
  filter.types = Case({4, 64, 8, 32}).p.types;
  EXPECT_FALSE(kInt4Gemm.applicable(filter));
  for (const Conv2DAlgorithm* algorithm : BuiltAlgorithms()) {
    EXPECT_EQ(algorithm->applicable(Case({4, 64, 8, 32}).p), algorithm == &kInt4Gemm);
  }
}

}  // namespace
}  // namespace micrort::testing::int4_gemm
