// Layers over sequences, in one direction and in two, and their single steps.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <sstream>

#include "tests/converter/converted.h"
#include "tests/converter/tflite_builder.h"

namespace micrort::testing {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

auto IsNear(const Floats& expected) { return Pointwise(FloatNear(1e-6f), expected); }

float Sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

// One unit: the weight of the input, of what it gave before, and the bias, the same for all gates.
struct Unit {
  float w, r, bias;
};

// h after every step.
Floats LstmSteps(const Unit& u, const Floats& x, float h, float c) {
  Floats steps;
  for (const float v : x) {
    const float sum = u.w * v + u.r * h + u.bias, gate = Sigmoid(sum);
    c = gate * c + gate * std::tanh(sum);
    h = gate * std::tanh(c);
    steps.push_back(h);
  }
  return steps;
}

Floats RnnSteps(const Unit& u, const Floats& x, float h) {
  Floats steps;
  for (const float v : x) steps.push_back(h = std::tanh(u.w * v + u.r * h + u.bias));
  return steps;
}

Floats Reversed(Floats x) {
  std::reverse(x.begin(), x.end());
  return x;
}

int Variable(TfliteBuilder* b, const std::string& name) {
  const int index = b->Tensor(name, {1, 1});
  b->tensor(index).is_variable = true;
  return index;
}

// Puts the weights of one direction at their places among the inputs.
void SetUnit(TfliteBuilder* b, const std::string& name, const Unit& u, size_t weights, size_t recurrent,
             size_t bias, std::vector<int32_t>* inputs) {
  const int w = b->Floats(name + "w", {1, 1}, {u.w}), r = b->Floats(name + "r", {1, 1}, {u.r}),
            k = b->Floats(name + "b", {1}, {u.bias});
  for (size_t i = 0; i < 4; ++i)
    (*inputs)[weights + i] = w, (*inputs)[recurrent + i] = r, (*inputs)[bias + i] = k;
}

constexpr Unit kForward = {0.5f, -0.25f, 0.125f}, kBackward = {-1, 0.75f, 0.25f};

// steps: -1 leaves them open.
TfliteBuilder BidirectionalLstm(bool merge, float cell_clip = 0, int32_t steps = 3) {
  TfliteBuilder b;
  std::vector<int32_t> inputs(48, -1);
  inputs[0] = b.Input("x", {steps, 1, 1});
  SetUnit(&b, "f", kForward, 1, 5, 12, &inputs);
  SetUnit(&b, "b", kBackward, 18, 22, 29, &inputs);
  inputs[35] = Variable(&b, "fh"), inputs[36] = Variable(&b, "fc");
  inputs[37] = Variable(&b, "bh"), inputs[38] = Variable(&b, "bc");
  fb::BidirectionalSequenceLSTMOptionsT o;
  o.fused_activation_function = fb::ActivationFunctionType::Tanh;
  o.merge_outputs = merge;
  o.cell_clip = cell_clip;
  o.time_major = true;
  const int y = b.Tensor("y"), z = b.Tensor("z");
  b.Op("BIDIRECTIONAL_SEQUENCE_LSTM", inputs, merge ? std::vector<int32_t>{y} : std::vector<int32_t>{y, z},
       o);
  b.Output(y);
  if (!merge) b.Output(z);
  return b;
}

const std::map<std::string, Floats> kLstmInputs = {
    {"x", {1, 2, -3}}, {"fh", {0.5f}}, {"fc", {1}}, {"bh", {-0.5f}}, {"bc", {2}}};

TEST(TfliteBidirectional, LstmsGoBothWays) {
  // With a clip, which nothing reaches, the layer is made of single operators.
  for (const float clip : {0.0f, 100.0f}) {
    auto outputs = RunTflite(BidirectionalLstm(false, clip), kLstmInputs);
    EXPECT_THAT(outputs["y"], IsNear(LstmSteps(kForward, {1, 2, -3}, 0.5f, 1)));
    const Floats backward = LstmSteps(kBackward, {-3, 2, 1}, -0.5f, 2);
    EXPECT_THAT(outputs["z"], IsNear(Reversed(backward)));
    EXPECT_THAT(outputs["bh/next"], IsNear({backward.back()}));
  }
}

// From states of zero, both ways side by side: the elements of an array as Converted::Run writes it.
Floats Elements(const std::string& printed) {
  std::istringstream text(printed.substr(printed.find(':') + 1));
  return {std::istream_iterator<float>(text), {}};
}

TEST(TfliteBidirectional, ManyStepsAreLoops) {
  Floats x, expected;
  for (int i = 0; i < 300; ++i) x.push_back(std::sin(0.1f * static_cast<float>(i)));
  const Floats forward = LstmSteps(kForward, x, 0, 0),
               backward = Reversed(LstmSteps(kBackward, Reversed(x), 0, 0));
  for (size_t i = 0; i < x.size(); ++i) expected.insert(expected.end(), {forward[i], backward[i]});
  Converted loops("model.tflite", BidirectionalLstm(true, 100, 300).Bytes());
  EXPECT_EQ(loops.Count(schema::OpCode::Loop), 2);
  EXPECT_THAT(Elements(loops.Run({Array<float>({300, 1, 1}, x)})), Pointwise(FloatNear(1e-5f), expected));
}

TEST(TfliteBidirectional, StepsMayBeOpen) {
  for (const float clip : {0.0f, 0.25f}) {
    for (const int32_t steps : {1, 3, 20}) {
      Converted open("model.tflite", BidirectionalLstm(true, clip, -1).Bytes()),
          fixed("model.tflite", BidirectionalLstm(true, clip, steps).Bytes());
      const std::vector<io::NamedArray> x = {Array<float>({steps, 1, 1}, Floats(size_t(steps), 0.5f))};
      const std::string expected = fixed.Run(x);
      EXPECT_EQ(open.Run(x), expected);
      EXPECT_TRUE(fixed.ran()) << expected;
    }
  }
}

TEST(TfliteBidirectional, OutputsAreMerged) {
  const Floats forward = LstmSteps(kForward, {1, 2, -3}, 0.5f, 1),
               backward = Reversed(LstmSteps(kBackward, {-3, 2, 1}, -0.5f, 2));
  EXPECT_THAT(RunTflite(BidirectionalLstm(true), kLstmInputs)["y"],
              IsNear({forward[0], backward[0], forward[1], backward[1], forward[2], backward[2]}));
}

TEST(TfliteBidirectional, AuxiliaryInputOfOneLayerIsReadBackward) {
  TfliteBuilder b = BidirectionalLstm(false);
  b.graph().operators[0]->inputs[39] = b.Input("aux", {3, 1, 1});
  auto inputs = kLstmInputs;
  inputs["aux"] = {4, 5, 6};
  EXPECT_THAT(RunTflite(b, inputs)["z"], IsNear(Reversed(LstmSteps(kBackward, {6, 5, 4}, -0.5f, 2))));
}

TEST(TfliteBidirectional, WeightsOfTheAuxiliaryInputAdd) {
  TfliteBuilder b = BidirectionalLstm(false);
  auto& list = b.graph().operators[0]->inputs;
  list[39] = b.Input("aux", {3, 1, 1});
  const int one = b.Floats("one", {1, 1}, {kForward.w});
  for (size_t i = 40; i < 48; ++i) list[i] = one;
  auto inputs = kLstmInputs;
  inputs["aux"] = {4, 5, 6};
  EXPECT_THAT(RunTflite(b, inputs)["y"], IsNear(LstmSteps(kForward, {5, 7, 3}, 0.5f, 1)));
}

TEST(TfliteBidirectional, RnnsGoBothWays) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 3, 1});
  std::vector<int32_t> inputs = {x};
  for (const auto& [name, u] : {std::make_pair("f", kForward), std::make_pair("b", kBackward)}) {
    const std::string n = name;
    inputs.push_back(b.Floats(n + "w", {1, 1}, {u.w}));
    inputs.push_back(b.Floats(n + "r", {1, 1}, {u.r}));
    inputs.push_back(b.Floats(n + "b", {1}, {u.bias}));
    inputs.push_back(Variable(&b, n + "h"));
  }
  inputs.insert(inputs.end(), {-1, -1, -1});
  fb::BidirectionalSequenceRNNOptionsT o;
  o.fused_activation_function = fb::ActivationFunctionType::Tanh;
  const int y = b.Tensor("y"), z = b.Tensor("z");
  b.Op("BIDIRECTIONAL_SEQUENCE_RNN", inputs, {y, z}, o);
  b.Output(y).Output(z);
  auto outputs = RunTflite(b, {{"x", {1, 2, -3}}, {"fh", {0.5f}}, {"bh", {1}}});
  EXPECT_THAT(outputs["y"], IsNear(RnnSteps(kForward, {1, 2, -3}, 0.5f)));
  EXPECT_THAT(outputs["z"], IsNear(Reversed(RnnSteps(kBackward, {-3, 2, 1}, 1))));
}

TEST(TfliteSteps, LstmOfOneStep) {
  TfliteBuilder b;
  std::vector<int32_t> inputs(20, -1);
  inputs[0] = b.Input("x", {1, 1});
  SetUnit(&b, "f", kForward, 1, 5, 12, &inputs);
  inputs[18] = Variable(&b, "h"), inputs[19] = Variable(&b, "c");
  fb::LSTMOptionsT o;
  o.fused_activation_function = fb::ActivationFunctionType::Tanh;
  const int y = b.Tensor("y");
  b.Op("LSTM", inputs, {y}, o);
  b.Output(y);
  auto outputs = RunTflite(b, {{"x", {2}}, {"h", {0.5f}}, {"c", {1}}});
  EXPECT_THAT(outputs["y"], IsNear(LstmSteps(kForward, {2}, 0.5f, 1)));
  EXPECT_THAT(outputs["h/next"], IsNear(outputs["y"]));
}

// The input gate is what the forget gate leaves; a clip that nothing reaches takes the layer apart.
TEST(TfliteSteps, LstmOfCoupledGatesAndOtherActivations) {
  using Activation = fb::ActivationFunctionType;
  const auto rectified = [](float v) { return std::max(v, 0.0f); };
  const auto rectified6 = [](float v) { return std::min(std::max(v, 0.0f), 6.0f); };
  const std::pair<Activation, std::function<float(float)>> activations[] = {{Activation::Relu, rectified},
                                                                            {Activation::Relu6, rectified6}};
  for (const auto& [activation, function] : activations) {
    for (const float clip : {0.0f, 100.0f}) {
      TfliteBuilder b;
      std::vector<int32_t> inputs(20, -1);
      inputs[0] = b.Input("x", {1, 1});
      SetUnit(&b, "f", kForward, 1, 5, 12, &inputs);
      inputs[1] = inputs[5] = inputs[12] = -1;
      inputs[18] = Variable(&b, "h"), inputs[19] = Variable(&b, "c");
      fb::LSTMOptionsT o;
      o.fused_activation_function = activation, o.cell_clip = clip;
      const int y = b.Tensor("y");
      b.Op("LSTM", inputs, {y}, o);
      b.Output(y);
      const float sum = kForward.w * 20 + kForward.r * 0.5f + kForward.bias, gate = Sigmoid(sum);
      const float cell = gate * 1 + (1 - gate) * function(sum);
      EXPECT_THAT(RunTflite(b, {{"x", {20}}, {"h", {0.5f}}, {"c", {1}}})["y"],
                  IsNear({gate * function(cell)}));
    }
  }
}

TEST(TfliteSteps, RnnOfOneStep) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 1}), y = b.Tensor("y");
  fb::RNNOptionsT o;
  o.fused_activation_function = fb::ActivationFunctionType::Tanh;
  b.Op("RNN",
       {x, b.Floats("w", {1, 1}, {0.5f}), b.Floats("r", {1, 1}, {-0.25f}), b.Floats("b", {1}, {0.125f}),
        Variable(&b, "h")},
       {y}, o);
  b.Output(y);
  EXPECT_THAT(RunTflite(b, {{"x", {2}}, {"h", {0.5f}}})["y"], IsNear(RnnSteps(kForward, {2}, 0.5f)));
}

// Gates in the order input, cell, forget, output, each with a weight of its own.
TEST(TfliteSteps, BasicLstmHandsItsStatesOut) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 1}), h = b.Input("h", {1, 1}), c = b.Input("c", {1, 1});
  const int w = b.Floats("w", {4, 2}, {1, 0.5f, 2, 0.5f, 3, 0.5f, 4, 0.5f}),
            bias = b.Floats("bias", {4}, {0.1f, 0.2f, 0.3f, 0.4f});
  const int y = b.Tensor("y"), next = b.Tensor("next"), joined = b.Tensor("joined"), sums = b.Tensor("sums");
  fb::LSTMOptionsT o;
  o.kernel_type = fb::LSTMKernelType::Basic;
  b.Op("LSTM", {x, h, w, bias, c}, {y, next, joined, sums}, o);
  b.Output(y).Output(next);
  const float before = 0.5f * 0.6f, in = 0.5f;
  const float i = Sigmoid(in + before + 0.1f), g = std::tanh(2 * in + before + 0.2f),
              f = Sigmoid(3 * in + before + 0.3f), out = Sigmoid(4 * in + before + 0.4f);
  const float cell = i * g + f * 2;
  auto outputs = RunTflite(b, {{"x", {in}}, {"h", {0.6f}}, {"c", {2}}});
  EXPECT_THAT(outputs["next"], IsNear({cell}));
  EXPECT_THAT(outputs["y"], IsNear({out * std::tanh(cell)}));
}

TEST(TfliteSteps, BasicLstmIsChecked) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 1}), y = b.Tensor("y"), w = b.Floats("w", {3, 2}, {1, 2, 3, 4, 5, 6});
  fb::LSTMOptionsT o;
  o.kernel_type = fb::LSTMKernelType::Basic;
  b.Op("LSTM", {x, x, w, b.Floats("bias", {3}, {0, 0, 0}), x}, {y}, o);
  b.Output(y);
  EXPECT_THAT(ImportTflite(b.Bytes()).status.message(), HasSubstr("3 rows"));
  b.graph().operators[0]->inputs[3] = -1;
  EXPECT_THAT(ImportTflite(b.Bytes()).status.message(), HasSubstr("input 3 is required, but absent"));
}

}  // namespace
}  // namespace micrort::testing
