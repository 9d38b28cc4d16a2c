// Operators of TFLite that few models have.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/converter/tflite_builder.h"

namespace micrort::testing {
namespace {

using ::testing::Each;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

constexpr auto kInts = fb::TensorType::Int32;

Floats Ramp(size_t n) {
  Floats x(n);
  for (size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i % 7) - 2 + 0.25f * static_cast<float>(i);
  return x;
}

std::string ReasonOf(const TfliteBuilder& b) {
  const ImportedTflite result = ImportTflite(b.Bytes());
  return result.diagnostics.unsupported.empty() ? result.status.message()
                                                : result.diagnostics.unsupported[0].reason;
}

// Each batch item is read along the last axis; -1 is the last dimension of the indices.
TEST(TfliteGather, BatchesBeforeAnAxisBehindThem) {
  for (const int batch_dims : {1, -1}) {
    TfliteBuilder b;
    const int x = b.Input("x", {2, 2, 3}), y = b.Tensor("y");
    const int indices = b.Constant<int32_t>("indices", {2, 2}, kInts, {0, 2, 1, 1});
    fb::GatherOptionsT o;
    o.axis = 2, o.batch_dims = batch_dims;
    b.Op("GATHER", {x, indices}, {y}, o);
    b.Output(y);
    EXPECT_EQ(RunTflite(b, {{"x", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}})["y"],
              Floats({1, 3, 4, 6, 8, 8, 11, 11}));
  }
}

struct VolumeCase {
  fb::Padding padding;
  int stride, dilation;
};

// x [1,4,3,1,2], weights [2,2,1,2,1] along D, H.
Floats ConvolvedByHand(const Floats& x, const Floats& w, const VolumeCase& v) {
  const int d = 4, h = 3, channels = 2, span = v.dilation + 1;
  const auto out = [&](int n) {
    return v.padding == fb::Padding::Same ? (n + v.stride - 1) / v.stride : (n - span) / v.stride + 1;
  };
  const auto begin = [&](int n) {
    return v.padding == fb::Padding::Same ? std::max((out(n) - 1) * v.stride + span - n, 0) / 2 : 0;
  };
  Floats y;
  for (int i = 0; i < out(d); ++i) {
    for (int j = 0; j < out(h); ++j) {
      float sum = 0.5f;
      for (int tap = 0; tap < 8; ++tap) {
        const int ki = tap / 4, kj = tap / 2 % 2, k = tap % 2;
        const int at_d = i * v.stride + ki * v.dilation - begin(d),
                  at_h = j * v.stride + kj * v.dilation - begin(h);
        if (at_d < 0 || at_d >= d || at_h < 0 || at_h >= h) continue;
        sum += x[static_cast<size_t>((at_d * h + at_h) * channels + k)] * w[static_cast<size_t>(tap)];
      }
      y.push_back(sum);
    }
  }
  return y;
}

TEST(TfliteVolume, ConvolutionsOfEveryWindow) {
  for (const VolumeCase v : {VolumeCase{fb::Padding::Valid, 1, 1},
                             {fb::Padding::Same, 1, 1},
                             {fb::Padding::Same, 2, 1},
                             {fb::Padding::Valid, 1, 2}}) {
    TfliteBuilder b;
    const Floats x = Ramp(24), w = Ramp(8);
    const int y = b.Tensor("y");
    fb::Conv3DOptionsT o;
    o.padding = v.padding;
    o.stride_d = o.stride_h = v.stride;
    o.stride_w = 1;
    o.dilation_d_factor = o.dilation_h_factor = v.dilation;
    b.Op("CONV_3D",
         {b.Input("x", {1, 4, 3, 1, 2}), b.Floats("w", {2, 2, 1, 2, 1}, w), b.Floats("b", {1}, {0.5f})}, {y},
         o);
    b.Output(y);
    EXPECT_THAT(RunTflite(b, {{"x", x}})["y"], Pointwise(FloatNear(1e-5f), ConvolvedByHand(x, w, v)));
  }
}

// Along D alone: element i goes to 2 i - begin and the place after it.
TEST(TfliteVolume, TransposedConvolutionsSpreadPlanes) {
  for (const int depth : {6, 5}) {
    TfliteBuilder b;
    const int y = b.Tensor("y");
    fb::Conv3DOptionsT o;
    o.padding = fb::Padding::Valid;
    o.stride_d = 2;
    o.stride_h = o.stride_w = 1;
    b.Op("CONV_3D_TRANSPOSE",
         {b.Integers("shape", {1, depth, 1, 1, 1}), b.Floats("w", {2, 1, 1, 1, 1}, {1, 10}),
          b.Input("x", {1, 3, 1, 1, 1}), b.Floats("b", {1}, {0.5f})},
         {y}, o);
    b.Output(y);
    Floats expected = {1.5f, 10.5f, 2.5f, 20.5f, 3.5f, 30.5f};
    expected.resize(static_cast<size_t>(depth));
    EXPECT_EQ(RunTflite(b, {{"x", {1, 2, 3}}})["y"], expected);
  }
}

TEST(TfliteVolume, WeightsForOtherChannelsAreRefused) {
  TfliteBuilder b;
  const int y = b.Tensor("y");
  fb::Conv3DOptionsT o;
  o.stride_d = o.stride_h = o.stride_w = 1;
  b.Op("CONV_3D", {b.Input("x", {1, 1, 1, 1, 3}), b.Floats("w", {1, 1, 1, 2, 1}, {1, 2})}, {y}, o);
  b.Output(y);
  EXPECT_THAT(ReasonOf(b), HasSubstr("weights for 2 of 3 channels"));
}

TEST(TfliteMatrix, Diagonals) {
  TfliteBuilder b;
  const int x = b.Input("x", {2}), m = b.Input("m", {3, 2}), y = b.Tensor("y"), z = b.Tensor("z");
  b.Op("MATRIX_DIAG", {x}, {y});
  b.Op("MATRIX_SET_DIAG", {m, x}, {z});
  b.Output(y).Output(z);
  auto outputs = RunTflite(b, {{"x", {1, 2}}, {"m", {3, 4, 5, 6, 7, 8}}});
  EXPECT_EQ(outputs["y"], Floats({1, 0, 0, 2}));
  EXPECT_EQ(outputs["z"], Floats({1, 4, 5, 2, 7, 8}));
}

TEST(TfliteMatrix, UpdatesLieWithinTheInput) {
  TfliteBuilder b;
  const int x = b.Input("x", {3, 3}), u = b.Input("u", {2, 1}), at = b.Input("at", {2}, kInts),
            y = b.Tensor("y");
  b.Op("DYNAMIC_UPDATE_SLICE", {x, u, at}, {y});
  b.Output(y);
  const Floats zeros(9, 0);
  EXPECT_EQ(RunTflite(b, {{"x", zeros}, {"u", {1, 2}}, {"at", {0, 1}}})["y"],
            Floats({0, 1, 0, 0, 2, 0, 0, 0, 0}));
  EXPECT_EQ(RunTflite(b, {{"x", zeros}, {"u", {1, 2}}, {"at", {9, -4}}})["y"],
            Floats({0, 0, 0, 1, 0, 0, 2, 0, 0}));
}

// The transform of a cosine along the rows, constant along the columns.
TEST(TfliteComplex, TransformInTwoDimensions) {
  TfliteBuilder b;
  const int x = b.Input("x", {2, 4}), f = b.Tensor("f", {2, 3}, fb::TensorType::Complex64);
  const int re = b.Tensor("re"), im = b.Tensor("im"), abs = b.Tensor("abs");
  b.Op("RFFT2D", {x, b.Integers("lengths", {2, 4})}, {f});
  b.Op("REAL", {f}, {re});
  b.Op("IMAG", {f}, {im});
  b.Op("COMPLEX_ABS", {f}, {abs});
  b.Output(re).Output(im).Output(abs);
  auto outputs = RunTflite(b, {{"x", {0, 1, 0, -1, 0, 1, 0, -1}}});
  EXPECT_THAT(outputs["re"], Each(FloatNear(0, 1e-6f)));
  EXPECT_THAT(outputs["im"], Pointwise(FloatNear(1e-6f), Floats({0, -4, 0, 0, 0, 0})));
  EXPECT_THAT(outputs["abs"], Pointwise(FloatNear(1e-6f), Floats({0, 4, 0, 0, 0, 0})));
}

// Squares of these are no numbers of 32 bits.
TEST(TfliteComplex, MagnitudesOfLargeAndSmallNumbers) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 2}), f = b.Tensor("f", {1, 2}, fb::TensorType::Complex64),
            abs = b.Tensor("abs");
  b.Op("RFFT2D", {x, b.Integers("lengths", {1, 2})}, {f});
  b.Op("COMPLEX_ABS", {f}, {abs});
  b.Output(abs);
  EXPECT_THAT(RunTflite(b, {{"x", {3e30f, 1e30f}}})["abs"],
              Pointwise(FloatNear(1e24f), Floats({4e30f, 2e30f})));
  EXPECT_THAT(RunTflite(b, {{"x", {3e-30f, 1e-30f}}})["abs"],
              Pointwise(FloatNear(1e-36f), Floats({4e-30f, 2e-30f})));
}

// What moves numbers moves complex ones, as between the transform and its readers in models of sound.
TEST(TfliteComplex, MoveAsOthersDo) {
  constexpr auto kComplex = fb::TensorType::Complex64;
  TfliteBuilder b;
  const int x = b.Input("x", {1, 4}), f = b.Tensor("f", {1, 3}, kComplex),
            row = b.Tensor("row", {3}, kComplex);
  const int both = b.Tensor("both", {2, 3}, kComplex), turned = b.Tensor("turned", {3, 2}, kComplex);
  const int part = b.Tensor("part", {2, 2}, kComplex);
  const int re = b.Tensor("re"), im = b.Tensor("im"), abs = b.Tensor("abs");
  b.Op("RFFT2D", {x, b.Integers("lengths", {1, 4})}, {f});
  b.Op("RESHAPE", {f, b.Integers("flat", {3})}, {row});
  fb::PackOptionsT pack;
  pack.values_count = 2;
  b.Op("PACK", {row, row}, {both}, pack);
  b.Op("TRANSPOSE", {both, b.Integers("order", {1, 0})}, {turned});
  b.Op("SLICE", {turned, b.Integers("begin", {1, 0}), b.Integers("size", {2, 2})}, {part});
  b.Op("REAL", {part}, {re});
  b.Op("IMAG", {part}, {im});
  b.Op("COMPLEX_ABS", {row}, {abs});
  b.Output(re).Output(im).Output(abs);
  auto outputs = RunTflite(b, {{"x", {1, 2, 3, 4}}});
  EXPECT_THAT(outputs["re"], Pointwise(FloatNear(1e-5f), Floats({-2, -2, -2, -2})));
  EXPECT_THAT(outputs["im"], Pointwise(FloatNear(1e-5f), Floats({2, 2, 0, 0})));
  EXPECT_THAT(outputs["abs"], Pointwise(FloatNear(1e-5f), Floats({10, 2.8284271f, 2})));
}

// 10, -2 + 2i and -2, each by itself and once more.
TEST(TfliteComplex, AreMultipliedAndAdded) {
  constexpr auto kComplex = fb::TensorType::Complex64;
  TfliteBuilder b;
  const int x = b.Input("x", {1, 4}), f = b.Tensor("f", {1, 3}, kComplex);
  const int square = b.Tensor("square", {1, 3}, kComplex), sum = b.Tensor("sum", {1, 3}, kComplex);
  const int re = b.Tensor("re"), im = b.Tensor("im");
  b.Op("RFFT2D", {x, b.Integers("lengths", {1, 4})}, {f});
  b.Op("MUL", {f, f}, {square}, fb::MulOptionsT());
  b.Op("ADD", {square, f}, {sum}, fb::AddOptionsT());
  b.Op("REAL", {sum}, {re});
  b.Op("IMAG", {sum}, {im});
  b.Output(re).Output(im);
  auto outputs = RunTflite(b, {{"x", {1, 2, 3, 4}}});
  EXPECT_THAT(outputs["re"], Pointwise(FloatNear(1e-4f), Floats({110, -2, 2})));
  EXPECT_THAT(outputs["im"], Pointwise(FloatNear(1e-4f), Floats({0, -6, 0})));
}

TEST(TfliteComplex, OtherOperatorsDoNotTakeThem) {
  TfliteBuilder b;
  const int x = b.Input("x", {2, 4}), f = b.Tensor("f", {2, 3}, fb::TensorType::Complex64), y = b.Tensor("y");
  b.Op("RFFT2D", {x, b.Integers("lengths", {2, 4})}, {f});
  b.Op("ABS", {f}, {y});
  b.Output(y);
  EXPECT_THAT(ReasonOf(b), HasSubstr("complex numbers"));
  b.graph().operators.pop_back();
  b.graph().outputs = {f};
  EXPECT_THAT(ReasonOf(b), HasSubstr("complex numbers"));
}

TEST(TfliteBits, ShiftsKeepTheSign) {
  TfliteBuilder b;
  const int x = b.Input("x", {3}, kInts), s = b.Input("s", {3}, kInts), y = b.Tensor("y", {}, kInts),
            z = b.Tensor("z", {}, kInts);
  b.Op("RIGHT_SHIFT", {x, s}, {y});
  b.Op("BITWISE_XOR", {x, s}, {z});
  b.Output(y).Output(z);
  auto outputs = RunTflite(b, {{"x", {-5, 12, -1}}, {"s", {1, 2, 99}}});
  EXPECT_EQ(outputs["y"], Floats({-3, 3, -1}));
  EXPECT_EQ(outputs["z"], Floats({-6, 14, -100}));
}

TEST(TfliteBits, BitsAreKept) {
  TfliteBuilder b;
  const int x = b.Input("x", {2}, fb::TensorType::Int8), y = b.Tensor("y", {}, fb::TensorType::UInt8),
            f = b.Input("f", {2}), i = b.Tensor("i", {}, kInts), z = b.Tensor("z");
  b.Op("BITCAST", {x}, {y});
  b.Op("BITCAST", {f}, {i});
  b.Output(y).Output(i);
  auto outputs = RunTflite(b, {{"x", {-1, 5}}, {"f", {1, -0.0f}}});
  EXPECT_EQ(outputs["y"], Floats({255, 5}));
  EXPECT_EQ(outputs["i"], Floats({0x3f800000, -2147483648.0f}));
  b.Op("BITCAST", {x}, {z});
  b.Output(z);
  EXPECT_THAT(ReasonOf(b), HasSubstr("the bits of int8 as float32"));
}

TEST(TfliteAtan2, EveryQuadrant) {
  TfliteBuilder b;
  const int y = b.Input("y", {7}), x = b.Input("x", {7}), z = b.Tensor("z");
  b.Op("ATAN2", {y, x}, {z});
  b.Output(z);
  const Floats ys = {1, 1, -1, -1, 2, -2, 0}, xs = {2, -2, 2, -2, 0, 0, 0};
  Floats expected;
  for (size_t i = 0; i < ys.size(); ++i) expected.push_back(std::atan2(ys[i], xs[i]));
  EXPECT_THAT(RunTflite(b, {{"y", ys}, {"x", xs}})["z"], Pointwise(FloatNear(1e-6f), expected));
}

TEST(TfliteFloorMod, RemaindersOfFloatsAreExact) {
  TfliteBuilder b;
  const int x = b.Input("x", {3}), y = b.Input("y", {3}), z = b.Tensor("z", {3});
  b.Op("FLOOR_MOD", {x, y}, {z});
  b.Output(z);
  EXPECT_THAT(RunTflite(b, {{"x", {1, 7.5f, -1e-8f}}, {"y", {0.1f, INFINITY, 1}}})["z"],
              Pointwise(FloatNear(1e-7f), Floats{std::fmod(1.0f, 0.1f), 7.5f, 1}));
}

TEST(TfliteAtan2, ZerosHaveSigns) {
  TfliteBuilder b;
  const int y = b.Input("y", {4}), x = b.Input("x", {4}), z = b.Tensor("z", {4});
  b.Op("ATAN2", {y, x}, {z});
  b.Output(z);
  const Floats angles =
      RunTflite(b, {{"y", {1, -0.0f, INFINITY, -1}}, {"x", {-0.0f, -1, -INFINITY, -0.0f}}})["z"];
  const Floats expected = {1.5707963f, -3.1415927f, 2.3561945f, -1.5707963f};
  EXPECT_THAT(angles, Pointwise(FloatNear(1e-6f), expected));
}

TEST(TfliteSelection, UniqueAndBuckets) {
  TfliteBuilder b;
  const int x = b.Input("x", {5}), y = b.Tensor("y"), at = b.Tensor("at", {}, kInts),
            n = b.Tensor("n", {}, kInts);
  fb::BucketizeOptionsT o;
  o.boundaries = {0, 10, 100};
  b.Op("UNIQUE", {x}, {y, at}, fb::UniqueOptionsT());
  b.Op("BUCKETIZE", {x}, {n}, o);
  b.Output(y).Output(at).Output(n);
  auto outputs = RunTflite(b, {{"x", {10, -1, 10, 200, 5}}});
  outputs["y"].resize(4);  // of at most five
  EXPECT_EQ(outputs["y"], Floats({10, -1, 200, 5}));
  EXPECT_EQ(outputs["at"], Floats({0, 1, 0, 2, 3}));
  EXPECT_EQ(outputs["n"], Floats({2, 0, 2, 3, 1}));
}

TEST(TfliteRandom, NumbersLieWhereTheyShould) {
  TfliteBuilder b;
  const int logits = b.Input("logits", {1, 3});
  const int u = b.Tensor("u"), n = b.Tensor("n"), k = b.Tensor("k", {}, kInts),
            shape = b.Integers("shape", {2, 50});
  b.Op("RANDOM_UNIFORM", {shape}, {u}, fb::RandomOptionsT());
  b.Op("RANDOM_STANDARD_NORMAL", {shape}, {n}, fb::RandomOptionsT());
  b.Op("MULTINOMIAL", {logits, b.Constant<int32_t>("count", {}, kInts, {40})}, {k}, fb::RandomOptionsT());
  b.Output(u).Output(n).Output(k);
  auto outputs = RunTflite(b, {{"logits", {0, -100, 0}}});
  ASSERT_EQ(outputs["u"].size(), 100u);
  EXPECT_THAT(outputs["u"], Each(::testing::AllOf(::testing::Ge(0.0f), ::testing::Lt(1.0f))));
  float sum = 0;
  for (const float x : outputs["n"]) sum += x;
  EXPECT_NEAR(sum / 100, 0, 0.3);
  ASSERT_EQ(outputs["k"].size(), 40u);
  EXPECT_THAT(outputs["k"], Each(::testing::AnyOf(0.0f, 2.0f)));
  EXPECT_THAT(outputs["k"], ::testing::Contains(0.0f));
  EXPECT_THAT(outputs["k"], ::testing::Contains(2.0f));
}

}  // namespace
}  // namespace micrort::testing
