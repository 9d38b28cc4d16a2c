// UNIDIRECTIONAL_SEQUENCE_LSTM of int16 activations, and of int8 ones with a cell of int16, against a model
// of TensorFlow Lite's kernel for microcontrollers.

#include <array>

#include "tests/converter/tflite_int16.h"
#include "tests/kernels/int16_model.h"

namespace micrort::testing::tflite_integer_lstm {
namespace {

using namespace tflite_int16;  // NOLINT: what these tests have in common with others

constexpr int32_t kSteps = 4, kBatch = 2, kInputs = 5, kHidden = 3;
constexpr float kCell = 1.0f / 8192, kSum = 1.0f / 4096;
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

int Variable(TfliteBuilder* b, const std::string& name, Type type, const Quantized& q) {
  const int index = b->Tensor(name, {kBatch, kHidden}, type, q);
  b->tensor(index).is_variable = true;
  return index;
}

// How activations stand for numbers.
struct Activations {
  Type type;
  float scale;
  int32_t zero;

  Quantized q() const { return Scale(scale, zero); }
  int16_model::Range range() const {
    return type == Type::Int8 ? int16_model::Range{INT8_MIN, INT8_MAX} : int16_model::Range();
  }
};

struct LstmCase {
  bool time_major = true;
  float cell_clip = 0, cell_scale = kCell;
  Activations x = {Type::Int16, 0.0003f, 0}, out = {Type::Int16, 0.00003f, 0};
};

LstmCase OfBytes() {
  LstmCase layer;
  layer.x = {Type::Int8, 0.021f, 7}, layer.out = {Type::Int8, 0.0075f, -11};
  return layer;
}

int Bias(TfliteBuilder* b, const LstmCase& layer, const std::string& name, const Weights& w) {
  const Quantized q = Scale(layer.x.scale * w.x_scale);
  if (layer.x.type == Type::Int16) return b->Constant<int64_t>(name, {kHidden}, Type::Int64, w.bias, q);
  const std::vector<int32_t> narrow(w.bias.begin(), w.bias.end());
  return b->Constant<int32_t>(name, {kHidden}, Type::Int32, narrow, q);
}

TfliteBuilder Lstm(const LstmCase& layer) {
  TfliteBuilder b;
  std::vector<int32_t> inputs(24, -1);
  const std::vector<int32_t> x_shape = {layer.time_major ? kSteps : kBatch,
                                        layer.time_major ? kBatch : kSteps, kInputs};
  inputs[0] = b.Input("x", x_shape, layer.x.type, layer.x.q());
  const auto gates = MakeWeights();
  for (size_t k = 0; k < kGateCount; ++k) {
    const std::string name = std::to_string(k);
    inputs[1 + k] = b.Constant<int8_t>("w" + name, {kHidden, kInputs}, Type::Int8, gates[k].of_x,
                                       Scale(gates[k].x_scale));
    inputs[5 + k] = b.Constant<int8_t>("r" + name, {kHidden, kHidden}, Type::Int8, gates[k].of_output,
                                       Scale(gates[k].output_scale));
    inputs[12 + k] = Bias(&b, layer, "b" + name, gates[k]);
  }
  inputs[18] = Variable(&b, "h", layer.out.type, layer.out.q());
  inputs[19] = Variable(&b, "c", Type::Int16, Scale(layer.cell_scale));
  fb::UnidirectionalSequenceLSTMOptionsT o;
  o.fused_activation_function = fb::ActivationFunctionType::Tanh;
  o.cell_clip = layer.cell_clip;
  o.time_major = layer.time_major;
  const int y = b.Tensor("y", {x_shape[0], x_shape[1], kHidden}, layer.out.type, layer.out.q());
  b.Op("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, {y}, o);
  b.Output(y);
  return b;
}

using Numbers = std::vector<int16_t>;

// x [N,K] by the matrix [H,K]. Sums of bytes have 32 bits, and are rounded twice.
Numbers Sums(const Activations& form, const Numbers& x, const std::vector<int8_t>& w,
             const std::vector<int64_t>& bias, float w_scale) {
  const double scale = double{form.scale * w_scale} / double{kSum};
  const size_t depth = w.size() / kHidden;
  Numbers sums;
  for (size_t n = 0; n < kBatch; ++n) {
    for (size_t o = 0; o < kHidden; ++o) {
      int64_t sum = bias.empty() ? 0 : bias[o];
      for (size_t i = 0; i < depth; ++i) sum += (x[n * depth + i] - form.zero) * w[o * depth + i];
      sums.push_back(int16_model::Range().Clamp(form.type == Type::Int8
                                                    ? int16_model::MultiplyNarrow(sum, scale)
                                                    : int16_model::MultiplyWide(sum, scale)));
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
    const Numbers sums = Added(Sums(layer.x, x, w.of_x, w.bias, w.x_scale),
                               Sums(layer.out, *output, w.of_output, {}, w.output_scale));
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
  *output = TanhOf(*cell, scale);
  for (size_t i = 0; i < output->size(); ++i) {
    const int64_t product = int64_t{(*output)[i]} * values[3][i];
    const double ratio = double{kTable} * double{kTable} / double{layer.out.scale};
    (*output)[i] = layer.out.range().Clamp(int16_model::MultiplyNarrow(product, ratio) + layer.out.zero);
  }
}

Numbers RandomNumbers(const Activations& form, size_t n, uint32_t seed) {
  return RandomInt16(n, seed, static_cast<int>(form.range().hi));
}

void Check(const LstmCase& layer) {
  const Numbers x = RandomNumbers(layer.x, kSteps * kBatch * kInputs, 7);  // [T,N,K]
  Numbers output = RandomNumbers(layer.out, kBatch * kHidden, 8), cell = RandomInt16(kBatch * kHidden, 9);
  std::map<std::string, Floats> given = {{"x", {}}, {"h", AsFloats(output)}, {"c", AsFloats(cell)}};
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
  EXPECT_EQ(outputs["h/next"], AsFloats(output));
  EXPECT_EQ(outputs["c/next"], AsFloats(cell));
}

TEST(TfliteIntegerLstm, Int16IsItsKernel) {
  Check({});
  Check({false});
  Check({true, 0.7f});
  for (const float cell_scale : {1.0f / 32768, 1.0f / 4096, 1.0f / 2048}) Check({true, 10, cell_scale});
}

TEST(TfliteIntegerLstm, Int8WithAnInt16CellIsItsKernel) {
  Check(OfBytes());
  LstmCase layer = OfBytes();
  layer.time_major = false;
  layer.cell_clip = 0.7f;
  Check(layer);
  layer.cell_scale = 1.0f / 2048;
  Check(layer);
}

// The states, too, which begin with what stands for 0.
TEST(TfliteIntegerLstm, StatesAreIntegers) {
  for (const LstmCase& layer : {LstmCase(), OfBytes()}) {
    ImportedTflite imported = ImportTflite(Lstm(layer).Bytes());
    ASSERT_TRUE(imported.status.ok()) << imported.status.message();
    const ir::Graph& graph = imported.graph();
    ASSERT_EQ(graph.states.size(), 2u);
    const bool is_byte = layer.out.type == Type::Int8;
    EXPECT_EQ(graph.value(graph.inputs[1]).dtype, is_byte ? DType::kInt8 : DType::kInt16);
    EXPECT_EQ(graph.value(graph.inputs[2]).dtype, DType::kInt16);
    EXPECT_EQ(graph.states[1].initial, nullptr);
    ASSERT_EQ(graph.states[0].initial != nullptr, is_byte);
    if (is_byte) {
      EXPECT_EQ(static_cast<int8_t>(*(graph.states[0].initial->end() - 1)), layer.out.zero);
    }
  }
}

// A cell whose scale is no power of two: the layer of real numbers.
TEST(TfliteIntegerLstm, OtherScalesAreComputedInFloat) {
  ImportedTflite imported = ImportTflite(Lstm({true, 0, 0.0001f}).Bytes());
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  bool has_recurrent = false;
  for (const auto& node : imported.graph().nodes) has_recurrent |= node->code == schema::OpCode::Recurrent;
  EXPECT_TRUE(has_recurrent);
  ASSERT_EQ(imported.diagnostics.warnings.size(), 1u);
  EXPECT_NE(imported.diagnostics.warnings[0].find("powers of two as scales of a cell, found 0.0001"),
            std::string::npos)
      << imported.diagnostics.warnings[0];
}

}  // namespace
}  // namespace micrort::testing::tflite_integer_lstm
