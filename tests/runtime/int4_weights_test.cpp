// int4 weights: every layer computes with them exactly what it computes with the floats that they stand for.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "kernels/base/int4.h"
#include "micrort/model.h"
#include "micrort/op_resolver.h"
#include "tests/runtime/model_builder.h"
#include "tests/runtime/op_tester.h"
#include "tests/status_matchers.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

struct Int4Weights {
  std::vector<uint8_t> bytes;
  std::vector<float> scales, floats;
  std::vector<int32_t> zero_points;
};

// kTurned: each is 0 or kTurnedInt4.
enum class ZeroPoints { kNone, kTurned, kAny };

int32_t RandomZeroPoint(ZeroPoints which, std::mt19937* random) {
  if (which == ZeroPoints::kNone) return 0;
  const auto number = static_cast<int32_t>((*random)() % 16);
  return which == ZeroPoints::kAny ? number - 8 : number % 2 == 0 ? 0 : kTurnedInt4;
}

// `channels` rows of `depth` elements.
Int4Weights RandomWeights(size_t channels, size_t depth, size_t group,
                          ZeroPoints zero_points = ZeroPoints::kNone) {
  std::mt19937 random(7);
  Int4Weights w;
  w.bytes.resize(channels * depth / 2);
  for (uint8_t& byte : w.bytes) byte = static_cast<uint8_t>(random() & 255u);
  const size_t groups = (depth + group - 1) / group;
  for (size_t i = 0; i < channels * groups; ++i)
    w.scales.push_back(0.01f * static_cast<float>(1 + random() % 9));
  for (size_t i = 0; i < channels * groups; ++i)
    w.zero_points.push_back(RandomZeroPoint(zero_points, &random));
  for (size_t i = 0; i < channels * depth; ++i) {
    const int half = i % 2 == 0 ? w.bytes[i / 2] & 15 : w.bytes[i / 2] >> 4;
    const size_t at = i / depth * groups + i % depth / group;
    const int weight = (half < 8 ? half : half - 16) - w.zero_points[at];
    w.floats.push_back(static_cast<float>(weight) * w.scales[at]);
  }
  return w;
}

std::vector<float> RandomFloats(size_t n) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<float> x(n);
  for (float& v : x) v = uniform(random);
  return x;
}

// The operator with int4 weights whose last dimension counts bytes, and with the same weights as floats.
template <typename OptionsT>
void ExpectSame(const OpRegistration& registration, const OptionsT& options, const Shape& x, Shape weights,
                size_t depth, size_t group, ZeroPoints zero_points = ZeroPoints::kNone) {
  const auto channels = static_cast<size_t>(weights[0]);
  const Int4Weights w = RandomWeights(channels, depth, group, zero_points);
  for (const CpuFeatures features : {CpuFeatures{0}, ~CpuFeatures{0}}) {
    OpTester expected(registration, options);
    expected.Features(features)
        .Input<float>(x, RandomFloats(static_cast<size_t>(x.elements())))
        .Constant<float>(weights, w.floats);
    ASSERT_THAT(expected.Run(), IsOk());
    Shape packed = weights;
    packed[packed.rank - 1] /= 2;
    OpTester found(registration, options);
    found.Features(features)
        .Input<float>(x, RandomFloats(static_cast<size_t>(x.elements())))
        .template Constant<uint8_t>(packed, w.bytes)
        .InputType(DType::kInt4)
        .QuantizedInGroups(0, w.scales, static_cast<int32_t>(group), w.zero_points);
    ASSERT_THAT(found.Run(), IsOk());
    EXPECT_EQ(found.template Output<float>(), expected.template Output<float>());
  }
}

TEST(Int4Weights, MatMul) {
  schema::MatMulOptionsT options;
  options.transpose_b = true;
  ExpectSame(ops::MatMul(), options, Shape::Of(3, 70), Shape::Of(19, 70), 70, 32);
  ExpectSame(ops::MatMul(), options, Shape::Of(1, 64), Shape::Of(33, 64), 64, 32);
}

TEST(Int4Weights, PointwiseConvolution) {
  ExpectSame(ops::Conv2D(), schema::Conv2DOptionsT(), Shape::Of(1, 5, 4, 64), Shape::Of(20, 1, 1, 64), 64,
             32);
}

TEST(Int4Weights, ConvolutionAndItsWinogradForm) {
  schema::Conv2DOptionsT options;
  options.pad_top = options.pad_left = options.pad_bottom = options.pad_right = 1;
  ExpectSame(ops::Conv2D(), options, Shape::Of(1, 16, 16, 32), Shape::Of(32, 3, 3, 32), 288, 32);
  ExpectSame(ops::Conv2D(), options, Shape::Of(1, 5, 4, 6), Shape::Of(9, 3, 3, 6), 54, 32);
}

TEST(Int4Weights, ConvolutionInGroupsOfChannels) {
  schema::Conv2DOptionsT options;
  options.groups = 2;
  ExpectSame(ops::Conv2D(), options, Shape::Of(1, 6, 6, 16), Shape::Of(10, 3, 3, 8), 72, 32);
}

TEST(Int4Weights, TransposedConvolution) {
  schema::ConvTranspose2DOptionsT options;
  options.stride_h = options.stride_w = 2;
  ExpectSame(ops::ConvTranspose2D(), options, Shape::Of(1, 4, 5, 8), Shape::Of(6, 3, 3, 8), 72, 32);
}

TEST(Int4Weights, AnyZeroPoints) {
  for (const ZeroPoints which : {ZeroPoints::kTurned, ZeroPoints::kAny}) {
    schema::MatMulOptionsT options;
    options.transpose_b = true;
    ExpectSame(ops::MatMul(), options, Shape::Of(3, 70), Shape::Of(19, 70), 70, 32, which);
    ExpectSame(ops::MatMul(), options, Shape::Of(1, 640), Shape::Of(640, 640), 640, 64, which);
    schema::Conv2DOptionsT conv;
    conv.pad_top = conv.pad_left = conv.pad_bottom = conv.pad_right = 1;
    ExpectSame(ops::Conv2D(), conv, Shape::Of(1, 16, 16, 32), Shape::Of(32, 3, 3, 32), 288, 32, which);
    conv.groups = 2;
    ExpectSame(ops::Conv2D(), conv, Shape::Of(1, 6, 6, 16), Shape::Of(10, 3, 3, 8), 72, 32, which);
    schema::ConvTranspose2DOptionsT transposed;
    transposed.stride_h = transposed.stride_w = 2;
    ExpectSame(ops::ConvTranspose2D(), transposed, Shape::Of(1, 4, 5, 8), Shape::Of(6, 3, 3, 8), 72, 32,
               which);
  }
}

TEST(Int4Weights, OneScaleAChannel) {
  schema::MatMulOptionsT options;
  options.transpose_b = true;
  OpTester op(ops::MatMul(), options);
  op.Input<float>(Shape::Of(1, 2), {1, 10})
      .Constant<uint8_t>(Shape::Of(2, 1), {0x71, 0x8f})
      .InputType(DType::kInt4)
      .QuantizedAlong(0, {1.0f, 0.5f});
  ASSERT_THAT(op.Run(), IsOk());
  EXPECT_EQ(op.Output<float>(), (std::vector<float>{71.0f, -40.5f}));
}

// A product by integers is near that by floats, relative to its energy, and the same on all CPUs.
void ExpectNearFloats(const Int4Weights& w, int32_t group, schema::WeightCompute by_integers, double most) {
  constexpr size_t kRows = 5, kDepth = 320, kColumns = 24;
  const auto run = [&](schema::WeightCompute compute, CpuFeatures features) {
    schema::MatMulOptionsT options;
    options.transpose_b = true;
    options.compute = compute;
    OpTester op(ops::MatMul(), options);
    op.Features(features)
        .Input<float>(Shape::Of(kRows, kDepth), RandomFloats(kRows * kDepth))
        .Constant<uint8_t>(Shape::Of(kColumns, kDepth / 2), w.bytes)
        .InputType(DType::kInt4)
        .QuantizedInGroups(0, w.scales, group, w.zero_points);
    EXPECT_THAT(op.Run(), IsOk());
    return op.Output<float>();
  };
  const std::vector<float> floats = run(schema::WeightCompute::Float, ~CpuFeatures{0});
  const std::vector<float> integers = run(by_integers, ~CpuFeatures{0});
  EXPECT_EQ(run(by_integers, 0), integers);
  double noise = 0, signal = 0;
  for (size_t i = 0; i < floats.size(); ++i) {
    signal += floats[i] * floats[i];
    noise += (floats[i] - integers[i]) * (floats[i] - integers[i]);
  }
  EXPECT_GT(noise, 0);
  EXPECT_LT(noise, most * signal);
}

// Inputs are rounded to 8 bits, and scales of groups to 1/120 of the largest.
TEST(Int4Weights, ProductsOfIntegersAreNearThoseOfFloatsAndTheSameOnAllCpus) {
  ExpectNearFloats(RandomWeights(24, 320, 32), 32, schema::WeightCompute::DynamicInt8, 1e-3);
}

// Weights are as they are given; inputs are rounded to 8 bits in groups.
TEST(Int4Weights, GroupedProductsAreNearThoseOfFloatsAndTheSameOnAllCpus) {
  for (const ZeroPoints which : {ZeroPoints::kNone, ZeroPoints::kTurned, ZeroPoints::kAny})
    ExpectNearFloats(RandomWeights(24, 320, 64, which), 64, schema::WeightCompute::GroupedInt8, 1e-4);
}

TEST(Int4Weights, GroupedProductsAreOfMatricesInChunks) {
  const auto infer = [](size_t group, schema::WeightCompute compute, int32_t zero_point) {
    schema::MatMulOptionsT options;
    options.transpose_b = true;
    options.compute = compute;
    OpTester op(ops::MatMul(), options);
    op.Input<float>(Shape::Of(1, 64), std::vector<float>(64))
        .Constant<uint8_t>(Shape::Of(1, 32), std::vector<uint8_t>(32))
        .InputType(DType::kInt4)
        .QuantizedInGroups(0, std::vector<float>(64 / group, 1.0f), static_cast<int32_t>(group),
                           std::vector<int32_t>(64 / group, zero_point));
    return op.Infer();
  };
  EXPECT_THAT(infer(32, schema::WeightCompute::GroupedInt8, 7), IsOk());
  EXPECT_THAT(infer(16, schema::WeightCompute::GroupedInt8, 0),
              IsError(StatusCode::kUnsupported, HasSubstr("no kernel for float32 input, int4 weights")));
  EXPECT_THAT(infer(32, schema::WeightCompute::GroupedInt8, 8),
              IsError(StatusCode::kInvalidModel, HasSubstr("must be an int4")));
  EXPECT_THAT(infer(32, schema::WeightCompute::DynamicInt8, 1),
              IsError(StatusCode::kInvalidModel, HasSubstr("must be 0")));
}

TEST(Int4Weights, AreRefusedWhereTheyDoNotFit) {
  OpTester straight(ops::MatMul(), schema::MatMulOptionsT());
  straight.Input<float>(Shape::Of(1, 4), {1, 1, 1, 1})
      .Constant<uint8_t>(Shape::Of(4, 1), {0, 0, 0, 0})
      .InputType(DType::kInt4)
      .Quantized(1.0f, 0);
  EXPECT_THAT(straight.Infer(), IsError(StatusCode::kUnsupported, HasSubstr("not transposed")));

  schema::MatMulOptionsT transposed;
  transposed.transpose_b = true;
  OpTester scales(ops::MatMul(), transposed);
  scales.Input<float>(Shape::Of(1, 4), {1, 1, 1, 1})
      .Constant<uint8_t>(Shape::Of(1, 2), {0, 0})
      .InputType(DType::kInt4)
      .QuantizedInGroups(0, {1.0f}, 2);
  EXPECT_THAT(scales.Infer(), IsError(StatusCode::kInvalidModel, HasSubstr("expected one scale, or 2")));

  OpTester depthwise(ops::DepthwiseConv2D(), schema::DepthwiseConv2DOptionsT());
  depthwise.Input<float>(Shape::Of(1, 1, 1, 2), {1, 1})
      .Constant<uint8_t>(Shape::Of(1, 1, 2), {0, 0})
      .InputType(DType::kInt4)
      .Quantized(1.0f, 0);
  EXPECT_THAT(depthwise.Infer(), IsError(StatusCode::kUnsupported, HasSubstr("int4")));
}

// y = x * w transposed, with w of [3, 8] in groups of 4.
ModelBuilder Product() {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {1, 8});
  const int w = b.Constant<uint8_t>("w", {3, 4}, std::vector<uint8_t>(12));
  const int y = b.Tensor("y", DType::kFloat32, {1, 3});
  b.tensor(w).dtype = schema::DType::Int4;
  b.tensor(w).quantization = std::make_unique<schema::QuantizationT>();
  b.tensor(w).quantization->scales = std::vector<float>(6, 1.0f);
  b.tensor(w).quantization->axis = 0;
  b.tensor(w).quantization->group = 4;
  schema::MatMulOptionsT options;
  options.transpose_b = true;
  b.Node(std::move(options), {x, w}, {y}, "product");
  b.Output(y);
  return b;
}

Status Load(const ModelBuilder& b) {
  const ModelFile file = b.Finish();
  return Model::FromBuffer(file.data(), file.size()).status();
}

TEST(Int4Weights, FilesAreChecked) {
  EXPECT_THAT(Load(Product()), IsOk());

  ModelBuilder few = Product();
  few.tensor(1).quantization->scales.pop_back();
  EXPECT_THAT(Load(few), IsError(StatusCode::kInvalidModel, HasSubstr("expected 6 scales, found 5")));

  ModelBuilder negative = Product();
  negative.tensor(1).quantization->group = -4;
  EXPECT_THAT(Load(negative), IsError(StatusCode::kInvalidModel, HasSubstr("groups of -4")));

  ModelBuilder no_axis = Product();
  no_axis.tensor(1).quantization->axis = -1;
  EXPECT_THAT(Load(no_axis), IsError(StatusCode::kInvalidModel, HasSubstr("groups of 4")));

  ModelBuilder bytes = Product();
  bytes.tensor(1).dtype = schema::DType::Int8;
  EXPECT_THAT(Load(bytes), IsError(StatusCode::kInvalidModel, HasSubstr("groups of 4")));

  ModelBuilder input = Product();
  input.tensor(1).buffer = 0;
  EXPECT_THAT(Load(input), IsError(StatusCode::kInvalidModel, HasSubstr("expected a constant")));
}

TEST(Int4Weights, AreReadByLayersOnly) {
  ModelBuilder b = Product();
  const int z = b.Tensor("z", DType::kFloat32, {3, 4});
  b.Node(schema::CastOptionsT(), {1}, {z}, "cast");
  EXPECT_THAT(Load(b),
              IsError(StatusCode::kInvalidModel, HasSubstr("expected int4 as weights or table only")));
  ModelBuilder output = Product();
  output.Output(1);
  EXPECT_THAT(Load(output), IsError(StatusCode::kInvalidModel, HasSubstr("int4")));
}

}  // namespace
}  // namespace micrort::testing
