#include <map>

#include "converter/cli/raw_flags.h"
#include "kernels/base/target.h"

namespace micrort::cli {
namespace {

constexpr char kModel[] = "Model", kInputs[] = "Inputs", kQuantization[] = "Quantization",
               kDevice[] = "Device", kOutput[] = "Output", kChecks[] = "Checks";

void AddModelFlags(io::ArgumentParser& parser, CommandLine* line, RawFlags* raw) {
  parser.AddChoice(
      "--from", frontend::ReadableFormats(), &line->options.format,
      "Format of MODEL (default: detected from its content)\n" + frontend::ReadableNames() + ".");
  parser.Add("--weights", &line->options.weights, "Second file of formats that have two (Caffe)")
      .TypeName("FILE");
  parser.AddFlag(
      kListFlag, &line->list,
      "Print signatures, inputs and outputs of MODEL; write nothing\nFor SavedModels and TFLite, all "
      "signatures are listed.");
  parser
      .Add("--fetches", &line->options.fetches,
           "Tensors that become the outputs: C,D\nWith --feeds, this cuts a part out of the model.")
      .SeparatedBy(',')
      .Repeatable()
      .TypeName("NAMES");
  parser.Add("--feeds", &line->options.feeds, "Tensors that become the inputs: A,B")
      .SeparatedBy(',')
      .Repeatable()
      .TypeName("NAMES");
  parser
      .Add("--state", &raw->states,
           "Keep tensor OUT of a run as input IN of the next one\nThe model then has neither this output nor "
           "this input. Repeatable.")
      .Repeatable()
      .TypeName("OUT=IN");
  raw->kv_cache_option =
      parser
          .Add("--kv-cache", &raw->kv_cache,
               "Keep a decoder's caches in the interpreter, with room for N tokens\nInputs that a Concat "
               "joins "
               "with new rows to an output (past and present) become states that runs append to in place; "
               "attention_mask and the like follow from them. One sequence.")
          .InRange(1, 1 << 24)
          .TypeName("N");
  raw->kv_chunk_option =
      parser
          .Add("--kv-chunk", &raw->kv_chunk,
               "The most tokens that a run appends: makes caches of windows smaller\nIf attention looks back "
               "W tokens only, its cache then has W + N - 1 rows, rounded up, instead of all. Models whose "
               "runs have a fixed number of tokens do not need this flag.")
          .InRange(1, 1 << 24)
          .TypeName("N");
  static const std::map<std::string, DType> kCacheTypes = {
      {"f32", DType::kFloat32}, {"f16", DType::kFloat16}, {"int8", DType::kInt8}};
  raw->kv_type_option =
      parser.AddChoice("--kv-type", kCacheTypes, &line->options.kv_type,
                       "Type of such caches: f32, f16 or int8\nf32 is the default. f16 takes half of the "
                       "memory; int8, with a scale for each row of a head, takes about a quarter.");
  parser.AddFlag("--last-logits", &line->options.last_logits,
                 "Compute a decoder's output 'logits' for the last position alone\nThe largest matrix "
                 "product of a prompt then has one row instead of one for each token.");
  parser.Add("--signature", &line->options.signature, "Signature to convert (SavedModel, TFLite)")
      .TypeName("NAME");
  parser.Add("--tag-set", &line->options.tag_set, "Tags of the graph to convert (SavedModel): serve,gpu")
      .TypeName("TAGS");
  parser
      .Add("--config", &line->options.config,
           "tf2xla.Config (TensorFlow)\nA text or binary file that names the tensors to feed and to fetch.")
      .TypeName("FILE");
  parser
      .Add("--custom-domain", &line->options.custom_domains,
           "Let unknown operators of this domain through\nThe program that runs the model implements them. "
           "Repeatable.")
      .Repeatable()
      .TypeName("DOMAIN");
  parser
      .Add("--custom-ops", &line->options.custom_ops,
           "Shared library with custom operators\nIt computes their shapes, and their values for constant "
           "folding, --verify and --calib. Repeatable.")
      .Repeatable()
      .TypeName("LIB.so");
  DeclareRealignFlag(parser, line);
}

void AddInputFlags(io::ArgumentParser& parser, CommandLine* line, RawFlags* raw) {
  parser
      .Add("--input-shape", &raw->input_shapes,
           "NAME=1x3x224x224; '?' keeps a dimension dynamic\nNAME may be a position (#0). NAME=scalar has no "
           "dimension. Repeatable.")
      .Repeatable()
      .TypeName("SHAPE");
  parser
      .Add("--input-value", &raw->input_values,
           "NAME=VALUE or NAME=FILE: the input becomes a constant\nVALUE is a number (16000), a list (1,2,3) "
           "or true; for TorchScript also a text, a member of an Enum, or None. FILE is .npy, .npz, .pb or a "
           "picture. Everything that follows from the constant is computed now. NAME may be a position (#0). "
           "Repeatable.")
      .Repeatable()
      .TypeName("VALUE");
  parser
      .Add("--input-type", &raw->input_types,
           "NAME=int64, for TorchScript, whose files lack types\nOf complex64, the shape ends with 2: real "
           "and "
           "imaginary part. Repeatable.")
      .Repeatable()
      .TypeName("TYPE");
  parser
      .Add("--max-size", &raw->max_sizes,
           "NAME=N: upper bound of a size that depends on data\nNAME is a tensor, its node, or an open "
           "dimension of an input (frames, or x[1]). Memory is planned for N; a run that exceeds it ends "
           "with an error. Repeatable.")
      .Repeatable()
      .TypeName("SIZE");
  parser.AddChoice<IoLayout>("--io-layout", {{"keep", IoLayout::kKeep}, {"nhwc", IoLayout::kNhwc}},
                             &line->options.io_layout,
                             "Layout of image inputs and outputs: keep (default) or nhwc");
  parser.AddChoice<qdq::IoType>(
      "--io-type",
      {{"keep", qdq::IoType::kKeep},
       {"int8", qdq::IoType::kInt8},
       {"uint8", qdq::IoType::kUInt8},
       {"int16", qdq::IoType::kInt16},
       {"float", qdq::IoType::kFloat}},
      &line->options.io_type,
      "Type of inputs and outputs: keep (default), int8, uint8, int16, float\nApplies to inputs and outputs "
      "that are floats or quantized; int16 needs --quant int16x8.");
}

void AddPreprocessFlag(io::ArgumentParser& parser, CommandLine* line) {
  parser.AddFlag("--preprocess", &line->options.embeds_preprocess,
                 "Put --mean, --scale and --color into the model\nPicture inputs then take uint8 pixels, 0 "
                 "to 255, RGB (grey if the network has one channel).");
}

void AddQuantizationFlags(io::ArgumentParser& parser, CommandLine* line, RawFlags* raw) {
  static const std::map<std::string, QuantMode> kModes = {{"none", QuantMode::kNone},
                                                          {"fp16", QuantMode::kFp16},
                                                          {"int8", QuantMode::kInt8},
                                                          {"int16x8", QuantMode::kInt16x8},
                                                          {"int8-weights", QuantMode::kInt8Weights},
                                                          {"int4-weights", QuantMode::kInt4Weights},
                                                          {"auto", QuantMode::kAuto}};
  parser.AddChoice(
      "--quant", kModes, &line->options.quant,
      "none, fp16, int8, int16x8, int8-weights, int4-weights, auto\nnone is the default. fp16 stores weights "
      "as fp16. int8 is static with --calib, else dynamic. int16x8 has int16 activations and int8 weights, "
      "and needs --calib. int8-weights and int4-weights store weights in 8 or 4 bits and compute in float. "
      "auto uses int8 where it is faster, or the fewest bits per weight (--goal), within --max-loss.");
  parser
      .Add("--calib", &line->options.calibration,
           "Calibration data: folders or files\n.npy, .npz, .pb, .png, .jpg, .bmp; .txt for a decoder, with "
           "--tokenizer; NAME=PATH with several inputs. The samples also improve the rounding of "
           "int8-weights and int4-weights, and --verify "
           "compares on them.")
      .TypeName("PATH...");
  static const std::map<std::string, observe::CalibrationMethod> kMethods = {
      {"minmax", observe::CalibrationMethod::kMinMax},
      {"moving-average", observe::CalibrationMethod::kMovingAverage},
      {"percentile", observe::CalibrationMethod::kPercentile},
      {"mse", observe::CalibrationMethod::kMse},
      {"kl", observe::CalibrationMethod::kKl}};
  raw->tokenizer_option = parser
                              .Add("--tokenizer", &line->options.tokenizer,
                                   "tokenizer.json or a model of SentencePiece, for texts of --calib\nThe "
                                   "samples are 128 tokens each. "
                                   "--verify and --report then show perplexity and KL divergence.")
                              .TypeName("FILE");
  raw->calibration_method_option =
      parser.AddChoice("--calib-method", kMethods, &line->options.calibration_method,
                       "minmax (default), moving-average, percentile, mse or kl\nHow the samples give the "
                       "range of an activation: their extremes, the mean of each sample's extremes, 99.99 % "
                       "of the values, the least squared error, or the least divergence.");
  raw->max_loss_option =
      parser
          .Add("--max-loss", &line->options.max_loss,
               "Largest loss that --quant auto may cause (default 0.01)\nFor a model that predicts tokens, "
               "the KL divergence from the float model in nats. For others, the noise-to-signal ratio of the "
               "outputs (0.01 is 20 dB) or, with --labels, the share of right answers that may be lost.")
          .TypeName("X");
  raw->goal_option = parser.AddChoice<AutoGoal>(
      "--goal", {{"speed", AutoGoal::kSpeed}, {"size", AutoGoal::kSize}}, &line->options.goal,
      "What --quant auto makes best: speed or size\nsize stores each layer's weights in float32, fp16, 8 or "
      "4 "
      "bits; it is the default for models that predict tokens. speed chooses int8, int16x8 or float.");
  raw->labels_option =
      parser
          .Add("--labels", &line->options.labels,
               "Right answers of a classifier: an integer for each sample\nThe samples are those of --calib. "
               "--report and --verify then show the share of right answers in float and as converted; with "
               "--quant auto, --max-loss limits its loss.")
          .TypeName("FILE.npy");
  parser.Add("--keep-float", &raw->keep_float, "Layers that stay float; names as in --report")
      .TypeName("NODE...");
  parser
      .Add("--layer-types", &raw->layer_types,
           "Types of single layers\nFor example {\"layers\": {\"conv1\": \"float32\"}}. Others are fp16, "
           "int8, int8-weights, int4-weights.")
      .TypeName("FILE.json");
  parser
      .Add("--repair", &raw->repair,
           "equalize, weight-ranges, bias, rounding, balance (default: all), none\nCross-layer equalization, "
           "clipping of weight ranges, bias correction, GPTQ rounding, and rounding whose errors cancel in "
           "each channel.")
      .SeparatedBy(',')
      .OneOf({"equalize", "weight-ranges", "bias", "rounding", "balance", "none"})
      .TypeName("NAMES");
  parser.AddFlag("--fp16-compute", &line->options.fp16_compute,
                 "With --quant fp16 or auto: CPUs may compute in fp16\nAArch64 with half arithmetic then "
                 "adds up to 256 products in fp16 where that is faster. Values over 65504 become infinite.");
  parser.AddFlag("--fp16-activations", &line->options.fp16_activations,
                 "With --quant fp16: activations are stored as fp16, too\nThis saves up to half of the "
                 "arena, and includes --fp16-compute.");
  parser.AddFlag("--int8-compute", &line->options.int8_compute,
                 "With int4-weights, auto or a source of 4 bits: use integers\nLayers quantize their "
                 "inputs as they run.");
  raw->rounding_option = parser.AddChoice<Rounding>(
      "--rounding", {{"exact", Rounding::kExact}, {"tflite", Rounding::kTflite}}, &raw->rounding,
      "Rounding of integer operators: exact or tflite\nexact rounds to the nearest. tflite rounds as "
      "TensorFlow Lite's reference kernels do, bit for bit; it is the default for TFLite models.");
}

void AddDeviceFlags(io::ArgumentParser& parser, CommandLine* line, RawFlags* raw) {
  parser
      .Add("--target", &raw->targets,
           "CPU to plan, pack and measure for (default: portable)\n" + std::string(TargetNames()) +
               ". Recent phones are dotprod, older 64-bit phones neon. With several targets (A,B, or "
               "repeated) the file holds a program and packed weights for each; figures are for the first.")
      .SeparatedBy(',')
      .Repeatable()
      .TypeName("NAMES");
  parser
      .Add("--target-threads", &line->options.target.threads,
           "Threads that the device runs the model on (default 1)")
      .TypeName("N");
  parser.AddFlag("--packed-only", &line->options.target.packed_only,
                 "With --target: leave out portable weights\nThe file then runs on such CPUs only.");
  raw->max_arena_option = parser
                              .Add("--max-arena", &raw->max_arena,
                                   "RAM limit: 215040, 210K, 1.5M\nSlower, smaller algorithms are chosen to "
                                   "stay below it; if none is small enough, the conversion fails.")
                              .TypeName("BYTES");
  parser
      .Add("--memory-regions", &raw->memory_regions,
           "RAM in parts, the fastest first: fast=64K,slow=256K@16M\nFor microcontrollers. Tensors that are "
           "used most lie in the fast region. @OFFSET is where a region begins, counted from the first one; "
           "default: where the previous one ends (docs/microcontrollers.md).")
      .TypeName("NAME=BYTES");
}

void AddOutputFlags(io::ArgumentParser& parser, bool lists, CommandLine* line, RawFlags* raw) {
  io::Option output = parser.Add("-o,--output", &line->output_path, "File to write").TypeName("OUT.fb");
  if (!lists) output.Required();
  DeclareEmitFlag(parser,
                  "flatbuffer (default), array, cpp or resolver\narray writes the file as a C array. cpp "
                  "writes a C++ class into the folder OUT, with weights, test, benchmark and CMakeLists.txt "
                  "(docs/aot.md). resolver reads MicroRT files and writes a header with their operators, so "
                  "that a program links no others (docs/size.md).",
                  &raw->emit);
  raw->cpp_class_option =
      parser.Add("--cpp-class", &raw->cpp.class_name, "With --emit cpp: the class, with its namespaces")
          .TypeName("CLASS");
  raw->weights_as_option =
      parser.AddChoice<bool>("--weights-as", {{"incbin", false}, {"array", true}}, &raw->cpp.weights_as_array,
                             "With --emit cpp: weights as incbin (default) or array\nincbin is a file that "
                             "the assembler includes, array a C++ array.");
  raw->thread_pool_option = parser.AddChoice<aot::ThreadPool>(
      "--thread-pool",
      {{"none", aot::ThreadPool::kNone},
       {"single", aot::ThreadPool::kSingle},
       {"multi", aot::ThreadPool::kMulti}},
      &raw->cpp.thread_pool,
      "With --emit cpp: none, single or multi (default)\nnone has no set_thread_pool(), single ignores it, "
      "multi uses --target-threads threads.");
  raw->batch_option = parser
                          .Add("--batch", &raw->cpp.batches,
                               "With --emit cpp: batch sizes, e.g. 1,4,8 (default 1)\nThe class is compiled "
                               "for these sizes of the open first dimension; set_batch() chooses one.")
                          .SeparatedBy(',')
                          .TypeName("N,...");
  parser.AddFlag("--embed-test", &line->options.embed_test,
                 "Store inputs and outputs, for micrort-bench --self-test\nThese are the first samples of "
                 "--calib, or random ones. The device checks that it computes the same.");
  parser.Add("--json", &line->json_path, "Write the summary as one JSON object; - is stdout, alone")
      .TypeName("FILE");
  parser
      .Add("--dump-passes", &line->options.dump_passes,
           "Write the graph after every pass, into an empty folder\nA text file for the import, and one for "
           "each pass that changed the graph.")
      .TypeName("DIR");
  parser.AddFlag("--quiet", &line->quiet, "Print errors only");
  parser.AddFlag("--json-events", &line->json_events,
                 "Progress for programs, on stderr\nOne JSON object per line with step, done, total, seconds "
                 "and seconds_left, at most one a second, and one when a step is done.");
}

void AddCheckFlags(io::ArgumentParser& parser, CommandLine* line, RawFlags* raw) {
  parser
      .AddFlag("--verify{outputs}", &raw->verify,
               "Compare with the source in float; =layers: every layer\nPrints the SNR and the cosine "
               "similarity of each output, or of each layer.")
      .OneOf({"outputs", "layers"});
  parser
      .Add("--report", &line->report_paths,
           "Write a report of every layer: FILE.html or FILE.json\nIt shows the type, time and error of each "
           "layer, and flags to try. Repeatable.")
      .Repeatable()
      .TypeName("FILE");
  raw->min_snr_option = parser
                            .Add("--min-snr", &raw->min_snr,
                                 "Fail if an output's SNR is below this\nFor --verify and --expect; no model "
                                 "is written then. Default for float tensors: 25 (none, fp16), 15 "
                                 "(int8-weights), 10 (int8, auto), 5 (int4-weights).")
                            .FiniteNumbers()
                            .TypeName("DB");
  parser
      .Add("--expect", &line->options.expected,
           "Values that the source's framework computed on --calib\nNAME=FILE (.npy .npz .pb) for an output "
           "or any other tensor of MODEL, or an .npz whose members have the names of tensors. The converted "
           "model is compared with them, in run order. Repeatable.")
      .Repeatable()
      .TypeName("NAME=FILE");
}

std::map<std::string, Emit> EmitNames() {
  return {{"flatbuffer", Emit::kFlatbuffer},
          {"array", Emit::kArray},
          {"cpp", Emit::kCpp},
          {"resolver", Emit::kResolver}};
}

}  // namespace

void DeclareRealignFlag(io::ArgumentParser& parser, CommandLine* line) {
  parser.AddFlag(kRealignFlag, &line->realign, "MODEL is a MicroRT file that flatc wrote: align its data")
      .Group(kModel);
}

void DeclareEmitFlag(io::ArgumentParser& parser, const std::string& help, Emit* emit) {
  parser.AddChoice<Emit>("--emit", EmitNames(), emit, help).Group(kOutput);
}

void DeclareFlags(io::ArgumentParser& parser, bool lists, CommandLine* line, RawFlags* raw) {
  parser.Add("MODEL", &line->model_path, "Model to convert, or the folder of a SavedModel").Required();
  parser.InGroup(kModel, [&] { AddModelFlags(parser, line, raw); });
  parser.InGroup(kInputs, [&] { AddInputFlags(parser, line, raw); });
  parser.InGroup(kInputs, [&] { AddPreprocessFlag(parser, line); });
  parser.InGroup(kQuantization, [&] { AddQuantizationFlags(parser, line, raw); });
  parser.InGroup(kDevice, [&] { AddDeviceFlags(parser, line, raw); });
  parser.InGroup(kOutput, [&] { AddOutputFlags(parser, lists, line, raw); });
  parser.InGroup(kChecks, [&] { AddCheckFlags(parser, line, raw); });
}

}  // namespace micrort::cli
