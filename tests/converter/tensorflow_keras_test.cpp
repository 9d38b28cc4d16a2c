// Recurrent layers of Keras, which a function says it is, against their equations.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/converter/converted.h"
#include "tests/converter/tensorflow_graph.h"

namespace micrort::testing {
namespace {

using ::testing::FloatNear;
using ::testing::Pointwise;

constexpr int kKerasSteps = 3, kKerasInputs = 2, kKerasUnits = 2;

float KerasSigmoid(float v) { return 1 / (1 + std::exp(-v)); }

// Weights that differ from each other, [rows, columns].
Floats KerasWeights(int rows, int columns, float first) {
  Floats values;
  for (int i = 0; i < rows * columns; ++i) values.push_back(std::sin(first + static_cast<float>(i)));
  return values;
}

// v [rows] times m [rows, columns], plus bias.
Floats KerasProduct(const Floats& v, const Floats& m, const Floats& bias) {
  Floats y = bias;
  for (size_t i = 0; i < v.size(); ++i) {
    for (size_t k = 0; k < y.size(); ++k) y[k] += v[i] * m[i * y.size() + k];
  }
  return y;
}

Floats KerasStep(const Floats& x, int t) {
  return {x.begin() + t * kKerasInputs, x.begin() + (t + 1) * kKerasInputs};
}

// Outputs of all steps, in the order in which they are taken.
Floats KerasLstm(const Floats& x, const Floats& kernel, const Floats& recurrent, const Floats& bias,
                 bool backwards) {
  Floats h(kKerasUnits, 0.1f), c(kKerasUnits, 0.2f), all;
  for (int t = 0; t < kKerasSteps; ++t) {
    const Floats z = KerasProduct(
        h, recurrent, KerasProduct(KerasStep(x, backwards ? kKerasSteps - 1 - t : t), kernel, bias));
    for (int u = 0; u < kKerasUnits; ++u) {
      const auto gate = [&](int g) { return z[static_cast<size_t>(g * kKerasUnits + u)]; };
      float& cell = c[static_cast<size_t>(u)];
      cell = KerasSigmoid(gate(1)) * cell + KerasSigmoid(gate(0)) * std::tanh(gate(2));
      h[static_cast<size_t>(u)] = KerasSigmoid(gate(3)) * std::tanh(cell);
    }
    all.insert(all.end(), h.begin(), h.end());
  }
  return all;
}

Floats KerasGru(const Floats& x, const Floats& kernel, const Floats& recurrent, const Floats& bias) {
  const Floats of_x(bias.begin(), bias.begin() + 3 * kKerasUnits),
      of_h(bias.begin() + 3 * kKerasUnits, bias.end());
  Floats h(kKerasUnits, 0.1f), all;
  for (int t = 0; t < kKerasSteps; ++t) {
    const Floats a = KerasProduct(KerasStep(x, t), kernel, of_x), b = KerasProduct(h, recurrent, of_h);
    for (int u = 0; u < kKerasUnits; ++u) {
      const auto at = [&](int g) { return static_cast<size_t>(g * kKerasUnits + u); };
      const float z = KerasSigmoid(a[at(0)] + b[at(0)]), r = KerasSigmoid(a[at(1)] + b[at(1)]);
      float& state = h[static_cast<size_t>(u)];
      state = z * state + (1 - z) * std::tanh(a[at(2)] + r * b[at(2)]);
    }
    all.insert(all.end(), h.begin(), h.end());
  }
  return all;
}

// A function whose body is never looked at.
std::string LayerFunction(const std::string& api, const std::vector<std::string>& arguments, int results,
                          bool backwards) {
  std::string text = "library { function { signature { name: 'F' ", rets;
  for (const std::string& a : arguments) text += "input_arg { name: '" + a + "' type: DT_FLOAT } ";
  for (int i = 0; i < results; ++i) {
    const std::string name = "r" + std::to_string(i);
    text += "output_arg { name: '" + name + "' type: DT_FLOAT } ";
    rets += "ret { key: '" + name + "' value: 'body:y:0' } ";
  }
  return text + "} attr { key: 'api_implements' value { s: '" + api +
         "' } } attr { key: 'go_backwards' value { b: " + (backwards ? "true" : "false") +
         " } } node_def { name: 'body' op: 'NoSuchOperator' } " + rets + "} }\n";
}

const Floats kKerasSequence = {0.5f, -1, 2, 0.25f, -0.75f, 1};
const char kKerasCall[] = "f { func { name: 'F' } }";

TEST(TensorflowKeras, AnLstmIsOneOperator) {
  const Floats kernel = KerasWeights(kKerasInputs, 4 * kKerasUnits, 1),
               recurrent = KerasWeights(kKerasUnits, 4 * kKerasUnits, 2),
               bias = KerasWeights(1, 4 * kKerasUnits, 3);
  for (const bool backwards : {false, true}) {
    const std::string text =
        TfInput("x", {1, kKerasSteps, kKerasInputs}) + TfFloats("h", {1, kKerasUnits}, {0.1f}) +
        TfFloats("c", {1, kKerasUnits}, {0.2f}) + TfFloats("k", {kKerasInputs, 4 * kKerasUnits}, kernel) +
        TfFloats("r", {kKerasUnits, 4 * kKerasUnits}, recurrent) + TfFloats("b", {4 * kKerasUnits}, bias) +
        TfNode("call", "PartitionedCall", {"x", "h", "c", "k", "r", "b"}, {kKerasCall}) +
        TfNode("last", "Identity", {"call"}) + TfNode("all", "Identity", {"call:1"}) +
        LayerFunction("lstm_1234", {"inputs", "init_h", "init_c", "kernel", "recurrent_kernel", "bias"}, 5,
                      backwards);
    const Floats expected = KerasLstm(kKerasSequence, kernel, recurrent, bias, backwards);
    auto outputs = ConvertAndRunTf(text, {{"x", kKerasSequence}});
    EXPECT_THAT(outputs["all"], Pointwise(FloatNear(1e-5f), expected));
    EXPECT_THAT(outputs["last"],
                Pointwise(FloatNear(1e-5f), Floats(expected.end() - kKerasUnits, expected.end())));
    ImportedTf imported = ImportTf(text);
    EXPECT_EQ(CountOps(imported.module.entry(), schema::OpCode::Recurrent), 1);
  }
}

TEST(TensorflowKeras, AGruIsOneOperator) {
  const Floats kernel = KerasWeights(kKerasInputs, 3 * kKerasUnits, 1),
               recurrent = KerasWeights(kKerasUnits, 3 * kKerasUnits, 2),
               bias = KerasWeights(2, 3 * kKerasUnits, 3);
  const std::string text =
      TfInput("x", {1, kKerasSteps, kKerasInputs}) + TfFloats("h", {1, kKerasUnits}, {0.1f}) +
      TfFloats("k", {kKerasInputs, 3 * kKerasUnits}, kernel) +
      TfFloats("r", {kKerasUnits, 3 * kKerasUnits}, recurrent) + TfFloats("b", {2, 3 * kKerasUnits}, bias) +
      TfNode("call", "StatefulPartitionedCall", {"x", "h", "k", "r", "b"}, {kKerasCall}) +
      TfNode("all", "Identity", {"call:1"}) +
      LayerFunction("gru_1234", {"inputs", "init_h", "kernel", "recurrent_kernel", "bias"}, 4, false);
  EXPECT_THAT(ConvertAndRunTf(text, {{"x", kKerasSequence}})["all"],
              Pointwise(FloatNear(1e-5f), KerasGru(kKerasSequence, kernel, recurrent, bias)));
}

// With a mask it has one argument more: its body says what it does.
TEST(TensorflowKeras, OtherFunctionsAreLookedAt) {
  const std::string text =
      TfInput("x", {1, kKerasSteps, kKerasInputs}) + TfNode("call", "PartitionedCall", {"x"}, {kKerasCall}) +
      TfNode("y", "Identity", {"call"}) + LayerFunction("lstm_1234", {"inputs"}, 1, false);
  EXPECT_EQ(ImportTf(text).status.code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace micrort::testing
