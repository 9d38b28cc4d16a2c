#include "converter/source_import.h"

#include <algorithm>
#include <set>

#include "converter/constant_inputs.h"
#include "converter/frontend/common/named_values.h"
#include "converter/ir/branch_ranks.h"
#include "converter/ir/keep_caches.h"
#include "converter/ir/last_logits.h"
#include "converter/ir/max_sizes.h"
#include "converter/ir/number_bounds.h"
#include "converter/ir/start_at.h"
#include "converter/preprocess_inputs.h"
#include "converter/target/static_shapes.h"
#include "tools/io/array.h"

namespace micrort {
namespace {

// But those of outputs that are not called otherwise after all.
void AddWarnings(const std::vector<std::string>& warnings, const std::map<std::string, std::string>& mended,
                 std::vector<std::string>* notes) {
  std::set<std::string> left_out;
  for (const auto& [now, name] : mended) left_out.insert(frontend::RenamedText("output", name, now));
  for (const std::string& warning : warnings) {
    if (left_out.count(warning) == 0) notes->push_back("warning: " + warning);
  }
}

// Inputs that the caller will set: caches become states.
std::set<std::string> RemainingInputs(const ir::Graph& graph, std::optional<uint32_t> kv_cache) {
  const std::unique_ptr<ir::Graph> kept = graph.Clone();
  std::vector<std::string> notes;
  // Where that cannot be, the conversion reports it for the graph itself.
  if (kv_cache) (void)ir::KeepCaches(*kv_cache, kept.get(), &notes);
  std::set<std::string> names;
  for (size_t i = 0; i < kept->caller_inputs(); ++i) names.insert(kept->value(kept->inputs[i]).name);
  return names;
}

// Returns whether the target takes fixed sizes only, and the model has dimensions without one.
bool FixShapes(const ConvertOptions& options, const ir::Graph& graph, frontend::ImportOptions* import,
               std::vector<std::string>* notes) {
  const target::Target& target = options.target;
  if (!target::PlansNothing(target.features)) return false;
  const std::set<std::string> remaining = RemainingInputs(graph, options.kv_cache);
  auto shapes = target::ShapesOfOne(graph, import->input_shapes);
  shapes.erase(std::remove_if(shapes.begin(), shapes.end(),
                              [&](const auto& shape) { return remaining.count(shape.first) == 0; }),
               shapes.end());
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

// Returns whether an option changes the sizes of a graph after its import.
bool ChangesSizes(const ConvertOptions& options) {
  return !options.feeds.empty() || options.embeds_preprocess || options.kv_cache || options.last_logits ||
         !options.states.empty() || !options.max_sizes.empty();
}

frontend::ImportOptions ReadImportOptions(const ConvertOptions& options,
                                          const std::optional<std::string>& folder) {
  frontend::ImportOptions import;
  for (const InputShape& shape : options.input_shapes)
    import.input_shapes.emplace_back(shape.name, shape.dims);
  import.input_types = options.input_types;
  import.input_values = options.input_values;
  import.preprocess = options.preprocess;
  import.outputs = options.fetches;
  import.folder = folder;
  import.feeds = options.feeds;
  import.signature = options.signature;
  import.tag_set = options.tag_set;
  import.config = options.config;
  import.config_variables_are_states = options.cpp.has_value();
  import.keeps_caches = options.kv_cache.has_value();
  import.custom_domains = {options.custom_domains.begin(), options.custom_domains.end()};
  return import;
}

// " ('x' is declared as 1x3x224x224)": inputs with fixed sizes that the given shapes change; empty without
// any.
std::string DeclaredText(const ir::Graph& declared, const frontend::ImportOptions& import) {
  std::string text;
  for (size_t i = 0; i < declared.caller_inputs(); ++i) {
    const ir::Value& own = declared.value(declared.inputs[i]);
    for (const auto& [name, dims] : import.input_shapes) {
      if (name != own.name && name != "#" + std::to_string(i)) continue;
      bool differs = false;
      for (size_t d = 0; d < std::min(dims.size(), own.shape.size()); ++d)
        differs = differs || (own.shape[d] != ir::kDynamic && own.shape[d] != dims[d]);
      if (differs)
        text += (text.empty() ? " ('" : ", '") + own.name + "' is declared as " + io::ShapeText(own.shape);
    }
  }
  return text.empty() ? text : text + ")";
}

// A model that can be read with its own shapes is not to blame where others do not fit it.
Status BlameShapes(const Status& status, const std::string& name, Span<const uint8_t> model,
                   frontend::SourceFormat format, const frontend::ImportOptions& import) {
  if (status.code() != StatusCode::kInvalidModel || import.input_shapes.empty()) return status;
  frontend::ImportOptions declared = import;
  declared.input_shapes.clear();
  ir::Module module;
  frontend::ImportDiagnostics diagnostics;
  const Status own = frontend::ImportModel(name, model, format, declared, &module, &diagnostics);
  if (own.code() == StatusCode::kInvalidModel) return status;
  return MICRORT_ERROR(kInvalidArgument, "--input-shape does not fit the model%s: %s",
                       own.ok() ? DeclaredText(module.entry(), import).c_str() : "", status.message());
}

}  // namespace

Status ImportSource(const std::string& name, Span<const uint8_t> model,
                    const std::optional<std::string>& folder, const ConvertOptions& options,
                    SourceImport* out, ConvertResult* result) {
  frontend::ImportOptions& import = out->options;
  import = ReadImportOptions(options, folder);
  if (!options.weights.empty()) {
    MICRORT_RETURN_IF_ERROR(
        out->weights.Open(options.weights.c_str()).WithPrefix("%s", options.weights.c_str()));
    import.weights = {options.weights, out->weights.bytes()};
  }
  frontend::ImportDiagnostics diagnostics;
  Status status = frontend::ImportModel(name, model, options.format, import, &out->module, &diagnostics);
  const bool is_fixed = status.ok() && FixShapes(options, out->module.entry(), &import, &result->notes);
  if (is_fixed) {
    out->module = ir::Module();
    diagnostics = frontend::ImportDiagnostics();
    status = frontend::ImportModel(name, model, options.format, import, &out->module, &diagnostics);
  }
  result->unsupported = std::move(diagnostics.unsupported);
  result->sources = std::move(diagnostics.files);
  // Results of C++ may be called as arguments are.
  if (options.cpp && status.ok())
    out->renamed_outputs = frontend::NamesBesideInputs(out->module.entry(), diagnostics);
  AddWarnings(diagnostics.warnings, out->renamed_outputs, &result->notes);
  result->notes.insert(result->notes.end(), diagnostics.notes.begin(), diagnostics.notes.end());
  if (is_fixed && status.code() == StatusCode::kInvalidModel) {
    return MICRORT_ERROR(
        kInvalidArgument,
        "--target %s fixes dynamic dimensions at 1, which does not fit the model: give sizes "
        "by --input-shape (%s)",
        options.target.name.c_str(), status.message());
  }
  MICRORT_RETURN_IF_ERROR(BlameShapes(status, name, model, options.format, import));
  for (const frontend::InputValue& given : options.input_values) {
    if (!frontend::IsListOfElements(given.text)) result->sources.push_back(given.text);
  }
  result->summary.constant_inputs = std::move(diagnostics.constant_inputs);
  MICRORT_RETURN_IF_ERROR(CheckConstantInputs(options, result->summary.constant_inputs));
  return Status();
}

Status ApplyToGraph(const ConvertOptions& options, ir::Module* module, ConvertResult* result) {
  MICRORT_RETURN_IF_ERROR(ir::StartAt(options.feeds, &module->entry()));
  if (options.embeds_preprocess)
    MICRORT_RETURN_IF_ERROR(EmbedPreprocess(options.preprocess, &module->entry()));
  StatePictures(options, module);
  if (options.kv_cache)
    MICRORT_RETURN_IF_ERROR(ir::KeepCaches(*options.kv_cache, &module->entry(), &result->notes));
  if (options.last_logits) MICRORT_RETURN_IF_ERROR(ir::LastLogits(&module->entry(), &result->notes));
  MICRORT_RETURN_IF_ERROR(ir::KeepStates(options.states, &module->entry()));
  MICRORT_RETURN_IF_ERROR(ir::BoundSizes(options.max_sizes, &module->entry()));
  MICRORT_RETURN_IF_ERROR(ir::BoundSizesByRanges(&module->entry()));
  MICRORT_RETURN_IF_ERROR(ir::MarkOrBoundSizes(module->entry(), !ChangesSizes(options)));
  for (std::string& note : ir::NotesOfUnboundedSizes(module->entry()))
    result->notes.push_back(std::move(note));
  for (std::string& note : ir::NotesOfBranchRanks(module->entry())) result->notes.push_back(std::move(note));
  MICRORT_RETURN_IF_ERROR(ir::CheckStates(module->entry()));
  if (options.max_arena) result->smaller_inputs = HalfPictures(module->entry());
  return Status();
}

}  // namespace micrort
