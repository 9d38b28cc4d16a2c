// Which operators round as TensorFlow Lite does, and that they do.

#include <gtest/gtest.h>

#include "converter/pipeline/pipeline.h"
#include "tests/converter/tflite_builder.h"

namespace micrort::testing::round_as_tflite {
namespace {

constexpr auto kInt8 = fb::TensorType::Int8;

ImportedTflite Optimized(const TfliteBuilder& b, bool tflite_rounding) {
  ImportedTflite result = ImportTflite(b.Bytes());
  EXPECT_TRUE(result.status.ok()) << result.status.message();
  passes::PipelineOptions options;
  options.tflite_rounding = tflite_rounding;
  EXPECT_TRUE(!result.status.ok() || passes::Optimize(result.module, options).ok());
  return result;
}

Floats Results(const TfliteBuilder& b, bool tflite_rounding, const std::map<std::string, Floats>& inputs) {
  ImportedTflite result = Optimized(b, tflite_rounding);
  std::map<std::string, Floats> outputs;
  EXPECT_TRUE(Evaluate(result.graph(), inputs, &outputs).ok());
  return outputs["y"];
}

int CountRounded(const ir::Graph& graph) {
  int count = 0;
  for (const auto& node : graph.nodes) count += node->rounding == schema::Rounding::Tflite;
  return count;
}

// y = x / 2
TEST(RoundAsTflite, LayersTakeHalvesUp) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 1, 4, 1}, kInt8, {{1.0f}, {0}});
  const int w = b.Constant<int8_t>("w", {1, 1, 1, 1}, kInt8, {1}, {{0.5f}, {0}, 0});
  const int y = b.Tensor("y", {1, 1, 4, 1}, kInt8, {{1.0f}, {0}});
  fb::Conv2DOptionsT o;
  o.stride_h = o.stride_w = 1;
  b.Op("CONV_2D", {x, w}, {y}, o);
  b.Output(y);
  EXPECT_EQ(Results(b, false, {{"x", {1, 5, -5, 127}}}), Floats({0, 2, -2, 64}));
  EXPECT_EQ(Results(b, true, {{"x", {1, 5, -5, 127}}}), Floats({1, 3, -2, 64}));
}

TEST(RoundAsTflite, SumsOfConstantsAreSumsOfIntegers) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 3}, kInt8, {{1.0f}, {0}});
  const int c = b.Constant<int8_t>("c", {3}, kInt8, {0, 0, 2}, {{1.0f}, {0}});
  const int y = b.Tensor("y", {1, 3}, kInt8, {{2.0f}, {0}});
  b.Op("ADD", {x, c}, {y}, fb::AddOptionsT());
  b.Output(y);
  EXPECT_EQ(Results(b, false, {{"x", {1, 5, -7}}}), Floats({0, 2, -2}));
  EXPECT_EQ(Results(b, true, {{"x", {1, 5, -7}}}), Floats({1, 3, -3}));
}

TfliteBuilder Average(float y_scale) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 1, 2, 1}, kInt8, {{1.0f}, {0}});
  const int y = b.Tensor("y", {1, 1, 1, 1}, kInt8, {{y_scale}, {0}});
  fb::Pool2DOptionsT o;
  o.stride_w = o.stride_h = o.filter_height = 1;
  o.filter_width = 2;
  o.padding = fb::Padding::Valid;
  b.Op("AVERAGE_POOL_2D", {x}, {y}, o);
  b.Output(y);
  return b;
}

TEST(RoundAsTflite, AveragesTakeHalvesAwayFromZero) {
  EXPECT_EQ(Results(Average(1.0f), false, {{"x", {2, 3}}}), Floats({2}));
  EXPECT_EQ(Results(Average(1.0f), true, {{"x", {2, 3}}}), Floats({3}));
  EXPECT_EQ(Results(Average(1.0f), true, {{"x", {-2, -3}}}), Floats({-3}));
}

TEST(RoundAsTflite, WhatTfliteHasNotStaysExact) {
  EXPECT_EQ(CountRounded(Optimized(Average(1.0f), true).graph()), 1);
  EXPECT_EQ(CountRounded(Optimized(Average(2.0f), true).graph()), 0);
  TfliteBuilder b;
  const int x = b.Input("x", {1, 4}, kInt8, {{0.1f}, {0}});
  const int y = b.Tensor("y", {1, 4}, kInt8, {{1.0f / 128}, {0}});
  fb::SoftmaxOptionsT o;
  o.beta = 1;
  b.Op("SOFTMAX", {x}, {y}, o);
  b.Output(y);
  EXPECT_EQ(CountRounded(Optimized(b, true).graph()), 0);
  b.tensor(y).quantization->scale = {1.0f / 256};
  b.tensor(y).quantization->zero_point = {-128};
  EXPECT_EQ(CountRounded(Optimized(b, true).graph()), 1);
  EXPECT_EQ(CountRounded(Optimized(b, false).graph()), 0);
}

}  // namespace
}  // namespace micrort::testing::round_as_tflite
