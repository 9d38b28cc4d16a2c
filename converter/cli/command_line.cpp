#include "converter/cli/command_line.h"

#include <unistd.h>

#include <algorithm>
#include <map>

#include "converter/cli/layer_types_file.h"
#include "converter/target/static_shapes.h"
#include "kernels/base/target.h"
#include "runtime/threads/thread_pool.h"
#include "tools/io/byte_count.h"
#include "tools/io/file.h"
#include "tools/io/program.h"

namespace micrort::cli {
namespace {

constexpr const char* kProgram = "mnnconvert";
constexpr const char* kExample =
    "mnnconvert detector.onnx -o detector.fb --quant int8 --calib pictures/ --mean 127 --scale 0.0078125";

// Flags whose values need more than a conversion of their text.
enum class Emit { kFlatbuffer, kArray, kCpp, kResolver };

struct RawFlags {
  Emit emit = Emit::kFlatbuffer;
  aot::CppOptions cpp;
  io::Option cpp_class_option, weights_as_option, thread_pool_option, batch_option;
  std::string verify;
  std::vector<std::string> input_shapes, input_types, input_values, max_sizes, states, keep_float, repair;
  std::string layer_types;
  std::vector<std::string> targets;
  std::string max_arena, memory_regions;
  double min_snr = 0.0;
  Rounding rounding = Rounding::kExact;
  io::Option rounding_option, max_arena_option, calibration_method_option, max_loss_option, min_snr_option,
      labels_option;
};

constexpr char kListFlag[] = "--list";
constexpr char kRealignFlag[] = "--realign";

void AddRealignFlag(io::ArgumentParser& parser, CommandLine* line) {
  parser.AddFlag(
      kRealignFlag, &line->realign,
      "MODEL is a MicroRT file that flatc wrote: write it with its data aligned as the runtime needs it");
}

bool Has(int argc, char** argv, const char* flag) {
  return std::find(argv, argv + argc, std::string(flag)) != argv + argc;
}

void AddModelFlags(io::ArgumentParser& parser, bool lists, CommandLine* line, RawFlags* raw) {
  parser.Add("MODEL", &line->model_path, "The model to convert").Required();
  io::Option output = parser.Add("-o,--output", &line->output_path, "The file to write").TypeName("OUT.fb");
  if (!lists) output.Required();
  parser.AddFlag(kListFlag, &line->list,
                 "Print what MODEL offers, its signatures, inputs and outputs, and write nothing");
  AddRealignFlag(parser, line);
  parser.AddChoice("--from", frontend::ReadableFormats(), &line->options.format,
                   "Format of MODEL: " + frontend::ReadableNames() + " (default: told from the content)");
  parser.Add("--weights", &line->options.weights, "The second file of formats that have two")
      .TypeName("FILE");
  parser
      .Add("--input-shape", &raw->input_shapes,
           "NAME=1x3x224x224, for one input; '?' keeps a dimension dynamic; repeatable")
      .Repeatable()
      .TypeName("SHAPE");
  parser
      .Add("--input-value", &raw->input_values,
           "NAME=VALUE|FILE: the input becomes a constant: 16000, 1,2,3, true or an array (.npy .npz .pb); "
           "what "
           "follows "
           "from it is decided now; NAME may be a position, #0; repeatable")
      .Repeatable()
      .TypeName("VALUE");
  parser
      .Add("--max-size", &raw->max_sizes,
           "NAME=N: bounds a size that data decide (a tensor or its node), or an open dimension of an input "
           "(frames, or x[1]): memory is planned for it, and what exceeds it ends the run; repeatable")
      .Repeatable()
      .TypeName("SIZE");
  parser
      .Add("--input-type", &raw->input_types,
           "NAME=int64, for one input of a format that does not say its inputs' types; repeatable")
      .Repeatable()
      .TypeName("TYPE");
  parser.Add("--feeds", &line->options.feeds, "Tensors that become the inputs: A,B")
      .SeparatedBy(',')
      .Repeatable()
      .TypeName("NAMES");
  parser.Add("--fetches", &line->options.fetches, "Tensors that become the outputs: C,D")
      .SeparatedBy(',')
      .Repeatable()
      .TypeName("NAMES");
  parser
      .Add(
          "--state", &raw->states,
          "OUT=IN: the interpreter keeps tensor OUT of a run as input IN of the next one; both are no output "
          "and input of the model any more; repeatable")
      .Repeatable()
      .TypeName("OUT=IN");
  parser
      .Add("--signature", &line->options.signature,
           "Of a SavedModel or a TFLite model: the signature to convert")
      .TypeName("NAME");
  parser.Add("--tag-set", &line->options.tag_set, "Of a SavedModel: tags of the graph to convert: serve,gpu")
      .TypeName("TAGS");
  parser
      .Add("--config", &line->options.config,
           "Of TensorFlow: a tf2xla.Config, as text or binary, that says what is fed and fetched")
      .TypeName("FILE");
  parser
      .Add("--custom-domain", &line->options.custom_domains,
           "Let unknown operators of this domain through: the program that runs the model has them; "
           "repeatable")
      .Repeatable()
      .TypeName("DOMAIN");
  parser
      .Add(
          "--custom-ops", &line->options.custom_ops,
          "A shared library with such operators, for their shapes, for folding and for --verify and --calib; "
          "repeatable")
      .Repeatable()
      .TypeName("FILE");
  parser.AddChoice<IoLayout>("--io-layout", {{"keep", IoLayout::kKeep}, {"nhwc", IoLayout::kNhwc}},
                             &line->options.io_layout,
                             "Layout of image inputs and outputs: keep (the model's own, default) or nhwc");
  parser.AddChoice<qdq::IoType>(
      "--io-type",
      {{"keep", qdq::IoType::kKeep},
       {"int8", qdq::IoType::kInt8},
       {"uint8", qdq::IoType::kUInt8},
       {"float", qdq::IoType::kFloat}},
      &line->options.io_type,
      "Elements of inputs and outputs that are floats or quantized: keep (the model's own, default), int8, "
      "uint8 or float");
  raw->max_arena_option =
      parser
          .Add("--max-arena", &raw->max_arena,
               "All that the device must have in RAM: take slower algorithms where it would "
               "be more, and fail if none is small enough; 210K and 1.5M are units of 1024")
          .TypeName("BYTES");
  parser
      .Add("--memory-regions", &raw->memory_regions,
           "RAM of a microcontroller in parts, the fastest first, e.g. fast=64K,slow=256K@16M: what is "
           "touched "
           "most lies in the fast one. @OFFSET: where one begins, from the begin of the first; default: "
           "where the "
           "one before ends. The program gives the arena (docs/microcontrollers.md)")
      .TypeName("NAME=BYTES,...");
  parser
      .Add("--target", &raw->targets,
           std::string(
               "Plan, judge and measure for this class of CPUs, and store its program and weights packed for "
               "it, which it loads in place: ") +
               TargetNames() +
               "; default: portable, with the figures of this machine. A,B or repeated: the file is for all "
               "of them, the figures are for the first")
      .SeparatedBy(',')
      .Repeatable()
      .TypeName("NAMES");
  parser
      .Add("--target-threads", &line->options.target.threads,
           "Threads that the device runs the model on (default 1)")
      .TypeName("N");
  parser.AddFlag("--packed-only", &line->options.target.packed_only,
                 "With --target: leave out portable weights; the file then runs on such CPUs only");
}

void AddQuantizationFlags(io::ArgumentParser& parser, CommandLine* line, RawFlags* raw) {
  static const std::map<std::string, QuantMode> kModes = {{"none", QuantMode::kNone},
                                                          {"fp16", QuantMode::kFp16},
                                                          {"int8", QuantMode::kInt8},
                                                          {"int16x8", QuantMode::kInt16x8},
                                                          {"int8-weights", QuantMode::kInt8Weights},
                                                          {"int4-weights", QuantMode::kInt4Weights},
                                                          {"auto", QuantMode::kAuto}};
  parser.AddChoice("--quant", kModes, &line->options.quant,
                   "none (default), fp16 (weights in half), int8 (static with --calib, else dynamic), "
                   "int16x8 (int16 activations, int8 weights; with --calib), "
                   "int8-weights or int4-weights (computed in float), or auto (int8 where it gains and "
                   "--max-loss allows it)");
  parser.AddFlag(
      "--fp16-compute", &line->options.fp16_compute,
      "With --quant fp16 or auto: CPUs with half arithmetic (AArch64) may multiply and sum up in half, "
      "at most 256 products at a time, where that is faster; values over 65504 become infinite");
  parser.AddFlag(
      "--int8-compute", &line->options.int8_compute,
      "With --quant int4-weights: layers quantize their inputs as they run, and multiply integers");
  parser.AddFlag(
      "--fp16-activations", &line->options.fp16_activations,
      "With --quant fp16: what layers hand each other is stored in half, too, which saves up to half of "
      "the arena; includes --fp16-compute");
  raw->rounding_option = parser.AddChoice<Rounding>(
      "--rounding", {{"exact", Rounding::kExact}, {"tflite", Rounding::kTflite}}, &raw->rounding,
      "How operators on integers that MODEL has round: exact (to the nearest) or tflite (bit for bit as "
      "TensorFlow Lite's reference kernels; default for its models)");
  parser
      .Add("--calib", &line->options.calibration,
           "Samples for --quant int8 and auto, and to round the weights of int8-weights and "
           "int4-weights for: folders or files (.npy .npz .pb .png .jpg .bmp); NAME=PATH with several "
           "inputs")
      .TypeName("PATH...");
  static const std::map<std::string, observe::CalibrationMethod> kMethods = {
      {"minmax", observe::CalibrationMethod::kMinMax},
      {"moving-average", observe::CalibrationMethod::kMovingAverage},
      {"percentile", observe::CalibrationMethod::kPercentile},
      {"mse", observe::CalibrationMethod::kMse},
      {"kl", observe::CalibrationMethod::kKl}};
  raw->calibration_method_option = parser.AddChoice(
      "--calib-method", kMethods, &line->options.calibration_method,
      "How ranges are told from the samples: minmax (default), moving-average (of the samples' "
      "ends), percentile (99.99 %), mse (least squared error) or kl (least divergence)");
  parser
      .Add("--repair", &raw->repair,
           "What is done against the error of integers: any of equalize, weight-ranges, bias, rounding, "
           "balance (default: all), or none")
      .SeparatedBy(',')
      .OneOf({"equalize", "weight-ranges", "bias", "rounding", "balance", "none"})
      .TypeName("NAMES");
  raw->max_loss_option =
      parser
          .Add("--max-loss", &line->options.max_loss,
               "Of --quant auto: noise over signal that the outputs may have (default 0.01: 20 dB), or, with "
               "--labels, the share of right answers that may be lost")
          .TypeName("X");
  raw->labels_option = parser
                           .Add("--labels", &line->options.labels,
                                "Of --quant auto: the right answers, an integer a sample of --calib")
                           .TypeName("FILE.npy");
  parser.Add("--keep-float", &raw->keep_float, "Layers that --quant leaves alone; names as in --report")
      .TypeName("NODE...");
  parser
      .Add("--layer-types", &raw->layer_types,
           "Types of single layers: {\"layers\": {\"conv1\": \"float32\"}}, or fp16, int8, "
           "int8-weights, int4-weights")
      .TypeName("FILE.json");
  parser
      .AddFlag("--verify{outputs}", &raw->verify,
               "Compare with the source model in float: SNR and cosine of each output, or of each layer "
               "(--verify=layers)")
      .OneOf({"outputs", "layers"});
  parser
      .Add("--expect", &line->options.expected,
           "What the network's own framework computed on --calib: NAME=FILE (.npy .npz .pb) for an output or "
           "any other tensor of MODEL, or an .npz whose members have their names; compares the converted "
           "model with it, in run order; repeatable")
      .Repeatable()
      .TypeName("NAME=FILE");
  raw->min_snr_option =
      parser
          .Add("--min-snr", &raw->min_snr,
               "Of --verify and --expect: write no model if a tensor has less. Default, for float "
               "tensors: 25 (none, fp16), "
               "15 (int8-weights), 10 (int8, auto), 5 (int4-weights)")
          .FiniteNumbers()
          .TypeName("DB");
  parser.AddFlag("--embed-test", &line->options.embed_test,
                 "Store inputs (the first of --calib, else random ones) and their outputs in the file; "
                 "micrort-bench --self-test checks them on the device");
  parser
      .Add("--report", &line->report_paths,
           "Write what became of every layer, and what to check, to FILE.html (one page for a browser) or "
           "FILE.json; repeatable")
      .Repeatable()
      .TypeName("FILE");
}

std::map<std::string, Emit> EmitNames() {
  return {{"flatbuffer", Emit::kFlatbuffer},
          {"array", Emit::kArray},
          {"cpp", Emit::kCpp},
          {"resolver", Emit::kResolver}};
}

void AddEmitFlags(io::ArgumentParser& parser, RawFlags* raw) {
  parser.AddChoice<Emit>(
      "--emit", EmitNames(), &raw->emit,
      "flatbuffer (default); array: that file as a C array; cpp: OUT is a folder for a C++ class "
      "that computes the model, with its weights, test, benchmark and CMakeLists.txt (docs/aot.md); "
      "resolver: MODELs are MicroRT files, and OUT names their operators for a program that links "
      "no others (docs/size.md)");
  raw->cpp_class_option =
      parser.Add("--cpp-class", &raw->cpp.class_name, "Of --emit cpp: the class, with its namespaces")
          .TypeName("NS::NAME");
  raw->weights_as_option = parser.AddChoice<bool>(
      "--weights-as", {{"incbin", false}, {"array", true}}, &raw->cpp.weights_as_array,
      "Of --emit cpp: weights in a file that the assembler reads (incbin, default), or "
      "as a C++ array");
  raw->thread_pool_option = parser.AddChoice<aot::ThreadPool>(
      "--thread-pool",
      {{"none", aot::ThreadPool::kNone},
       {"single", aot::ThreadPool::kSingle},
       {"multi", aot::ThreadPool::kMulti}},
      &raw->cpp.thread_pool,
      "Of --emit cpp: no set_thread_pool() (none), one that is ignored (single), or --target-threads threads "
      "(multi, default)");
  raw->batch_option = parser
                          .Add("--batch", &raw->cpp.batches,
                               "Of --emit cpp: sizes of the batch, the open first dimension of inputs, which "
                               "the class computes, e.g. 1,4,8; set_batch() chooses (default 1)")
                          .SeparatedBy(',')
                          .TypeName("N,...");
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

Status ReadTarget(const std::string& name, target::Target* target) {
  target->name = name;
  if (!ParseTarget(name.c_str(), &target->features)) {
    return MICRORT_ERROR(kInvalidArgument, "--target: expected one of portable, %s; found '%s'",
                         TargetNames(), name.c_str());
  }
  if (KnowsKernelsOf(target->features)) return Status();
  return MICRORT_ERROR(kUnsupported, "--target %s: this build leaves its kernels out (MICRORT_ISA_...=OFF)",
                       name.c_str());
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

Status ReadTargets(const std::vector<std::string>& names, ConvertOptions* options) {
  target::Target& first = options->target;
  if (first.threads < 1 || first.threads > kMaxThreads)
    return MICRORT_ERROR(kInvalidArgument, "--target-threads: expected 1 to %d, found %d", kMaxThreads,
                         first.threads);
  const bool is_portable = names.empty() || (names.size() == 1 && names[0] == "portable");
  if (is_portable && first.packed_only)
    return MICRORT_ERROR(kInvalidArgument, "--packed-only needs --target");
  if (is_portable) return Status();
  if (first.packed_only && names.size() > 1)
    return MICRORT_ERROR(kInvalidArgument, "--packed-only: expected one --target, found %zu", names.size());
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) != name)
      return MICRORT_ERROR(kInvalidArgument, "--target: '%s' is given twice", name->c_str());
    const bool is_first = name == names.begin();
    if (!is_first) options->other_targets.push_back(first);
    MICRORT_RETURN_IF_ERROR(ReadTarget(*name, is_first ? &first : &options->other_targets.back()));
  }
  return Status();
}

Status ParseState(const std::string& text, ir::StateNames* names) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    return MICRORT_ERROR(kInvalidArgument, "--state: expected OUT=IN, found '%s'", text.c_str());
  *names = {text.substr(0, equals), text.substr(equals + 1)};
  return Status();
}

Status Finish(const RawFlags& raw, const io::IsaFlag& isa, CommandLine* line) {
  ConvertOptions& options = line->options;
  if (line->list && !line->output_path.empty())
    return MICRORT_ERROR(kInvalidArgument, "--list writes nothing: leave out --output");
  for (const std::string& text : raw.input_shapes) {
    InputShape shape;
    MICRORT_RETURN_IF_ERROR(ParseInputShape(text, &shape));
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
  if (!options.expected.empty() && options.calibration.empty())
    return MICRORT_ERROR(kInvalidArgument, "--expect needs --calib, the inputs that it belongs to");
  if (raw.rounding_option.is_given()) options.rounding = raw.rounding;
  const bool is_auto = options.quant == QuantMode::kAuto;
  if (is_auto && options.calibration.empty())
    return MICRORT_ERROR(kInvalidArgument, "--quant auto needs --calib");
  if (options.quant == QuantMode::kInt16x8 && options.calibration.empty())
    return MICRORT_ERROR(kInvalidArgument, "--quant int16x8 needs --calib");
  if (!is_auto && (raw.max_loss_option.is_given() || raw.labels_option.is_given()))
    return MICRORT_ERROR(kInvalidArgument, "--max-loss and --labels need --quant auto");
  if (options.fp16_compute && !is_auto && options.quant != QuantMode::kFp16)
    return MICRORT_ERROR(kInvalidArgument, "--fp16-compute needs --quant fp16 or auto");
  if (options.fp16_activations && options.quant != QuantMode::kFp16)
    return MICRORT_ERROR(kInvalidArgument, "--fp16-activations needs --quant fp16");
  options.fp16_compute |= options.fp16_activations;
  if (options.int8_compute && options.quant != QuantMode::kInt4Weights)
    return MICRORT_ERROR(kInvalidArgument, "--int8-compute needs --quant int4-weights");
  const bool reads_samples = options.quant != QuantMode::kNone && options.quant != QuantMode::kFp16;
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
  options.progress = !line->quiet && isatty(STDERR_FILENO) == 1;
  return isa.Features(&options.features);
}

// Nothing else is of use to it.
bool ParseRealign(int argc, char** argv, CommandLine* out, int* exit_code) {
  io::ArgumentParser parser(kProgram, "Lays out a MicroRT model file that flatc wrote.",
                            "mnnconvert --realign edited.fb -o model.fb");
  AddRealignFlag(parser, out);
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
  parser.AddChoice<Emit>("--emit", EmitNames(), &emit, "resolver");
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
  io::ArgumentParser parser(kProgram, "Converts a trained network into a MicroRT model file.", kExample);
  RawFlags raw;
  const bool lists = Has(argc, argv, kListFlag);
  AddModelFlags(parser, lists, out, &raw);
  AddEmitFlags(parser, &raw);
  AddQuantizationFlags(parser, out, &raw);
  const io::PreprocessFlags preprocess(parser);
  const io::LimitFlags limits(parser);
  const io::IsaFlag isa(parser);
  parser.Add("--json", &out->json_path, "Write the summary as one JSON object; - prints only that on stdout")
      .TypeName("FILE");
  parser
      .Add("--dump-passes", &out->options.dump_passes,
           "Write the graph as text after the import and after every pass that changed it, into an empty or "
           "new "
           "folder")
      .TypeName("DIR");
  parser.AddFlag("--quiet", &out->quiet, "Print errors only");
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
