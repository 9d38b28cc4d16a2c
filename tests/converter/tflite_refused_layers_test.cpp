// TFLite layers with weights, their windows and their sequences, that do not fit what they read.

#include "tests/converter/tflite_refusals.h"

namespace micrort::testing::tflite_refused_layers {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

template <typename OptionsT>
OptionsT Strides(int32_t stride = 1) {
  OptionsT o;
  o.padding = fb::Padding::Valid;
  o.stride_h = o.stride_w = stride;
  return o;
}

Status Conv(std::vector<int32_t> x, std::vector<int32_t> weights) {
  fb::Conv2DOptionsT o = Strides<fb::Conv2DOptionsT>();
  o.dilation_h_factor = o.dilation_w_factor = 1;
  return OneOp("CONV_2D").In(std::move(x)).In(std::move(weights)).With(o).Import();
}

Status DepthwiseConv(std::vector<int32_t> x, std::vector<int32_t> weights) {
  fb::DepthwiseConv2DOptionsT o = Strides<fb::DepthwiseConv2DOptionsT>();
  o.dilation_h_factor = o.dilation_w_factor = 1;
  return OneOp("DEPTHWISE_CONV_2D").In(std::move(x)).Zeros(std::move(weights)).With(o).Import();
}

Status TransposeConv(const std::vector<int32_t>& shape) {
  OneOp op("TRANSPOSE_CONV");
  op.Ints(shape).Zeros({1, 2, 2, 1}).In({1, 2, 2, 1}).With(Strides<fb::TransposeConvOptionsT>(2));
  return op.Import();
}

// To the shape that an input holds.
Status TransposeConvToInput(int32_t dims, fb::Padding padding) {
  fb::TransposeConvOptionsT o = Strides<fb::TransposeConvOptionsT>(2);
  o.padding = padding;
  OneOp op("TRANSPOSE_CONV");
  return op.In({dims}, fb::TensorType::Int32).Zeros({1, 2, 2, 1}).In({1, 2, 2, 1}).With(o).Import();
}

const Refusal kConvolutions[] = {
    {"WeightsOfOpenShape", MICRORT_STATUS(Conv({1, 4, 4, 2}, {-1, 1, 1, 2})),
     "weights whose shape is not fixed", kUnsupported},
    {"OpenChannels", MICRORT_STATUS(Conv({1, 4, 4, -1}, {1, 1, 1, 2})),
     "a number of channels that is not fixed", kUnsupported},
    {"ChannelsThatAreNoMultiple", MICRORT_STATUS(Conv({1, 4, 4, 3}, {1, 1, 1, 2})),
     "weights for 2 of 3 channels"},
    {"WeightsWithoutChannels", MICRORT_STATUS(Conv({1, 4, 4, 3}, {1, 1, 1, 0})),
     "weights for 0 of 3 channels"},
    {"DepthwiseWeightsOfSeveralImages", MICRORT_STATUS(DepthwiseConv({1, 4, 4, 2}, {2, 1, 1, 2})),
     "weights [2,...,2] for 2 channels"},
    {"DepthwiseChannelsThatAreNoMultiple", MICRORT_STATUS(DepthwiseConv({1, 4, 4, 2}, {1, 1, 1, 3})),
     "weights [1,...,3] for 2 channels"},
    {"TransposedToAnotherRank", MICRORT_STATUS(TransposeConv({1, 4, 4})),
     "the shape of the output: expected 4 dimensions, found 3"},
    {"TransposedToAComputedShapeOfAnotherRank", MICRORT_STATUS(TransposeConvToInput(3, fb::Padding::Same)),
     "the shape of the output: expected 4 dimensions, found 3"},
    {"TransposedToAComputedShapeWithPaddingThatDoesNotExist",
     MICRORT_STATUS(TransposeConvToInput(4, static_cast<fb::Padding>(7))), "padding 7"},
    {"TransposedToNoRows", MICRORT_STATUS(TransposeConv({1, 0, 4, 1})),
     "the shape of the output: expected 4 dimensions, found 4"},
};
MICRORT_EXPECT_REFUSALS(TfliteConvolutions, kConvolutions);

const Refusal kProducts[] = {
    {"ShuffledWeights",
     [] {
       fb::FullyConnectedOptionsT o;
       o.weights_format = fb::FullyConnectedOptionsWeightsFormat::Shuffled4x16Int8;
       return OneOp("FULLY_CONNECTED").In({1, 2}).Zeros({3, 2}).With(o).Import();
     },
     "shuffled weights", kUnsupported},
    {"WeightsOfOpenDepth", MICRORT_STATUS(OneOp("FULLY_CONNECTED").In({1, 2}).In({3, -1}).Import()),
     "weights whose shape is not fixed", kUnsupported},
    {"VectorTimesMatrix", MICRORT_STATUS(OneOp("BATCH_MATMUL").In({2}).In({2, 3}).Import()),
     "input 0 has 1 dimensions"},
    {"MatrixTimesVector", MICRORT_STATUS(OneOp("BATCH_MATMUL").In({3, 2}).In({2}).Import()),
     "input 1 has 1 dimensions"},
};
MICRORT_EXPECT_REFUSALS(TfliteProducts, kProducts);

// One unit that reads one feature; all four gates have weights of these shapes.
struct Lstm {
  std::vector<int32_t> x = {2, 1, 1};
  std::vector<int32_t> weights = {1, 1};
  std::vector<int32_t> recurrent = {1, 1};
  float cell_clip = 0;
  bool diagonal = false;

  Status Import() const {
    OneOp op("UNIDIRECTIONAL_SEQUENCE_LSTM");
    op.In(x);
    for (int i = 0; i < 4; ++i) op.In(weights);
    for (int i = 0; i < 4; ++i) op.In(recurrent);
    op.Absent(3);
    for (int i = 0; i < 4; ++i) op.Zeros({1});
    op.Absent(2).Variable({1, 1}).Variable({1, 1});
    fb::UnidirectionalSequenceLSTMOptionsT o;
    o.fused_activation_function = fb::ActivationFunctionType::Tanh;
    o.time_major = true;
    o.cell_clip = cell_clip;
    o.diagonal_recurrent_tensors = diagonal;
    return op.With(o).Import();
  }
};

// Sums as the bias of the input gate, which has no weights that would say what they count.
Status LstmOfABiasWithoutWeights() {
  OneOp op("UNIDIRECTIONAL_SEQUENCE_LSTM");
  op.In({2, 1, 1}).Absent();
  for (int i = 0; i < 3; ++i) op.Zeros({1, 1});
  op.Absent();
  for (int i = 0; i < 3; ++i) op.Zeros({1, 1});
  op.Absent(3).Ints({1});
  for (int i = 0; i < 3; ++i) op.Zeros({1});
  op.Absent(2).Variable({1, 1}).Variable({1, 1});
  return op.With(fb::UnidirectionalSequenceLSTMOptionsT()).Import();
}

const Refusal kSequences[] = {
    {"LstmOfABiasWithoutWeights", MICRORT_STATUS(LstmOfABiasWithoutWeights()),
     "bias 12 without a quantization, and input or weights without one"},
    {"DiagonalWeights",
     [] {
       Lstm lstm;
       lstm.diagonal = true;
       return lstm.Import();
     },
     "diagonal recurrent weights", kUnsupported},
    {"LstmOfOpenWeights",
     [] {
       Lstm lstm;
       lstm.weights = {-1, 1};
       return lstm.Import();
     },
     "weights whose shape is not fixed", kUnsupported},
    {"LstmOfOtherRows",
     [] {
       Lstm lstm;
       lstm.recurrent = {2, 1};
       return lstm.Import();
     },
     "the input gate: expected matrices of 1 rows"},
    {"LstmOfVectors",
     [] {
       Lstm lstm;
       lstm.recurrent = {1};
       return lstm.Import();
     },
     "the input gate: expected matrices of 1 rows"},
    {"ClippedLstmWithoutSteps",
     [] {
       Lstm lstm;
       lstm.x = {0, 1, 1};
       lstm.cell_clip = 1;
       return lstm.Import();
     },
     "a layer without steps"},
    {"BasicLstmOfMoreInputs",
     [] {
       fb::LSTMOptionsT o;
       o.kernel_type = fb::LSTMKernelType::Basic;
       OneOp op("LSTM");
       op.In({1, 1}).In({1, 1}).Zeros({4, 2}).Zeros({4}).In({1, 1}).In({1, 1}).Outs(4);
       return op.With(o).Import();
     },
     "expected 5 inputs, found 6"},
    {"SvdfOfAnotherRank",
     [] {
       fb::SVDFOptionsT o;
       o.rank = 2;
       return OneOp("SVDF")
           .In({1, 2})
           .Zeros({3, 2})
           .Zeros({3, 4})
           .Absent()
           .Variable({1, 12})
           .With(o)
           .Import();
     },
     "3 features of rank 2"},
    {"SvdfWithoutFeatures",
     [] {
       fb::SVDFOptionsT o;
       o.rank = 2;
       return OneOp("SVDF").In({1, 2}).In({0, 2}).In({0, 4}).Absent().Variable({1, 0}).With(o).Import();
     },
     "0 features of rank 2"},
    {"SvdfOfALargeState",
     [] {
       constexpr int32_t kMany = 1 << 16;
       fb::SVDFOptionsT o;
       o.rank = 1;
       OneOp op("SVDF");
       op.In({1, 2}).In({kMany, 2}).In({kMany, kMany}).Absent().Variable({1, kMany});
       return op.With(o).Import();
     },
     "state: 4294967296 does not fit 32 bits"},
    {"SvdfWithoutRank",
     MICRORT_STATUS(OneOp("SVDF").In({1, 2}).Zeros({3, 2}).Zeros({3, 4}).Absent().Variable({1, 12}).Import()),
     "3 features of rank 0"},
};
MICRORT_EXPECT_REFUSALS(TfliteSequences, kSequences);

// Of states that operators of sounds keep, which are made before the operators are looked at.
Status Buffer(std::vector<int32_t> x, std::vector<int32_t> y) {
  constexpr auto kInt8 = fb::TensorType::Int8;
  return OneOp("CIRCULAR_BUFFER").In(std::move(x), kInt8).Out(std::move(y), kInt8).Import();
}

Status Delay(std::vector<int32_t> x) {
  constexpr auto kInt16 = fb::TensorType::Int16;
  OneOp op("SignalDelay");
  return op.In(std::move(x), kInt16).Out({}, kInt16).Custom(FlexInts({{"delay_length", 2}})).Import();
}

const Refusal kStates[] = {
    {"DelayedNumber", MICRORT_STATUS(Delay({})), "SignalDelay: input 0: expected at least 1 dimensions"},
    {"DelayWithoutAnInput",
     MICRORT_STATUS(OneOp("SignalDelay").Custom(FlexInts({{"delay_length", 2}})).Import()),
     "SignalDelay: input 0: expected at least 1 dimensions"},
    {"DelayOfNothing", MICRORT_STATUS(Delay({0, 4})), "input 0 has dimension 0: expected at most 16777216"},
    {"LongDelay", MICRORT_STATUS(Delay({1 << 13, 1 << 12})),
     "input 0 has dimension 4096: expected at most 16777216"},
    {"BufferOfAnotherRank", MICRORT_STATUS(Buffer({1, 1, 1, 2}, {3, 2})),
     "CIRCULAR_BUFFER: its output: expected 4 dimensions"},
    {"BufferOfNoSlots", MICRORT_STATUS(Buffer({1, 1, 1, 2}, {1, 0, 1, 2})),
     "CIRCULAR_BUFFER: its output: expected 4 dimensions"},
    {"LongBuffer", MICRORT_STATUS(Buffer({1, 1, 1, 2}, {1, 1 << 24, 1, 2})),
     "CIRCULAR_BUFFER: its output: expected 4 dimensions"},
    {"LongBufferOfManyImages", MICRORT_STATUS(Buffer({1 << 24, 1, 1, 1}, {1, 1 << 24, 1, 1})),
     "CIRCULAR_BUFFER: its output: expected 4 dimensions"},
};
MICRORT_EXPECT_REFUSALS(TfliteHiddenStates, kStates);

}  // namespace
}  // namespace micrort::testing::tflite_refused_layers
