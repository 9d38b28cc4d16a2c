#include "converter/cli/command_line.h"

#include <algorithm>
#include <map>

#include "converter/cli/layer_types_file.h"
#include "converter/cli/raw_flags.h"
#include "converter/target/static_shapes.h"
#include "kernels/base/target.h"
#include "runtime/threads/thread_pool.h"
#include "tools/io/byte_count.h"
#include "tools/io/file.h"
#include "tools/io/program.h"

namespace micrort::cli {
namespace {

constexpr const char* kProgram = "mnnconvert";
constexpr char kExamples[] =
    "mnnconvert model.onnx -o model.fb                                   # float\n"
    "mnnconvert model.onnx -o model.fb --quant int8 --calib samples/ --verify\n"
    "mnnconvert photos.tflite -o photos.fb --target dotprod              # for a phone\n"
    "mnnconvert face.onnx -o face.fb --quant int8 --calib pictures/ --mean 127 --scale 0.0078125\n"
    "mnnconvert keywords.onnx -o keywords --emit cpp --cpp-class Keywords --target cortex-m4";

bool Has(int argc, char** argv, const char* flag) {
  return std::find(argv, argv + argc, std::string(flag)) != argv + argc;
}

Status SortBatches(std::vector<int>* batches) {
  std::sort(batches->begin(), batches->end());
  const auto twice = std::adjacent_find(batches->begin(), batches->end());
  if (twice != batches->end()) return MICRORT_ERROR(kInvalidArgument, "--batch: %d is there twice", *twice);
  if (batches->empty() || batches->front() > 0) return Status();
  return MICRORT_ERROR(kInvalidArgument, "--batch: expected sizes above 0, found %d", batches->front());
}

Status ReadEmit(const RawFlags& raw, CommandLine* line) {
  ConvertOptions& options = line->options;
  line->emits_array = raw.emit == Emit::kArray;
  if (raw.emit != Emit::kCpp) {
    if (raw.cpp_class_option.is_given() || raw.weights_as_option.is_given() ||
        raw.thread_pool_option.is_given() || raw.batch_option.is_given())
      return MICRORT_ERROR(kInvalidArgument,
                           "--cpp-class, --weights-as, --thread-pool and --batch need --emit cpp");
    return Status();
  }
  if (!raw.cpp_class_option.is_given())
    return MICRORT_ERROR(kInvalidArgument, "--emit cpp needs --cpp-class [NS::]NAME");
  if (!options.other_targets.empty())
    return MICRORT_ERROR(kInvalidArgument, "--emit cpp: expected one --target, found %zu",
                         options.other_targets.size() + 1);
  if (options.target.packed_only)
    return MICRORT_ERROR(kInvalidArgument, "--packed-only: C++ has packed weights only");
  options.cpp = raw.cpp;
  MICRORT_RETURN_IF_ERROR(SortBatches(&options.cpp->batches));
  return aot::CheckClassName(raw.cpp.class_name);
}

Status ReadMemoryRegions(const RawFlags& raw, ConvertOptions* options) {
  if (raw.memory_regions.empty()) return Status();
  // Others may plan by themselves, and know nothing of these.
  if (!target::PlansNothing(options->target.features) || !options->target.packed_only)
    return MICRORT_ERROR(kInvalidArgument,
                         "--memory-regions needs --target of a microcontroller and --packed-only");
  if (raw.max_arena_option.is_given())
    return MICRORT_ERROR(kInvalidArgument, "--memory-regions states the limits; leave --max-arena out");
  return plan::ParseMemoryRegions(raw.memory_regions, &options->memory_regions)
      .WithPrefix("--memory-regions");
}

Status ParseState(const std::string& text, ir::StateNames* names) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    return MICRORT_ERROR(kInvalidArgument, "--state: expected OUT=IN, found '%s'", text.c_str());
  *names = {text.substr(0, equals), text.substr(equals + 1)};
  return Status();
}

// Names of other formats are typed by people who expect that format.
Status CheckOutputName(const CommandLine& line) {
  static constexpr const char* kOthers[] = {"tflite",  "onnx",        "pt",   "pth",    "mnn", "param",
                                            "h5",      "keras",       "gguf", "engine", "trt", "pte",
                                            "mlmodel", "safetensors", "pb",   "rknn"};
  const std::string extension = io::Extension(line.output_path);
  // A file that is read is never written, whatever its name.
  if (line.output_path == line.model_path ||
      std::none_of(std::begin(kOthers), std::end(kOthers), [&](const char* o) { return extension == o; }))
    return Status();
  return MICRORT_ERROR(
      kInvalidArgument,
      "--output: '%s' would be a file of MicroRT with a name of another format, and only MicroRT "
      "models are written: type -o %s.fb",
      line.output_path.c_str(),
      line.output_path.substr(0, line.output_path.size() - extension.size() - 1).c_str());
}

// Flags for pictures are of no effect where no picture is read.
Status CheckPreprocess(const RawFlags& raw, const ConvertOptions& options) {
  const bool has_effect = !options.calibration.empty() || !options.input_values.empty() ||
                          options.embeds_preprocess || !raw.verify.empty();
  if (options.preprocess.is_default() || has_effect) return Status();
  return MICRORT_ERROR(
      kInvalidArgument,
      "--mean, --scale, --color and --resize prepare pictures, and none is read: add --calib PICTURES (for "
      "--quant or --verify), or --preprocess to put them into the model, whose input then is uint8 pixels");
}

Status Finish(const RawFlags& raw, const io::IsaFlag& isa, CommandLine* line) {
  ConvertOptions& options = line->options;
  MICRORT_RETURN_IF_ERROR(CheckOutputName(*line));
  if (line->list && !line->output_path.empty())
    return MICRORT_ERROR(kInvalidArgument, "--list writes nothing: leave out --output");
  for (const std::string& text : raw.input_shapes) {
    InputShape shape;
    MICRORT_RETURN_IF_ERROR(io::ParseInputShape(text, &shape));
    options.input_shapes.push_back(shape);
  }
  for (const std::string& text : raw.input_types) {
    options.input_types.emplace_back();
    MICRORT_RETURN_IF_ERROR(ParseInputType(text, &options.input_types.back()));
  }
  for (const std::string& text : raw.input_values) {
    options.input_values.emplace_back();
    MICRORT_RETURN_IF_ERROR(ParseInputValue(text, &options.input_values.back()));
  }
  for (const std::string& text : raw.max_sizes) {
    options.max_sizes.emplace_back();
    MICRORT_RETURN_IF_ERROR(ParseMaxSize(text, &options.max_sizes.back()));
  }
  for (const std::string& text : raw.states) {
    options.states.emplace_back();
    MICRORT_RETURN_IF_ERROR(ParseState(text, &options.states.back()));
  }
  if (raw.kv_cache_option.is_given()) options.kv_cache = static_cast<uint32_t>(raw.kv_cache);
  if (raw.kv_chunk_option.is_given()) options.kv_chunk = raw.kv_chunk;
  for (const auto& [option, name] :
       {std::pair(&raw.kv_type_option, "--kv-type"), std::pair(&raw.kv_chunk_option, "--kv-chunk")}) {
    if (option->is_given() && !options.kv_cache)
      return MICRORT_ERROR(kInvalidArgument, "%s needs --kv-cache", name);
  }
  if (!line->list) MICRORT_RETURN_IF_ERROR(CheckPreprocess(raw, options));
  if (!options.expected.empty() && options.calibration.empty())
    return MICRORT_ERROR(kInvalidArgument, "--expect needs --calib, the inputs that it belongs to");
  if (raw.rounding_option.is_given()) options.rounding = raw.rounding;
  const bool is_auto = options.quant == QuantMode::kAuto;
  if (is_auto && options.calibration.empty())
    return MICRORT_ERROR(kInvalidArgument, "--quant auto needs --calib");
  if (options.quant == QuantMode::kInt16x8 && options.calibration.empty())
    return MICRORT_ERROR(kInvalidArgument, "--quant int16x8 needs --calib");
  if (!is_auto && raw.max_loss_option.is_given())
    return MICRORT_ERROR(kInvalidArgument, "--max-loss needs --quant auto");
  if (!is_auto && raw.goal_option.is_given())
    return MICRORT_ERROR(kInvalidArgument, "--goal needs --quant auto");
  if (raw.labels_option.is_given() && options.calibration.empty())
    return MICRORT_ERROR(kInvalidArgument, "--labels needs --calib, the samples that it belongs to");
  const bool shows_accuracy = options.verify != VerifyMode::kOff || !line->report_paths.empty();
  if (raw.labels_option.is_given() && !is_auto && !shows_accuracy)
    return MICRORT_ERROR(kInvalidArgument, "--labels needs --report, --verify or --quant auto");
  if (options.fp16_compute && !is_auto && options.quant != QuantMode::kFp16)
    return MICRORT_ERROR(kInvalidArgument, "--fp16-compute needs --quant fp16 or auto");
  if (options.fp16_activations && options.quant != QuantMode::kFp16)
    return MICRORT_ERROR(kInvalidArgument, "--fp16-activations needs --quant fp16");
  options.fp16_compute |= options.fp16_activations;
  const bool keeps_int4 =
      is_auto || options.quant == QuantMode::kInt4Weights || options.quant == QuantMode::kNone;
  if (options.int8_compute && !keeps_int4) {
    return MICRORT_ERROR(
        kInvalidArgument,
        "--int8-compute needs --quant int4-weights, auto --goal size, or no --quant and a source with 4-bit "
        "weights");
  }
  const bool reads_samples = options.quant != QuantMode::kNone && options.quant != QuantMode::kFp16;
  if (raw.tokenizer_option.is_given() && options.calibration.empty())
    return MICRORT_ERROR(kInvalidArgument, "--tokenizer needs --calib, with a text");
  if (!reads_samples && !options.calibration.empty() && raw.verify.empty() && line->report_paths.empty() &&
      options.expected.empty() && !options.embed_test) {
    return MICRORT_ERROR(kInvalidArgument,
                         "--calib needs --quant int8, int16x8, int8-weights, int4-weights or auto, --verify, "
                         "--expect, --report or --embed-test");
  }
  if (raw.calibration_method_option.is_given() &&
      (options.calibration.empty() ||
       (options.quant != QuantMode::kInt8 && options.quant != QuantMode::kInt16x8 && !is_auto))) {
    return MICRORT_ERROR(kInvalidArgument, "--calib-method needs --quant int8 or int16x8, and --calib");
  }
  if (!raw.repair.empty()) {
    const auto has = [&](const char* name) {
      return std::find(raw.repair.begin(), raw.repair.end(), name) != raw.repair.end();
    };
    options.correction = {has("equalize"), has("weight-ranges"), has("bias"), has("rounding"),
                          has("balance")};
  }
  if (!raw.layer_types.empty())
    MICRORT_RETURN_IF_ERROR(ReadLayerTypes(raw.layer_types, &options.layer_types));
  for (const std::string& node : raw.keep_float) options.layer_types[node] = quantize::LayerType::kFloat32;
  if (!options.layer_types.empty() && options.quant == QuantMode::kNone)
    return MICRORT_ERROR(kInvalidArgument, "--keep-float and --layer-types need --quant");
  line->source_paths = {line->model_path, options.weights, options.labels, raw.layer_types};
  for (const std::string& path : line->report_paths) {
    const std::string extension = io::Extension(path);
    if (extension == "html" || extension == "json") continue;
    return MICRORT_ERROR(kInvalidArgument, "--report: expected FILE.html or FILE.json, found '%s'",
                         path.c_str());
  }
  options.report = !line->report_paths.empty();
  MICRORT_RETURN_IF_ERROR(ReadTargets(raw.targets, &options));
  MICRORT_RETURN_IF_ERROR(ReadEmit(raw, line));
  if (raw.max_arena_option.is_given()) {
    uint64_t bytes = 0;
    if (!io::ParseByteCount(raw.max_arena, &bytes)) {
      return MICRORT_ERROR(kInvalidArgument,
                           "--max-arena: expected a number of bytes such as 215040, 210K or 1.5M; found '%s'",
                           raw.max_arena.c_str());
    }
    options.max_arena = bytes;
  }
  MICRORT_RETURN_IF_ERROR(ReadMemoryRegions(raw, &options));
  if (raw.min_snr_option.is_given()) {
    if (raw.verify.empty() && options.expected.empty())
      return MICRORT_ERROR(kInvalidArgument, "--min-snr needs --verify or --expect");
    line->min_snr = raw.min_snr;
  }
  if (!raw.verify.empty())
    options.verify = raw.verify == "layers" ? VerifyMode::kLayers : VerifyMode::kOutputs;
  options.progress = !line->quiet;
  return isa.Features(&options.features);
}

// Nothing else is of use to it.
bool ParseRealign(int argc, char** argv, CommandLine* out, int* exit_code) {
  io::ArgumentParser parser(kProgram, "Lays out a MicroRT model file that flatc wrote.",
                            "mnnconvert --realign edited.fb -o model.fb");
  DeclareRealignFlag(parser, out);
  parser.Add("MODEL", &out->model_path, "The file that flatc wrote").Required();
  parser.Add("-o,--output", &out->output_path, "The file to write").TypeName("OUT.fb").Required();
  const io::LimitFlags limits(parser);
  parser.AddFlag("--quiet", &out->quiet, "Print errors only");
  if (!parser.Parse(argc, argv, exit_code)) return false;
  out->max_memory = limits.max_memory();
  out->source_paths = {out->model_path};
  return true;
}

bool AsksForResolver(int argc, char** argv) {
  if (Has(argc, argv, "--emit=resolver")) return true;
  const auto emit = std::find(argv, argv + argc, std::string("--emit"));
  return emit != argv + argc && emit + 1 != argv + argc && std::string(emit[1]) == "resolver";
}

bool ParseResolver(int argc, char** argv, CommandLine* out, int* exit_code) {
  io::ArgumentParser parser(kProgram,
                            "Writes a resolver with the operators of MicroRT models, as a C++ header.",
                            "mnnconvert --emit resolver face.fb voice.fb -o model_ops.h");
  Emit emit = Emit::kResolver;
  DeclareEmitFlag(parser, "resolver", &emit);
  parser.Add("MODEL", &out->resolver_models, "MicroRT files whose operators the program runs")
      .Required()
      .TypeName("MODEL.fb ...");
  parser.Add("-o,--output", &out->output_path, "The header to write").TypeName("OUT.h").Required();
  parser
      .Add("--function", &out->resolver_function,
           "Name of the function that gives the resolver (default ModelOps)")
      .TypeName("NAME");
  const io::LimitFlags limits(parser);
  parser.AddFlag("--quiet", &out->quiet, "Print errors only");
  if (!parser.Parse(argc, argv, exit_code)) return false;
  out->max_memory = limits.max_memory();
  out->source_paths = out->resolver_models;
  return true;
}

}  // namespace

bool ParseCommandLine(int argc, char** argv, CommandLine* out, int* exit_code) {
  if (AsksForResolver(argc, argv)) return ParseResolver(argc, argv, out, exit_code);
  if (Has(argc, argv, kRealignFlag)) return ParseRealign(argc, argv, out, exit_code);
  io::ArgumentParser parser(kProgram, "Converts a trained network into a MicroRT model file.", kExamples);
  RawFlags raw;
  const bool lists = Has(argc, argv, kListFlag);
  DeclareFlags(parser, lists, out, &raw);
  const io::PreprocessFlags preprocess(parser);
  const io::LimitFlags limits(parser);
  const io::IsaFlag isa(parser);
  if (!parser.Parse(argc, argv, exit_code)) return false;

  out->options.preprocess = preprocess.value();
  out->options.limits = limits.limits();
  out->max_memory = limits.max_memory();
  if (const Status status = Finish(raw, isa, out); !status.ok()) {
    *exit_code = io::Fail(kProgram, status);
    return false;
  }
  return true;
}

}  // namespace micrort::cli
