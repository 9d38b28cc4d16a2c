// Custom operators of MediaPipe's models.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/converter/tflite_refusals.h"
#include "tests/support/random.h"

namespace micrort::testing::mediapipe {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

auto IsNear(const Floats& expected) { return Pointwise(FloatNear(1e-5f), expected); }

Floats Numbers(size_t n, uint32_t seed) {
  Random random(seed);
  Floats values(n);
  for (float& v : values) v = random.Float(-1, 1);
  return values;
}

std::vector<uint8_t> Plain(const std::vector<int32_t>& numbers) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(numbers.data());
  return {bytes, bytes + numbers.size() * sizeof(int32_t)};
}

constexpr int kSame = 1, kValid = 2;

// [1,h,w,1] by a filter of 3x3, stride 2.
Floats Transposed(const Floats& x, int h, int w, const Floats& filter, float bias, bool same, int* oh,
                  int* ow) {
  const auto cut = [&](int n) { return same ? std::max(0, 3 - (n - 1) % 2 - 1) : 0; };
  *oh = 2 * (h - 1) + 3 - cut(h), *ow = 2 * (w - 1) + 3 - cut(w);
  Floats y(static_cast<size_t>(*oh * *ow), bias);
  for (int i = 0; i < h * w * 9; ++i) {
    const int at = i / 9, tap = i % 9;
    const int row = at / w * 2 - cut(h) / 2 + tap / 3, column = at % w * 2 - cut(w) / 2 + tap % 3;
    if (row >= 0 && row < *oh && column >= 0 && column < *ow)
      y[static_cast<size_t>(row * *ow + column)] +=
          x[static_cast<size_t>(at)] * filter[static_cast<size_t>(tap)];
  }
  return y;
}

TEST(TfliteMediaPipe, TransposedConvolutionWithBias) {
  for (const int padding : {kSame, kValid}) {
    for (const int width : {3, 4}) {
      TfliteBuilder b;
      const Floats x = Numbers(static_cast<size_t>(2 * width), 1), filter = Numbers(9, 2);
      const int in = b.Input("x", {1, 2, width, 1}), y = b.Tensor("y");
      b.Op("Convolution2DTransposeBias",
           {in, b.Floats("w", {1, 3, 3, 1}, filter), b.Floats("b", {1}, {0.5f})}, {y})
          .custom_options = Plain({padding, 2, 2});
      b.Output(y);
      int h = 0, w = 0;
      const Floats expected = Transposed(x, 2, width, filter, 0.5f, padding == kSame, &h, &w);
      EXPECT_THAT(RunTflite(b, {{"x", x}})["y"], IsNear(expected)) << padding << " " << width;
    }
  }
}

TEST(TfliteMediaPipe, MaximaKnowTheirTapsAndGoBack) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 2, 4, 1}), y = b.Tensor("y"), taps = b.Tensor("taps"),
            back = b.Tensor("back");
  const std::vector<uint8_t> options = Plain({kSame, 2, 2, 2, 2, 0});
  b.Op("MaxPoolingWithArgmax2D", {x}, {y, taps}).custom_options = options;
  b.Op("MaxUnpooling2D", {y, taps}, {back}).custom_options = options;
  b.Output(y).Output(taps).Output(back);
  auto outputs = RunTflite(b, {{"x", {1, 2, 8, 7, 4, 3, 5, 6}}});
  EXPECT_EQ(outputs["y"], Floats({4, 8}));
  EXPECT_THAT(outputs["taps"], IsNear({2.1f, 0.1f}));
  EXPECT_EQ(outputs["back"], Floats({0, 0, 8, 0, 4, 0, 0, 0}));
}

// Maxima [1,2,3,1] of windows of 2x2; those whose places are outside of the image of 4x6 are left out.
Floats Unpooled(const Floats& maxima, const Floats& taps, int stride) {
  const auto pad = [&](int n) { return std::max(0, (n - 1) * stride + 2 - 2 * n) / 2; };
  Floats y(24, 0.0f);
  for (int i = 0; i < 6; ++i) {
    const int tap = static_cast<int>(taps[static_cast<size_t>(i)]);
    const int row = i / 3 * stride - pad(2) + tap / 2, column = i % 3 * stride - pad(3) + tap % 2;
    if (row < 0 || row >= 4 || column < 0 || column >= 6) continue;
    y[static_cast<size_t>(row * 6 + column)] = maxima[static_cast<size_t>(i)];
  }
  return y;
}

TEST(TfliteMediaPipe, MaximaOutsideOfTheImageAreLeftOut) {
  for (const int stride : {1, 2, 3, 4, 5}) {
    for (const float tap : {0.1f, 1.1f, 2.1f, 3.1f, 4.1f, 1000.0f, -0.9f, -1.1f, -2.1f, -1000.0f}) {
      TfliteBuilder b;
      const int x = b.Input("x", {1, 2, 3, 1}), taps = b.Input("taps", {1, 2, 3, 1}), y = b.Tensor("y");
      b.Op("MaxUnpooling2D", {x, taps}, {y}).custom_options = Plain({kSame, stride, stride, 2, 2, 0});
      b.Output(y);
      const Floats maxima = {1, 2, 3, 4, 5, 6}, at(6, tap);
      EXPECT_EQ(RunTflite(b, {{"x", maxima}, {"taps", at}})["y"], Unpooled(maxima, at, stride))
          << stride << " " << tap;
    }
  }
}

TEST(TfliteMediaPipe, MaximaOfWindowsAtTheEdge) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 3, 3, 2}), y = b.Tensor("y"), taps = b.Tensor("taps");
  b.Op("MaxPoolingWithArgmax2D", {x}, {y, taps}).custom_options = Plain({kSame, 2, 2, 3, 3, 0});
  b.Output(y).Output(taps);
  // Windows begin one row and column before the image.
  auto outputs = RunTflite(b, {{"x", {9, 1, 2, 2, 3, 3, 4, 4, 5, 9, 6, 6, 7, 7, 8, 8, 10, 1}}});
  EXPECT_EQ(outputs["y"], Floats({9, 9, 6, 9, 8, 9, 10, 9}));
  EXPECT_THAT(outputs["taps"], IsNear({4.1f, 8.1f, 7.1f, 6.1f, 5.1f, 2.1f, 4.1f, 0.1f}));
}

std::vector<uint8_t> MatrixOptions(const std::vector<int>& subset) {
  return FlexMap([&](flexbuffers::Builder& builder) {
    builder.Int("left_rotation_idx", 1);
    builder.Int("right_rotation_idx", 3);
    builder.Int("output_height", 6);
    builder.Int("output_width", 4);
    builder.Float("scale_x", 1.5f);
    builder.Float("scale_y", 1.25f);
    builder.Float("target_rotation_radians", 0.25f);
    builder.TypedVector("subset_idxs", [&] {
      for (const int i : subset) builder.Int(i);
    });
  });
}

// As rotations and shifts one after another.
Floats ExpectedMatrix(const Floats& points, const std::vector<int>& subset) {
  const auto at = [&](int i, size_t k) {
    return static_cast<double>(points[3 * static_cast<size_t>(i) + k]);
  };
  const double r = 0.25 - std::atan2(at(3, 1) - at(1, 1), at(3, 0) - at(1, 0));
  double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
  for (const int i : subset) {
    const double turned[] = {std::cos(r) * at(i, 0) - std::sin(r) * at(i, 1),
                             std::sin(r) * at(i, 0) + std::cos(r) * at(i, 1)};
    for (int k = 0; k < 2; ++k) low[k] = std::min(low[k], turned[k]), high[k] = std::max(high[k], turned[k]);
  }
  const double mid[] = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2};
  const double center[] = {std::cos(-r) * mid[0] - std::sin(-r) * mid[1],
                           std::sin(-r) * mid[0] + std::cos(-r) * mid[1]};
  const double scale[] = {1.5 * (high[0] - low[0]) / 4, 1.25 * (high[1] - low[1]) / 6};
  const double m[2][2] = {{std::cos(-r) * scale[0], -std::sin(-r) * scale[1]},
                          {std::sin(-r) * scale[0], std::cos(-r) * scale[1]}};
  Floats matrix(16);
  for (size_t row = 0; row < 2; ++row) {
    matrix[4 * row] = static_cast<float>(m[row][0]);
    matrix[4 * row + 1] = static_cast<float>(m[row][1]);
    matrix[4 * row + 3] = static_cast<float>(center[row] - m[row][0] * 2 - m[row][1] * 3);
  }
  matrix[10] = matrix[15] = 1;
  return matrix;
}

TEST(TfliteMediaPipe, MatrixOfLandmarks) {
  const std::vector<int> subset = {0, 2, 4, 4};
  TfliteBuilder b;
  const int x = b.Input("x", {1, 5, 3}), y = b.Tensor("y");
  b.Op("Landmarks2TransformMatrix", {x}, {y}).custom_options = MatrixOptions(subset);
  b.model.operator_codes.back()->version = 2;
  b.Output(y);
  const Floats points = Numbers(15, 4);
  EXPECT_THAT(RunTflite(b, {{"x", points}})["y"], IsNear(ExpectedMatrix(points, subset)));
}

// Elements of [1,h,w,1] at a place between them; nothing outside.
float Blend(const Floats& x, int h, int w, double row, double column) {
  if (row < 0 || column < 0 || row > h - 1 || column > w - 1) return 0;
  const int top = static_cast<int>(row), left = static_cast<int>(column);
  const auto at = [&](int i, int j) {
    return i >= h || j >= w ? 0.0 : static_cast<double>(x[static_cast<size_t>(i * w + j)]);
  };
  const double down = row - top, right = column - left;
  return static_cast<float>((1 - down) * ((1 - right) * at(top, left) + right * at(top, left + 1)) +
                            down * ((1 - right) * at(top + 1, left) + right * at(top + 1, left + 1)));
}

TEST(TfliteMediaPipe, TensorsAndLandmarksGoThroughAMatrix) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 5, 4, 1}), matrix = b.Input("m", {1, 4, 4}),
            points = b.Input("p", {1, 3, 2});
  const int y = b.Tensor("y"), q = b.Tensor("q");
  b.Op("TransformTensorBilinear", {x, matrix}, {y}).custom_options =
      FlexInts({{"output_height", 4}, {"output_width", 3}});
  b.model.operator_codes.back()->version = 2;
  b.Op("TransformLandmarks", {points, matrix}, {q});
  b.model.operator_codes.back()->version = 2;
  b.Output(y).Output(q);
  const Floats image = Numbers(20, 5), in = Numbers(6, 6);
  const Floats m = {1.1f, 0.2f, 0, 0.3f, -0.2f, 1.2f, 0, -0.4f, 0, 0, 1, 0, 0, 0, 0, 1};
  auto outputs = RunTflite(b, {{"x", image}, {"m", m}, {"p", in}});
  Floats expected, expected_points;
  for (int i = 0; i < 12; ++i) {
    const double row = i / 3 + 0.5, column = i % 3 + 0.5;
    expected.push_back(
        Blend(image, 5, 4, -0.2 * column + 1.2 * row - 0.4 - 0.5, 1.1 * column + 0.2 * row + 0.3 - 0.5));
  }
  for (size_t i = 0; i < 6; i += 2) {
    expected_points.push_back(m[0] * in[i] + m[1] * in[i + 1] + m[3]);
    expected_points.push_back(m[4] * in[i] + m[5] * in[i + 1] + m[7]);
  }
  EXPECT_THAT(outputs["y"], IsNear(expected));
  EXPECT_THAT(outputs["q"], IsNear(expected_points));
}

TEST(TfliteMediaPipe, OptionsAreChecked) {
  const auto refusal = [](const std::string& op, std::vector<uint8_t> options, int version) {
    TfliteBuilder b;
    const int x = b.Input("x", {1, 5, 3}), y = b.Tensor("y");
    b.Op(op, {x}, {y}).custom_options = std::move(options);
    b.model.operator_codes.back()->version = version;
    b.Output(y);
    const ImportedTflite result = ImportTflite(b.Bytes());
    EXPECT_FALSE(result.status.ok());
    return result.diagnostics.unsupported.empty() ? std::string(result.status.message())
                                                  : result.diagnostics.unsupported[0].reason;
  };
  EXPECT_THAT(refusal("Landmarks2TransformMatrix", MatrixOptions({5}), 2),
              HasSubstr("'subset_idxs': expected numbers from 0 to 4"));
  EXPECT_THAT(refusal("Landmarks2TransformMatrix", MatrixOptions({}), 2),
              HasSubstr("scales above 0 and landmarks"));
  EXPECT_THAT(refusal("Landmarks2TransformMatrix", MatrixOptions({1}), 1), HasSubstr("version 1"));
  EXPECT_THAT(refusal("MaxPoolingWithArgmax2D", {1, 2}, 1), HasSubstr("2 bytes, expected 24"));
  EXPECT_THAT(refusal("MaxPoolingWithArgmax2D", Plain({1, 0, 1, 1, 1, 0}), 1), HasSubstr("from 1 to"));
  EXPECT_THAT(refusal("MaxPoolingWithArgmax2D", Plain({7, 1, 1, 1, 1, 0}), 1), HasSubstr("padding 7"));
}

}  // namespace
}  // namespace micrort::testing::mediapipe
