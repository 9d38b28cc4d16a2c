#include "converter/convert.h"

#include <algorithm>
#include <filesystem>

#include "converter/aot/emit_cpp.h"
#include "converter/custom/custom_ops.h"
#include "converter/emit/file_bytes.h"
#include "converter/emit/serialize.h"
#include "converter/ir/budget.h"
#include "converter/ir/narrow_caches.h"
#include "converter/ir/ring_caches.h"
#include "converter/memory_hints.h"
#include "converter/model_quantizer.h"
#include "converter/model_samples.h"
#include "converter/observe/reorder.h"
#include "converter/observe/sized_references.h"
#include "converter/pipeline/pass_dump.h"
#include "converter/pipeline/pipeline.h"
#include "converter/planned_file.h"
#include "converter/quantize/half_activations.h"
#include "converter/quantize/weight_only.h"
#include "converter/report/expect.h"
#include "converter/source_file.h"
#include "converter/source_import.h"
#include "kernels/base/platform/mapped_file.h"
#include "tools/io/file.h"

namespace micrort {
namespace {

bool JudgesLayers(const ConvertOptions& options) {
  return options.report || options.verify == VerifyMode::kLayers;
}
bool Verifies(const ConvertOptions& options) { return options.report || options.verify != VerifyMode::kOff; }
bool NeedsSamples(const ConvertOptions& options) {
  return Verifies(options) || options.embed_test || options.calibrates_on_noise;
}

// Weights that have become others would take memory until the end.
void DropUnusedConstants(ir::Graph* graph) {
  std::vector<bool> is_used(graph->value_count(), false);
  const auto use = [&](const std::vector<ir::ValueId>& ids) {
    for (const ir::ValueId id : ids) {
      if (id != ir::kNoValue) is_used[static_cast<size_t>(id)] = true;
    }
  };
  use(graph->inputs);
  use(graph->outputs);
  for (const auto& node : graph->nodes) use(node->inputs);
  for (size_t id = 0; id < is_used.size(); ++id) {
    if (!is_used[id]) graph->value(static_cast<ir::ValueId>(id)).data = nullptr;
  }
}

class Conversion {
 public:
  Conversion(std::string name, std::optional<std::string> folder, const ConvertOptions& options,
             ConvertResult* result)
      : name_(std::move(name)),
        folder_(std::move(folder)),
        options_(options),
        result_(*result),
        quantizer_(options, PlannedFeatures(options), samples_, &module_, result) {}

  // First; the bytes are not needed afterwards.
  Status Import(Span<const uint8_t> model) {
    if (!options_.dump_passes.empty()) MICRORT_RETURN_IF_ERROR(dump_.Open(options_.dump_passes));
    SourceImport source;
    MICRORT_RETURN_IF_ERROR(ImportSource(name_, model, folder_, options_, &source, &result_));
    module_ = std::move(source.module);
    renamed_outputs_ = std::move(source.renamed_outputs);
    result_.summary.ops_before = report::CountNodes(module_.entry());
    if (module_.entry().input_sizes != nullptr)
      result_.summary.fixed_dimensions = module_.entry().input_sizes->fixed;
    MICRORT_RETURN_IF_ERROR(Named(ApplyToGraph(options_, &module_, &result_)));
    MakeSizedReferences(
        {name_, model, options_.format, source.options, options_.max_sizes, options_.last_logits});
    dump_.Write("import", module_.entry());
    return dump_.status();
  }

  // Everything that follows.
  Status Finish() {
    MICRORT_RETURN_IF_ERROR(PrepareSamples());
    result_.samples =
        options_.calibration.empty() ? "random inputs" : std::to_string(samples_.all().size()) + " samples";
    MICRORT_RETURN_IF_ERROR(Optimize());
    if (JudgesLayers(options_)) MICRORT_RETURN_IF_ERROR(MeasureFloat());
    if (options_.kv_cache)
      MICRORT_RETURN_IF_ERROR(Named(ir::MakeRings(options_.kv_chunk, &module_.entry(), &result_.notes)));
    if (options_.kv_type != DType::kFloat32)
      MICRORT_RETURN_IF_ERROR(Named(ir::NarrowCaches(options_.kv_type, &module_.entry(), &result_.notes)));
    MICRORT_RETURN_IF_ERROR(Named(quantizer_.Quantize()));
    if (options_.fp16_compute) quantize::AllowHalfArithmetic(&module_.entry());
    if (options_.fp16_activations) StoreActivationsAsHalf();
    MICRORT_RETURN_IF_ERROR(Named(quantizer_.SetIoTypes()));
    DropUnusedConstants(&module_.entry());
    for (const auto& body : ir::BodiesIn(module_.entry())) DropUnusedConstants(body.get());
    if (options_.quant != QuantMode::kNone) dump_.Write("quantize", module_.entry());
    MICRORT_RETURN_IF_ERROR(dump_.status());
    report::CountOperators(module_.entry(), &result_.summary);
    MICRORT_RETURN_IF_ERROR(Named(PlannedFile(options_, samples_, module_, &result_).EmitWithinLimit()));
    MICRORT_RETURN_IF_ERROR(Verify());
    MICRORT_RETURN_IF_ERROR(Expect());
    if (JudgesLayers(options_)) Judge();
    MICRORT_RETURN_IF_ERROR(EmitAheadOfTime());
    return PackForTarget();
  }

 private:
  // For models that random inputs are made up for.
  void MakeSizedReferences(const observe::SourceModel& source) {
    if (!Verifies(options_) || !options_.calibration.empty() || !options_.feeds.empty() ||
        options_.embeds_preprocess)
      return;
    const ir::Graph& graph = module_.entry();
    const auto is_open = [&](ir::ValueId id) { return !graph.value(id).is_static(); };
    if (std::none_of(graph.inputs.begin(), graph.inputs.end(), is_open)) return;
    sized_ = observe::MakeSizedReferences(source, module_.entry(), options_.features);
    if (sized_.empty()) {
      result_.notes.push_back("--verify compares at one size of open dimensions alone");
      return;
    }
    std::string sizes;
    for (const observe::SizedReference& reference : sized_)
      sizes += (sizes.empty() ? "" : "; ") + reference.sizes;
    result_.notes.push_back("--verify compares at these sizes, too: " + sizes);
  }

  void StoreActivationsAsHalf() {
    const size_t nodes = quantize::StoreActivationsAsHalf(&module_.entry());
    if (nodes == 0)
      result_.notes.push_back("--fp16-activations: no layers with half weights follow each other");
  }

  // Before the graph changes: samples are shaped as the source model's inputs, and its float form is the
  // reference.
  Status PrepareSamples() {
    const ir::Graph& graph = module_.entry();
    if (NeedsSamples(options_)) MICRORT_RETURN_IF_ERROR(Named(emit::EmitModule(module_, &reference_)));
    if (!options_.calibration.empty()) {
      MICRORT_RETURN_IF_ERROR(samples_.Load(graph, options_, &result_));
      return Named(observe::LoadExpected(options_.expected, graph, samples_.all().size(), &expected_,
                                         &result_.sources));
    }
    if (!NeedsSamples(options_)) return Status();
    const Status status = samples_.MakeUp(graph, reference_, options_.features);
    if (status.code() != StatusCode::kOutOfRange || options_.max_sizes.empty()) return Named(status);
    return MICRORT_ERROR(
        kInvalidArgument,
        "--verify: random inputs exceed what --max-size states, give samples by --calib (%s)",
        status.message());
  }

  Status Optimize() {
    passes::PipelineOptions options;
    options.nhwc_io = options_.io_layout == IoLayout::kNhwc;
    options.tflite_rounding = RoundsAsTflite(options_, module_);
    options.on_change = [this](const char* pass, const ir::Graph& graph) { dump_.Write(pass, graph); };
    MICRORT_RETURN_IF_ERROR(Named(passes::Optimize(module_, options)));
    return dump_.status();
  }

  Status MeasureFloat() {
    AlignedBytes file;
    MICRORT_RETURN_IF_ERROR(Named(emit::EmitModule(module_, &file)));
    const observe::Sample sample = samples_.First(module_.entry());
    return Named(report::MeasureBaseline(module_.entry(), file, PlannedDevice(options_),
                                         samples_.empty() ? nullptr : &sample, &baseline_));
  }

  // From portable weights.
  Status EmitAheadOfTime() {
    if (!options_.cpp) return Status();
    const report::Device planned = PlannedDevice(options_);
    const aot::CppRequest request = {*options_.cpp,
                                     {planned.name, planned.features, planned.threads},
                                     options_.max_arena,
                                     std::filesystem::u8path(name_).filename().u8string(),
                                     renamed_outputs_};
    uint64_t* const bytes = &result_.summary.class_bytes;
    const Status status = aot::EmitCpp(result_.file, request, &result_.cpp, bytes, &result_.notes);
    return Named(status.WithPrefix("--emit cpp"));
  }

  // Last, because this machine need not be able to run the file any more.
  Status PackForTarget() {
    if (options_.target.is_portable()) return Status();
    report::Summary* summary = &result_.summary;
    MICRORT_RETURN_IF_ERROR(
        Named(target::PackWeights(options_.target, &result_.file, &summary->packed_for_target)));
    summary->target = options_.target.name;
    for (const target::Target& other : options_.other_targets) {
      MICRORT_RETURN_IF_ERROR(Named(target::PackWeights(other, &result_.file, &summary->packed_for_target)));
      summary->target += "," + other.name;
    }
    summary->file_bytes = emit::FileBytes(result_.file);
    summary->weight_bytes -= summary->packed_for_target.dropped_bytes;
    if (!summary->is_measured || options_.cpp) return Status();
    const observe::Sample sample = samples_.First(module_.entry());
    MICRORT_RETURN_IF_ERROR(
        Named(report::MeasurePacked(result_.file, PlannedDevice(options_), &sample, summary)));
    const std::string refusal = report::RefusalText(*summary);
    if (!refusal.empty()) result_.notes.push_back("warning: " + refusal);
    return Status();
  }

  Status Verify() {
    if (!Verifies(options_)) return Status();
    const report::VerifyInputs inputs = {
        &reference_, &result_.file,        &module_.entry(),  &samples_.all(),        &samples_.labels(),
        &sized_,     &quantizer_.scales(), options_.features, JudgesLayers(options_), options_.progress};
    return Named(report::Verify(inputs, &result_.verification, &result_.task));
  }

  Status Expect() {
    if (expected_.empty()) return Status();
    const report::ExpectInputs inputs = {&result_.file,    &module_.entry(),     &samples_.all(),
                                         &expected_,       &quantizer_.scales(), options_.features,
                                         options_.progress};
    std::vector<std::string> missing;
    MICRORT_RETURN_IF_ERROR(Named(report::CompareWithExpected(inputs, &result_.expectation, &missing)));
    for (const std::string& name : missing) {
      result_.notes.push_back("--expect: '" + name +
                              "' is not compared: its layer became part of another one");
    }
    return Status();
  }

  void Judge() {
    const report::QualityInputs inputs = {std::filesystem::u8path(name_).filename().u8string(),
                                          result_.samples,
                                          &module_.entry(),
                                          &result_.summary,
                                          &result_.verification,
                                          &result_.task,
                                          &result_.warnings,
                                          PlannedFeatures(options_)};
    result_.quality = report::Judge(inputs, std::move(baseline_));
  }

  Status Named(const Status& status) const {
    return status.ok() ? status : status.WithPrefix("%s", name_.c_str());
  }

  const std::string name_;
  const std::optional<std::string> folder_;  // where files lie that the model names
  const ConvertOptions& options_;
  ConvertResult& result_;
  ir::Module module_;
  passes::PassDump dump_;
  ModelSamples samples_;
  std::vector<observe::SizedReference> sized_;
  std::map<std::string, std::string> renamed_outputs_;  // as in named_values.h
  std::vector<observe::ExpectedTensor> expected_;
  ModelQuantizer quantizer_;
  AlignedBytes reference_;     // the source model in float; empty unless it is verified against
  report::Baseline baseline_;  // empty unless layers are judged
};

Status ConvertBytesOnce(const std::string& name, Span<const uint8_t> model, const ConvertOptions& options,
                        ConvertResult* result) {
  ConversionOps ops;
  MICRORT_RETURN_IF_ERROR(ops.Load(options.custom_ops));
  Conversion conversion(name, std::nullopt, options, result);
  MICRORT_RETURN_IF_ERROR(conversion.Import(model));
  return conversion.Finish();
}

Status ConvertOnce(const std::string& path, const ConvertOptions& options, ConvertResult* result) {
  ConversionOps ops;
  MICRORT_RETURN_IF_ERROR(ops.Load(options.custom_ops));
  std::string model;
  MICRORT_RETURN_IF_ERROR(FindSourceFile(path, &model));
  Conversion conversion(path, std::filesystem::u8path(model).parent_path().u8string(), options, result);
  {
    MappedFile file;
    MICRORT_RETURN_IF_ERROR(file.Open(model.c_str()).WithPrefix("%s", model.c_str()));
    MICRORT_RETURN_IF_ERROR(conversion.Import(file.bytes()));
  }
  return conversion.Finish();
}

}  // namespace

Status ConvertBytes(const std::string& name, Span<const uint8_t> model, const ConvertOptions& options,
                    ConvertResult* result) {
  const ir::ConversionBudget budget(options.limits);  // for all that is tried
  result->exceeds_max_arena = false;
  const Status status = ConvertBytesOnce(name, model, options, result);
  if (!result->exceeds_max_arena) return status;
  return WithMemoryHints(status, options, *result, [&](const ConvertOptions& others, ConvertResult* other) {
    return ConvertBytesOnce(name, model, others, other);
  });
}

Status Convert(const std::string& path, const ConvertOptions& options, ConvertResult* result) {
  const ir::ConversionBudget budget(options.limits);  // for all that is tried
  result->exceeds_max_arena = false;
  const Status status = ConvertOnce(path, options, result);
  if (!result->exceeds_max_arena) return status;
  return WithMemoryHints(status, options, *result, [&](const ConvertOptions& others, ConvertResult* other) {
    return ConvertOnce(path, others, other);
  });
}

}  // namespace micrort
