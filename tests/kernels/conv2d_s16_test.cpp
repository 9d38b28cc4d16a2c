// Layers of int16 against TensorFlow Lite's arithmetic.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/dwconv/depthwise_s16.h"
#include "kernels/implicit_gemm/implicit_gemm_s16.h"
#include "kernels/layer_s16/direct_s16.h"
#include "kernels/layer_s16/epilogue_s16.h"
#include "tests/kernels/conv2d_case.h"
#include "tests/kernels/int16_model.h"
#include "tests/kernels/run_conv.h"

namespace micrort::testing::conv2d_s16 {
namespace {

struct Int16ConvCase {
  Conv2DParams p;
  std::vector<int16_t> x;
  std::vector<int8_t> weights;
  std::vector<float> scales;
  std::vector<int64_t> wide_bias;
  std::vector<int32_t> bias;
  bool has_bias = true;

  Int16ConvCase(const Conv2DParams& params, uint32_t seed) : p(params) {
    p.types = {};
    p.types.x = p.types.y = DType::kInt16;
    p.types.weights = DType::kInt8;
    p.types.rounding = Rounding::kTflite;
    p.types.x_scale = 0.003f, p.types.y_scale = 0.02f;
    Random random(seed);
    x.resize(static_cast<size_t>(p.batch * p.in_h * p.in_w * p.in_c));
    weights.resize(static_cast<size_t>(p.out_c * p.depth()));
    scales.resize(static_cast<size_t>(p.out_c));
    wide_bias.resize(scales.size());
    bias.resize(scales.size());
    random.Fill(x, INT16_MIN, INT16_MAX);
    random.Fill(weights, -128, 127);
    for (size_t o = 0; o < scales.size(); ++o) {
      scales[o] = static_cast<float>(random.Integer(1, 1000)) * 1e-5f;
      bias[o] = static_cast<int32_t>(random.Integer(-3000000, 3000000));
      wide_bias[o] = bias[o] * int64_t{1000};
    }
  }

  std::vector<int16_t> Expected() const {
    std::vector<int64_t> sums(static_cast<size_t>(p.rows() * p.out_c));
    for (size_t i = 0; i < sums.size() && has_bias; ++i) {
      const size_t o = i % static_cast<size_t>(p.out_c);
      sums[i] = p.types.narrow_sums ? bias[o] : wide_bias[o];
    }
    for (int64_t image = 0; image < p.batch; ++image) {
      for (int64_t ky = 0; ky < p.kernel_h; ++ky) {
        for (int64_t kx = 0; kx < p.kernel_w; ++kx) AddTap(image, ky, kx, &sums);
      }
    }
    std::vector<int16_t> y;
    const auto bound = [&](float v) {
      return std::lround(std::clamp(v / p.types.y_scale, float{INT16_MIN}, float{INT16_MAX}));
    };
    int16_model::Range range;
    if (p.types.activation.kind == ActivationKind::kClip)
      range = {bound(p.types.activation.a), bound(p.types.activation.b)};
    for (size_t i = 0; i < sums.size(); ++i) {
      const float w_scale = scales[i % scales.size()];
      const double product = p.types.float_product
                                 ? static_cast<double>(p.types.x_scale * w_scale)
                                 : static_cast<double>(p.types.x_scale) * static_cast<double>(w_scale);
      const double scale = product / static_cast<double>(p.types.y_scale);
      y.push_back(range.Clamp(p.types.narrow_sums ? int16_model::MultiplyNarrow(sums[i], scale)
                                                  : int16_model::MultiplyWide(sums[i], scale)));
    }
    return y;
  }

  std::vector<int16_t> Run(const Conv2DAlgorithm& algorithm, CpuFeatures features) const {
    ConvWeights w = {};
    w.data = weights.data();
    w.column_stride = p.depth(), w.depth_stride = 1;
    w.scales = scales.data(), w.scale_stride = 1;
    if (has_bias && p.types.narrow_sums) w.bias = bias.data();
    if (has_bias && !p.types.narrow_sums) w.wide_bias = wide_bias.data();
    ConvTensors tensors = {};
    tensors.x = x.data();
    std::vector<int16_t> y(static_cast<size_t>(p.rows() * p.out_c));
    RunConv(p, algorithm, {features, 3}, w, tensors, y);
    return y;
  }

 private:
  // Each pixel on the strided side meets the one on the other side that the tap says.
  void AddTap(int64_t image, int64_t ky, int64_t kx, std::vector<int64_t>* sums) const {
    const int64_t h = p.transposed ? p.in_h : p.out_h, w = p.transposed ? p.in_w : p.out_w;
    for (int64_t sy = 0; sy < h; ++sy) {
      for (int64_t sx = 0; sx < w; ++sx) {
        const int64_t oy = sy * p.stride_h - p.pad_top + ky * p.dilation_h,
                      ox = sx * p.stride_w - p.pad_left + kx * p.dilation_w;
        const bool inside = oy >= 0 && ox >= 0 && oy < (p.transposed ? p.out_h : p.in_h) &&
                            ox < (p.transposed ? p.out_w : p.in_w);
        if (!inside) continue;
        const int64_t in =
            p.transposed ? (image * p.in_h + sy) * p.in_w + sx : (image * p.in_h + oy) * p.in_w + ox;
        const int64_t out =
            p.transposed ? (image * p.out_h + oy) * p.out_w + ox : (image * p.out_h + sy) * p.out_w + sx;
        AddProducts(in * p.in_c, out * p.out_c, ky * p.kernel_w + kx, sums);
      }
    }
  }

  void AddProducts(int64_t in, int64_t out, int64_t tap, std::vector<int64_t>* sums) const {
    const int64_t channels = p.group_channels();
    for (int64_t o = 0; o < p.out_c; ++o) {
      for (int64_t c = 0; c < channels; ++c) {
        const int64_t group = o / p.group_columns();
        (*sums)[static_cast<size_t>(out + o)] +=
            int64_t{x[static_cast<size_t>(in + group * channels + c)]} *
            weights[static_cast<size_t>(o * p.depth() + tap * channels + c)];
      }
    }
  }
};

constexpr const Conv2DAlgorithm* kInt16Algorithms[] = {&kDirectS16, &kImplicitGemmS16, &kDepthwiseS16};

void CheckCase(const Int16ConvCase& c) {
  SCOPED_TRACE(Describe(c.p));
  const std::vector<int16_t> expected = c.Expected();
  for (const Conv2DAlgorithm* algorithm : kInt16Algorithms) {
    if (!algorithm->applicable(c.p)) continue;
    for (const CpuFeatures features : FeatureSets()) {
      ASSERT_EQ(c.Run(*algorithm, features), expected) << algorithm->name(c.p, {features, 3});
    }
  }
}

TEST(Conv2DS16, RandomShapesAreTensorFlowLites) {
  for (uint32_t seed = 0; seed < 120; ++seed) {
    Random random(seed);
    Int16ConvCase c(MakeParams(RandomShape(random)), seed);
    c.p.types.narrow_sums = seed % 3 == 0;
    c.p.types.float_product = seed % 5 == 0;
    c.has_bias = seed % 7 != 0;
    if (seed % 2 == 0) c.p.types.activation = {ActivationKind::kClip, 0, seed % 4 == 0 ? 6.0f : INFINITY};
    CheckCase(c);
  }
}

TEST(Conv2DS16, TransposedIsTensorFlowLites) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Conv2DParams p = MakeParams(RandomShape(random));
    p.transposed = true;
    p.out_h = (p.in_h - 1) * p.stride_h + (p.kernel_h - 1) * p.dilation_h + 2;
    p.out_w = (p.in_w - 1) * p.stride_w + (p.kernel_w - 1) * p.dilation_w + 1;
    CheckCase(Int16ConvCase(p, seed));
  }
}

TEST(Conv2DS16, LongSumsNeedMoreThan32Bits) {
  Int16ConvCase c(MakeParams({2, 1, 1, 5000, 3}), 1);
  std::fill(c.x.begin(), c.x.end(), INT16_MIN);
  std::fill(c.weights.begin(), c.weights.end(), int8_t{-128});
  c.p.types.y_scale = 100.0f;
  CheckCase(c);
}

// Depths around those that 32 bits hold, and columns around a tile's.
TEST(Conv2DS16, DeepLayersAreTensorFlowLites) {
  for (const int64_t channels : {509, 510, 511, 513, 1021, 8160}) {
    Int16ConvCase c(MakeParams({1, 3, 1, channels, 33}), 1);
    std::fill(c.x.begin(), c.x.begin() + channels, INT16_MIN);
    std::fill(c.weights.begin(), c.weights.begin() + channels, int8_t{-128});
    c.p.types.y_scale = 10.0f;
    CheckCase(c);
  }
}

TEST(Conv2DS16, LargeDepthwiseFiltersAreTensorFlowLites) {
  for (const int64_t kernel : {5, 7, 22, 23}) {
    ConvShape shape = {1, 25, 26, 19, 19, kernel};
    shape.pad = kernel / 2, shape.groups = 19;
    Int16ConvCase c(MakeParams(shape), 1);
    std::fill(c.x.begin(), c.x.end(), INT16_MIN);
    CheckCase(c);
  }
}

// Sums that a double may not hold once multiplied.
TEST(Conv2DS16, LargeBiasesAreTensorFlowLites) {
  Int16ConvCase c(MakeParams({1, 5, 5, 8, 8, 3, 1, 1, 1}), 1);
  for (size_t o = 0; o < c.wide_bias.size(); ++o) c.wide_bias[o] = (int64_t{1} << (34 + o)) - 1;
  c.p.types.x_scale = 1e-9f;
  CheckCase(c);
}

TEST(Conv2DS16, AnyBiasIsSafe) {
  for (const Conv2DAlgorithm* algorithm : kInt16Algorithms) {
    ConvShape shape = {1, 1, 1, 2, 2};
    shape.groups = 2;
    Int16ConvCase c(MakeParams(shape), 1);
    c.wide_bias = {INT64_MIN, INT64_MAX};
    const std::vector<int16_t> y = c.Run(*algorithm, kCpuScalar);
    EXPECT_EQ(y[0], INT16_MIN);
    EXPECT_EQ(y[1], INT16_MAX);
    c.p.types.narrow_sums = true;
    c.bias = {INT32_MIN, INT32_MAX};
    c.Run(*algorithm, kCpuScalar);
  }
}

TEST(Conv2DS16, EmptyImagesAreFine) {
  Conv2DParams p = MakeParams({1, 3, 3, 4, 2});
  p.batch = 0;
  for (const CpuFeatures features : FeatureSets()) {
    EXPECT_TRUE(Int16ConvCase(p, 1).Run(kDirectS16, features).empty());
    EXPECT_TRUE(Int16ConvCase(p, 1).Run(kImplicitGemmS16, features).empty());
  }
}

TEST(Conv2DS16, HasNoOtherForms) {
  Int16ConvCase c(MakeParams({1, 1, 1, 4, 2}), 1);
  EXPECT_TRUE(kDirectS16.applicable(c.p));
  EXPECT_TRUE(kImplicitGemmS16.applicable(c.p));
  EXPECT_FALSE(kDepthwiseS16.applicable(c.p));
  c.p.types.activation.kind = ActivationKind::kSigmoid;
  EXPECT_FALSE(kDirectS16.applicable(c.p));
  EXPECT_FALSE(kImplicitGemmS16.applicable(c.p));
  c.p.types.activation.kind = ActivationKind::kNone;
  c.p.in_c = kMaxDepthS16 + 1;
  EXPECT_FALSE(kDirectS16.applicable(c.p));
  EXPECT_FALSE(kDirectS16.applicable(MakeParams({1, 1, 1, 4, 2})));
}

}  // namespace
}  // namespace micrort::testing::conv2d_s16
