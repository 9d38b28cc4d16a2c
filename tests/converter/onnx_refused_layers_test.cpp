// ONNX layers that normalize, rotate, drop, draw and compare: operands and parameters that do not fit.

#include "tests/converter/onnx_refusals.h"

namespace micrort::testing::onnx_refused_layers {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr auto kInt32 = ::onnx::TensorProto::INT32;

// Of ids of words: tables of words, positions and segments, and the scale.
OneNode Embedding(const std::vector<std::string>& ids = {"1", "2"}) {
  OneNode node("com.microsoft.EmbedLayerNormalization");
  node.X(ids, kInt32);
  return node;
}

OneNode Rotary(const std::vector<std::string>& x) {
  OneNode node("RotaryEmbedding", 23);
  node.X(x).Xs(2, {"1", "2", "2"});
  return node;
}

// An LSTM of two numbers of state.
OneNode Recurrent(const std::vector<std::string>& x, const std::vector<std::string>& recurrence) {
  OneNode node("LSTM");
  node.X(x).Weights({1, 8, 3}).X(recurrence);
  return node;
}

OneNode QuantizedLstm(const std::vector<int64_t>& weights) {
  OneNode node("com.microsoft.DynamicQuantizeLSTM");
  const std::vector<int32_t> bytes(24, 1);
  node.X({"2", "1", "3"}).Narrow(::onnx::TensorProto::INT8, weights, bytes);
  node.Narrow(::onnx::TensorProto::INT8, {1, 2, 8}, std::vector<int32_t>(16, 1));
  return node;
}

const Refusal kLayers[] = {
    {"InstancesWithoutImages",
     MICRORT_STATUS(OneNode("InstanceNormalization").X({"2", "3"}).Weights({3}).Weights({3}).Refused()),
     "expected an input of 3 or more dimensions, one scale and bias a channel"},
    {"NoGroups",
     MICRORT_STATUS(OneNode("GroupNormalization", 21).X({"1", "4", "2"}).Weights({4}).Weights({4}).Refused()),
     "expected num_groups, an input of 3 or more dimensions, a scale and a bias"},
    {"NormOfAnotherPower", MICRORT_STATUS(OneNode("LpNormalization").X({"2", "3"}).Int("p", 3).Refused()),
     "(LpNormalization, opset 13): p = 3"},
    {"ResponseOfNoSize", MICRORT_STATUS(OneNode("LRN").X({"1", "4", "2", "2"}).Refused()),
     "expected a size > 0 and an input of 3 or more dimensions"},
    {"EmbeddingWithoutAScale",
     MICRORT_STATUS(Embedding().Absent().Weights({4, 2}).Weights({4, 2}).Absent(2).Weights({2}).Refused()),
     "input 5 is absent"},
    {"SegmentsWithoutATable",
     [] {
       OneNode node = Embedding();
       node.X({"1", "2"}, kInt32).Weights({4, 2}).Weights({4, 2}).Absent().Weights({2}).Weights({2});
       return node.Refused();
     },
     "segments without a table"},
    {"EmbeddingOfAVector",
     [] {
       OneNode node = Embedding({"2"});
       node.Absent().Weights({4, 2}).Weights({4, 2}).Absent().Weights({2}).Weights({2});
       return node.Refused();
     },
     "ids of 1 dimensions"},
    {"RotationOfAMatrix", MICRORT_STATUS(Rotary({"2", "4"}).Refused()),
     "expected 3 or 4 dimensions, found 2"},
    {"RotationOfNoHeads", MICRORT_STATUS(Rotary({"1", "2", "4"}).Refused()),
     "4 numbers cannot be split into 0 heads"},
    {"RotationOfAnOddNumber",
     MICRORT_STATUS(Rotary({"1", "1", "2", "4"}).Int("rotary_embedding_dim", 3).Refused()),
     "3 of 4 numbers cannot turn"},
    {"RotationOfPackedBatches",
     [] {
       OneNode node("com.microsoft.RotaryEmbedding");
       node.X({"1", "1", "2", "4"}).Integers({0}).Xs(2, {"4", "2"}).Int("is_packed_batching", 1);
       return node.Refused();
     },
     "is_packed_batching", kUnsupported},
    {"SequenceOfAMatrix",
     MICRORT_STATUS(Recurrent({"2", "3"}, {"1", "8", "2"}).Int("hidden_size", 2).Refused()),
     "expected inputs and weights of 3 dimensions"},
    {"RecurrenceOfUnknownSize",
     MICRORT_STATUS(Recurrent({"2", "1", "3"}, {"1", "8", "H"}).Int("hidden_size", 2).Refused()),
     "the shape of the weights is not known", kUnsupported},
    {"OneActivationOfThree",
     MICRORT_STATUS(Recurrent({"2", "1", "3"}, {"1", "8", "2"}).Strings("activations", {"Tanh"}).Refused()),
     "expected 3 activations for each of 1 directions, found 1"},
    {"BytesWithoutAScale", MICRORT_STATUS(QuantizedLstm({1, 3, 8}).Refused()),
     "input 8: expected the scale of input 1, found nothing"},
    {"BytesOfAMatrix", MICRORT_STATUS(QuantizedLstm({3, 8}).Absent(5).Weights({1}).Refused()),
     "input 1: expected weights of 3 dimensions, found 2"},
    {"RandomNumbersOfAnUnknownType",
     MICRORT_STATUS(OneNode("RandomNormal").Ints("shape", {2}).Int("dtype", 8).Refused()), "dtype STRING",
     kUnsupported},
    {"DrawsOfAVector", MICRORT_STATUS(OneNode("Multinomial").X({"2"}).Refused()),
     "expected [N,C] and samples, found 1 dimensions and 1"},
    {"NoDraws", MICRORT_STATUS(OneNode("Multinomial").X({"1", "2"}).Int("sample_size", 0).Refused()),
     "expected [N,C] and samples, found 2 dimensions and 0"},
    {"DropoutOfANumber", MICRORT_STATUS(OneNode("Dropout").X({"2"}).Absent().Weights({}).Refused()),
     "training_mode is float32: expected bool"},
    {"LossOfUnknownClasses",
     MICRORT_STATUS(OneNode("NegativeLogLikelihoodLoss").X({"2", "C"}).Integers({0, 1}).Refused()),
     "the number of classes is not fixed", kUnsupported},
    {"LossOfTooManyClasses",
     MICRORT_STATUS(OneNode("NegativeLogLikelihoodLoss").X({"2", "16777217"}).Integers({0, 1}).Refused()),
     "16777217 classes, at most 16777216 are possible", kUnsupported},
    {"ProductOfAVolume", MICRORT_STATUS(OneNode("Gemm").X({"1", "2", "2"}).Weights({2, 2}).Refused()),
     "expected matrices, found 3 and 2 dimensions"},
    {"AttentionOfUnknownHeads",
     MICRORT_STATUS(OneNode("Attention", 23).Xs(3, {"1", "N", "2", "4"}).Refused()),
     "the number of heads or their size is not fixed", kUnsupported},
};

MICRORT_EXPECT_REFUSALS(OnnxRefusedLayers, kLayers);

}  // namespace
}  // namespace micrort::testing::onnx_refused_layers
