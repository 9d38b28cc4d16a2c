#include "converter/model_quantizer.h"

#include <cstdio>

#include "converter/emit/serialize.h"
#include "converter/observe/reorder.h"
#include "converter/passes/passes.h"
#include "converter/qdq/given_layers.h"
#include "converter/qdq/passes.h"
#include "converter/quantize/auto_bits.h"
#include "converter/quantize/filter_windows.h"
#include "converter/quantize/given_int4.h"
#include "converter/quantize/model_loss.h"
#include "converter/quantize/split_activation.h"
#include "converter/quantize/static_int8.h"
#include "converter/quantize/tables.h"
#include "converter/quantize/weight_only.h"
#include "kernels/base/target.h"

namespace micrort {

namespace {

// Seed of the random inputs to round for: others than those of verification.
constexpr uint64_t kNoiseSeed = 1000;
constexpr size_t kNoiseSamples = 4;

}  // namespace

bool RoundsAsTflite(const ConvertOptions& options, const ir::Module& module) {
  if (options.rounding) return *options.rounding == Rounding::kTflite;
  return module.source_format == "tflite" && !qdq::HasAsymmetricWeights(*module.graphs[0]);
}

Status ModelQuantizer::Quantize() {
  using quantize::LayerType;
  ir::Graph* graph = &module_.entry();
  const quantize::WeightCorrection tools = {options_.correction, nullptr, false, HasIntegersOnly()};
  MICRORT_RETURN_IF_ERROR(quantize::ResolveNames(*graph, options_.layer_types, &layer_types_));
  MICRORT_RETURN_IF_ERROR(CheckLayerTypes());
  result_.summary.given_int8 = qdq::CountInt8Layers(*graph);
  quantize::Report* report = &result_.summary.quantization;
  bool has_tables = false;
  switch (options_.quant) {
    case QuantMode::kNone:
      return KeepGivenInt4();
    case QuantMode::kFp16:
      quantize::StoreWeights(graph, LayerType::kFloat16, layer_types_, tools, report);
      break;
    case QuantMode::kInt8Weights:
      return StoreWeights(LayerType::kInt8Weights);
    case QuantMode::kInt4Weights:
      return StoreWeights(LayerType::kInt4Weights);
    case QuantMode::kAuto:
      return IsForSize() ? ChooseBits() : QuantizeStatically();
    case QuantMode::kInt16x8:
      return QuantizeStatically();
    case QuantMode::kInt8:
      if (!options_.calibration.empty() || options_.calibrates_on_noise) return QuantizeStatically();
      has_tables = !quantize::FindTables(*graph).empty();
      quantize::StoreWeights(graph, LayerType::kInt8, layer_types_, tools, report);
      if (report->quantized > 0) {
        result_.notes.push_back(
            "without --calib activations are quantized at run time; calibration data "
            "makes --quant int8 faster");
      } else if (!has_tables) {
        result_.notes.push_back(
            "--quant int8 changes nothing: the model has no layer of floats that it quantizes");
      }
      break;
  }
  return Status();
}

Status ModelQuantizer::KeepGivenInt4() {
  const quantize::GivenLayers layers = quantize::StoreGivenInt4(&module_.entry(), options_.int8_compute);
  if (layers.kept == 0 && options_.int8_compute) {
    return MICRORT_ERROR(kInvalidArgument,
                         "--int8-compute needs --quant int4-weights: no layer of the source model has 4-bit "
                         "weights that it could keep");
  }
  if (layers.kept == 0) return Status();
  std::string note = std::to_string(layers.kept) + " layers keep the 4-bit weights that the source model has";
  if (options_.int8_compute) note += "; " + std::to_string(layers.in_integers) + " of them multiply integers";
  result_.notes.push_back(std::move(note));
  NoteFloatScales();
  return Status();
}

void ModelQuantizer::NoteFloatScales() {
  const int count = quantize::CountFloatScales(module_.entry());
  if (count == 0) return;
  result_.notes.push_back(std::to_string(count) +
                          " matrices of 4-bit weights keep float32 scales, which halves do not hold exactly");
}

// Scales of int16 activations come from samples.
Status ModelQuantizer::CheckLayerTypes() const {
  const bool is_static = (options_.quant == QuantMode::kAuto && !IsForSize()) ||
                         options_.quant == QuantMode::kInt16x8 ||
                         (options_.quant == QuantMode::kInt8 && !options_.calibration.empty());
  if (is_static || !quantize::AsksForInt16(layer_types_)) return Status();
  return MICRORT_ERROR(
      kInvalidArgument,
      "--layer-types: int16x8 needs --quant int8, int16x8 or auto --goal speed, and --calib");
}

// Libraries for microcontrollers compute no layers of floats, which narrow weights mostly are.
bool ModelQuantizer::IsForSize() const {
  if (options_.goal != AutoGoal::kByModel) return options_.goal == AutoGoal::kSize;
  return !HasIntegersOnly() && quantize::PredictsTokens(*module_.graphs[0]);
}

// Libraries for microcontrollers leave out layers of floats.
bool ModelQuantizer::HasIntegersOnly() const { return (planned_ & kCpuMicrocontroller) != 0; }

quantize::PoorLayers ModelQuantizer::Poor() const {
  const bool byte_inputs = options_.io_type == qdq::IoType::kInt8 || options_.io_type == qdq::IoType::kUInt8;
  return {HasIntegersOnly(), byte_inputs};
}

Status ModelQuantizer::StoreWeights(quantize::LayerType type) {
  observe::Calibration calibration;
  quantize::WeightCorrection tools = {options_.correction, &calibration.moments, options_.int8_compute};
  const bool needs_moments = options_.correction.rounding || options_.correction.bias;
  if (!options_.calibration.empty() && needs_moments) {
    MICRORT_RETURN_IF_ERROR(Calibrate(samples_.all(), true, &calibration));
    result_.warnings = quantize::WarnAboutSamples(module_.entry(), calibration);
  } else if (type == quantize::LayerType::kInt4Weights && options_.correction.rounding &&
             !quantize::FilterWindowsOf(module_.entry()).empty()) {
    // What random inputs show of averages is not to be trusted.
    tools.correction.bias = false;
    MICRORT_RETURN_IF_ERROR(CalibrateOnNoise(&calibration));
  }
  quantize::StoreWeights(&module_.entry(), type, layer_types_, tools, &result_.summary.quantization);
  NoteFloatScales();
  return Status();
}

// Even these tell how inputs of layers hang together. Where they do not fit the network, weights are
// rounded without.
Status ModelQuantizer::CalibrateOnNoise(observe::Calibration* calibration) {
  const std::vector<io::InputSpec> inputs = observe::InputSpecsOf(module_.entry());
  std::vector<observe::Sample> samples(kNoiseSamples);
  Status status;
  for (size_t i = 0; i < samples.size() && status.ok(); ++i)
    status = observe::RandomSample(inputs, kNoiseSeed + i * inputs.size(), &samples[i]);
  if (status.ok()) status = Calibrate(samples, true, calibration);
  if (status.ok()) {
    result_.notes.push_back(
        "without --calib 4-bit weights are rounded for random inputs; calibration data keep more");
  } else {
    calibration->moments.clear();
    result_.notes.push_back(
        "without --calib 4-bit weights are rounded for no inputs; calibration data keep more");
  }
  return Status();
}

// Where auto may choose int16, which has no residuals and slopes: what layers give before these is observed,
// too.
Status ModelQuantizer::CalibrateForAuto(bool with_moments, observe::Calibration* calibration) {
  const std::unique_ptr<ir::Graph> graph = module_.entry().Clone();
  quantize::SplitForInt16(&module_.entry());
  const Status status = Calibrate(samples_.all(), with_moments, calibration);
  module_.entry() = std::move(*graph);
  return status;
}

// On the graph as it is.
Status ModelQuantizer::Calibrate(const std::vector<observe::Sample>& samples, bool with_moments,
                                 observe::Calibration* calibration) {
  AlignedBytes float_file;
  MICRORT_RETURN_IF_ERROR(emit::EmitModule(module_, &float_file));
  const observe::FilterWindows windows =
      with_moments ? quantize::FilterWindowsOf(module_.entry()) : observe::FilterWindows();
  return observe::Calibrate(float_file, observe::ToGraphOrder(samples, module_.entry()), options_.features,
                            options_.progress, options_.calibration_method, windows, calibration);
}

Status ModelQuantizer::QuantizeStatically() {
  if (options_.int8_compute) {
    return MICRORT_ERROR(kInvalidArgument,
                         "--int8-compute needs --goal size: --quant auto for speed chooses types of "
                         "activations itself");
  }
  ir::Graph* graph = &module_.entry();
  // Activations of 16 bits need no equal channels, and weights lose by them.
  const bool is_int16 = options_.quant == QuantMode::kInt16x8;
  if (options_.correction.equalize && !is_int16) scales_ = quantize::EqualizeLayers(graph);
  quantize::SplitActivations(graph);
  if (is_int16) {
    quantize::SplitForInt16(graph);
  } else {
    quantize::SplitForInt16(layer_types_, graph);
  }
  // Many models are tried, but only one is written; what was measured is what is written.
  quantize::PtqCorrection correction = options_.correction;
  correction.rounding = correction.rounding && options_.quant != QuantMode::kAuto;
  observe::Calibration calibration;
  const bool is_auto = options_.quant == QuantMode::kAuto;
  MICRORT_RETURN_IF_ERROR(is_auto ? CalibrateForAuto(correction.rounding, &calibration)
                                  : Calibrate(samples_.all(), correction.rounding, &calibration));
  result_.warnings = quantize::WarnAboutSamples(*graph, calibration);
  ranges_ = calibration.ranges;
  quantize::FoundTypes found;
  if (is_auto) {
    MICRORT_RETURN_IF_ERROR(ChooseTypes(calibration, &found));
    quantize::SplitForInt16(layer_types_, graph);
  }
  quantize::Report* report = &result_.summary.quantization;
  if (is_int16) {
    quantize::QuantizeToInt16(graph, calibration, correction, layer_types_, report);
  } else {
    quantize::QuantizeStatically(graph, calibration, correction, layer_types_, Poor(), report);
  }
  quantize::Explain(found, report);
  // Where a layer gives float in the end, it takes its activation back.
  quantize::TakeEqualSlopes(graph);
  bool changed = false;
  return passes::FuseActivation(*graph, &changed);
}

Status ModelQuantizer::ChooseTypes(const observe::Calibration& calibration, quantize::FoundTypes* found) {
  const std::vector<observe::Sample> samples = observe::ToGraphOrder(samples_.all(), module_.entry());
  quantize::AutoInputs inputs = {
      &module_, &calibration,      options_.correction, &samples, std::nullopt,     &layer_types_,
      Poor(),   options_.max_loss, options_.features,   planned_, options_.progress};
  if (!samples_.labels().empty()) inputs.labels = samples_.labels();
  MICRORT_RETURN_IF_ERROR(quantize::ChooseTypes(inputs, found));
  layer_types_ = found->types;
  result_.summary.quantization.choice = {"speed", found->measure, found->loss, options_.max_loss};
  char note[160];
  std::snprintf(note, sizeof note,
                "auto: estimated %.4g ms, %s %.3g of at most %.3g; %zu layers stay float, %zu are int16x8",
                found->microseconds / 1e3, found->measure, found->loss, options_.max_loss,
                found->slow.size() + found->harmful.size(), found->wide.size());
  result_.notes.push_back(note);
  return Status();
}

Status ModelQuantizer::ChooseBits() {
  observe::Calibration calibration;
  quantize::WeightCorrection tools = {options_.correction, &calibration.moments, options_.int8_compute,
                                      HasIntegersOnly()};
  if (options_.correction.rounding || options_.correction.bias)
    MICRORT_RETURN_IF_ERROR(Calibrate(samples_.all(), true, &calibration));
  result_.warnings = quantize::WarnAboutSamples(module_.entry(), calibration);
  const std::vector<observe::Sample> samples = observe::ToGraphOrder(samples_.all(), module_.entry());
  const std::vector<int64_t>* labels = samples_.labels().empty() ? nullptr : &samples_.labels();
  const quantize::BitsInputs inputs = {
      &module_,         tools, &samples, labels, &layer_types_, options_.max_loss, options_.features,
      options_.progress};
  quantize::FoundBits found;
  MICRORT_RETURN_IF_ERROR(
      quantize::ChooseBits(inputs, &module_.entry(), &found, &result_.summary.quantization));
  layer_types_ = found.types;
  result_.summary.quantization.choice = {"size", found.measure, found.loss, options_.max_loss};
  char note[160];
  std::snprintf(note, sizeof note, "auto: %lld bytes of constants, %s %.3g of at most %.3g",
                static_cast<long long>(found.bytes), found.measure, found.loss, options_.max_loss);
  result_.notes.push_back(note);
  NoteFloatScales();
  return Status();
}

Status ModelQuantizer::SetIoTypes() {
  if (options_.io_type == qdq::IoType::kKeep) return Status();
  MICRORT_RETURN_IF_ERROR(qdq::SetIoTypes(options_.io_type, ranges_, &module_.entry()));
  bool changed = false;
  return RoundsAsTflite(options_, module_) ? qdq::RoundAsTflite(module_.entry(), &changed) : Status();
}

}  // namespace micrort
