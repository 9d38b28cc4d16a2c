// SVDF of int8 against a model of TensorFlow Lite's kernel for microcontrollers.

#include "tests/converter/tflite_int16.h"
#include "tests/kernels/int16_model.h"

namespace micrort::testing::tflite_integer_svdf {
namespace {

using namespace tflite_int16;  // NOLINT: what these tests have in common with others

constexpr int32_t kBatch = 2, kInputs = 11, kUnits = 3, kRank = 2, kMemory = 4, kFeatures = kUnits * kRank;
constexpr int32_t kXZero = 9, kYZero = -128;
constexpr float kX = 0.017f, kFeature = 0.009f, kTime = 0.0021f, kY = 0.11f;

struct SvdfCase {
  Type state = Type::Int16;
  bool has_bias = true;
  float state_scale = 0.00071f;
  fb::ActivationFunctionType activation = fb::ActivationFunctionType::Relu;
};

// Parametrized by the type of the state.
std::vector<int16_t> StateNumbers(const SvdfCase& c, size_t n, uint32_t seed) {
  return RandomInt16(n, seed, c.state == Type::Int8 ? INT8_MAX : INT16_MAX / 8);
}

struct SvdfNumbers {
  std::vector<int16_t> x, state, time;
  std::vector<int8_t> feature;
  std::vector<int32_t> bias;
};

SvdfNumbers NumbersOf(const SvdfCase& c) {
  SvdfNumbers n = {RandomInt16(kBatch * kInputs, 1, INT8_MAX),
                   StateNumbers(c, kBatch * kFeatures * kMemory, 2),
                   StateNumbers(c, kFeatures * kMemory, 3),
                   std::vector<int8_t>(kFeatures * kInputs),
                   {123456, -98765, 4321}};
  Random random(4);
  random.Fill(n.feature, INT8_MIN + 1, INT8_MAX);
  return n;
}

TfliteBuilder Svdf(const SvdfCase& c, const SvdfNumbers& n) {
  TfliteBuilder b;
  const int x = b.Input("x", {kBatch, kInputs}, Type::Int8, Scale(kX, kXZero)),
            feature = b.Constant<int8_t>("f", {kFeatures, kInputs}, Type::Int8, n.feature, Scale(kFeature)),
            time = c.state == Type::Int8
                       ? b.Constant<int8_t>("t", {kFeatures, kMemory}, c.state,
                                            std::vector<int8_t>(n.time.begin(), n.time.end()), Scale(kTime))
                       : b.Constant<int16_t>("t", {kFeatures, kMemory}, c.state, n.time, Scale(kTime)),
            bias = c.has_bias
                       ? b.Constant<int32_t>("b", {kUnits}, Type::Int32, n.bias, Scale(c.state_scale * kTime))
                       : -1,
            state = b.Tensor("state", {kBatch, kFeatures * kMemory}, c.state, Scale(c.state_scale)),
            y = b.Tensor("y", {kBatch, kUnits}, Type::Int8, Scale(kY, kYZero));
  b.tensor(state).is_variable = true;
  fb::SVDFOptionsT options;
  options.rank = kRank;
  options.fused_activation_function = c.activation;
  b.Op("SVDF", {x, feature, time, bias, state}, {y}, options);
  b.Output(y);
  return b;
}

// The next state and the output: scales are multiplied and divided as floats.
Floats Expected(const SvdfCase& c, SvdfNumbers n, std::vector<int16_t>* next) {
  const double to_state = double{kX * kFeature / c.state_scale}, to_y = double{c.state_scale * kTime / kY};
  const int16_model::Range bytes = {INT8_MIN, INT8_MAX},
                           state = c.state == Type::Int8 ? bytes : int16_model::Range();
  Floats y;
  for (size_t b = 0; b < kBatch; ++b) {
    for (size_t f = 0; f < kFeatures; ++f) {
      int64_t sum = 0;
      for (size_t i = 0; i < kInputs; ++i)
        sum += n.feature[f * kInputs + i] * (n.x[b * kInputs + i] - kXZero);
      int16_t* kept = &n.state[(b * kFeatures + f) * kMemory];
      std::copy(kept + 1, kept + kMemory, kept);
      kept[kMemory - 1] = state.Clamp(int16_model::MultiplyNarrow(sum, to_state));
    }
    for (size_t u = 0; u < kUnits; ++u) {
      int64_t sum = c.has_bias ? n.bias[u] : 0;
      for (size_t i = u * kRank * kMemory; i < (u + 1) * kRank * kMemory; ++i)
        sum += n.time[i] * n.state[b * kFeatures * kMemory + i];
      y.push_back(bytes.Clamp(int16_model::MultiplyNarrow(sum, to_y) + kYZero));
    }
  }
  *next = n.state;
  return y;
}

void Check(const SvdfCase& c) {
  const SvdfNumbers n = NumbersOf(c);
  std::vector<int16_t> next;
  const Floats expected = Expected(c, n, &next);
  auto outputs = RunTflite(Svdf(c, n), {{"x", AsFloats(n.x)}, {"state", AsFloats(n.state)}});
  EXPECT_EQ(outputs["y"], expected);
  EXPECT_EQ(outputs["state/next"], AsFloats(next));
}

TEST(TfliteIntegerSvdf, IsItsKernel) {
  for (const bool has_bias : {false, true}) {
    Check({Type::Int16, has_bias});
    Check({Type::Int8, has_bias, 0.21f});
  }
  Check({Type::Int16, true, 0.00009f, fb::ActivationFunctionType::None});
}

// An activation that int8 does not make of itself is none that the kernel has.
TEST(TfliteIntegerSvdf, OtherActivationsAreComputedInFloat) {
  const SvdfCase c = {Type::Int16, true, 0.00071f, fb::ActivationFunctionType::Tanh};
  ImportedTflite imported = ImportTflite(Svdf(c, NumbersOf(c)).Bytes());
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  bool has_tanh = false;
  for (const auto& node : imported.graph().nodes) {
    has_tanh |= node->code == schema::OpCode::Unary &&
                node->as<schema::UnaryOptionsT>().kind == schema::UnaryKind::Tanh;
  }
  EXPECT_TRUE(has_tanh);
}

}  // namespace
}  // namespace micrort::testing::tflite_integer_svdf
