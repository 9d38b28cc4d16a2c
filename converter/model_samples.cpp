#include "converter/model_samples.h"

#include <algorithm>

#include "converter/observe/labels.h"
#include "converter/observe/runnable_sample.h"
#include "converter/observe/text_samples.h"
#include "converter/preprocess_inputs.h"

namespace micrort {

namespace {

constexpr uint64_t kSeed = 1;
// For a model that keeps state: the first one finds none.
constexpr size_t kSteps = 8;

bool HasText(const ConvertOptions& options) {
  return std::any_of(options.calibration.begin(), options.calibration.end(), observe::IsText);
}

}  // namespace

Status ModelSamples::LoadTexts(const std::vector<io::InputSpec>& inputs, const ConvertOptions& options,
                               ConvertResult* result) {
  const observe::TextOptions text = {options.tokenizer, options.kv_cache.value_or(0)};
  if (text.capacity > 0 && options.calibration.size() > 1) {
    return MICRORT_ERROR(kInvalidArgument,
                         "--calib: expected one text for a model that keeps its caches, found %zu files",
                         options.calibration.size());
  }
  for (const std::string& path : options.calibration) {
    if (!observe::IsText(path)) {
      return MICRORT_ERROR(kInvalidArgument, "--calib: expected texts alone beside a text, found '%s'",
                           path.c_str());
    }
    MICRORT_RETURN_IF_ERROR(observe::LoadTextSamples(path, inputs, text, &all_));
    result->sources.push_back(path);
  }
  result->sources.push_back(options.tokenizer);
  return Status();
}

Status ModelSamples::Load(const ir::Graph& graph, const ConvertOptions& options, ConvertResult* result) {
  if (HasText(options)) return LoadTexts(observe::InputSpecsOf(graph), options, result);
  std::vector<std::string> files;
  const io::Preprocess preprocess = PreprocessOutside(options);
  MICRORT_RETURN_IF_ERROR(
      observe::LoadSampleSet(options.calibration, observe::InputSpecsOf(graph), preprocess, &all_, &files));
  const std::string note = io::PreprocessNote(files, preprocess);
  if (!note.empty()) result->notes.push_back(note);
  NoteConverted(graph, result);
  result->sources.insert(result->sources.end(), files.begin(), files.end());
  return options.labels.empty() ? Status() : observe::LoadLabels(options.labels, all_.size(), &labels_);
}

// Once for an input: samples mostly come from one hand.
void ModelSamples::NoteConverted(const ir::Graph& graph, ConvertResult* result) const {
  for (size_t i = 0; i < graph.caller_inputs(); ++i) {
    for (const observe::Sample& sample : all_) {
      const std::string note = io::ConvertedNote(graph.value(graph.inputs[i]).name, sample[i]);
      if (note.empty()) continue;
      result->notes.push_back("--calib: " + note);
      break;
    }
  }
}

Status ModelSamples::MakeUp(const ir::Graph& graph, const AlignedBytes& file, CpuFeatures features) {
  std::vector<io::InputSpec> inputs = observe::InputSpecsOf(graph);
  all_.resize(1);
  MICRORT_RETURN_IF_ERROR(observe::RunnableSample(file, inputs, kSeed, features, &all_[0]));
  if (graph.states.empty()) return Status();
  // What the first run keeps, later ones use.
  for (size_t i = 0; i < inputs.size(); ++i) inputs[i].shape = all_[0][i].shape;
  all_.resize(kSteps);
  for (size_t i = 1; i < all_.size(); ++i)
    MICRORT_RETURN_IF_ERROR(observe::RandomSample(inputs, kSeed + i * inputs.size(), &all_[i]));
  return Status();
}

}  // namespace micrort
