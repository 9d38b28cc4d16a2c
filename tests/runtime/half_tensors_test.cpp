// Operators whose activations are halves: what they give on this CPU, and what they refuse.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "kernels/base/half.h"
#include "micrort/micrort.h"
#include "tests/runtime/model_builder.h"
#include "tests/status_matchers.h"

namespace micrort::testing::half_tensors {
namespace {

using ::testing::HasSubstr;

constexpr int32_t kSize = 9, kChannels = 24, kColumns = 24;

float Value(size_t i) { return HalfToFloat(FloatToHalf(std::sin(static_cast<float>(i) * 0.7f))); }

int HalfConstant(ModelBuilder& b, const std::string& name, std::vector<int32_t> shape) {
  size_t n = 1;
  for (const int32_t d : shape) n *= static_cast<size_t>(d);
  std::vector<uint16_t> bits(n);
  for (size_t i = 0; i < n; ++i) bits[i] = FloatToHalf(Value(3 * i) * 0.25f);
  const int tensor = b.Constant<uint16_t>(name, std::move(shape), bits);
  b.tensor(tensor).dtype = schema::DType::Float16;
  return tensor;
}

// A layer with or without tensors of halves; its weights are the same halves.
struct Halves {
  DType x = DType::kFloat32, y = DType::kFloat32;
  schema::WeightCompute compute = schema::WeightCompute::Float;
};

template <typename OptionsT>
ModelBuilder Layer(OptionsT options, std::vector<int32_t> x_shape, std::vector<int32_t> w_shape,
                   std::vector<int32_t> y_shape, const Halves& halves) {
  ModelBuilder b;
  options.compute = halves.compute;
  const int x = b.Input("x", halves.x, std::move(x_shape));
  const int residual = b.Input("residual", halves.y, y_shape);
  const int w = HalfConstant(b, "w", std::move(w_shape));
  const int bias = b.Constant<float>("bias", {kColumns}, std::vector<float>(kColumns, 0.3f));
  const int y = b.Tensor("y", halves.y, std::move(y_shape));
  b.Node(options, {x, w, bias, residual}, {y}, "layer");
  b.Output(y);
  return b;
}

ModelBuilder Conv(const Halves& halves) {
  schema::Conv2DOptionsT options;
  options.pad_top = options.pad_left = options.pad_bottom = options.pad_right = 1;
  const std::vector<int32_t> shape = {1, kSize, kSize, kChannels};
  return Layer(options, shape, {kColumns, 3, 3, kChannels}, shape, halves);
}
ModelBuilder Depthwise(const Halves& halves) {
  schema::DepthwiseConv2DOptionsT options;
  options.pad_top = options.pad_left = options.pad_bottom = options.pad_right = 1;
  const std::vector<int32_t> shape = {1, kSize, kSize, kChannels};
  return Layer(options, shape, {3, 3, kChannels}, shape, halves);
}
ModelBuilder MatMul(const Halves& halves) {
  schema::MatMulOptionsT options;
  options.transpose_b = true;
  return Layer(options, {2, 7, kChannels}, {kColumns, kChannels}, {2, 7, kColumns}, halves);
}

// The first output as floats, for inputs of the values of the same halves.
std::vector<float> RunModel(const ModelBuilder& b, int threads = 1) {
  const ModelFile file = b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  EXPECT_THAT(model, IsOk());
  InterpreterOptions options;
  options.threads = threads;
  auto interpreter = Interpreter::Create(*model, options);
  EXPECT_THAT(interpreter, IsOk());
  for (size_t i = 0; i < interpreter->input_count(); ++i) {
    const TensorView in = interpreter->input(i);
    for (size_t k = 0; k < in.elements(); ++k) {
      if (in.dtype == DType::kFloat16) {
        static_cast<uint16_t*>(in.data)[k] = FloatToHalf(Value(k + i));
      } else {
        in.as<float>()[k] = Value(k + i);
      }
    }
  }
  EXPECT_THAT(interpreter->Run(), IsOk());
  const TensorView y = interpreter->output(0);
  std::vector<float> result(y.elements());
  for (size_t k = 0; k < result.size(); ++k) {
    result[k] = y.dtype == DType::kFloat16 ? HalfToFloat(static_cast<const uint16_t*>(y.data)[k])
                                           : static_cast<const float*>(y.data)[k];
  }
  return result;
}

// Within so many roundings to halves of the largest value.
void ExpectNear(const std::vector<float>& found, const std::vector<float>& expected, float roundings) {
  ASSERT_EQ(found.size(), expected.size());
  float largest = 0;
  for (const float x : expected) largest = std::max(largest, std::fabs(x));
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], roundings * 0x1p-11f * largest) << i;
  }
}

TEST(HalfTensors, LayersGiveHalvesOrFloats) {
  for (ModelBuilder (*layer)(const Halves&) : {Conv, Depthwise, MatMul}) {
    const std::vector<float> expected = RunModel(layer({}));
    ExpectNear(RunModel(layer({DType::kFloat16, DType::kFloat16})), expected, 1.01f);
    ExpectNear(RunModel(layer({DType::kFloat16, DType::kFloat32})), expected, 0.01f);
    EXPECT_EQ(RunModel(layer({DType::kFloat16, DType::kFloat16}), 3),
              RunModel(layer({DType::kFloat16, DType::kFloat16})));
    // Some ten roundings of sums, on CPUs that have half arithmetic.
    const Halves in_half = {DType::kFloat16, DType::kFloat16, schema::WeightCompute::Half};
    ExpectNear(RunModel(layer(in_half)), expected, 12);
    EXPECT_EQ(RunModel(layer(in_half), 3), RunModel(layer(in_half)));
  }
}

TEST(HalfTensors, PoolingAndSoftmaxAreThoseOfFloatsRoundedOnce) {
  for (const auto kind : {schema::PoolKind::Max, schema::PoolKind::Average, schema::PoolKind::Sum}) {
    const auto model = [&](DType dtype) {
      ModelBuilder b;
      schema::Pool2DOptionsT options;
      options.kind = kind;
      options.kernel_h = options.kernel_w = 3;
      options.stride_h = options.stride_w = 2;
      options.pad_top = options.pad_left = 1;
      const int x = b.Input("x", dtype, {2, 8, 8, 21}), y = b.Tensor("y", dtype, {2, 4, 4, 21});
      b.Node(options, {x}, {y});
      b.Output(y);
      return b;
    };
    std::vector<float> expected = RunModel(model(DType::kFloat32));
    for (float& v : expected) v = HalfToFloat(FloatToHalf(v));
    EXPECT_EQ(RunModel(model(DType::kFloat16)), expected);
  }
  for (const int32_t axis : {1, 2}) {
    const auto model = [&](DType dtype) {
      ModelBuilder b;
      schema::SoftmaxOptionsT options;
      options.axis = axis;
      const int x = b.Input("x", dtype, {3, 5, 37}), y = b.Tensor("y", dtype, {3, 5, 37});
      b.Node(options, {x}, {y});
      b.Output(y);
      return b;
    };
    std::vector<float> expected = RunModel(model(DType::kFloat32));
    for (float& v : expected) v = HalfToFloat(FloatToHalf(v));
    EXPECT_EQ(RunModel(model(DType::kFloat16)), expected);
    EXPECT_EQ(RunModel(model(DType::kFloat16), 3), expected);
  }
}

Status CreateStatus(const ModelBuilder& b) {
  const ModelFile file = b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  EXPECT_THAT(model, IsOk());
  return Interpreter::Create(*model).status();
}

TEST(HalfTensors, HalvesAreMultipliedByHalvesOnly) {
  ModelBuilder b = Conv({DType::kFloat16, DType::kFloat16});
  b.tensor(2).dtype = schema::DType::Float32;
  b.tensor(2).shape = {kColumns, 3, 3, kChannels / 2};
  b.tensor(0).shape.back() = kChannels / 2;
  const Status status = CreateStatus(b);
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("float16 input needs float16 weights, 'w' is float32"));
}

TEST(HalfTensors, AResidualHasTheTypeOfTheOutput) {
  ModelBuilder b = Conv({DType::kFloat16, DType::kFloat16});
  b.tensor(1).dtype = schema::DType::Float32;
  const Status status = CreateStatus(b);
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), HasSubstr("residual 'residual': expected float16"));
}

TEST(HalfTensors, InputsOfHalvesAreNotQuantized) {
  ModelBuilder b = Conv({DType::kFloat16, DType::kFloat16, schema::WeightCompute::DynamicInt8});
  const Status status = CreateStatus(b);
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("that are not multiplied in int8"));
}

}  // namespace
}  // namespace micrort::testing::half_tensors
