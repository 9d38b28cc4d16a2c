// Values of Caffe layers against plain loops, or numbers worked out by hand.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/converter/caffe_net.h"

namespace micrort {
namespace {

using testing::BlobText;
using testing::CaffeValues;
using testing::ExpectAllNear;
using testing::Floats;
using testing::ImportNet;
using testing::InputText;
using testing::LayerText;
using testing::RunLayer;
using testing::RunNet;

// Of [C,H,W]; 0 outside.
float ValueAt(const Floats& x, int h, int w, int channel, int y, int at) {
  return y < 0 || y >= h || at < 0 || at >= w ? 0 : x[static_cast<size_t>((channel * h + y) * w + at)];
}

struct Kernel {
  int kh, kw, sh, sw, ph, pw, dilation, groups;
};

// x [C,H,W], weights [O,C/g,KH,KW].
Floats PlainConvolution(const Floats& x, int c, int h, int w, const Floats& weights, const Floats& bias,
                        int outputs, const Kernel& k) {
  const int oh = (h + 2 * k.ph - k.dilation * (k.kh - 1) - 1) / k.sh + 1;
  const int ow = (w + 2 * k.pw - k.dilation * (k.kw - 1) - 1) / k.sw + 1;
  const int depth = c / k.groups;
  Floats y;
  for (int o = 0; o < outputs; ++o) {
    for (int i = 0; i < oh * ow; ++i) {
      float sum = bias.empty() ? 0 : bias[static_cast<size_t>(o)];
      for (int t = 0; t < depth * k.kh * k.kw; ++t) {
        const int channel = o / (outputs / k.groups) * depth + t / (k.kh * k.kw);
        const int row = i / ow * k.sh - k.ph + t / k.kw % k.kh * k.dilation;
        const int column = i % ow * k.sw - k.pw + t % k.kw * k.dilation;
        sum += ValueAt(x, h, w, channel, row, column) *
               weights[static_cast<size_t>(o * depth * k.kh * k.kw + t)];
      }
      y.push_back(sum);
    }
  }
  return y;
}

std::string ConvolutionText(int outputs, const Kernel& k, const std::string& more) {
  const auto n = [](int v) { return std::to_string(v); };
  return "convolution_param { num_output: " + n(outputs) + " kernel_h: " + n(k.kh) + " kernel_w: " + n(k.kw) +
         " stride_h: " + n(k.sh) + " stride_w: " + n(k.sw) + " pad_h: " + n(k.ph) + " pad_w: " + n(k.pw) +
         " dilation: " + n(k.dilation) + " " + more + "}\n";
}

TEST(CaffeConvolution, WindowsAndGroups) {
  const Kernel kernels[] = {{3, 3, 1, 1, 1, 1, 1, 1},
                            {3, 2, 2, 1, 0, 1, 1, 2},
                            {3, 3, 1, 2, 2, 2, 2, 1},
                            {3, 3, 2, 2, 1, 1, 1, 4},
                            {1, 1, 1, 1, 0, 0, 1, 1}};
  for (const Kernel& k : kernels) {
    const int64_t depth = 4 / k.groups;
    const Floats x = CaffeValues(4 * 7 * 6), w = CaffeValues(static_cast<size_t>(8 * depth * k.kh * k.kw), 2),
                 b = CaffeValues(8, 3);
    const std::string text = ConvolutionText(8, k, "group: " + std::to_string(k.groups)) +
                             BlobText({8, depth, k.kh, k.kw}, w) + BlobText({1, 1, 1, 8}, b);
    ExpectAllNear(PlainConvolution(x, 4, 7, 6, w, b, 8, k), RunLayer("Convolution", {1, 4, 7, 6}, x, text));
  }
}

TEST(CaffeConvolution, DepthwiseTypesNeedNoGroups) {
  const Kernel k = {3, 3, 1, 1, 1, 1, 1, 4};
  const Floats x = CaffeValues(4 * 5 * 5), w = CaffeValues(4 * 9, 2);
  const std::string text = ConvolutionText(4, k, "bias_term: false") + BlobText({4, 1, 3, 3}, w);
  for (const char* type : {"ConvolutionDepthwise", "DepthwiseConvolution"}) {
    ExpectAllNear(PlainConvolution(x, 4, 5, 5, w, {}, 4, k), RunLayer(type, {1, 4, 5, 5}, x, text));
  }
}

TEST(CaffeConvolution, ParametersMustFit) {
  const auto code = [](const std::string& param) {
    const std::string blobs = BlobText({2, 1, 3, 3}, Floats(18, 1));
    return ImportNet(
               InputText("x", {1, 1, 5, 5}) +
               LayerText("Convolution", {"x"}, "convolution_param { bias_term: false " + param + "}" + blobs))
        .status.code();
  };
  EXPECT_EQ(code("num_output: 2 kernel_size: 3"), StatusCode::kOk);
  EXPECT_EQ(code("num_output: 2 kernel_size: 3 kernel_size: 3 stride: 1 stride: 2"), StatusCode::kOk);
  EXPECT_EQ(code("num_output: 2"), StatusCode::kInvalidModel);
  EXPECT_EQ(code("num_output: 0 kernel_size: 3"), StatusCode::kInvalidModel);
  EXPECT_EQ(code("num_output: 2 kernel_size: 3 stride: 0"), StatusCode::kInvalidModel);
  EXPECT_EQ(code("num_output: 2 kernel_size: 3 kernel_h: 3"), StatusCode::kInvalidModel);
  EXPECT_EQ(code("num_output: 2 kernel_size: 3 group: 2"), StatusCode::kInvalidModel);
  EXPECT_EQ(code("num_output: 2 kernel_size: 3 pad: 4294967295"), StatusCode::kInvalidModel);
  EXPECT_EQ(code("num_output: 4294967295 kernel_size: 3"), StatusCode::kInvalidModel);
  EXPECT_EQ(code("num_output: 3 kernel_size: 3"), StatusCode::kInvalidModel);
  EXPECT_NE(code("num_output: 2 kernel_size: 3 dilation: 9"), StatusCode::kOk);
}

// Weights [C,O/g,KH,KW].
TEST(CaffeDeconvolution, ScattersEveryPixel) {
  for (const int groups : {1, 2}) {
    const int kernel = 4, stride = 2, pad = 1, h = 3, w = 2, channels = 2, outputs = 4,
              each = outputs / groups;
    const Floats x = CaffeValues(channels * h * w);
    const Floats weights = CaffeValues(static_cast<size_t>(channels * each * kernel * kernel), 2);
    const int oh = stride * (h - 1) + kernel - 2 * pad, ow = stride * (w - 1) + kernel - 2 * pad;
    Floats expected(static_cast<size_t>(outputs * oh * ow), 0.0f);
    for (int c = 0; c < channels; ++c) {
      for (int o = 0; o < each; ++o) {
        for (int i = 0; i < h * w * kernel * kernel; ++i) {
          const int tap = i % (kernel * kernel), pixel = i / (kernel * kernel);
          const int y = pixel / w * stride - pad + tap / kernel, at = pixel % w * stride - pad + tap % kernel;
          if (y < 0 || y >= oh || at < 0 || at >= ow) continue;
          const int out = c / (channels / groups) * each + o;
          expected[static_cast<size_t>((out * oh + y) * ow + at)] +=
              x[static_cast<size_t>(c * h * w + pixel)] *
              weights[static_cast<size_t>((c * each + o) * kernel * kernel + tap)];
        }
      }
    }
    const std::string text =
        "convolution_param { num_output: 4 kernel_size: 4 stride: 2 pad: 1 bias_term: false group: " +
        std::to_string(groups) + "}" + BlobText({channels, each, kernel, kernel}, weights);
    ExpectAllNear(expected, RunLayer("Deconvolution", {1, channels, h, w}, x, text));
  }
}

TEST(CaffeIm2col, ChannelsAreTaps) {
  const Floats x = CaffeValues(2 * 4 * 3);
  Floats expected;
  for (int o = 0; o < 2 * 4; ++o) {
    for (int i = 0; i < 5 * 4; ++i) {
      expected.push_back(ValueAt(x, 4, 3, o / 4, i / 4 - 1 + o / 2 % 2, i % 4 - 1 + o % 2));
    }
  }
  ExpectAllNear(expected, RunLayer("Im2col", {1, 2, 4, 3}, x, "convolution_param { kernel_size: 2 pad: 1 }"));
}

// As Caffe counts: up, then without a last window that begins behind the image and its padding before.
int PooledSize(int size, int kernel, int stride, int pad, bool any_pad) {
  int count =
      static_cast<int>(std::ceil(static_cast<float>(size + 2 * pad - kernel) / static_cast<float>(stride))) +
      1;
  if (any_pad && (count - 1) * stride >= size + pad) --count;
  return count;
}

TEST(CaffePooling, RoundsUpAndDividesByTheWindowInThePaddedImage) {
  for (const bool average : {false, true}) {
    for (int size = 3; size <= 9; ++size) {
      for (int kernel = 2; kernel <= 3; ++kernel) {
        for (int stride = 1; stride <= 3; ++stride) {
          for (int pad = 0; pad < kernel; ++pad) {
            if (stride > kernel && pad == 0) continue;
            const int count = PooledSize(size, kernel, stride, pad, pad != 0);
            const Floats x = CaffeValues(static_cast<size_t>(size * size));
            Floats expected;
            for (int i = 0; i < count * count; ++i) {
              const int y0 = i / count * stride - pad, x0 = i % count * stride - pad;
              const int y1 = std::min(y0 + kernel, size + pad), x1 = std::min(x0 + kernel, size + pad);
              float sum = 0, largest = -100;
              for (int y = std::max(y0, 0); y < std::min(y1, size); ++y) {
                for (int at = std::max(x0, 0); at < std::min(x1, size); ++at) {
                  sum += x[static_cast<size_t>(y * size + at)];
                  largest = std::max(largest, x[static_cast<size_t>(y * size + at)]);
                }
              }
              expected.push_back(average ? sum / static_cast<float>((y1 - y0) * (x1 - x0)) : largest);
            }
            const auto n = [](int v) { return std::to_string(v); };
            const std::string param = "pooling_param { pool: " + std::string(average ? "AVE" : "MAX") +
                                      " kernel_size: " + n(kernel) + " stride: " + n(stride) +
                                      " pad: " + n(pad) + " }";
            SCOPED_TRACE(n(size) + " " + param);
            ExpectAllNear(expected, RunLayer("Pooling", {1, 1, size, size}, x, param));
          }
        }
      }
    }
  }
}

TEST(CaffePooling, OtherModes) {
  const Floats x = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(RunLayer("Pooling", {1, 1, 3, 3}, x, "pooling_param { global_pooling: true pool: AVE }"),
            Floats({5}));
  EXPECT_EQ(RunLayer("Pooling", {1, 1, 3, 3}, x, "pooling_param { global_pooling: true }"), Floats({9}));
  EXPECT_EQ(
      RunLayer("Pooling", {1, 1, 3, 3}, x, "pooling_param { kernel_size: 2 stride: 2 round_mode: FLOOR }"),
      Floats({5}));
  const auto code = [](const std::string& param) {
    return ImportNet(InputText("x", {1, 1, 3, 3}) +
                     LayerText("Pooling", {"x"}, "pooling_param { " + param + " }"))
        .status.code();
  };
  EXPECT_EQ(code("pool: STOCHASTIC kernel_size: 2"), StatusCode::kUnsupported);
  EXPECT_EQ(code("kernel_size: 1 stride: 2"), StatusCode::kOk);
  EXPECT_EQ(code("kernel_size: 1 stride: 3"), StatusCode::kUnsupported);  // a window behind the image
  EXPECT_EQ(code("kernel_size: 2 pad: 2"), StatusCode::kInvalidModel);
  EXPECT_EQ(code("stride: 2"), StatusCode::kInvalidModel);
}

TEST(CaffePooling, PositionsOfMaximaUndoIt) {
  const std::string text =
      InputText("x", {1, 1, 4, 4}) +
      "layer { name: 'p' type: 'Pooling' bottom: 'x' top: 'p' top: 'm' pooling_param { kernel_size: 2 "
      "stride: 2 } } "
      "layer { name: 'u' type: 'Upsample' bottom: 'p' bottom: 'm' top: 'y' upsample_param { scale: 2 } } "
      "layer { name: 's' type: 'Split' bottom: 'm' top: 'mask' }";
  auto outputs = RunNet(text, {{"x", {1, 2, 0, 0, 3, 1, 0, 9, 7, 7, 0, 0, 5, 6, 0, -1}}});
  EXPECT_EQ(outputs["y"], Floats({0, 0, 0, 0, 3, 0, 0, 9, 7, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(outputs["mask"], Floats({4, 7, 8, 10}));
}

TEST(CaffeSPP, ConcatenatesLevels) {
  const Floats x = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(RunLayer("SPP", {1, 1, 3, 3}, x, "spp_param { pyramid_height: 2 }"), Floats({9, 1, 3, 7, 9}));
}

TEST(CaffeInnerProduct, AxesAndForms) {
  const Floats x = {1, 2, 3, 4, 5, 6}, w = {1, 0, 2, 0, 1, 1}, b = {10, 20};
  const std::string two = "inner_product_param { num_output: 2 axis: 2 }";
  const Floats expected = {17, 25, 26, 31};
  EXPECT_EQ(RunLayer("InnerProduct", {1, 2, 3}, x, two + BlobText({1, 1, 2, 3}, w) + BlobText({2}, b)),
            expected);
  const std::string turned = "inner_product_param { num_output: 2 axis: -1 transpose: true }";
  EXPECT_EQ(RunLayer("InnerProduct", {1, 2, 3}, x,
                     turned + BlobText({3, 2}, {1, 0, 0, 1, 2, 1}) + BlobText({2}, b)),
            expected);
  const std::string all = "inner_product_param { num_output: 1 bias_term: false } ";
  EXPECT_EQ(RunLayer("InnerProduct", {1, 2, 3}, x, all + BlobText({1, 6}, {1, 1, 1, 1, 1, 2})), Floats({27}));
  const std::string none = "inner_product_param { num_output: 1 bias_term: false axis: 0 } ";
  EXPECT_EQ(RunLayer("InnerProduct", {6}, x, none + BlobText({1, 6}, {1, 1, 1, 1, 1, 2})), Floats({27}));
}

TEST(CaffeEmbed, PicksRows) {
  const std::string text = "embed_param { num_output: 2 input_dim: 3 }" +
                           BlobText({3, 2}, {1, 2, 3, 4, 5, 6}) + BlobText({2}, {10, 20});
  EXPECT_EQ(RunLayer("Embed", {3}, {2, 0, 2}, text), Floats({15, 26, 11, 22, 15, 26}));
}

TEST(CaffeElements, FunctionsOfOneElement) {
  struct Case {
    const char* type;
    std::string param;
    std::function<double(double)> f;
  };
  const Case cases[] = {
      {"ReLU", "", [](double v) { return std::max(v, 0.0); }},
      {"ReLU", "relu_param { negative_slope: 0.5 }", [](double v) { return v > 0 ? v : 0.5 * v; }},
      {"ReLU6", "", [](double v) { return std::min(std::max(v, 0.0), 6.0); }},
      {"Clip", "clip_param { min: -1 max: 2 }", [](double v) { return std::min(std::max(v, -1.0), 2.0); }},
      {"PReLU", "prelu_param { channel_shared: true } " + BlobText({}, {0.25f}),
       [](double v) { return v > 0 ? v : 0.25 * v; }},
      {"ELU", "elu_param { alpha: 2 }", [](double v) { return v > 0 ? v : 2 * (std::exp(v) - 1); }},
      {"Sigmoid", "", [](double v) { return 1 / (1 + std::exp(-v)); }},
      {"TanH", "", [](double v) { return std::tanh(v); }},
      {"AbsVal", "", [](double v) { return std::fabs(v); }},
      {"BNLL", "", [](double v) { return std::log(1 + std::exp(v)); }},
      {"Exp", "", [](double v) { return std::exp(v); }},
      {"Exp", "exp_param { base: 2 scale: 3 shift: 1 }", [](double v) { return std::pow(2, 1 + 3 * v); }},
      {"Log", "log_param { base: 10 scale: 0.5 shift: 9 }", [](double v) { return std::log10(0.5 * v + 9); }},
      {"Power", "", [](double v) { return v; }},
      {"Power", "power_param { power: 2 scale: 0.5 shift: 3 }",
       [](double v) { return std::pow(0.5 * v + 3, 2); }},
      {"Power", "power_param { power: -0.5 scale: 0.5 shift: 4 }",
       [](double v) { return std::pow(0.5 * v + 4, -0.5); }},
      {"Threshold", "threshold_param { threshold: 1 }", [](double v) { return v > 1 ? 1.0 : 0.0; }},
      {"Swish", "swish_param { beta: 2 }", [](double v) { return v / (1 + std::exp(-2 * v)); }},
      {"Mish", "", [](double v) { return v * std::tanh(std::log(1 + std::exp(v))); }},
      {"Dropout", "dropout_param { dropout_ratio: 0.3 }", [](double v) { return v; }},
  };
  const Floats x = {-5, -1.5f, -0.25f, 0, 0.5f, 1, 3, 7};
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.type) + " " + c.param);
    Floats expected;
    for (const float v : x) expected.push_back(static_cast<float>(c.f(v)));
    ExpectAllNear(expected, RunLayer(c.type, {1, 8}, x, c.param));
  }
}

TEST(CaffePReLU, HasASlopeAChannel) {
  EXPECT_EQ(RunLayer("PReLU", {1, 2, 1, 2}, {-1, 1, -2, 2}, BlobText({2}, {0.5f, 0.25f})),
            Floats({-0.5f, 1, -0.5f, 2}));
}

TEST(CaffeShapes, OnlyMoveElements) {
  const Floats x = CaffeValues(2 * 3 * 4);
  const auto shape = [](const std::string& type, const std::string& param) {
    return ImportNet(InputText("x", {2, 3, 4}) + LayerText(type, {"x"}, param)).outputs();
  };
  EXPECT_EQ(shape("Flatten", ""), "y 2x12");
  EXPECT_EQ(shape("Flatten", "flatten_param { axis: 0 end_axis: 1 }"), "y 6x4");
  EXPECT_EQ(shape("Flatten", "flatten_param { axis: 1 end_axis: -2 }"), "y 2x3x4");
  EXPECT_EQ(shape("Reshape", "reshape_param { shape { dim: 0 dim: -1 } }"), "y 2x12");
  EXPECT_EQ(shape("Reshape", "reshape_param { shape { dim: 6 dim: 2 } axis: 1 }"), "y 2x6x2");
  EXPECT_EQ(shape("Reshape", "reshape_param { shape { dim: 1 dim: 2 } num_axes: 1 }"), "y 1x2x3x4");
  EXPECT_EQ(shape("Reshape", "reshape_param { shape { dim: 1 } axis: 1 num_axes: 0 }"), "y 2x1x3x4");
  EXPECT_EQ(shape("Reshape", "reshape_param { shape { dim: 1 } axis: -1 num_axes: 0 }"), "y 2x3x4x1");
  EXPECT_EQ(shape("Permute", "permute_param { order: 2 order: 0 }"), "y 4x2x3");
  EXPECT_EQ(shape("Tile", "tile_param { axis: -1 tiles: 3 }"), "y 2x3x12");
  for (const char* broken :
       {"reshape_param { shape { dim: -1 dim: -1 } }", "reshape_param { shape { dim: -2 } }",
        "reshape_param { shape { dim: 5 dim: 5 } }", "reshape_param { axis: 5 }",
        "reshape_param { axis: 1 num_axes: 9 }"}) {
    EXPECT_EQ(ImportNet(InputText("x", {2, 3, 4}) + LayerText("Reshape", {"x"}, broken)).status.code(),
              StatusCode::kInvalidModel)
        << broken;
  }
  EXPECT_EQ(RunLayer("Flatten", {2, 3, 4}, x), x);
}

TEST(CaffeShapes, ShuffleAndReorg) {
  EXPECT_EQ(
      RunLayer("ShuffleChannel", {1, 6, 1, 1}, {0, 1, 2, 3, 4, 5}, "shuffle_channel_param { group: 2 }"),
      Floats({0, 3, 1, 4, 2, 5}));
  Floats x(4 * 2 * 4), expected;
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  // Darknet's loop: of c / (s * s) channels of an image that is s times larger.
  const int s = 2, c = 4, h = 2, w = 4, inner = c / (s * s);
  for (int k = 0; k < c; ++k) {
    for (int i = 0; i < h * w; ++i) {
      const int offset = k / inner, row = i / w * s + offset / s, column = i % w * s + offset % s;
      expected.push_back(x[static_cast<size_t>((k % inner * h * s + row) * w * s + column)]);
    }
  }
  EXPECT_EQ(RunLayer("Reorg", {1, c, h, w}, x, "reorg_param { stride: 2 }"), expected);
  // And back.
  EXPECT_EQ(
      RunNet(
          InputText("x", {1, c, h, w}) +
              "layer { name: 'f' type: 'Reorg' bottom: 'x' top: 'f' reorg_param { stride: 2 } }"
              "layer { name: 'r' type: 'Reshape' bottom: 'f' top: 'r' reshape_param { shape { dim: 1 dim: 4 "
              "dim: 2 dim: 4 } } }"
              "layer { name: 'b' type: 'Reorg' bottom: 'r' top: 'y' reorg_param { stride: 2 reverse: true } "
              "}",
          {{"x", x}})["y"],
      x);
}

TEST(CaffeSlicing, ConcatSliceAndCrop) {
  const Floats x = {1, 2, 3, 4, 5, 6};
  const std::string input = InputText("x", {1, 3, 2});
  const auto slice = [&](const std::string& param, int tops) {
    std::string text = "layer { name: 's' type: 'Slice' bottom: 'x' slice_param { " + param + " }";
    for (int i = 0; i < tops; ++i) text += " top: 't" + std::to_string(i) + "'";
    return input + text + " }";
  };
  auto parts = RunNet(slice("slice_point: 1", 2), {{"x", x}});
  EXPECT_EQ(parts["t0"], Floats({1, 2}));
  EXPECT_EQ(parts["t1"], Floats({3, 4, 5, 6}));
  EXPECT_EQ(RunNet(slice("axis: -1", 2), {{"x", x}})["t1"], Floats({2, 4, 6}));
  EXPECT_EQ(ImportNet(slice("slice_dim: 1", 2)).status.code(), StatusCode::kInvalidModel);
  EXPECT_EQ(ImportNet(slice("slice_point: 2 slice_point: 1", 3)).status.code(), StatusCode::kInvalidModel);
  EXPECT_EQ(ImportNet(slice("slice_point: 7", 2)).status.code(), StatusCode::kInvalidModel);
  const auto concat = [&](const std::string& param) {
    return RunNet(input + LayerText("Concat", {"x", "x"}, param), {{"x", x}})["y"];
  };
  EXPECT_EQ(concat(""), Floats({1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(concat("concat_param { concat_dim: 2 }"), Floats({1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6}));
  Floats image(9);
  for (size_t i = 0; i < 9; ++i) image[i] = static_cast<float>(i);
  const std::string both = InputText("x", {1, 1, 3, 3}) + InputText("r", {1, 1, 2, 1});
  const auto crop = [&](const std::string& param) {
    return RunNet(both + LayerText("Crop", {"x", "r"}, param), {{"x", image}, {"r", {0, 0}}})["y"];
  };
  EXPECT_EQ(crop("crop_param { offset: 1 }"), Floats({4, 7}));
  EXPECT_EQ(crop("crop_param { offset: 0 offset: 2 }"), Floats({2, 5}));
  EXPECT_EQ(ImportNet(both + LayerText("Crop", {"x", "r"}, "crop_param { offset: 2 }")).status.code(),
            StatusCode::kInvalidModel);
}

TEST(CaffeCombining, EltwiseAndAxpy) {
  const std::string inputs = InputText("a", {1, 2}) + InputText("b", {1, 2}) + InputText("c", {1, 2});
  const auto eltwise = [&](const std::string& param) {
    return RunNet(inputs + LayerText("Eltwise", {"a", "b", "c"}, "eltwise_param { " + param + " }"),
                  {{"a", {1, 2}}, {"b", {3, 4}}, {"c", {-5, 6}}})["y"];
  };
  EXPECT_EQ(eltwise(""), Floats({-1, 12}));
  EXPECT_EQ(eltwise("operation: PROD"), Floats({-15, 48}));
  EXPECT_EQ(eltwise("operation: MAX"), Floats({3, 6}));
  EXPECT_EQ(eltwise("coeff: 1 coeff: -1 coeff: 2"), Floats({-12, 10}));
  EXPECT_EQ(ImportNet(inputs + LayerText("Eltwise", {"a", "b"}, "eltwise_param { coeff: 1 }")).status.code(),
            StatusCode::kInvalidModel);
  const std::string axpy = InputText("a", {1, 2, 1, 1}) + InputText("x", {1, 2, 1, 2}) +
                           InputText("z", {1, 2, 1, 2}) + LayerText("Axpy", {"a", "x", "z"}, "");
  EXPECT_EQ(RunNet(axpy, {{"a", {2, 3}}, {"x", {1, 2, 3, 4}}, {"z", {1, 1, 0, 0}}})["y"],
            Floats({3, 5, 9, 12}));
}

TEST(CaffeScaling, LearnedAndGivenFactors) {
  const Floats x = {1, 2, 3, 4};
  EXPECT_EQ(RunLayer("Scale", {1, 2, 2}, x,
                     "scale_param { bias_term: true }" + BlobText({2}, {2, 3}) + BlobText({2}, {10, 20})),
            Floats({12, 14, 29, 32}));
  EXPECT_EQ(RunLayer("Scale", {1, 2, 2}, x,
                     "scale_param { axis: 1 num_axes: -1 }" + BlobText({2, 2}, {1, 2, 3, 4})),
            Floats({1, 4, 9, 16}));
  EXPECT_EQ(RunLayer("Scale", {1, 2, 2}, x, "scale_param { num_axes: 0 }" + BlobText({}, {3})),
            Floats({3, 6, 9, 12}));
  EXPECT_EQ(RunLayer("Bias", {1, 2, 2}, x, BlobText({2}, {10, 20})), Floats({11, 12, 23, 24}));
  const std::string two = InputText("x", {2, 2, 1}) + InputText("s", {2});
  EXPECT_EQ(
      RunNet(two + LayerText("Scale", {"x", "s"}, "scale_param { axis: 0 }"), {{"x", x}, {"s", {2, 3}}})["y"],
      Floats({2, 4, 9, 12}));
  EXPECT_EQ(RunNet(two + LayerText("Bias", {"x", "s"}, ""), {{"x", x}, {"s", {2, 3}}})["y"],
            Floats({3, 5, 5, 7}));
}

TEST(CaffeScaling, BatchNormDividesItsSumsByTheirCount) {
  const std::string blobs = BlobText({1, 2, 1, 1}, {4, 8}) + BlobText({2}, {8, 32}) + BlobText({1}, {2});
  const Floats x = {2, 4, 4, 12};
  const std::string eps = "batch_norm_param { eps: 0 } ";
  ExpectAllNear({0, 1, 0, 2}, RunLayer("BatchNorm", {1, 2, 2}, x, eps + blobs));
  ExpectAllNear({-1, -1, 0, 0, 1, 1, 0, 0},
                RunLayer("BatchNorm", {2, 2, 2}, {1, 1, 5, 5, 3, 3, 5, 5},
                         "batch_norm_param { use_global_stats: false eps: 0.000001 }"));
  const std::string inference = "bn_param { bn_mode: INFERENCE }";
  EXPECT_EQ(RunLayer("BN", {1, 2, 1}, {3, 4}, inference + BlobText({2}, {2, 3}) + BlobText({2}, {1, 0})),
            Floats({7, 12}));
  const std::string four = "bn_param { eps: 0 }" + BlobText({2}, {2, 3}) + BlobText({2}, {1, 0}) +
                           BlobText({2}, {1, 2}) + BlobText({2}, {4, 1});
  ExpectAllNear({3, 6}, RunLayer("BN", {1, 2, 1}, {3, 4}, four));
}

// NVIDIA's, with factors and shifts of its own behind the statistics.
TEST(CaffeScaling, BatchNormScalesByBlobsOfItsOwn) {
  const std::string blobs = BlobText({1, 2, 1, 1}, {4, 8}) + BlobText({2}, {8, 32}) + BlobText({1}, {2}) +
                            BlobText({2}, {10, 2}) + BlobText({2}, {1, -5});
  const Floats x = {2, 4, 4, 12};
  ExpectAllNear({1, 11, -5, -1}, RunLayer("BatchNorm", {1, 2, 2}, x, "batch_norm_param { eps: 0 } " + blobs));
  ExpectAllNear({1, 11, -5, -1},
                RunLayer("BatchNorm", {1, 2, 2}, x, "batch_norm_param { eps: 0 scale_bias: true } " + blobs));
  ExpectAllNear({-9, 11, -7, -3},
                RunLayer("BatchNorm", {1, 2, 2}, x,
                         "batch_norm_param { use_global_stats: false eps: 0.000001 } " + blobs));
}

// Without the statistics, they have no effect.
TEST(CaffeScaling, BatchNormOfTheBatchHasStatisticsToo) {
  ExpectAllNear({-1, 1}, RunLayer("BatchNorm", {1, 1, 2}, {1, 5},
                                  "batch_norm_param { use_global_stats: false eps: 0.000001 } " +
                                      BlobText({1}, {4}) + BlobText({1}, {8}) + BlobText({1}, {2})));
}

TEST(CaffeNormalization, LRN) {
  const int c = 5, h = 3, w = 4, size = 3;
  const Floats x = CaffeValues(static_cast<size_t>(c * h * w));
  Floats across, within;
  for (int i = 0; i < c * h * w; ++i) {
    const int channel = i / (h * w), pixel = i % (h * w);
    float sum = 0, square = 0;
    for (int k = std::max(channel - 1, 0); k <= std::min(channel + 1, c - 1); ++k) {
      sum += std::pow(x[static_cast<size_t>(k * h * w + pixel)], 2.0f);
    }
    for (int t = 0; t < size * size; ++t) {
      square += std::pow(ValueAt(x, h, w, channel, pixel / w - 1 + t / size, pixel % w - 1 + t % size), 2.0f);
    }
    const float v = x[static_cast<size_t>(i)];
    across.push_back(v * std::pow(2 + 0.5f / 3 * sum, -0.75f));
    within.push_back(v * std::pow(1 + 0.5f / 9 * square, -0.75f));
  }
  const std::string param = "lrn_param { local_size: 3 alpha: 0.5 beta: 0.75 k: 2 ";
  ExpectAllNear(across, RunLayer("LRN", {1, c, h, w}, x, param + "}"));
  ExpectAllNear(within, RunLayer("LRN", {1, c, h, w}, x, param + "norm_region: WITHIN_CHANNEL }"));
  EXPECT_EQ(ImportNet(InputText("x", {1, 1, 2, 2}) + LayerText("LRN", {"x"}, "lrn_param { local_size: 4 }"))
                .status.code(),
            StatusCode::kInvalidModel);
}

TEST(CaffeNormalization, MVN) {
  const Floats x = {1, 3, 5, 5};
  ExpectAllNear({-1, 1, 0, 0}, RunLayer("MVN", {1, 2, 1, 2}, x, "mvn_param { eps: 1e-9 }"));
  ExpectAllNear({-1, 1, 0, 0}, RunLayer("MVN", {1, 2, 1, 2}, x, "mvn_param { normalize_variance: false }"));
  const float d = std::sqrt(2.75f) + 1;
  ExpectAllNear({-2.5f / d, -0.5f / d, 1.5f / d, 1.5f / d},
                RunLayer("MVN", {1, 2, 1, 2}, x, "mvn_param { across_channels: true eps: 1 }"));
}

TEST(CaffeNormalization, NormalizeOfSSD) {
  const Floats x = {3, 0, 4, 2};
  const std::string each =
      "norm_param { across_spatial: false channel_shared: false }" + BlobText({2}, {10, 20});
  ExpectAllNear({6, 0, 16, 20}, RunLayer("Normalize", {1, 2, 1, 2}, x, each));
  const float n = std::sqrt(29.0f);
  ExpectAllNear({6 / n, 0, 8 / n, 4 / n}, RunLayer("Normalize", {1, 2, 1, 2}, x, BlobText({1}, {2})));
}

TEST(CaffeReduction, SoftmaxReductionArgMax) {
  const Floats x = {1, 2, 3, 4, 5, 6};
  const float e = 1 / (1 + std::exp(3.0f));
  ExpectAllNear({e, e, e, 1 - e, 1 - e, 1 - e}, RunLayer("Softmax", {1, 2, 3}, x));
  const auto reduce = [&](const std::string& p) {
    return RunLayer("Reduction", {2, 3}, {1, -2, 3, 4, 5, 6}, "reduction_param { " + p + " }");
  };
  EXPECT_EQ(reduce("axis: 1"), Floats({2, 15}));
  EXPECT_EQ(reduce("operation: MEAN axis: -1 coeff: 3"), Floats({2, 15}));
  EXPECT_EQ(reduce("operation: ASUM"), Floats({21}));
  EXPECT_EQ(reduce("operation: SUMSQ axis: 1"), Floats({14, 77}));
  const Floats y = {1, 7, 7, 0, 9, 2};
  const auto arg_max = [&](const std::string& p) {
    return RunLayer("ArgMax", {2, 3}, y, "argmax_param { " + p + " }");
  };
  EXPECT_EQ(arg_max(""), Floats({2, 1}));  // of equal elements the last one
  EXPECT_EQ(arg_max("top_k: 2 out_max_val: true"), Floats({2, 1, 7, 7, 1, 2, 9, 2}));
  EXPECT_EQ(arg_max("axis: 0"), Floats({0, 1, 0}));
  EXPECT_EQ(arg_max("axis: 1 out_max_val: true"), Floats({7, 9}));
}

// Caffe sorts pairs of a value and its position, the largest first: also of equal values.
TEST(CaffeReduction, ArgMaxOfEqualElementsBeginsWithTheLast) {
  const auto arg_max = [&](const std::string& p) {
    return RunLayer("ArgMax", {2, 2, 2}, {5, 5, 5, 1, 0, 3, 3, 3}, "argmax_param { " + p + " }");
  };
  EXPECT_EQ(arg_max(""), Floats({2, 3}));
  EXPECT_EQ(arg_max("top_k: 4"), Floats({2, 1, 0, 3, 3, 2, 1, 0}));
  EXPECT_EQ(arg_max("top_k: 3 out_max_val: true"), Floats({2, 1, 0, 5, 5, 5, 3, 2, 1, 3, 3, 3}));
  EXPECT_EQ(arg_max("axis: 1"), Floats({1, 0, 1, 1}));
  EXPECT_EQ(arg_max("axis: -1 top_k: 2"), Floats({1, 0, 0, 1, 1, 0, 1, 0}));
  EXPECT_EQ(arg_max("axis: 1 top_k: 2 out_max_val: true"), Floats({5, 5, 5, 1, 3, 3, 0, 3}));
}

TEST(CaffeResizing, UpsampleAndInterp) {
  EXPECT_EQ(RunLayer("Upsample", {1, 1, 1, 2}, {1, 2}, "upsample_param { scale: 2 }"),
            Floats({1, 1, 2, 2, 1, 1, 2, 2}));
  ExpectAllNear({1, 2, 3, 4, 5},
                RunLayer("Interp", {1, 1, 1, 3}, {1, 3, 5}, "interp_param { height: 1 width: 5 }"));
  ExpectAllNear({1, 2, 3, 4, 5},
                RunLayer("Interp", {1, 1, 1, 3}, {1, 3, 5}, "interp_param { zoom_factor: 2 }"));
  ExpectAllNear({1, 5}, RunLayer("Interp", {1, 1, 1, 3}, {1, 3, 5}, "interp_param { shrink_factor: 2 }"));
  ExpectAllNear({3}, RunLayer("Interp", {1, 1, 3, 3}, {9, 9, 9, 9, 3, 9, 9, 9, 9},
                              "interp_param { height: 1 width: 1 pad_beg: -1 pad_end: -1 }"));
  EXPECT_EQ(ImportNet(InputText("x", {1, 1, 2, 2}) + LayerText("Interp", {"x"}, "")).status.code(),
            StatusCode::kInvalidModel);
}

TEST(CaffeSelection, FilterAndBatchReindex) {
  const std::string two = InputText("x", {3, 2}) + InputText("s", {3});
  EXPECT_EQ(
      RunNet(two + LayerText("Filter", {"x", "s"}, ""), {{"x", {1, 2, 3, 4, 5, 6}}, {"s", {1, 0, 1}}})["y"],
      Floats({1, 2, 5, 6}));
  EXPECT_EQ(RunNet(two + LayerText("BatchReindex", {"x", "s"}, ""),
                   {{"x", {1, 2, 3, 4, 5, 6}}, {"s", {2, 2, 0}}})["y"],
            Floats({5, 6, 5, 6, 1, 2}));
}

TEST(CaffeConstants, ParameterAndDummyData) {
  const std::string text =
      InputText("x", {1, 2}) +
      "layer { name: 'p' type: 'Parameter' top: 'p' parameter_param { shape { dim: 1 dim: 2 } } " +
      BlobText({1, 2}, {3, 4}) +
      "} layer { name: 'd' type: 'DummyData' top: 'd' dummy_data_param { shape { dim: 1 dim: 2 } "
      "data_filler { type: 'constant' value: 10 } } }" +
      LayerText("Eltwise", {"x", "p", "d"}, "");
  EXPECT_EQ(RunNet(text, {{"x", {1, 2}}})["y"], Floats({14, 16}));
  EXPECT_EQ(ImportNet(InputText("x", {1}) + LayerText("DummyData", {},
                                                      "dummy_data_param { shape { dim: 1 } "
                                                      "data_filler { type: 'gaussian' } }"))
                .status.code(),
            StatusCode::kUnsupported);
}

}  // namespace
}  // namespace micrort
