// Operators of int16 tensors of TensorFlow Lite, which are computed in integers, against its arithmetic.

#include "tests/converter/tflite_int16.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "converter/emit/build_model.h"
#include "tests/kernels/int16_model.h"

namespace micrort::testing::tflite_int16 {
namespace {

template <typename OptionsT>
TfliteBuilder Pair(const std::string& op, OptionsT options, const float (&scales)[3], int32_t n) {
  TfliteBuilder b;
  const int x = b.Input("a", {1, n}, Type::Int16, Scale(scales[0])),
            w = b.Input("b", {1, n}, Type::Int16, Scale(scales[1])),
            y = b.Tensor("y", {1, n}, Type::Int16, Scale(scales[2]));
  b.Op(op, {x, w}, {y}, std::move(options));
  b.Output(y);
  return b;
}

template <typename OptionsT>
void CheckPair(const std::string& op, fb::ActivationFunctionType activation) {
  constexpr size_t kCount = 500;
  const float scales[] = {0.003f, 0.0007f, 0.0041f};
  OptionsT options;
  options.fused_activation_function = activation;
  const TfliteBuilder b = Pair(op, options, scales, kCount);
  const std::vector<int16_t> x = RandomInt16(kCount, 1), w = RandomInt16(kCount, 2);
  int16_model::Range range;
  if (activation != fb::ActivationFunctionType::None) range.lo = 0;
  if (activation == fb::ActivationFunctionType::Relu6) range.hi = std::lround(6.0f / scales[2]);
  const double s[] = {double{scales[0]}, double{scales[1]}, double{scales[2]}};
  Floats expected;
  for (size_t i = 0; i < kCount; ++i) {
    expected.push_back(op == "MUL"
                           ? int16_model::Product(x[i], w[i], s[0], s[1], s[2], range)
                           : int16_model::Sum(x[i], w[i], op == "SUB" ? -1 : 1, s[0], s[1], s[2], range));
  }
  EXPECT_EQ(RunTflite(b, {{"a", AsFloats(x)}, {"b", AsFloats(w)}})["y"], expected) << op;
  ExpectOneOperator(b);
}

TEST(TfliteInt16, SumsAndProducts) {
  for (const auto activation : {fb::ActivationFunctionType::None, fb::ActivationFunctionType::Relu,
                                fb::ActivationFunctionType::Relu6}) {
    CheckPair<fb::AddOptionsT>("ADD", activation);
    CheckPair<fb::SubOptionsT>("SUB", activation);
    CheckPair<fb::MulOptionsT>("MUL", activation);
  }
}

TfliteBuilder One(const std::string& op, const Quantized& of_x, const Quantized& of_y, int32_t n,
                  Type from = Type::Int16, Type to = Type::Int16) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, n}, from, of_x), y = b.Tensor("y", {1, n}, to, of_y);
  b.Op(op, {x}, {y});
  b.Output(y);
  return b;
}

template <typename Expected>
void CheckUnary(const TfliteBuilder& b, int32_t n, Expected expected_of) {
  const std::vector<int16_t> x = RandomInt16(static_cast<size_t>(n), 3);
  Floats expected;
  for (const int16_t v : x) expected.push_back(static_cast<float>(expected_of(v)));
  EXPECT_EQ(RunTflite(b, {{"x", AsFloats(x)}})["y"], expected);
  ExpectOneOperator(b);
}

TEST(TfliteInt16, SigmoidAndTanh) {
  for (const float scale : {1.0f / 4096, 1.0f / 2048, 0.00037f, 0.002f}) {
    CheckUnary(One("LOGISTIC", Scale(scale), Scale(kTable), 600), 600,
               [&](int16_t x) { return int16_model::Sigmoid(x, double{scale}); });
    CheckUnary(One("TANH", Scale(scale), Scale(kTable), 600), 600,
               [&](int16_t x) { return int16_model::Tanh(x, double{scale}); });
  }
}

TEST(TfliteInt16, ScaledFunctions) {
  constexpr float kX = 0.01f, kY = 0.003f;
  const double ratio = double{kX} / double{kY};
  const int16_model::Range all, positive = {0, INT16_MAX};
  CheckUnary(One("ABS", Scale(kX), Scale(kY), 300), 300,
             [&](int16_t x) { return all.Clamp(int16_model::MultiplyNarrow(std::abs(x), ratio)); });
  CheckUnary(One("RELU", Scale(kX), Scale(kY), 300), 300,
             [&](int16_t x) { return positive.Clamp(int16_model::MultiplyNarrow(x, ratio)); });
  TfliteBuilder leaky;
  const int x = leaky.Input("x", {1, 300}, Type::Int16, Scale(kX)),
            y = leaky.Tensor("y", {1, 300}, Type::Int16, Scale(kY));
  fb::LeakyReluOptionsT options;
  options.alpha = 0.3f;
  leaky.Op("LEAKY_RELU", {x}, {y}, options);
  leaky.Output(y);
  CheckUnary(leaky, 300, [&](int16_t v) {
    return all.Clamp(int16_model::MultiplyNarrow(v, double{v < 0 ? kX * 0.3f / kY : kX / kY}));
  });
}

TEST(TfliteInt16, ConversionsOfIntegers) {
  CheckUnary(One("QUANTIZE", Scale(0.01f), Scale(0.013f), 300), 300,
             [&](int16_t x) { return int16_model::MultiplyNarrow(x, double{0.01f} / double{0.013f}); });
  const int16_model::Range bytes = {INT8_MIN, INT8_MAX};
  CheckUnary(One("QUANTIZE", Scale(0.01f), Scale(0.9f, -3), 300, Type::Int16, Type::Int8), 300,
             [&](int16_t x) {
               return bytes.Clamp(int16_model::MultiplyNarrow(x, double{0.01f} / double{0.9f}) - 3);
             });
  CheckUnary(One("QUANTIZE", Scale(0.01f), Scale(0.0009f), 300, Type::Int16, Type::Int32), 300,
             [&](int16_t x) { return int16_model::MultiplyNarrow(x, double{0.01f} / double{0.0009f}); });
}

// Another beta is another scale, multiplied as floats.
TEST(TfliteInt16, Softmax) {
  constexpr int32_t kRow = 40;
  for (const float beta : {1.0f, 0.5f, 0.3f}) {
    TfliteBuilder b;
    const int x = b.Input("x", {2, kRow}, Type::Int16, Scale(0.0004f)),
              y = b.Tensor("y", {2, kRow}, Type::Int16, Scale(kTable));
    fb::SoftmaxOptionsT options;
    options.beta = beta;
    b.Op("SOFTMAX", {x}, {y}, options);
    b.Output(y);
    const std::vector<int16_t> given = RandomInt16(2 * kRow, 4);
    Floats expected;
    for (const auto row : {given.begin(), given.begin() + kRow}) {
      for (const int16_t v : int16_model::Softmax({row, row + kRow}, double{0.0004f * beta}))
        expected.push_back(v);
    }
    EXPECT_EQ(RunTflite(b, {{"x", AsFloats(given)}})["y"], expected) << beta;
    if (beta == 1) ExpectOneOperator(b);
  }
}

TEST(TfliteInt16, Pools) {
  for (const char* op : {"AVERAGE_POOL_2D", "MAX_POOL_2D"}) {
    TfliteBuilder b;
    const int x = b.Input("x", {1, 1, 4, 1}, Type::Int16, Scale(0.5f)),
              y = b.Tensor("y", {1, 1, 2, 1}, Type::Int16, Scale(0.5f));
    fb::Pool2DOptionsT options;
    options.filter_width = options.stride_w = 2, options.filter_height = options.stride_h = 1;
    options.padding = fb::Padding::Valid;
    b.Op(op, {x}, {y}, options);
    b.Output(y);
    const bool averages = op[0] == 'A';
    EXPECT_EQ(RunTflite(b, {{"x", {30000, 32767, -2, -3}}})["y"],
              averages ? Floats({31384, -3}) : Floats({32767, -2}));
    ExpectOneOperator(b);
    fb::Pool2DOptionsT relu = options;
    relu.fused_activation_function = fb::ActivationFunctionType::Relu;
    b.graph().operators[0]->builtin_options.Set(relu);
    EXPECT_EQ(RunTflite(b, {{"x", {30000, 32767, -2, -3}}})["y"],
              averages ? Floats({31384, 0}) : Floats({32767, 0}));
  }
}

// Of one pixel or row.
struct LayerCase {
  std::string op;
  bool is_narrow = false;  // by its bias
  bool has_bias = true, one_scale = false;
  fb::ActivationFunctionType activation = fb::ActivationFunctionType::None;
};

constexpr int32_t kIn = 40, kOut = 3;
constexpr float kXScale = 0.0021f, kYScale = 0.017f;

float WeightScale(const LayerCase& c, size_t o) {
  return c.one_scale ? 0.011f : 0.01f * static_cast<float>(o + 1);
}

TfliteBuilder LayerModel(const LayerCase& c, const std::vector<int8_t>& w, const std::vector<int32_t>& bias) {
  TfliteBuilder b;
  const bool is_depthwise = c.op == "DEPTHWISE_CONV_2D", is_product = c.op == "FULLY_CONNECTED";
  const int32_t in = is_depthwise ? kOut : kIn;
  Quantized of_w = {{}, {}, is_depthwise ? 3 : 0};
  for (size_t o = 0; o < (c.one_scale ? 1 : kOut); ++o) {
    of_w.scales.push_back(WeightScale(c, o));
    of_w.zero_points.push_back(0);
  }
  const std::vector<int32_t> w_shape = is_product     ? std::vector<int32_t>{kOut, kIn}
                                       : is_depthwise ? std::vector<int32_t>{1, 1, kIn, kOut}
                                                      : std::vector<int32_t>{kOut, 1, 1, kIn};
  const std::vector<int32_t> x_shape = is_product     ? std::vector<int32_t>{1, kIn}
                                       : is_depthwise ? std::vector<int32_t>{1, 1, kIn, in}
                                                      : std::vector<int32_t>{1, 1, 1, in};
  const int x = b.Input("x", x_shape, Type::Int16, Scale(kXScale)),
            weights = b.Constant<int8_t>("w", w_shape, Type::Int8, w, of_w);
  std::vector<int> inputs = {x, weights};
  if (c.op == "TRANSPOSE_CONV") inputs = {b.Integers("shape", {1, 1, 1, kOut}), weights, x};
  if (c.has_bias && c.is_narrow) inputs.push_back(b.Constant<int32_t>("bias", {kOut}, Type::Int32, bias));
  if (c.has_bias && !c.is_narrow)
    inputs.push_back(
        b.Constant<int64_t>("bias", {kOut}, Type::Int64, std::vector<int64_t>(bias.begin(), bias.end())));
  const std::vector<int32_t> y_shape =
      is_product ? std::vector<int32_t>{1, kOut} : std::vector<int32_t>{1, 1, 1, kOut};
  const int y = b.Tensor("y", y_shape, Type::Int16, Scale(kYScale));
  fb::OperatorT& op = b.Op(c.op, std::vector<int32_t>(inputs.begin(), inputs.end()), {y});
  const auto set = [&](auto options) {
    options.fused_activation_function = c.activation;
    if constexpr (!std::is_same_v<decltype(options), fb::FullyConnectedOptionsT>) {
      options.padding = fb::Padding::Valid;
      options.stride_h = options.stride_w = 1;
    }
    op.builtin_options.Set(options);
  };
  if (is_product) set(fb::FullyConnectedOptionsT());
  if (is_depthwise) set(fb::DepthwiseConv2DOptionsT());
  if (c.op == "CONV_2D") set(fb::Conv2DOptionsT());
  if (c.op == "TRANSPOSE_CONV") set(fb::TransposeConvOptionsT());
  b.Output(y);
  return b;
}

void CheckLayer(const LayerCase& c) {
  SCOPED_TRACE(c.op + (c.has_bias ? c.is_narrow ? " with int32 bias" : " with int64 bias" : " without bias"));
  const bool is_depthwise = c.op == "DEPTHWISE_CONV_2D";
  const std::vector<int16_t> x = RandomInt16(is_depthwise ? kIn * kOut : kIn, 5);
  std::vector<int8_t> w(kIn * kOut);
  Random random(6);
  random.Fill(w, -127, 127);
  const std::vector<int32_t> bias = {1234567, -345678, 77};
  // Without a bias, some kernels there add up in 32 bits, some in 64.
  const bool narrow = c.has_bias ? c.is_narrow : c.op == "CONV_2D" || c.op == "FULLY_CONNECTED";
  Floats expected;
  for (size_t o = 0; o < kOut; ++o) {
    int64_t sum = c.has_bias ? bias[o] : 0;
    for (size_t i = 0; i < kIn; ++i) {
      sum += is_depthwise ? int64_t{x[i * kOut + o]} * w[i * kOut + o] : int64_t{x[i]} * w[o * kIn + i];
    }
    const bool float_product = c.op == "FULLY_CONNECTED" && c.one_scale;
    const double product =
        float_product ? double{kXScale * WeightScale(c, o)} : double{kXScale} * double{WeightScale(c, o)};
    const double scale = product / double{kYScale};
    int16_model::Range range;
    if (c.activation == fb::ActivationFunctionType::Relu) range.lo = 0;
    expected.push_back(range.Clamp(narrow ? int16_model::MultiplyNarrow(sum, scale)
                                          : int16_model::MultiplyWide(sum, scale)));
  }
  const TfliteBuilder b = LayerModel(c, w, bias);
  EXPECT_EQ(RunTflite(b, {{"x", AsFloats(x)}})["y"], expected);
  ExpectOneOperator(b);
}

TEST(TfliteInt16, Layers) {
  for (const char* op : {"CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV", "FULLY_CONNECTED"}) {
    for (const bool has_bias : {false, true}) {
      for (const bool one_scale : {false, true}) {
        CheckLayer({op, false, has_bias, one_scale});
        CheckLayer({op, false, has_bias, one_scale, fb::ActivationFunctionType::Relu});
      }
    }
  }
  CheckLayer({"CONV_2D", true});
  CheckLayer({"FULLY_CONNECTED", true});
}

// Files of early converters.
TEST(TfliteInt16, TransposedConvolutionsMayHaveABiasOfInt16) {
  TfliteBuilder b = LayerModel({"TRANSPOSE_CONV", false, false}, std::vector<int8_t>(kIn * kOut, 1), {});
  const int bias = b.Constant<int16_t>("bias", {kOut}, Type::Int16, {1000, -1000, 0});
  b.graph().operators[0]->inputs.push_back(bias);
  Floats expected;
  for (size_t o = 0; o < kOut; ++o) {
    const double scale = double{kXScale} * double{WeightScale({}, o)} / double{kYScale};
    expected.push_back(static_cast<float>(int16_model::MultiplyWide(kIn * 100 + (o == 0   ? 1000
                                                                                 : o == 1 ? -1000
                                                                                          : 0),
                                                                    scale)));
  }
  EXPECT_EQ(RunTflite(b, {{"x", Floats(kIn, 100)}})["y"], expected);
}

// Only the layer computes; what moves its elements has the same integers.
TEST(TfliteInt16, ElementsMoveAsTheyAre) {
  TfliteBuilder b;
  const Quantized q = Scale(0.01f);
  const int x = b.Input("x", {2, 3}, Type::Int16, q),
            k = b.Constant<int16_t>("k", {1, 3}, Type::Int16, {7, 8, 9}, q),
            joined = b.Tensor("joined", {3, 3}, Type::Int16, q),
            turned = b.Tensor("turned", {3, 3}, Type::Int16, q),
            largest = b.Tensor("largest", {3, 3}, Type::Int16, q), y = b.Tensor("y", {9}, Type::Int16, q);
  fb::ConcatenationOptionsT concat;
  concat.axis = 0;
  b.Op("CONCATENATION", {x, k}, {joined}, concat);
  b.Op("TRANSPOSE", {joined, b.Integers("p", {1, 0})}, {turned});
  b.Op("MAXIMUM", {turned, k}, {largest});
  b.Op("RESHAPE", {largest, b.Integers("s", {9})}, {y});
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {-5, 6, 100, 32767, -32768, 3}}})["y"],
            Floats({7, 32767, 9, 7, 8, 9, 100, 8, 9}));
  ImportedTflite imported = ImportTflite(b.Bytes());
  for (const auto& node : imported.graph().nodes) {
    EXPECT_NE(node->code, schema::OpCode::Cast);
    for (const ir::ValueId id : node->outputs) EXPECT_NE(imported.graph().value(id).dtype, DType::kFloat32);
  }
}

// What has no form in integers is computed with real numbers, between operators that have one.
TEST(TfliteInt16, MixesWithRealNumbers) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 2}, Type::Int16, Scale(0.5f)),
            sum = b.Tensor("sum", {1, 2}, Type::Int16, Scale(0.5f)),
            square = b.Tensor("square", {1, 2}, Type::Int16, Scale(0.25f)),
            y = b.Tensor("y", {1, 2}, Type::Int16, Scale(0.25f));
  b.Op("ADD", {x, x}, {sum}, fb::AddOptionsT());
  b.Op("SQUARE", {sum}, {square});
  b.Op("ADD", {square, square}, {y}, fb::AddOptionsT());
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {3, -4}}})["y"], Floats({72, 128}));
}

TEST(TfliteInt16, ZeroPointsAndOtherScalesAreComputedWithRealNumbers) {
  const auto codes = [](const TfliteBuilder& b) {
    ImportedTflite imported = ImportTflite(b.Bytes());
    EXPECT_TRUE(imported.status.ok()) << imported.status.message();
    bool rounds = false;
    for (const auto& node : imported.graph().nodes) {
      // Floats become int16 behind the operator.
      rounds |= node->rounding == schema::Rounding::Tflite && node->code != schema::OpCode::Quantize;
    }
    return rounds;
  };
  EXPECT_FALSE(codes(One("LOGISTIC", Scale(0.01f), Scale(0.01f), 3)));
  EXPECT_FALSE(codes(One("ABS", Scale(0.01f, 5), Scale(0.01f), 3)));
  EXPECT_FALSE(codes(One("TANH", Scale(5.0f), Scale(kTable), 3)));
  EXPECT_TRUE(codes(One("ABS", Scale(0.01f), Scale(0.01f), 3)));
}

TEST(TfliteInt16, FilesStateTheirVersion) {
  ImportedTflite imported = ImportTflite(One("ABS", Scale(0.01f), Scale(0.01f), 3).Bytes());
  emit::FileModel model;
  ASSERT_TRUE(emit::BuildModel(imported.module, &model).ok());
  EXPECT_EQ(model.schema_version, emit::kSchemaVersionOfInt16);
}

}  // namespace
}  // namespace micrort::testing::tflite_int16
