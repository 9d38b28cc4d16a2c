// Signal operators of TensorFlow Lite Micro: spectra, filter banks and streams that do not fit.

#include <limits>

#include "tests/converter/tflite_refusals.h"

namespace micrort::testing::tflite_refused_signal {
namespace {

using Dims = std::vector<int32_t>;

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr auto kFloats = fb::TensorType::Float32;
constexpr auto kShorts = fb::TensorType::Int16;
constexpr auto kChannels = fb::TensorType::UInt32;

Status TransformOf(const Dims& shape, fb::TensorType type, int length) {
  OneOp op("SignalRfft");
  return op.In(shape, type).Out({}, type).Custom(FlexInts({{"fft_length", length}})).Import();
}

const Refusal kTransforms[] = {
    {"SpectrumOfHalfANumber",
     MICRORT_STATUS(OneOp("SignalEnergy").In({3}, kShorts).Out({}, kChannels).Import()),
     "a spectrum of 3 elements"},
    {"TransformOfAScalar", MICRORT_STATUS(TransformOf({}, kFloats, 4)), "(SignalRfft): a scalar"},
    {"IntegersOfAnotherLength", MICRORT_STATUS(TransformOf({6}, kShorts, 6)),
     "a transform of 6 integers; expected a power of two", kUnsupported},
    {"TwoIntegers", MICRORT_STATUS(TransformOf({2}, kShorts, 2)),
     "a transform of 2 integers; expected a power of two", kUnsupported},
    {"MoreThanTheTransform", MICRORT_STATUS(TransformOf({5}, kShorts, 4)), "5 elements for a transform of 4"},
    {"OpenNumberOfIntegers", MICRORT_STATUS(TransformOf({-1}, kShorts, 4)), "elements for a transform of 4"},
};

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

struct Bank {
  std::vector<int64_t> weights, unweights, starts, weight_starts, widths;
};

Status FilterBankOf(const Bank& bank, int32_t bins = 6) {
  OneOp op("SignalFilterBank");
  op.In({bins}, kChannels);
  for (const auto* list : {&bank.weights, &bank.unweights, &bank.starts, &bank.weight_starts, &bank.widths}) {
    const Dims shape = {static_cast<int32_t>(list->size())};
    const std::string name = "list" + std::to_string(op.op().inputs.size());
    op.op().inputs.push_back(op.builder().Constant(name, shape, fb::TensorType::Int64, *list));
  }
  return op.Out({}, fb::TensorType::UInt64).Import();
}

Bank TwoChannels() { return {{9, 9, 1, 2, 3, 4}, {5, 6, 7, 8, 9, 9}, {0, 2, 4}, {0, 2, 4}, {2, 2, 2}}; }

// `dims` take the place of the two channels that the file states.
Status SubtractionOf(const std::vector<int64_t>& dims) {
  OneOp op("SignalFilterBankSpectralSubtraction");
  op.In({2}, kChannels).Out({}, kChannels).Out({}, kChannels);
  op.Custom(FlexInts({{"smoothing", 1},
                      {"one_minus_smoothing", 1},
                      {"alternate_smoothing", 1},
                      {"alternate_one_minus_smoothing", 1},
                      {"min_signal_remaining", 1},
                      {"smoothing_bits", 1},
                      {"spectral_subtraction_bits", 1}}));
  frontend::ImportOptions options;
  options.input_shapes = {{"#0", dims}};
  return op.Import(options);
}

const Refusal kFilterBanks[] = {
    {"FiltersWithoutWidths",
     [] {
       Bank bank = TwoChannels();
       bank.widths = {2, 2, 2, 2};
       return FilterBankOf(bank);
     },
     "starts, widths or weights of different sizes"},
    {"FilterBehindTheSpectrum",
     [] {
       Bank bank = TwoChannels();
       bank.starts[1] = 5;
       return FilterBankOf(bank);
     },
     "filter 1 is outside of the spectrum or weights"},
    {"FilterBehindTheWeights",
     [] {
       Bank bank = TwoChannels();
       bank.weight_starts[2] = 5;
       return FilterBankOf(bank);
     },
     "filter 2 is outside of the spectrum or weights"},
    {"FilterThatIsTooWideToCount",
     [] {
       Bank bank = TwoChannels();
       bank.starts[0] = bank.weight_starts[0] = 1, bank.widths[0] = kHuge;
       return FilterBankOf(bank);
     },
     "filter 0 is outside of the spectrum or weights"},
    {"FilterThatStartsTooFarAway",
     [] {
       Bank bank = TwoChannels();
       bank.starts[1] = bank.weight_starts[1] = kHuge;
       return FilterBankOf(bank);
     },
     "filter 1 is outside of the spectrum or weights"},
    {"ManyBinsOfManyChannels",
     [] {
       Bank bank;
       bank.starts = bank.weight_starts = bank.widths = std::vector<int64_t>(258);
       bank.weights = bank.unweights = {1};
       return FilterBankOf(bank, 1 << 16);
     },
     "257 channels of 65536 bins", kUnsupported},
    {"ChannelsOfTwoDimensions",
     [] {
       OneOp op("SignalFilterBankLog");
       op.In({1, 2}, kChannels).Out({}, kShorts);
       return op.Custom(FlexInts({{"input_correction_bits", 3}, {"output_scale", 64}})).Import();
     },
     "expected one dimension of fixed size"},
    {"ManyChannels",
     [] {
       OneOp op("SignalFilterBankLog");
       op.In({1 << 30}, kChannels).Out({}, kShorts);
       return op.Custom(FlexInts({{"input_correction_bits", 3}, {"output_scale", 64}})).Import();
     },
     "1073741824 channels or bins", kUnsupported},
    {"NoiseOfOtherChannels", MICRORT_STATUS(SubtractionOf({3})),
     "channels of another number than the file states", kUnsupported},
    {"GainsWithoutATable",
     [] {
       OneOp op("SignalPCAN");
       op.In({2}, kChannels).In({2}, kChannels).Ints(std::vector<int32_t>(124)).Out({}, kChannels);
       return op.Custom(FlexInts({{"snr_shift", 6}})).Import();
     },
     "a table of 124 numbers, expected 125"},
};

// In a subgraph that runs once, which no states are made for.
Status OverlapAddThatRunsOnce(const Dims& frames) {
  TfliteBuilder b;
  fb::CallOnceOptionsT once;
  once.init_subgraph_index = 1;
  const int handle = b.Tensor("handle", {}, fb::TensorType::Resource), y = b.Tensor("y", {2});
  b.Op("CALL_ONCE", {}, {}, once);
  b.Op("VAR_HANDLE", {}, {handle}, fb::VarHandleOptionsT());
  b.Op("READ_VARIABLE", {handle}, {y});
  b.Output(y);
  b.AddSubgraph();
  const Floats zeros(frames.empty() ? 1 : 2);
  b.Op("SignalOverlapAdd", {b.Floats("frames", frames, zeros)}, {b.Tensor("sums")}).custom_options =
      FlexInts({{"frame_step", 1}});
  return ImportTflite(b.Bytes()).status;
}

// A variable of the file has the name that the state of the operator has.
Status DelayWhoseStateIsAVariable() {
  TfliteBuilder b;
  fb::VarHandleOptionsT named;
  named.shared_name = "#0:3:0";
  const int x = b.Input("x", {4}, kShorts), handle = b.Tensor("handle", {}, fb::TensorType::Resource),
            before = b.Tensor("before", {}, kShorts), y = b.Tensor("y", {4}, kShorts);
  b.Op("VAR_HANDLE", {}, {handle}, named);
  b.Op("READ_VARIABLE", {handle}, {before});
  b.Op("ASSIGN_VARIABLE", {handle, before}, {});
  b.Op("SignalDelay", {x}, {y}).custom_options = FlexInts({{"delay_length", 1}});
  b.Output(y);
  return ImportTflite(b.Bytes()).status;
}

const Refusal kStreams[] = {
    {"FramesThatAreANumber", MICRORT_STATUS(OverlapAddThatRunsOnce({})),
     "samples of 0 dimensions: expected at least 2"},
    {"FramesThatAreAVector", MICRORT_STATUS(OverlapAddThatRunsOnce({2})),
     "samples of 1 dimensions: expected at least 2"},
    {"StateThatIsANumber", MICRORT_STATUS(DelayWhoseStateIsAVariable()), "its state is a scalar"},
    {"SamplesOfAnotherShape",
     [] {
       frontend::ImportOptions options;
       options.input_shapes = {{"#0", {3, 4}}};
       OneOp op("SignalDelay");
       op.In({2, 4}, kShorts).Out({}, kShorts).Custom(FlexInts({{"delay_length", 1}}));
       return op.Import(options);
     },
     "samples of another shape than the file states", kUnsupported},
    {"TooManyFrames",
     MICRORT_STATUS(OneOp("SignalOverlapAdd").In({257, 2}).Custom(FlexInts({{"frame_step", 1}})).Import()),
     "257 frames a run", kUnsupported},
    {"TwoSlotsAtOnce",
     [] {
       const auto bytes = fb::TensorType::Int8;
       return OneOp("CIRCULAR_BUFFER").In({1, 2, 1, 1}, bytes).Out({1, 3, 1, 1}, bytes).Import();
     },
     "more than one new slot"},
    {"DelayWithoutAnOutput",
     [] {
       OneOp op("SignalDelay");
       op.In({2, 4}, kShorts).Out({}, kShorts).Custom(FlexInts({{"delay_length", 1}}));
       op.op().outputs = {-1};
       return op.Import();
     },
     "SignalDelay has no output"},
};

MICRORT_EXPECT_REFUSALS(TfliteRefusedTransforms, kTransforms);
MICRORT_EXPECT_REFUSALS(TfliteRefusedFilterBanks, kFilterBanks);
MICRORT_EXPECT_REFUSALS(TfliteRefusedStreams, kStreams);

}  // namespace
}  // namespace micrort::testing::tflite_refused_signal
