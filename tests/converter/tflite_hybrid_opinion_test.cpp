// Layers with float activations and int8 weights, whose rows TensorFlow Lite quantizes as it runs, beside
// TensorFlow Lite itself.

#include <gtest/gtest.h>

#include "tests/converter/tflite_opinion.h"

namespace micrort::testing::hybrid_opinion {
namespace {

using Act = fb::ActivationFunctionType;
using Type = fb::TensorType;
using Dims = std::vector<int32_t>;

// A sum of int32 is turned into floats in another order.
constexpr double kSameRows = 2e-6;
// States differ in their last bits, so that a few round to the next step.
constexpr double kSameStates = 1e-5;

class TfliteSecondOpinionHybrid : public ::testing::Test {
 protected:
  void SetUp() override { MICRORT_NEEDS_TFLITE(); }
  TfliteOpinion opinion_;
};

Floats Ramp(size_t n, float scale) {
  Floats values(n);
  for (size_t i = 0; i < n; ++i) values[i] = scale * static_cast<float>(static_cast<int>(i * 37 % 41) - 20);
  return values;
}

// int8 weights; one scale, or `scales` along an axis.
int Weights(TfliteBuilder* b, const std::string& name, const Dims& dims, int step, int scales = 1,
            int axis = 0) {
  size_t n = 1;
  for (const int32_t d : dims) n *= static_cast<size_t>(d);
  std::vector<int8_t> bytes(n);
  for (size_t i = 0; i < n; ++i) bytes[i] = static_cast<int8_t>(static_cast<int>(i) * step % 255 - 127);
  Quantized q = {{}, std::vector<int64_t>(static_cast<size_t>(scales)), axis};
  for (int i = 0; i < scales; ++i) q.scales.push_back(0.003f * static_cast<float>(1 + i % 5));
  return b->Constant(name, dims, Type::Int8, bytes, q);
}

TEST_F(TfliteSecondOpinionHybrid, FullyConnected) {
  for (const bool asymmetric : {false, true}) {
    for (const int batch : {1, 5}) {
      fb::FullyConnectedOptionsT o;
      o.fused_activation_function = Act::Relu;
      o.asymmetric_quantize_inputs = asymmetric;
      TfliteBuilder b;
      const int x = b.Input("x", {batch, 37}), y = b.Tensor("y", {batch, 11});
      b.Op("FULLY_CONNECTED", {x, Weights(&b, "w", {11, 37}, 53), b.Floats("bias", {11}, Ramp(11, 0.1f))},
           {y}, o);
      b.Output(y);
      opinion_.Add("fc" + std::to_string(batch) + (asymmetric ? "_asymmetric" : ""), std::move(b), kSameRows,
                   -1, 3);
    }
  }
  opinion_.Compare();
}

TEST_F(TfliteSecondOpinionHybrid, BatchMatMul) {
  for (const bool asymmetric : {false, true}) {
    fb::BatchMatMulOptionsT o;
    o.asymmetric_quantize_inputs = asymmetric;
    TfliteBuilder b;
    const int x = b.Input("x", {2, 5, 19}), y = b.Tensor("y", {2, 5, 7});
    b.Op("BATCH_MATMUL", {x, Weights(&b, "w", {2, 19, 7}, 53)}, {y}, o);
    b.Output(y);
    opinion_.Add(asymmetric ? "asymmetric" : "symmetric", std::move(b), kSameRows, -1, 3);
  }
  opinion_.Compare();
}

TEST_F(TfliteSecondOpinionHybrid, Convolutions) {
  for (const int scales : {1, 6}) {
    fb::Conv2DOptionsT o;
    o.padding = fb::Padding::Same;
    o.stride_h = o.stride_w = 2;
    o.fused_activation_function = Act::Relu6;
    TfliteBuilder b;
    const int x = b.Input("x", {2, 9, 8, 5}), y = b.Tensor("y", {2, 5, 4, 6});
    b.Op("CONV_2D", {x, Weights(&b, "w", {6, 3, 3, 5}, 53, scales), b.Floats("bias", {6}, Ramp(6, 0.1f))},
         {y}, o);
    b.Output(y);
    opinion_.Add("conv" + std::to_string(scales), std::move(b), kSameRows);
  }
  fb::DepthwiseConv2DOptionsT o;
  o.padding = fb::Padding::Valid;
  o.stride_h = o.stride_w = 1;
  o.depth_multiplier = 2;
  TfliteBuilder b;
  const int x = b.Input("x", {2, 9, 8, 3}), y = b.Tensor("y", {2, 7, 6, 6});
  b.Op("DEPTHWISE_CONV_2D",
       {x, Weights(&b, "w", {1, 3, 3, 6}, 53, 6, 3), b.Floats("bias", {6}, Ramp(6, 0.1f))}, {y}, o);
  b.Output(y);
  opinion_.Add("depthwise", std::move(b), kSameRows);
  opinion_.Compare();
}

int Variable(TfliteBuilder* b, const std::string& name, const Dims& dims) {
  const int index = b->Tensor(name, dims);
  b->tensor(index).is_variable = true;
  return index;
}

TEST_F(TfliteSecondOpinionHybrid, Lstm) {
  constexpr int kBatch = 2, kSteps = 3, kInputs = 9, kUnits = 5, kProjected = 4;
  for (const bool projects : {false, true}) {
    for (const bool asymmetric : {false, true}) {
      const int outputs = projects ? kProjected : kUnits;
      fb::UnidirectionalSequenceLSTMOptionsT o;
      o.fused_activation_function = Act::Tanh;
      o.time_major = true;
      o.asymmetric_quantize_inputs = asymmetric;
      TfliteBuilder b;
      std::vector<int32_t> inputs(24, -1);
      inputs[0] = b.Input("x", {kSteps, kBatch, kInputs});
      for (int gate = 0; gate < 4; ++gate) {
        const std::string n = std::to_string(gate);
        inputs[static_cast<size_t>(1 + gate)] = Weights(&b, "w" + n, {kUnits, kInputs}, 31 + 2 * gate);
        inputs[static_cast<size_t>(5 + gate)] = Weights(&b, "r" + n, {kUnits, outputs}, 47 + 2 * gate);
        inputs[static_cast<size_t>(12 + gate)] = b.Floats("b" + n, {kUnits}, Ramp(kUnits, 0.05f));
      }
      if (projects) inputs[16] = Weights(&b, "p", {outputs, kUnits}, 59);
      inputs[18] = Variable(&b, "h", {kBatch, outputs});
      inputs[19] = Variable(&b, "c", {kBatch, kUnits});
      const int y = b.Tensor("y", {kSteps, kBatch, outputs});
      b.Op("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, {y}, o);
      b.Output(y);
      opinion_.Add(std::string(projects ? "projected" : "plain") + (asymmetric ? "_asymmetric" : ""),
                   std::move(b), kSameStates);
    }
  }
  opinion_.Compare();
}

TEST_F(TfliteSecondOpinionHybrid, RnnAndSvdf) {
  constexpr int kBatch = 2, kSteps = 3, kInputs = 9, kUnits = 4;
  {
    fb::SequenceRNNOptionsT o;
    o.time_major = true;
    o.fused_activation_function = Act::Tanh;
    TfliteBuilder b;
    const int x = b.Input("x", {kSteps, kBatch, kInputs}), y = b.Tensor("y", {kSteps, kBatch, kUnits});
    b.Op("UNIDIRECTIONAL_SEQUENCE_RNN",
         {x, Weights(&b, "w", {kUnits, kInputs}, 31), Weights(&b, "r", {kUnits, kUnits}, 47),
          b.Floats("b", {kUnits}, Ramp(kUnits, 0.05f)), Variable(&b, "h", {kBatch, kUnits})},
         {y}, o);
    b.Output(y);
    opinion_.Add("rnn", std::move(b), kSameStates);
  }
  fb::SVDFOptionsT o;
  o.rank = 1;
  TfliteBuilder b;
  const int x = b.Input("x", {kBatch, kInputs}), y = b.Tensor("y", {kBatch, kUnits});
  b.Op("SVDF",
       {x, Weights(&b, "f", {kUnits, kInputs}, 31), Weights(&b, "t", {kUnits, 10}, 59),
        b.Floats("b", {kUnits}, Ramp(kUnits, 0.05f)), Variable(&b, "state", {kBatch, 10 * kUnits})},
       {y}, o);
  b.Output(y);
  opinion_.Add("svdf", std::move(b), kSameRows);
  opinion_.Compare();
}

}  // namespace
}  // namespace micrort::testing::hybrid_opinion
