// Every operator, with its options, beside TensorFlow Lite itself.

#include <gtest/gtest.h>

#include "tests/converter/tflite_opinion.h"

namespace micrort::testing::second_opinion {
namespace {

using Act = fb::ActivationFunctionType;
using Type = fb::TensorType;
using Dims = std::vector<int32_t>;

constexpr double kFloat = 1e-5;
// By series and tables of their own.
constexpr double kApproximated = 1e-4;

class TfliteSecondOpinion : public ::testing::Test {
 protected:
  void SetUp() override { MICRORT_NEEDS_TFLITE(); }
  TfliteOpinion opinion_;

  // y = op(inputs...), floats.
  template <typename OptionsT>
  void Add(const std::string& name, const std::string& op, const OptionsT& options,
           const std::vector<Dims>& inputs, const Dims& y, double tolerance = kFloat, float lo = -2,
           float hi = 2) {
    TfliteBuilder b;
    std::vector<int32_t> ids;
    for (const Dims& dims : inputs) ids.push_back(b.Input("x" + std::to_string(ids.size()), dims));
    const int out = b.Tensor("y", y);
    b.Op(op, ids, {out}, options);
    b.Output(out);
    opinion_.Add(name, std::move(b), tolerance, lo, hi);
  }
  void AddPlain(const std::string& op, double tolerance = kFloat, float lo = -2, float hi = 2) {
    TfliteBuilder b;
    const int x = b.Input("x", {2, 33}), y = b.Tensor("y", {2, 33});
    b.Op(op, {x}, {y});
    b.Output(y);
    opinion_.Add(op, std::move(b), tolerance, lo, hi);
  }
};

Floats Ramp(size_t n, float scale) {
  Floats values(n);
  for (size_t i = 0; i < n; ++i) values[i] = scale * static_cast<float>(static_cast<int>(i * 37 % 41) - 20);
  return values;
}

std::vector<int8_t> Bytes(size_t n, int step) {
  std::vector<int8_t> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = static_cast<int8_t>(static_cast<int>(i) * step % 255 - 127);
  return values;
}

TEST_F(TfliteSecondOpinion, FunctionsOfOneVariable) {
  for (const char* op : {"ABS", "CEIL", "FLOOR", "NEG", "RELU", "RELU6", "RELU_N1_TO_1", "ROUND", "SQUARE"})
    AddPlain(op);
  for (const char* op : {"LOG", "RSQRT", "SQRT"}) AddPlain(op, kApproximated, 0.01f, 9);
  for (const char* op : {"COS", "SIN", "EXP", "ELU", "HARD_SWISH", "LOGISTIC", "TANH"})
    AddPlain(op, kApproximated, -6, 6);
  fb::LeakyReluOptionsT leaky;
  leaky.alpha = 0.3f;
  Add("LEAKY_RELU", "LEAKY_RELU", leaky, {{2, 7}}, {2, 7});
  opinion_.Compare();
}

template <typename OptionsT>
OptionsT With(Act activation) {
  OptionsT options;
  options.fused_activation_function = activation;
  return options;
}

TEST_F(TfliteSecondOpinion, FunctionsOfTwoVariables) {
  const std::vector<std::pair<const char*, Act>> activations = {
      {"", Act::None}, {"_relu", Act::Relu}, {"_relu6", Act::Relu6}, {"_n1to1", Act::ReluN1To1}};
  for (const auto& [suffix, act] : activations) {
    const std::string s = suffix;
    Add("ADD" + s, "ADD", With<fb::AddOptionsT>(act), {{2, 3, 5}, {2, 3, 5}}, {2, 3, 5}, kFloat, -7, 7);
    Add("SUB" + s, "SUB", With<fb::SubOptionsT>(act), {{2, 3, 5}, {5}}, {2, 3, 5}, kFloat, -7, 7);
    Add("MUL" + s, "MUL", With<fb::MulOptionsT>(act), {{2, 1, 5}, {2, 3, 5}}, {2, 3, 5}, kFloat, -7, 7);
    Add("DIV" + s, "DIV", With<fb::DivOptionsT>(act), {{2, 3, 5}, {1}}, {2, 3, 5}, kFloat, 1, 7);
  }
  for (const char* op : {"MAXIMUM", "MINIMUM", "SQUARED_DIFFERENCE"}) {
    TfliteBuilder b;
    const int x = b.Input("x", {2, 9}), z = b.Input("z", {2, 9}), y = b.Tensor("y", {2, 9});
    b.Op(op, {x, z}, {y});
    b.Output(y);
    opinion_.Add(op, std::move(b), kFloat);
  }
  opinion_.Compare();
}

TEST_F(TfliteSecondOpinion, Convolutions) {
  for (const fb::Padding padding : {fb::Padding::Same, fb::Padding::Valid}) {
    for (const int stride : {1, 2}) {
      for (const int dilation : {1, 2}) {
        if (stride * dilation == 4) continue;
        const bool same = padding == fb::Padding::Same;
        const int reach = 1 + 2 * dilation;
        const auto size = [&](int n) { return same ? (n + stride - 1) / stride : (n - reach) / stride + 1; };
        const std::string name = std::string(same ? "same" : "valid") + "_s" + std::to_string(stride) + "_d" +
                                 std::to_string(dilation);
        {
          fb::Conv2DOptionsT o;
          o.padding = padding;
          o.stride_h = o.stride_w = stride;
          o.dilation_h_factor = o.dilation_w_factor = dilation;
          o.fused_activation_function = Act::Relu6;
          TfliteBuilder b;
          const int x = b.Input("x", {1, 9, 8, 3}), w = b.Floats("w", {5, 3, 3, 3}, Ramp(135, 0.02f));
          const int bias = b.Floats("bias", {5}, Ramp(5, 0.1f));
          const int y = b.Tensor("y", {1, size(9), size(8), 5});
          b.Op("CONV_2D", {x, w, bias}, {y}, o);
          b.Output(y);
          opinion_.Add("CONV_2D_" + name, std::move(b), kFloat);
        }
        fb::DepthwiseConv2DOptionsT o;
        o.padding = padding;
        o.stride_h = o.stride_w = stride;
        o.dilation_h_factor = o.dilation_w_factor = dilation;
        o.depth_multiplier = 2;
        TfliteBuilder b;
        const int x = b.Input("x", {1, 9, 8, 3}), w = b.Floats("w", {1, 3, 3, 6}, Ramp(54, 0.02f));
        const int bias = b.Floats("bias", {6}, Ramp(6, 0.1f));
        const int y = b.Tensor("y", {1, size(9), size(8), 6});
        b.Op("DEPTHWISE_CONV_2D", {x, w, bias}, {y}, o);
        b.Output(y);
        opinion_.Add("DEPTHWISE_CONV_2D_" + name, std::move(b), kFloat);
      }
    }
    const bool same = padding == fb::Padding::Same;
    const Dims y_shape = {1, same ? 8 : 9, same ? 6 : 7, 2};
    fb::TransposeConvOptionsT o;
    o.padding = padding;
    o.stride_h = o.stride_w = 2;
    TfliteBuilder b;
    const int shape = b.Integers("shape", y_shape), w = b.Floats("w", {2, 3, 3, 4}, Ramp(72, 0.02f));
    const int x = b.Input("x", {1, 4, 3, 4}), y = b.Tensor("y", y_shape);
    b.Op("TRANSPOSE_CONV", {shape, w, x}, {y}, o);
    b.Output(y);
    opinion_.Add(same ? "TRANSPOSE_CONV_same" : "TRANSPOSE_CONV_valid", std::move(b), kFloat);
  }
  opinion_.Compare();
}

TEST_F(TfliteSecondOpinion, ProductsPoolsAndNorms) {
  for (const bool adj_x : {false, true}) {
    for (const bool adj_y : {false, true}) {
      fb::BatchMatMulOptionsT o;
      o.adj_x = adj_x;
      o.adj_y = adj_y;
      const Dims x = adj_x ? Dims{2, 5, 3} : Dims{2, 3, 5}, z = adj_y ? Dims{2, 4, 5} : Dims{2, 5, 4};
      Add(std::string("BATCH_MATMUL") + (adj_x ? "_x" : "") + (adj_y ? "_y" : ""), "BATCH_MATMUL", o, {x, z},
          {2, 3, 4});
    }
  }
  for (const Act act : {Act::None, Act::Relu}) {
    TfliteBuilder b;
    const int x = b.Input("x", {3, 8}), w = b.Floats("w", {5, 8}, Ramp(40, 0.03f));
    const int bias = b.Floats("bias", {5}, Ramp(5, 0.1f)), y = b.Tensor("y", {3, 5});
    b.Op("FULLY_CONNECTED", {x, w, bias}, {y}, With<fb::FullyConnectedOptionsT>(act));
    b.Output(y);
    opinion_.Add(act == Act::None ? "FULLY_CONNECTED" : "FULLY_CONNECTED_relu", std::move(b), kFloat);
  }
  for (const char* op : {"AVERAGE_POOL_2D", "MAX_POOL_2D"}) {
    for (const fb::Padding padding : {fb::Padding::Same, fb::Padding::Valid}) {
      fb::Pool2DOptionsT o;
      o.padding = padding;
      o.stride_w = o.stride_h = 2;
      o.filter_width = 3;
      o.filter_height = 2;
      const bool same = padding == fb::Padding::Same;
      Add(op + std::string(same ? "_same" : "_valid"), op, o, {{1, 7, 8, 3}},
          {1, same ? 4 : 3, same ? 4 : 3, 3});
    }
  }
  fb::SoftmaxOptionsT softmax;
  softmax.beta = 0.7f;
  Add("SOFTMAX", "SOFTMAX", softmax, {{3, 11}}, {3, 11});
  AddPlain("LOG_SOFTMAX", kApproximated);
  Add("L2_NORMALIZATION", "L2_NORMALIZATION", fb::L2NormOptionsT(), {{2, 9}}, {2, 9});
  fb::LocalResponseNormalizationOptionsT lrn;
  lrn.radius = 2;
  lrn.bias = 1.5f;
  lrn.alpha = 0.3f;
  lrn.beta = 0.75f;
  Add("LOCAL_RESPONSE_NORMALIZATION", "LOCAL_RESPONSE_NORMALIZATION", lrn, {{1, 2, 3, 9}}, {1, 2, 3, 9},
      kApproximated);
  TfliteBuilder b;
  const int x = b.Input("x", {1, 3, 3, 4}), alpha = b.Floats("alpha", {1, 1, 4}, {0.1f, -0.2f, 0.3f, 2});
  const int y = b.Tensor("y", {1, 3, 3, 4});
  b.Op("PRELU", {x, alpha}, {y});
  b.Output(y);
  opinion_.Add("PRELU", std::move(b), kFloat);
  opinion_.Compare();
}

TEST_F(TfliteSecondOpinion, ReductionsAndResizing) {
  for (const char* op : {"MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD"}) {
    for (const bool keep : {false, true}) {
      TfliteBuilder b;
      const int x = b.Input("x", {2, 3, 4, 5}), axes = b.Integers("axes", {1, -2});
      const int y = b.Tensor("y", keep ? Dims{2, 1, 1, 5} : Dims{2, 5});
      fb::ReducerOptionsT o;
      o.keep_dims = keep;
      b.Op(op, {x, axes}, {y}, o);
      b.Output(y);
      opinion_.Add(op + std::string(keep ? "_keep" : ""), std::move(b), kFloat);
    }
  }
  for (const int mode : {0, 1, 2}) {
    const std::string suffix = mode == 0 ? "" : mode == 1 ? "_corners" : "_half";
    {
      TfliteBuilder b;
      const int x = b.Input("x", {1, 3, 5, 2}), size = b.Integers("size", {7, 4}),
                y = b.Tensor("y", {1, 7, 4, 2});
      fb::ResizeBilinearOptionsT o;
      o.align_corners = mode == 1;
      o.half_pixel_centers = mode == 2;
      b.Op("RESIZE_BILINEAR", {x, size}, {y}, o);
      b.Output(y);
      opinion_.Add("RESIZE_BILINEAR" + suffix, std::move(b), kFloat);
    }
    TfliteBuilder b;
    const int x = b.Input("x", {1, 3, 5, 2}), size = b.Integers("size", {7, 4}),
              y = b.Tensor("y", {1, 7, 4, 2});
    fb::ResizeNearestNeighborOptionsT o;
    o.align_corners = mode == 1;
    o.half_pixel_centers = mode == 2;
    b.Op("RESIZE_NEAREST_NEIGHBOR", {x, size}, {y}, o);
    b.Output(y);
    opinion_.Add("RESIZE_NEAREST_NEIGHBOR" + suffix, std::move(b), kFloat);
  }
  opinion_.Compare();
}

TEST_F(TfliteSecondOpinion, MovedElements) {
  fb::ConcatenationOptionsT concat;
  concat.axis = -1;
  Add("CONCATENATION", "CONCATENATION", concat, {{2, 3}, {2, 4}}, {2, 7});
  fb::PackOptionsT pack;
  pack.values_count = 2;
  pack.axis = 1;
  Add("PACK", "PACK", pack, {{2, 3}, {2, 3}}, {2, 2, 3});
  fb::DepthToSpaceOptionsT depth_to_space;
  depth_to_space.block_size = 2;
  Add("DEPTH_TO_SPACE", "DEPTH_TO_SPACE", depth_to_space, {{1, 2, 3, 8}}, {1, 4, 6, 2});
  fb::SpaceToDepthOptionsT space_to_depth;
  space_to_depth.block_size = 2;
  Add("SPACE_TO_DEPTH", "SPACE_TO_DEPTH", space_to_depth, {{1, 4, 6, 2}}, {1, 2, 3, 8});
  // Operators whose second operand is a list of integers.
  const auto add = [&](const std::string& op, const Dims& in, const Dims& operand, Dims operand_shape,
                       const Dims& out) {
    TfliteBuilder b;
    const int x = b.Input("x", in), y = b.Tensor("y", out);
    const int list = b.Constant("list", std::move(operand_shape), Type::Int32, operand);
    b.Op(op, {x, list}, {y});
    b.Output(y);
    opinion_.Add(op, std::move(b), 0);
  };
  add("TRANSPOSE", {2, 3, 4}, {2, 0, 1}, {3}, {4, 2, 3});
  add("TILE", {2, 3}, {2, 3}, {2}, {4, 9});
  add("PAD", {2, 3}, {1, 0, 2, 3}, {2, 2}, {3, 8});
  add("EXPAND_DIMS", {2, 3}, {1}, {1}, {2, 1, 3});
  add("REVERSE_V2", {2, 3, 4}, {1}, {1}, {2, 3, 4});
  fb::GatherOptionsT gather;
  gather.axis = 1;
  TfliteBuilder b;
  const int x = b.Input("x", {2, 5, 3}), at = b.Integers("at", {4, 0, 2}), y = b.Tensor("y", {2, 3, 3});
  b.Op("GATHER", {x, at}, {y}, gather);
  b.Output(y);
  opinion_.Add("GATHER", std::move(b), 0);
  opinion_.Compare();
}

// int8: the layer is within one step of the reference's rounding, which is ours, and of XNNPACK's.
constexpr double kOneStep = 1;

TEST_F(TfliteSecondOpinion, QuantizedLayers) {
  for (const Act act : {Act::None, Act::Relu, Act::Relu6}) {
    const std::string suffix = act == Act::None ? "" : act == Act::Relu ? "_relu" : "_relu6";
    const Quantized of_x = {{0.05f}, {-3}}, of_y = {{0.06f}, {act == Act::None ? 4 : -128}};
    const Quantized of_w = {{0.01f, 0.02f, 0.005f, 0.03f}, {0, 0, 0, 0}, 0};
    const Quantized of_bias = {{0.0005f, 0.001f, 0.00025f, 0.0015f}, {0, 0, 0, 0}, 0};
    {
      TfliteBuilder b;
      const int x = b.Input("x", {1, 6, 5, 3}, Type::Int8, of_x);
      const int w = b.Constant("w", {4, 3, 3, 3}, Type::Int8, Bytes(108, 47), of_w);
      const int bias = b.Constant<int32_t>("bias", {4}, Type::Int32, {300, -200, 1000, 0}, of_bias);
      const int y = b.Tensor("y", {1, 6, 5, 4}, Type::Int8, of_y);
      fb::Conv2DOptionsT o;
      o.padding = fb::Padding::Same;
      o.stride_h = o.stride_w = 1;
      o.fused_activation_function = act;
      b.Op("CONV_2D", {x, w, bias}, {y}, o);
      b.Output(y);
      opinion_.Add("CONV_2D" + suffix, std::move(b), kOneStep);
    }
    {
      TfliteBuilder b;
      const int x = b.Input("x", {1, 6, 5, 4}, Type::Int8, of_x);
      Quantized along_last = of_w;
      along_last.axis = 3;
      const int w = b.Constant("w", {1, 3, 3, 4}, Type::Int8, Bytes(36, 47), along_last);
      const int bias = b.Constant<int32_t>("bias", {4}, Type::Int32, {300, -200, 1000, 0}, of_bias);
      const int y = b.Tensor("y", {1, 3, 3, 4}, Type::Int8, of_y);
      fb::DepthwiseConv2DOptionsT o;
      o.padding = fb::Padding::Same;
      o.stride_h = o.stride_w = 2;
      o.depth_multiplier = 1;
      o.fused_activation_function = act;
      b.Op("DEPTHWISE_CONV_2D", {x, w, bias}, {y}, o);
      b.Output(y);
      opinion_.Add("DEPTHWISE_CONV_2D" + suffix, std::move(b), kOneStep);
    }
    TfliteBuilder b;
    const int x = b.Input("x", {2, 16}, Type::Int8, of_x);
    const int w = b.Constant("w", {4, 16}, Type::Int8, Bytes(64, 31), {{0.01f}, {0}});
    const int bias = b.Constant<int32_t>("bias", {4}, Type::Int32, {300, -200, 1000, 0}, {{0.0005f}, {0}});
    const int y = b.Tensor("y", {2, 4}, Type::Int8, of_y);
    b.Op("FULLY_CONNECTED", {x, w, bias}, {y}, With<fb::FullyConnectedOptionsT>(act));
    b.Output(y);
    opinion_.Add("FULLY_CONNECTED" + suffix, std::move(b), kOneStep);
  }
  opinion_.Compare();
}

TEST_F(TfliteSecondOpinion, QuantizedOperators) {
  const Quantized q = {{0.05f}, {-3}}, r = {{0.03f}, {10}};
  const auto two = [&](const std::string& op, const auto& options, const Quantized& out) {
    TfliteBuilder b;
    const int x = b.Input("x", {2, 3, 8}, Type::Int8, q), z = b.Input("z", {2, 3, 8}, Type::Int8, r);
    const int y = b.Tensor("y", {2, 3, 8}, Type::Int8, out);
    b.Op(op, {x, z}, {y}, options);
    b.Output(y);
    opinion_.Add(op, std::move(b), kOneStep);
  };
  two("ADD", fb::AddOptionsT(), {{0.06f}, {1}});
  two("SUB", fb::SubOptionsT(), {{0.06f}, {1}});
  two("MUL", With<fb::MulOptionsT>(Act::Relu), {{0.2f}, {-20}});
  const auto one = [&](const std::string& op, const auto& options, const Dims& in, const Dims& out,
                       const Quantized& of_x, const Quantized& of_y) {
    TfliteBuilder b;
    const int x = b.Input("x", in, Type::Int8, of_x), y = b.Tensor("y", out, Type::Int8, of_y);
    b.Op(op, {x}, {y}, options);
    b.Output(y);
    opinion_.Add(op, std::move(b), kOneStep);
  };
  fb::Pool2DOptionsT pool;
  pool.padding = fb::Padding::Same;
  pool.stride_w = pool.stride_h = pool.filter_width = pool.filter_height = 2;
  one("AVERAGE_POOL_2D", pool, {1, 5, 5, 9}, {1, 3, 3, 9}, q, q);
  one("MAX_POOL_2D", pool, {1, 5, 5, 9}, {1, 3, 3, 9}, q, q);
  fb::SoftmaxOptionsT softmax;
  softmax.beta = 1;
  one("SOFTMAX", softmax, {3, 10}, {3, 10}, q, {{1.0f / 256}, {-128}});
  fb::LeakyReluOptionsT leaky;
  leaky.alpha = 0.3f;
  one("LEAKY_RELU", leaky, {3, 10}, {3, 10}, q, r);
  const auto table = [&](const std::string& op, const Quantized& of_y) {
    TfliteBuilder b;
    const int x = b.Input("x", {4, 64}, Type::Int8, q), y = b.Tensor("y", {4, 64}, Type::Int8, of_y);
    b.Op(op, {x}, {y});
    b.Output(y);
    opinion_.Add(op, std::move(b), kOneStep);
  };
  table("LOGISTIC", {{1.0f / 256}, {-128}});
  table("TANH", {{1.0f / 128}, {0}});
  table("HARD_SWISH", {{0.04f}, {-20}});
  table("RELU", {{0.03f}, {-128}});
  for (const char* op : {"MEAN", "SUM"}) {
    TfliteBuilder b;
    const int x = b.Input("x", {1, 4, 5, 3}, Type::Int8, q), axes = b.Integers("axes", {1, 2});
    const int y =
        b.Tensor("y", {1, 3}, Type::Int8, op[0] == 'M' ? Quantized{{0.04f}, {2}} : Quantized{{0.5f}, {2}});
    b.Op(op, {x, axes}, {y}, fb::ReducerOptionsT());
    b.Output(y);
    opinion_.Add(op, std::move(b), kOneStep);
  }
  opinion_.Compare();
}

}  // namespace
}  // namespace micrort::testing::second_opinion
