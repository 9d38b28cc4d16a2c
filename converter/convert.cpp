#include "converter/convert.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "converter/aot/emit_cpp.h"
#include "converter/constant_inputs.h"
#include "converter/custom/custom_ops.h"
#include "converter/emit/build_model.h"
#include "converter/emit/serialize.h"
#include "converter/frontend/common/renamed.h"
#include "converter/ir/budget.h"
#include "converter/ir/keep_caches.h"
#include "converter/ir/last_logits.h"
#include "converter/ir/max_sizes.h"
#include "converter/ir/narrow_caches.h"
#include "converter/ir/ring_caches.h"
#include "converter/ir/shape_inputs.h"
#include "converter/ir/start_at.h"
#include "converter/memory_hints.h"
#include "converter/model_quantizer.h"
#include "converter/model_samples.h"
#include "converter/observe/record_test.h"
#include "converter/observe/reorder.h"
#include "converter/observe/sized_references.h"
#include "converter/pipeline/pass_dump.h"
#include "converter/pipeline/pipeline.h"
#include "converter/plan/plan_file.h"
#include "converter/plan/state_program.h"
#include "converter/preprocess_inputs.h"
#include "converter/quantize/half_activations.h"
#include "converter/quantize/weight_only.h"
#include "converter/report/expect.h"
#include "converter/source_file.h"
#include "converter/target/static_shapes.h"
#include "kernels/base/platform/mapped_file.h"
#include "kernels/base/target.h"
#include "micrort/model.h"
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

// But those of outputs that are not called otherwise after all.
void AddWarnings(const std::vector<std::string>& warnings, const std::map<std::string, std::string>& mended,
                 std::vector<std::string>* notes) {
  std::set<std::string> left_out;
  for (const auto& [now, name] : mended) left_out.insert(frontend::RenamedText("output", name, now));
  for (const std::string& warning : warnings) {
    if (left_out.count(warning) == 0) notes->push_back("warning: " + warning);
  }
}

// Whether the target takes no dynamic dimensions, and the model has some that nobody gave sizes.
bool FixShapes(const target::Target& target, const ir::Graph& graph, frontend::ImportOptions* import,
               std::vector<std::string>* notes) {
  if (!target::PlansNothing(target.features)) return false;
  const auto shapes = target::ShapesOfOne(graph, import->input_shapes);
  for (const auto& [name, dims] : shapes) {
    notes->push_back("dynamic dimensions of input '" + name + "' are 1 on " + target.name +
                     ", which plans nothing at run time; --input-shape gives others");
    import->input_shapes.emplace_back(name, dims);
  }
  return !shapes.empty();
}

// Inputs of fixed size that pictures fit, with half the height and width.
std::vector<InputShape> HalfPictures(const ir::Graph& graph) {
  std::vector<InputShape> inputs;
  for (size_t i = 0; i < graph.caller_inputs(); ++i) {
    const ir::Value& value = graph.value(graph.inputs[i]);
    if (value.rank() != 4 || !value.is_static()) continue;
    const bool is_nchw = value.shape[1] == 1 || value.shape[1] == 3;
    if (!is_nchw && value.shape[3] != 1 && value.shape[3] != 3) continue;
    InputShape half = {value.name, value.shape};
    for (const size_t axis : {is_nchw ? 2 : 1, is_nchw ? 3 : 2})
      half.dims[axis] = std::max<int64_t>(1, half.dims[axis] / 2);
    inputs.push_back(std::move(half));
  }
  return inputs;
}

// Of layers that are slower so that the arena is smaller.
std::string NoteOf(const plan::PlanReport& report) {
  char note[160];
  std::snprintf(
      note, sizeof note,
      "--max-arena: %zu layers take algorithms with less scratch; all layers together are estimated "
      "%.1f %% slower",
      report.given_up, 100 * report.loss);
  return note;
}

// Whether the graph is changed, after it was imported, in what decides sizes.
bool ChangesSizes(const ConvertOptions& options) {
  return !options.feeds.empty() || options.embeds_preprocess || options.kv_cache || options.last_logits ||
         !options.states.empty() || !options.max_sizes.empty();
}

class Conversion {
 public:
  Conversion(std::string name, std::optional<std::string> folder, const ConvertOptions& options,
             ConvertResult* result)
      : name_(std::move(name)),
        folder_(std::move(folder)),
        options_(options),
        result_(*result),
        quantizer_(options, planned_features(), samples_, &module_, result) {}

  // First; the bytes are not needed afterwards.
  Status Import(Span<const uint8_t> model) {
    if (!options_.dump_passes.empty()) MICRORT_RETURN_IF_ERROR(dump_.Open(options_.dump_passes));
    frontend::ImportOptions import;
    for (const InputShape& shape : options_.input_shapes)
      import.input_shapes.emplace_back(shape.name, shape.dims);
    import.input_types = options_.input_types;
    import.input_values = options_.input_values;
    import.preprocess = options_.preprocess;
    import.outputs = options_.fetches;
    import.folder = folder_;
    import.feeds = options_.feeds;
    import.signature = options_.signature;
    import.tag_set = options_.tag_set;
    import.config = options_.config;
    import.config_variables_are_states = options_.cpp.has_value();
    import.keeps_caches = options_.kv_cache.has_value();
    import.custom_domains = {options_.custom_domains.begin(), options_.custom_domains.end()};
    MappedFile weights;
    if (!options_.weights.empty()) {
      MICRORT_RETURN_IF_ERROR(
          weights.Open(options_.weights.c_str()).WithPrefix("%s", options_.weights.c_str()));
      import.weights = {options_.weights, weights.bytes()};
    }
    frontend::ImportDiagnostics diagnostics;
    Status status = frontend::ImportModel(name_, model, options_.format, import, &module_, &diagnostics);
    const bool is_fixed = status.ok() && FixShapes(options_.target, module_.entry(), &import, &result_.notes);
    if (is_fixed) {
      module_ = ir::Module();
      diagnostics = frontend::ImportDiagnostics();
      status = frontend::ImportModel(name_, model, options_.format, import, &module_, &diagnostics);
    }
    result_.unsupported = std::move(diagnostics.unsupported);
    result_.sources = std::move(diagnostics.files);
    // Results of C++ may be called as arguments are.
    if (options_.cpp && status.ok())
      renamed_outputs_ = frontend::NamesBesideInputs(module_.entry(), diagnostics);
    AddWarnings(diagnostics.warnings, renamed_outputs_, &result_.notes);
    result_.notes.insert(result_.notes.end(), diagnostics.notes.begin(), diagnostics.notes.end());
    if (is_fixed && status.code() == StatusCode::kInvalidModel) {
      return MICRORT_ERROR(
          kInvalidArgument,
          "--target %s fixes dynamic dimensions at 1, which does not fit the model: give sizes "
          "by --input-shape (%s)",
          options_.target.name.c_str(), status.message());
    }
    MICRORT_RETURN_IF_ERROR(BlameShapes(status, model, import));
    for (const frontend::InputValue& given : options_.input_values) {
      if (!frontend::IsListOfElements(given.text)) result_.sources.push_back(given.text);
    }
    result_.summary.constant_inputs = std::move(diagnostics.constant_inputs);
    MICRORT_RETURN_IF_ERROR(CheckConstantInputs(options_, result_.summary.constant_inputs));
    result_.summary.ops_before = report::CountNodes(module_.entry());
    if (module_.entry().input_sizes != nullptr)
      result_.summary.fixed_dimensions = module_.entry().input_sizes->fixed;
    MICRORT_RETURN_IF_ERROR(Named(ir::StartAt(options_.feeds, &module_.entry())));
    if (options_.embeds_preprocess)
      MICRORT_RETURN_IF_ERROR(Named(EmbedPreprocess(options_.preprocess, &module_.entry())));
    StatePictures(options_, &module_);
    if (options_.kv_cache)
      MICRORT_RETURN_IF_ERROR(Named(ir::KeepCaches(*options_.kv_cache, &module_.entry(), &result_.notes)));
    if (options_.last_logits)
      MICRORT_RETURN_IF_ERROR(Named(ir::LastLogits(&module_.entry(), &result_.notes)));
    MICRORT_RETURN_IF_ERROR(Named(ir::KeepStates(options_.states, &module_.entry())));
    MICRORT_RETURN_IF_ERROR(Named(ir::BoundSizes(options_.max_sizes, &module_.entry())));
    MICRORT_RETURN_IF_ERROR(Named(ir::MarkShapeInputs(module_.entry(), !ChangesSizes(options_))));
    for (std::string& note : ir::NotesOfUnboundedSizes(module_.entry()))
      result_.notes.push_back(std::move(note));
    MICRORT_RETURN_IF_ERROR(Named(ir::CheckStates(module_.entry())));
    if (options_.max_arena) result_.smaller_inputs = HalfPictures(module_.entry());
    MakeSizedReferences({name_, model, options_.format, import, options_.max_sizes, options_.last_logits});
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
    if (options_.quant != QuantMode::kNone) dump_.Write("quantize", module_.entry());
    MICRORT_RETURN_IF_ERROR(dump_.status());
    report::CountOperators(module_.entry(), &result_.summary);
    MICRORT_RETURN_IF_ERROR(EmitWithinLimit());
    MICRORT_RETURN_IF_ERROR(Verify());
    MICRORT_RETURN_IF_ERROR(Expect());
    if (JudgesLayers(options_)) Judge();
    MICRORT_RETURN_IF_ERROR(EmitAheadOfTime());
    return PackForTarget();
  }

 private:
  // A model that can be read with its own shapes is not to blame where others do not fit it.
  Status BlameShapes(const Status& status, Span<const uint8_t> model, frontend::ImportOptions import) const {
    if (status.code() != StatusCode::kInvalidModel || import.input_shapes.empty()) return status;
    import.input_shapes.clear();
    ir::Module module;
    frontend::ImportDiagnostics diagnostics;
    const Status own = frontend::ImportModel(name_, model, options_.format, import, &module, &diagnostics);
    if (own.code() == StatusCode::kInvalidModel) return status;
    return MICRORT_ERROR(kInvalidArgument, "--input-shape does not fit the model: %s", status.message());
  }

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

  // What is planned, judged and told is for the target; without one, for this machine.
  CpuFeatures planned_features() const {
    return options_.target.is_portable() ? AvailableFeatures(options_.features) : options_.target.features;
  }
  report::Device device() const {
    const target::Target& target = options_.target;
    return {target.is_portable() ? TargetName(planned_features()) : target.name, planned_features(),
            target.threads};
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
    return Named(report::MeasureBaseline(module_.entry(), file, device(),
                                         samples_.empty() ? nullptr : &sample, &baseline_));
  }

  Status EmitWithinLimit() {
    Status status = EmitPlanned(options_.max_arena);
    if (status.ok()) status = Measure();
    if (status.ok() && options_.max_arena) status = FitMemory(*options_.max_arena);
    if (!given_up_.empty()) result_.notes.push_back(given_up_);
    result_.exceeds_max_arena = options_.max_arena && status.code() == StatusCode::kUnsupported;
    const bool may_be_fixed = options_.max_arena && result_.summary.is_dynamic;
    if (may_be_fixed && status.ok()) {
      result_.notes.push_back("--max-arena holds for dynamic dimensions of 1; --input-shape fixes them");
    } else if (may_be_fixed && status.code() == StatusCode::kUnsupported) {
      return MICRORT_ERROR(kUnsupported, "%s; inputs have dynamic dimensions, which --input-shape fixes",
                           status.message());
    }
    return status;
  }

  Status EmitPlanned(std::optional<uint64_t> most_arena) {
    schema::ModelT model;
    MICRORT_RETURN_IF_ERROR(Named(emit::BuildModel(module_, &model)));
    {
      AlignedBytes file;
      MICRORT_RETURN_IF_ERROR(Named(emit::Serialize(model, &file)));
      // What no device would load is not worth planning.
      MICRORT_RETURN_IF_ERROR(Named(Model::FromBuffer(file.data(), file.size()).status()));
      plan::PlanReport report;
      MICRORT_RETURN_IF_ERROR(Named(
          plan::PlanModel(file, {planned_features(), options_.target.threads, most_arena}, &model, &report)));
      given_up_ = report.given_up != 0 ? NoteOf(report) : "";
      // Programs keep to the limits of scratch.
      if (most_arena) MICRORT_RETURN_IF_ERROR(Named(emit::Serialize(model, &file)));
      MICRORT_RETURN_IF_ERROR(Named(StatePrograms(file, &model)));
      if (options_.embed_test) MICRORT_RETURN_IF_ERROR(Named(EmbedTest(file, &model)));
    }
    return Named(emit::Serialize(model, &result_.file));
  }

  Status StatePrograms(const AlignedBytes& file, schema::ModelT* model) {
    plan::RegionPlan* const regions = &result_.summary.regions;
    regions->regions = options_.memory_regions;
    MICRORT_RETURN_IF_ERROR(
        plan::StateProgram(file, device().name, {device().features, device().threads}, model, regions));
    for (const target::Target& other : options_.other_targets) {
      MICRORT_RETURN_IF_ERROR(plan::StateProgram(file, other.name, {other.features, other.threads}, model));
    }
    return Status();
  }

  // Floats are added up in another order elsewhere, and where they become int8 a sum may round to the next
  // one.
  Status EmbedTest(const AlignedBytes& file, schema::ModelT* model) {
    constexpr double kFloatSnr = 60, kInt8Snr = 25;
    const bool has_int8 = options_.quant != QuantMode::kNone && options_.quant != QuantMode::kFp16;
    io::SelfTest test;
    test.min_snr_db = has_int8 || result_.summary.given_int8 > 0 ? kInt8Snr : kFloatSnr;
    MICRORT_RETURN_IF_ERROR(observe::RecordTest(file, observe::ToGraphOrder(samples_.all(), module_.entry()),
                                                options_.features, &test));
    io::StoreSelfTest(test, model);
    return Status();
  }

  Status Measure() {
    report::Summary* summary = &result_.summary;
    summary->quant = options_.quant;
    const observe::Sample sample = samples_.First(module_.entry());
    MICRORT_RETURN_IF_ERROR(
        Named(report::MeasureFile(result_.file, device(), samples_.empty() ? nullptr : &sample, summary)));
    if (options_.max_arena && !summary->is_measured) {
      return Named(MICRORT_ERROR(
          kUnsupported, "--max-arena: the arena depends on the values of inputs; give some by --calib"));
    }
    return Status();
  }

  // What else is in RAM leaves less for the arena, and depends on the algorithms that fit into it.
  Status FitMemory(uint64_t most) {
    constexpr int kTries = 4;
    uint64_t most_arena = most;
    for (int i = 0;; ++i) {
      report::Summary loaded = result_.summary;
      MICRORT_RETURN_IF_ERROR(MeasureLoaded(&loaded));
      if (loaded.ram_bytes() <= most) return Status();
      const uint64_t others = loaded.ram_bytes() - loaded.arena_bytes;
      const uint64_t left = most - std::min(others, most);
      if (i == kTries || left == 0 || left >= most_arena) return TooLarge(loaded, most);
      most_arena = left;
      const Status status = EmitPlanned(most_arena);
      if (status.code() == StatusCode::kUnsupported) return TooLarge(loaded, most);
      MICRORT_RETURN_IF_ERROR(status);
      MICRORT_RETURN_IF_ERROR(Measure());
    }
  }

  // What the device has in RAM once it has loaded the file, as it will be.
  Status MeasureLoaded(report::Summary* summary) {
    if (options_.cpp) summary->packed_in_ram_bytes = 0;  // constants of the program
    if (options_.cpp || options_.target.is_portable()) return Status();
    AlignedBytes file = result_.file;
    target::PackedReport packed;
    MICRORT_RETURN_IF_ERROR(Named(target::PackWeights(options_.target, &file, &packed)));
    const observe::Sample sample = samples_.First(module_.entry());
    return Named(report::MeasurePacked(file, device(), &sample, summary));
  }

  Status TooLarge(const report::Summary& loaded, uint64_t most) const {
    const uint64_t others = loaded.ram_bytes() - loaded.arena_bytes - loaded.packed_in_ram_bytes;
    char interpreter[64] = "";
    if (others != 0) {
      std::snprintf(interpreter, sizeof interpreter, ", interpreter and model %llu",
                    static_cast<unsigned long long>(others));
    }
    return Named(MICRORT_ERROR(
        kUnsupported,
        "--max-arena %llu: the model needs %llu bytes of memory on %s: arena %llu (lower bound %llu), "
        "weights "
        "packed at loading %llu%s%s",
        static_cast<unsigned long long>(most), static_cast<unsigned long long>(loaded.ram_bytes()),
        loaded.device.c_str(), static_cast<unsigned long long>(loaded.arena_bytes),
        static_cast<unsigned long long>(loaded.arena_lower_bound),
        static_cast<unsigned long long>(loaded.packed_in_ram_bytes), interpreter,
        loaded.packed_in_ram_bytes != 0 && options_.target.is_portable() ? "; --target packs them in the file"
                                                                         : ""));
  }

  // From portable weights.
  Status EmitAheadOfTime() {
    if (!options_.cpp) return Status();
    const report::Device planned = device();
    const aot::CppRequest request = {*options_.cpp,
                                     {planned.name, planned.features, planned.threads},
                                     options_.max_arena,
                                     std::filesystem::path(name_).filename().string(),
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
    summary->file_bytes = result_.file.size();
    summary->weight_bytes -= summary->packed_for_target.dropped_bytes;
    if (!summary->is_measured || options_.cpp) return Status();
    const observe::Sample sample = samples_.First(module_.entry());
    MICRORT_RETURN_IF_ERROR(Named(report::MeasurePacked(result_.file, device(), &sample, summary)));
    const std::string refusal = report::RefusalText(*summary);
    if (!refusal.empty()) result_.notes.push_back("warning: " + refusal);
    return Status();
  }

  Status Verify() {
    if (!Verifies(options_)) return Status();
    const report::VerifyInputs inputs = {
        &reference_, &result_.file,        &module_.entry(),  &samples_.all(),        &samples_.labels(),
        &sized_,     &quantizer_.scales(), options_.features, JudgesLayers(options_), options_.progress};
    return Named(report::Verify(inputs, &result_.verification, &result_.accuracy));
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
    const report::QualityInputs inputs = {std::filesystem::path(name_).filename().string(),
                                          result_.samples,
                                          &module_.entry(),
                                          &result_.summary,
                                          &result_.verification,
                                          &result_.accuracy,
                                          &result_.warnings,
                                          planned_features()};
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
  std::map<std::string, std::string> renamed_outputs_;  // as in renamed.h
  std::vector<observe::ExpectedTensor> expected_;
  ModelQuantizer quantizer_;
  AlignedBytes reference_;     // the source model in float; empty unless it is verified against
  report::Baseline baseline_;  // empty unless layers are judged
  std::string given_up_;       // what the limit of the arena costs, of the last plan
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
  Conversion conversion(path, std::filesystem::path(model).parent_path().string(), options, result);
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
