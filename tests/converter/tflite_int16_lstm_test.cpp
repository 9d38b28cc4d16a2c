// UNIDIRECTIONAL_SEQUENCE_LSTM of int16 activations against a model of TensorFlow Lite's kernel for
// microcontrollers.

#include <array>

#include "tests/converter/tflite_int16.h"
#include "tests/kernels/int16_model.h"

namespace micrort::testing::tflite_int16_lstm {
namespace {

using namespace tflite_int16;  // NOLINT: what these tests have in common with others

constexpr int32_t kSteps = 4, kBatch = 2, kInputs = 5, kHidden = 3;
constexpr float kX = 0.0003f, kOut = 0.00003f, kCell = 1.0f / 8192, kSum = 1.0f / 4096;
constexpr size_t kGateCount = 4;  // input, forget, cell, output

struct Weights {
  std::vector<int8_t> of_x, of_output;
  float x_scale, output_scale;
  std::vector<int64_t> bias;
};

std::array<Weights, kGateCount> MakeWeights() {
  std::array<Weights, kGateCount> gates;
  for (size_t k = 0; k < kGateCount; ++k) {
    Random random(static_cast<uint32_t>(k + 1));
    Weights& w = gates[k];
    w = {std::vector<int8_t>(kHidden * kInputs), std::vector<int8_t>(kHidden * kHidden),
         0.002f + 0.001f * static_cast<float>(k), 0.011f - 0.002f * static_cast<float>(k),
         std::vector<int64_t>(kHidden)};
    random.Fill(w.of_x, INT8_MIN + 1, INT8_MAX);
    random.Fill(w.of_output, INT8_MIN + 1, INT8_MAX);
    for (int64_t& b : w.bias) b = random.Integer(-200000, 200000);
  }
  return gates;
}

int Variable(TfliteBuilder* b, const std::string& name, float scale) {
  const int index = b->Tensor(name, {kBatch, kHidden}, Type::Int16, Scale(scale));
  b->tensor(index).is_variable = true;
  return index;
}

struct LstmCase {
  bool time_major = true;
  float cell_clip = 0, cell_scale = kCell;
};

TfliteBuilder Lstm(const LstmCase& layer) {
  TfliteBuilder b;
  std::vector<int32_t> inputs(24, -1);
  const std::vector<int32_t> x_shape = {layer.time_major ? kSteps : kBatch,
                                        layer.time_major ? kBatch : kSteps, kInputs};
  inputs[0] = b.Input("x", x_shape, Type::Int16, Scale(kX));
  const auto gates = MakeWeights();
  for (size_t k = 0; k < kGateCount; ++k) {
    const std::string name = std::to_string(k);
    inputs[1 + k] = b.Constant<int8_t>("w" + name, {kHidden, kInputs}, Type::Int8, gates[k].of_x,
                                       Scale(gates[k].x_scale));
    inputs[5 + k] = b.Constant<int8_t>("r" + name, {kHidden, kHidden}, Type::Int8, gates[k].of_output,
                                       Scale(gates[k].output_scale));
    inputs[12 + k] =
        b.Constant<int64_t>("b" + name, {kHidden}, Type::Int64, gates[k].bias, Scale(kX * gates[k].x_scale));
  }
  inputs[18] = Variable(&b, "h", kOut), inputs[19] = Variable(&b, "c", layer.cell_scale);
  fb::UnidirectionalSequenceLSTMOptionsT o;
  o.fused_activation_function = fb::ActivationFunctionType::Tanh;
  o.cell_clip = layer.cell_clip;
  o.time_major = layer.time_major;
  const int y = b.Tensor("y", {x_shape[0], x_shape[1], kHidden}, Type::Int16, Scale(kOut));
  b.Op("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, {y}, o);
  b.Output(y);
  return b;
}

using Numbers = std::vector<int16_t>;

// x [N,K] by the matrix [H,K].
Numbers Sums(const Numbers& x, const std::vector<int8_t>& w, const std::vector<int64_t>& bias, double scale) {
  const size_t depth = w.size() / kHidden;
  Numbers sums;
  for (size_t n = 0; n < kBatch; ++n) {
    for (size_t o = 0; o < kHidden; ++o) {
      int64_t sum = bias.empty() ? 0 : bias[o];
      for (size_t i = 0; i < depth; ++i) sum += x[n * depth + i] * w[o * depth + i];
      sums.push_back(int16_model::Range().Clamp(int16_model::MultiplyWide(sum, scale)));
    }
  }
  return sums;
}

Numbers Added(const Numbers& a, const Numbers& b) {
  Numbers sums;
  for (size_t i = 0; i < a.size(); ++i) sums.push_back(int16_model::Range().Clamp(int64_t{a[i]} + b[i]));
  return sums;
}

Numbers Multiplied(const Numbers& a, const Numbers& b, double b_scale, double y_scale) {
  Numbers products;
  for (size_t i = 0; i < a.size(); ++i)
    products.push_back(int16_model::Product(a[i], b[i], double{kTable}, b_scale, y_scale));
  return products;
}

Numbers TanhOf(Numbers x, double scale) {
  for (int16_t& v : x) v = int16_model::Tanh(v, scale);
  return x;
}

// One step from x [N,K].
void Step(const LstmCase& layer, const Numbers& x, Numbers* output, Numbers* cell) {
  const auto gates = MakeWeights();
  Numbers values[kGateCount];
  for (size_t k = 0; k < kGateCount; ++k) {
    const Weights& w = gates[k];
    const Numbers sums = Added(Sums(x, w.of_x, w.bias, double{kX * w.x_scale} / double{kSum}),
                               Sums(*output, w.of_output, {}, double{kOut * w.output_scale} / double{kSum}));
    values[k] = TanhOf(sums, double{kSum});
    for (size_t i = 0; k != 2 && i < sums.size(); ++i)
      values[k][i] = int16_model::Sigmoid(sums[i], double{kSum});
  }
  const double scale = double{layer.cell_scale};
  *cell = Added(Multiplied(values[1], *cell, scale, scale),
                Multiplied(values[0], values[2], double{kTable}, scale));
  if (layer.cell_clip > 0) {
    const auto most = static_cast<int64_t>(std::min(layer.cell_clip / layer.cell_scale, 32767.0f));
    for (int16_t& v : *cell) v = int16_model::Range{-most, most}.Clamp(v);
  }
  *output = Multiplied(TanhOf(*cell, scale), values[3], double{kTable}, double{kOut});
}

Floats Real(const Numbers& integers, float scale) {
  Floats real;
  for (const int16_t v : integers) real.push_back(static_cast<float>(v) * scale);
  return real;
}

void Check(const LstmCase& layer) {
  const Numbers x = RandomInt16(kSteps * kBatch * kInputs, 7);  // [T,N,K]
  Numbers output = RandomInt16(kBatch * kHidden, 8), cell = RandomInt16(kBatch * kHidden, 9);
  std::map<std::string, Floats> given = {
      {"x", {}}, {"h", Real(output, kOut)}, {"c", Real(cell, layer.cell_scale)}};
  Floats expected(kSteps * kBatch * kHidden);
  given["x"].resize(x.size());
  for (size_t t = 0; t < kSteps; ++t) {
    const auto first = x.begin() + static_cast<ptrdiff_t>(t * kBatch * kInputs);
    Step(layer, Numbers(first, first + kBatch * kInputs), &output, &cell);
    for (size_t n = 0; n < kBatch; ++n) {
      const size_t row = layer.time_major ? t * kBatch + n : n * kSteps + t;
      for (size_t i = 0; i < kInputs; ++i) given["x"][row * kInputs + i] = x[(t * kBatch + n) * kInputs + i];
      for (size_t i = 0; i < kHidden; ++i) expected[row * kHidden + i] = output[n * kHidden + i];
    }
  }
  auto outputs = RunTflite(Lstm(layer), given);
  EXPECT_EQ(outputs["y"], expected);
  EXPECT_EQ(outputs["h/next"], Real(output, kOut));
  EXPECT_EQ(outputs["c/next"], Real(cell, layer.cell_scale));
}

TEST(TfliteInt16, LstmsAreTheirKernels) {
  Check({});
  Check({false});
  Check({true, 0.7f});
  for (const float cell_scale : {1.0f / 32768, 1.0f / 4096, 1.0f / 2048}) Check({true, 10, cell_scale});
}

// But for the states, which are floats between runs.
TEST(TfliteInt16, LstmsAreInIntegers) {
  ImportedTflite imported = ImportTflite(Lstm({}).Bytes());
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  for (const auto& node : imported.graph().nodes) {
    EXPECT_NE(node->code, schema::OpCode::Recurrent);
    if (node->code == schema::OpCode::MatMul) {
      EXPECT_EQ(imported.graph().value(node->outputs[0]).dtype, DType::kInt16);
    }
  }
}

// A cell whose scale is no power of two: the layer of real numbers.
TEST(TfliteInt16, LstmsOfOtherScalesAreComputedInFloat) {
  ImportedTflite imported = ImportTflite(Lstm({true, 0, 0.0001f}).Bytes());
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  bool has_recurrent = false;
  for (const auto& node : imported.graph().nodes) has_recurrent |= node->code == schema::OpCode::Recurrent;
  EXPECT_TRUE(has_recurrent);
}

}  // namespace
}  // namespace micrort::testing::tflite_int16_lstm
