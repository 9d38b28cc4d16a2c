// TFLite's layers with padding SAME over images of open height and width compute what those do that are
// converted for one size.

#include <gmock/gmock.h>

#include "converter/pipeline/pipeline.h"
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

// An image of twice the height and width: y has the shape that the model computes.
std::string TransposedModel(const Layer& layer, fb::Padding padding) {
  const Quantized q = layer.is_quantized ? Quantized{{0.5f}, {3}} : Quantized{};
  const auto type = layer.is_quantized ? fb::TensorType::Int8 : fb::TensorType::Float32;
  TfliteBuilder b;
  const int image = b.Input("image", {1, -1, -1, 1}), x = b.Tensor("x", {1, 1, 1, 1}, type, q),
            shape = b.Tensor("shape", {4}, fb::TensorType::Int32),
            wanted = b.Tensor("wanted", {4}, fb::TensorType::Int32), y = b.Tensor("y", {}, type, q),
            out = b.Tensor("out");
  if (layer.is_quantized) b.Op("QUANTIZE", {image}, {x});
  b.Op("SHAPE", {image}, {shape});
  b.Op("MUL", {shape, b.Integers("twice", {1, layer.stride, layer.stride, 1})}, {wanted}, fb::MulOptionsT());
  const std::vector<int32_t> kernel = {1, 3, 3, 1};
  const int w = layer.is_quantized
                    ? b.Constant<int8_t>("w", kernel, type, {1, 2, 3, 1, 0, 2, 1, 3, 1}, {{1}, {0}})
                    : b.Floats("w", kernel, {1, 2, 3, 1, 0, 2, 1, 3, 1});
  auto o = Strided<fb::TransposeConvOptionsT>(layer.stride);
  o.padding = padding;
  b.Op("TRANSPOSE_CONV", {wanted, w, layer.is_quantized ? x : image}, {layer.is_quantized ? y : out}, o);
  if (layer.is_quantized) b.Op("DEQUANTIZE", {y}, {out});
  return b.Output(out).Bytes();
}

// [1, 2, height, width, 1]
std::string VolumeModel(int32_t stride) {
  TfliteBuilder b;
  const int x = b.Input("image", {1, 2, -1, -1, 1}), y = b.Tensor("out"),
            w = b.Floats("w", {2, 3, 2, 1, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  fb::Conv3DOptionsT o;
  o.padding = fb::Padding::Same;
  o.stride_d = 1;
  o.stride_h = o.stride_w = stride;
  b.Op("CONV_3D", {x, w}, {y}, o);
  return b.Output(y).Bytes();
}

std::string Model(const Layer& layer) {
  const std::string op = layer.name;
  if (op == "TRANSPOSE_CONV") return TransposedModel(layer, fb::Padding::Same);
  if (op == "TRANSPOSE_CONV, VALID") return TransposedModel(layer, fb::Padding::Valid);
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
    EXPECT_TRUE(open.ran());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Layers, TfliteOpenImage,
    ::testing::Values(Layer{"CONV_2D", 2, false}, Layer{"CONV_2D", 3, false}, Layer{"CONV_2D", 2, true},
                      Layer{"DEPTHWISE_CONV_2D", 2, false}, Layer{"DEPTHWISE_CONV_2D", 2, true},
                      Layer{"MAX_POOL_2D", 2, false}, Layer{"MAX_POOL_2D", 2, true},
                      Layer{"AVERAGE_POOL_2D", 2, false}, Layer{"L2_POOL_2D", 2, false},
                      Layer{"TRANSPOSE_CONV", 1, false}, Layer{"TRANSPOSE_CONV", 2, false},
                      Layer{"TRANSPOSE_CONV", 4, false}, Layer{"TRANSPOSE_CONV", 2, true},
                      Layer{"TRANSPOSE_CONV, VALID", 3, false}, Layer{"TRANSPOSE_CONV, VALID", 4, false}),
    [](const auto& param) {
      const std::string name = param.param.name;
      return name.substr(0, name.find(',')) + (name.find(',') != std::string::npos ? "Valid" : "") +
             "Stride" + std::to_string(param.param.stride) + (param.param.is_quantized ? "Quantized" : "");
    });

TEST(TfliteOpenImages, VolumesOfOpenPlanesAreThoseOfEachSize) {
  for (const int32_t stride : {1, 2}) {
    Converted open("model.tflite", VolumeModel(stride));
    ASSERT_TRUE(open.status().ok()) << open.status().message();
    for (const std::vector<int64_t>& shape :
         {std::vector<int64_t>{1, 2, 1, 1, 1}, {1, 2, 5, 4, 1}, {1, 2, 6, 7, 1}}) {
      ConvertOptions options;
      options.input_shapes = {{"image", shape}};
      Converted fixed("model.tflite", VolumeModel(stride), options);
      const io::NamedArray x = Counting(shape);
      EXPECT_EQ(open.Run({x}), fixed.Run({x})) << shape[2] << "x" << shape[3] << ", stride " << stride;
      EXPECT_TRUE(open.ran());
    }
  }
}

// What lies outside of the computed shape is cut off after the rounding, so the layer itself is one of int8.
TEST(TfliteOpenImages, TransposedLayersOfIntegersStayIntegers) {
  ImportedTflite imported = ImportTflite(TransposedModel({"TRANSPOSE_CONV", 2, true}, fb::Padding::Same));
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  ASSERT_TRUE(passes::Optimize(imported.module, {}).ok());
  int layers = 0;
  for (const auto& node : imported.graph().nodes) {
    if (node->code != schema::OpCode::ConvTranspose2D) continue;
    ++layers;
    EXPECT_EQ(imported.graph().value(node->inputs[0]).dtype, DType::kInt8);
    EXPECT_EQ(imported.graph().value(node->outputs[0]).dtype, DType::kInt8);
  }
  EXPECT_EQ(layers, 1);
}

// The mean of what is inside of the image; halves of a step go to the even one.
TEST(TfliteOpenImages, QuantizedAveragesCountNoPadding) {
  Converted open("model.tflite", Model({"AVERAGE_POOL_2D", 2, true}));
  EXPECT_EQ(open.Run({Counting({1, 2, 3, 1})}), "1x1x2x1: 3 4.5");
  EXPECT_EQ(open.Run({Counting({1, 1, 2, 1})}), "1x1x1x1: 1.5");
}

}  // namespace
}  // namespace micrort::testing
