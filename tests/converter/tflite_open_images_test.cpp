// TFLite's layers with padding SAME over images of open height and width compute what those do that are
// converted for one size.

#include <gmock/gmock.h>

#include "tests/converter/converted.h"
#include "tests/converter/tflite_builder.h"

namespace micrort::testing {
namespace {

struct Layer {
  const char* name;
  int32_t stride;
  bool is_quantized;
};

fb::Pool2DOptionsT PoolOptions(int32_t stride) {
  fb::Pool2DOptionsT o;
  o.padding = fb::Padding::Same;
  o.stride_h = o.stride_w = stride;
  o.filter_height = 3, o.filter_width = 2;
  return o;
}

template <typename OptionsT>
OptionsT Strided(int32_t stride) {
  OptionsT o;
  o.padding = fb::Padding::Same;
  o.stride_h = o.stride_w = stride;
  return o;
}

std::string Model(const Layer& layer) {
  const std::string op = layer.name;
  const Quantized q = layer.is_quantized ? Quantized{{0.5f}, {3}} : Quantized{},
                  weight = layer.is_quantized ? Quantized{{1}, {0}} : Quantized{};
  const auto type = layer.is_quantized ? fb::TensorType::Int8 : fb::TensorType::Float32;
  TfliteBuilder b;
  const int image = b.Input("image", {1, -1, -1, 1}), x = b.Tensor("x", {1, 1, 1, 1}, type, q),
            y = b.Tensor("y", {}, type, q), out = b.Tensor("out");
  const int in = layer.is_quantized ? x : image, last = layer.is_quantized ? y : out;
  if (layer.is_quantized) b.Op("QUANTIZE", {image}, {x});
  const bool is_depthwise = op == "DEPTHWISE_CONV_2D";
  if (is_depthwise || op == "CONV_2D") {
    const std::vector<int32_t> shape = {1, 3, 3, 1};
    const int w = layer.is_quantized
                      ? b.Constant<int8_t>("w", shape, type, {1, 2, 3, 1, 0, 2, 1, 3, 1}, weight)
                      : b.Floats("w", shape, {1, 2, 3, 1, 0, 2, 1, 3, 1});
    if (is_depthwise) {
      b.Op(op, {in, w}, {last}, Strided<fb::DepthwiseConv2DOptionsT>(layer.stride));
    } else {
      b.Op(op, {in, w}, {last}, Strided<fb::Conv2DOptionsT>(layer.stride));
    }
  } else {
    b.Op(op, {in}, {last}, PoolOptions(layer.stride));
  }
  if (layer.is_quantized) b.Op("DEQUANTIZE", {y}, {out});
  b.Output(out);
  return b.Bytes();
}

class TfliteOpenImage : public ::testing::TestWithParam<Layer> {};

TEST_P(TfliteOpenImage, IsThatOfEachSize) {
  Converted open("model.tflite", Model(GetParam()));
  ASSERT_TRUE(open.status().ok()) << open.status().message();
  EXPECT_EQ(open.model().input(0).shape[1], -1);
  const std::vector<int64_t> sizes[] = {
      {1, 1, 1, 1}, {1, 2, 1, 1}, {1, 6, 9, 1}, {1, 7, 11, 1}, {1, 8, 8, 1}};
  for (const std::vector<int64_t>& shape : sizes) {
    ConvertOptions options;
    options.input_shapes = {{"image", shape}};
    Converted fixed("model.tflite", Model(GetParam()), options);
    const io::NamedArray x = Counting(shape);
    EXPECT_EQ(open.Run({x}), fixed.Run({x})) << shape[1] << "x" << shape[2];
  }
}

INSTANTIATE_TEST_SUITE_P(Layers, TfliteOpenImage,
                         ::testing::Values(Layer{"CONV_2D", 2, false}, Layer{"CONV_2D", 3, false},
                                           Layer{"CONV_2D", 2, true}, Layer{"DEPTHWISE_CONV_2D", 2, false},
                                           Layer{"DEPTHWISE_CONV_2D", 2, true},
                                           Layer{"MAX_POOL_2D", 2, false}, Layer{"MAX_POOL_2D", 2, true},
                                           Layer{"AVERAGE_POOL_2D", 2, false}, Layer{"L2_POOL_2D", 2, false}),
                         [](const auto& param) {
                           return std::string(param.param.name) + "Stride" +
                                  std::to_string(param.param.stride) +
                                  (param.param.is_quantized ? "Quantized" : "");
                         });

// The mean of what is inside of the image; halves of a step go to the even one.
TEST(TfliteOpenImages, QuantizedAveragesCountNoPadding) {
  Converted open("model.tflite", Model({"AVERAGE_POOL_2D", 2, true}));
  EXPECT_EQ(open.Run({Counting({1, 2, 3, 1})}), "1x1x2x1: 3 4.5");
  EXPECT_EQ(open.Run({Counting({1, 1, 2, 1})}), "1x1x1x1: 1.5");
}

}  // namespace
}  // namespace micrort::testing
