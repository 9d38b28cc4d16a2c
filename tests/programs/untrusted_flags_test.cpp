// Every flag that the programs document, over every kind of model: each ends by itself, and where there is
// nothing to refuse, well.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "kernels/base/cpu_features.h"
#include "tests/converter/onnx_builder.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"
#include "tools/io/npy.h"

namespace micrort::test::every_flag {
namespace {

using ::micrort::testing::OnnxBuilder;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using Arguments = std::vector<std::string>;

// Weights in every form, activations that are kept, moved, fused.
OnnxBuilder Layers(const char* rows = "1") {
  OnnxBuilder b;
  b.Input("x", {rows, "2", "8", "8"}).Weights("w", {8, 2, 3, 3}).Weights("d", {8, 1, 3, 3});
  b.Weights("m", {512, 64}).Integers("s", {2}, {-1, 512});
  b.Node("Conv", {"x", "w"}, {"c"}).Ints("pads", {1, 1, 1, 1}).Node("Relu", {"c"}, {"r"});
  b.Node("Conv", {"r", "d"}, {"e"}).Ints("pads", {1, 1, 1, 1}).Int("group", 8).Node("Add", {"e", "r"}, {"a"});
  b.Node("Reshape", {"a", "s"}, {"f"}).Node("MatMul", {"f", "m"}, {"l"}).Node("Softmax", {"l"}, {"y"});
  return b.Output("y");
}

// Rows of a table by tokens, more than programs make up, and scores by the same table.
OnnxBuilder Embedding() {
  OnnxBuilder b;
  b.Input("tokens", {"1", "4"}, ::onnx::TensorProto::INT64).Weights("table", {256, 64});
  b.Node("Gather", {"table", "tokens"}, {"rows"})
      .Node("Transpose", {"table"}, {"turned"})
      .Ints("perm", {1, 0});
  return b.Node("MatMul", {"rows", "turned"}, {"y"}).Output("y");
}

OnnxBuilder Branches() {
  OnnxBuilder b;
  b.Input("x", {"2"}).Input("c", {}, ::onnx::TensorProto::BOOL).Node("If", {"c"}, {"y"});
  b.Graph("then_branch", testing::Branch("Relu", {"x"})).Graph("else_branch", testing::Branch("Neg", {"x"}));
  return b.Output("y");
}

OnnxBuilder Repeated() {
  OnnxBuilder body, b;
  body.Input("i", {}, ::onnx::TensorProto::INT64).Input("c", {}, ::onnx::TensorProto::BOOL).Input("v", {"2"});
  body.Node("Identity", {"c"}, {"d"}).Node("Neg", {"v"}, {"w"}).Output("d").Output("w");
  b.Input("x", {"2"}).Integers("n", {}, {3}).Node("Loop", {"n", "", "x"}, {"y"}).Graph("body", body);
  return b.Output("y");
}

OnnxBuilder Accumulated() {
  OnnxBuilder b;
  b.Input("x", {"1", "4"}).Input("last", {"1", "4"}).Node("Add", {"x", "last"}, {"next"});
  return b.Node("Neg", {"next"}, {"y"}).Output("y").Output("next");
}

void AddDecoderInputs(OnnxBuilder* b) {
  for (const char* x : {"q", "k", "v"}) b->Input(x, {"1", "1", "8"});
  for (const char* past : {"past_key", "past_value"}) b->Input(past, {"1", "2", "past", "4"});
}

OnnxBuilder Remembering() {
  OnnxBuilder b(23);
  AddDecoderInputs(&b);
  b.Node("Attention", {"q", "k", "v", "", "past_key", "past_value"}, {"y", "present_key", "present_value"});
  b.Int("is_causal", 1).Int("q_num_heads", 2).Int("kv_num_heads", 2);
  return b.Output("y").Output("present_key").Output("present_value");
}

OnnxBuilder LookingBack() {
  OnnxBuilder b(17);
  AddDecoderInputs(&b);
  auto* contrib = b.model.add_opset_import();
  contrib->set_domain("com.microsoft");
  contrib->set_version(1);
  b.Integers("last", {1, 1}, {0}).Integers("total", {}, {1});
  b.Node("GroupQueryAttention", {"q", "k", "v", "past_key", "past_value", "last", "total"},
         {"y", "present_key", "present_value"});
  b.graph().mutable_node(b.graph().node_size() - 1)->set_domain("com.microsoft");
  b.Int("num_heads", 2).Int("kv_num_heads", 2).Int("local_window_size", 3);
  return b.Output("y").Output("present_key").Output("present_value");
}

OnnxBuilder Picture() {
  OnnxBuilder b;
  b.Input("x", {"1", "3", "8", "8"}).Weights("w", {4, 3, 3, 3});
  return b.Node("Conv", {"x", "w"}, {"y"}).Output("y");
}

OnnxBuilder HalfWeights() {
  constexpr int32_t kOne = 0x3c00;
  OnnxBuilder b;
  b.Input("x", {"1", "4"}, ::onnx::TensorProto::FLOAT16);
  b.Narrow("w", ::onnx::TensorProto::FLOAT16, {4, 4}, std::vector<int32_t>(16, kOne));
  return b.Node("MatMul", {"x", "w"}, {"y"}).Output("y");
}

struct Kind {
  const char* name;
  OnnxBuilder source;
  Arguments flags;
  bool is_run = true;  // by programs of this CPU
};

bool HasAvx2() {
  CpuFeatures features = 0;
  return ParseIsa("avx2", &features) && (features & DetectCpuFeatures()) == features;
}

std::vector<Kind> Kinds(const std::string& samples) {
  return {{"float", Layers(), {}},
          {"half", Layers(), {"--quant", "fp16"}},
          {"half_activations", Layers(), {"--quant", "fp16", "--fp16-activations"}},
          {"int8_static", Layers(), {"--quant", "int8", "--calib", samples, "--embed-test"}},
          {"int8_dynamic", Layers(), {"--quant", "int8"}},
          {"int8_weights", Layers(), {"--quant", "int8-weights"}},
          {"int4_weights", Layers(), {"--quant", "int4-weights"}},
          {"int4_by_int8", Layers("16"), {"--quant", "int4-weights", "--int8-compute"}},
          {"int16x8", Layers(), {"--quant", "int16x8", "--calib", samples}},
          {"pixels", Picture(), {"--preprocess", "--mean", "127", "--scale", "0.01"}},
          {"half_source", HalfWeights(), {}},
          {"table", Embedding(), {}},
          {"half_table", Embedding(), {"--quant", "fp16"}},
          {"int8_table", Embedding(), {"--quant", "int8"}},
          {"int4_table", Embedding(), {"--quant", "int4-weights"}},
          {"open_sizes", Layers("rows"), {}},
          {"open_sizes_int8", Layers("rows"), {"--quant", "int8"}},
          {"branches", Branches(), {}},
          {"loop", Repeated(), {}},
          {"state", Accumulated(), {"--state", "next=last"}},
          {"caches", Remembering(), {"--kv-cache", "16"}},
          {"half_caches", Remembering(), {"--kv-cache", "16", "--kv-type", "f16"}},
          {"int8_caches", Remembering(), {"--kv-cache", "16", "--kv-type", "int8"}},
          {"rings", LookingBack(), {"--kv-cache", "16"}},
          {"half_rings", LookingBack(), {"--kv-cache", "16", "--kv-chunk", "4", "--kv-type", "f16"}},
          {"int8_rings", LookingBack(), {"--kv-cache", "16", "--kv-type", "int8"}},
          {"packed", Layers(), {"--target", "avx2,scalar", "--quant", "int8"}},
          {"packed_only", Layers(), {"--target", "avx2", "--packed-only"}, HasAvx2()},
          {"microcontroller", Layers(), {"--target", "cortex-m4", "--quant", "int8", "--calib", samples}}};
}

class EveryFlag : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<float> pixels(2 * 8 * 8, 0.5f);
    const std::vector<uint8_t> npy = io::FormatNpy(DType::kFloat32, {1, 2, 8, 8}, pixels.data());
    WriteFile(folder_ / "sample.npy", {npy.begin(), npy.end()});
    WriteFile(folder_ / "labels.txt", "cat\ndog\n");
    kinds_ = Kinds(folder_ / "sample.npy");
  }

  std::string SourceOf(const Kind& kind) {
    const std::string source = folder_ / (std::string(kind.name) + ".onnx");
    WriteFile(source, kind.source.Bytes());
    return source;
  }

  std::string Convert(const Kind& kind, const std::string& out, const Arguments& more = {}) {
    Arguments arguments = {SourceOf(kind), "-o", folder_ / out, "--quiet"};
    arguments.insert(arguments.end(), kind.flags.begin(), kind.flags.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    ExpectEnd("mnnconvert", arguments, true);
    return folder_ / out;
  }

  // Runs `program MODEL FLAGS`.
  void ExpectEnd(const std::string& program, const Arguments& arguments, bool is_welcome) {
    const ProcessResult r = RunProgram(program, arguments, {uint64_t{8} << 30, 20});
    std::string command = program;
    for (const std::string& argument : arguments) command += " " + argument;
    if (is_welcome) {
      EXPECT_EQ(r.exit_code, 0) << command << "\n" << r.err;
    } else {
      EXPECT_THAT(r.exit_code, AnyOf(1, 2, 3)) << command << "\n" << r.err;
      EXPECT_THAT(r.err, HasSubstr(program + ": error: ")) << command;
    }
  }

  void ExpectEndOfAll(const std::string& program, const std::vector<Arguments>& flags, bool is_welcome,
                      const std::string& model) {
    for (const Arguments& some : flags) {
      Arguments arguments = {model};
      arguments.insert(arguments.end(), some.begin(), some.end());
      ExpectEnd(program, arguments, is_welcome);
    }
  }

  // Flags that --help prints and the table leaves out; those of pictures have tests of their own.
  static std::set<std::string> Untried(const std::string& program, const std::vector<Arguments>& tried) {
    const std::string help = RunProgram(program, {"--help"}).out;
    const std::regex flag("\\n  (?:-., ?|-.,)?(--[a-z0-9-]+)");
    std::set<std::string> untried;
    for (std::sregex_iterator it(help.begin(), help.end(), flag), end; it != end; ++it)
      untried.insert((*it)[1]);
    for (const char* other :
         {"--help", "--help-all", "--version", "--mean", "--scale", "--color", "--resize", "--input"})
      untried.erase(other);
    for (const Arguments& arguments : tried) {
      for (const std::string& argument : arguments) untried.erase(argument.substr(0, argument.find('=')));
    }
    return untried;
  }

  const TemporaryFolder folder_;
  const std::vector<Arguments> info_ = {
      {},
      {"--json"},
      {"--plan"},
      {"--program"},
      {"--json", "--plan", "--program"},
      {"--dot"},
      {"--dot", "--program"},
      {"--onnx", folder_ / "graph.onnx"},
      {"--isa", "scalar", "--plan"},
      {"--max-memory", "1000000000", "--max-work", "1000000000000", "--program"}};
  const std::vector<Arguments> run_ = {{},
                                       {"--output-dir", folder_ / "outputs"},
                                       {"--dump-layers", folder_ / "layers"},
                                       {"--threads", "2"},
                                       {"--labels", folder_ / "labels.txt"},
                                       {"--custom-ops", MICRORT_HALF_OP},
                                       {"--json", "-"},
                                       {"--isa", "scalar"},
                                       {"--max-memory", "1000000000", "--max-work", "1000000000000"}};
  const std::vector<Arguments> bench_ = {{},
                                         {"--json", "-"},
                                         {"--json", folder_ / "bench.json", "--no-spin"},
                                         {"--profile"},
                                         {"--profile=candidates"},
                                         {"--tune", folder_ / "tuned"},
                                         {"--tuned", folder_ / "tuned"},
                                         {"--trace", folder_ / "trace.json"},
                                         {"--custom-ops", MICRORT_HALF_OP},
                                         {"--min-time", "0.001", "--threads", "2", "--cpus", "0"},
                                         {"--isa", "scalar"},
                                         {"--max-memory", "1000000000", "--max-work", "1000000000000"}};
  std::vector<Kind> kinds_;
};

TEST_F(EveryFlag, OfMicrortInfoEndsWithEveryKindOfModel) {
  std::vector<Arguments> tried = info_;
  tried.push_back({"--input-shape"});
  EXPECT_THAT(Untried("micrort-info", tried), ::testing::IsEmpty());
  for (const Kind& kind : kinds_) {
    SCOPED_TRACE(kind.name);
    const std::string model = Convert(kind, "model.fb");
    for (const Arguments& flags : info_) {
      const bool is_planned = std::find(flags.begin(), flags.end(), "--isa") != flags.end() ||
                              std::find(flags.begin(), flags.end(), "--program") != flags.end();
      const bool needs_avx2 = std::string(kind.name) == "packed_only" && is_planned;
      if (!needs_avx2) ExpectEndOfAll("micrort-info", {flags}, true, model);
    }
    ExpectEndOfAll("micrort-info", {{"--plan", "--input-shape", "nothing=1"}}, false, model);
    if (std::string(kind.name).find("open_sizes") == 0)
      ExpectEndOfAll("micrort-info", {{"--plan", "--input-shape", "x=3x2x8x8"}}, true, model);
    // Of any other program that reads ONNX.
    ::onnx::ModelProto graph;
    EXPECT_TRUE(graph.ParseFromString(ReadFile(folder_ / "graph.onnx")));
    EXPECT_GT(graph.graph().node_size(), 0);
  }
}

TEST_F(EveryFlag, OfMicrortRunAndBenchEndsWithEveryKindOfModel) {
  std::vector<Arguments> tried = run_;
  tried.push_back({"--tuned"});
  EXPECT_THAT(Untried("micrort-run", tried), ::testing::IsEmpty());
  tried = bench_;
  tried.push_back({"--runs", "--warmup", "--self-test"});
  EXPECT_THAT(Untried("micrort-bench", tried), ::testing::IsEmpty());
  for (const Kind& kind : kinds_) {
    SCOPED_TRACE(kind.name);
    const std::string model = Convert(kind, "model.fb");
    const bool is_portable = std::string(kind.name) != "packed_only";
    for (const Arguments& flags : run_) {
      const bool is_welcome = kind.is_run && (is_portable || flags.empty() || flags[0] != "--isa");
      ExpectEndOfAll("micrort-run", {flags}, is_welcome, model);
    }
    for (Arguments flags : bench_) {
      const bool is_welcome = kind.is_run && (is_portable || flags.empty() || flags[0] != "--isa");
      flags.insert(flags.end(), {"--runs", "1", "--warmup", "0"});
      ExpectEndOfAll("micrort-bench", {flags}, is_welcome, model);
    }
    if (kind.is_run) ExpectEnd("micrort-run", {model, "--tuned", folder_ / "tuned"}, true);
    const bool has_test = std::string(kind.name) == "int8_static";
    ExpectEnd("micrort-bench", {model, "--self-test"}, has_test);
  }
}

TEST_F(EveryFlag, OfMicrortSealEndsWithEveryKindOfModelAndAllProgramsWithWhatItSealed) {
  if (RunProgram("micrort-seal", {"--version"}).exit_code != 0) GTEST_SKIP() << "built without libsodium";
  const std::string key = folder_ / "key", sealed = folder_ / "sealed", opened = folder_ / "opened.fb";
  ExpectEnd("micrort-seal", {"keys", key}, true);
  for (const Kind& kind : kinds_) {
    SCOPED_TRACE(kind.name);
    const std::string model = Convert(kind, "model.fb");
    for (const bool is_signed : {true, false}) {
      Arguments seal = {"seal", model, "-o", sealed, "--encrypt", key + ".secret"}, open = seal;
      open[0] = "open";
      open[1] = sealed;
      open[3] = opened;
      if (is_signed) seal.insert(seal.end(), {"--sign", key + ".sign"});
      if (is_signed) open.insert(open.end(), {"--public", key + ".public"});
      ExpectEnd("micrort-seal", seal, true);
      ExpectEnd("micrort-seal", open, true);
      EXPECT_EQ(ReadFile(opened), ReadFile(model));
    }
  }
  ExpectEndOfAll("micrort-info", info_, false, sealed);
  ExpectEndOfAll("micrort-run", run_, false, sealed);
  ExpectEndOfAll("micrort-bench", bench_, false, sealed);
  for (const char* endless : {"/dev/zero", "/dev/full"}) {
    ExpectEnd("micrort-seal", {"open", endless, "-o", opened, "--encrypt", key + ".secret"}, false);
    ExpectEnd("micrort-seal", {"open", sealed, "-o", opened, "--public", endless}, false);
  }
}

TEST_F(EveryFlag, ThatMakesMnnconvertWriteSomethingElseEndsWithEveryKindOfModel) {
  for (const Kind& kind : kinds_) {
    SCOPED_TRACE(kind.name);
    const std::string model = Convert(kind, "model.fb");
    Convert(kind, "reported.fb",
            {"--report", folder_ / "report.html", "--json", folder_ / "report.json", "--verify=layers",
             "--dump-passes", folder_ / (std::string(kind.name) + "_passes")});
    Convert(kind, "verified.fb", {"--verify", "--json", "-"});
    ExpectEnd("mnnconvert", {SourceOf(kind), "--list"}, true);
    ExpectEnd("mnnconvert", {"--emit", "resolver", model, "-o", folder_ / "ops.h"}, true);
    Convert(kind, "array.h", {"--emit", "array"});
    // Not of every kind: what it cannot write, it says.
    const ProcessResult cpp =
        RunProgram("mnnconvert", {SourceOf(kind), "-o", folder_ / (std::string(kind.name) + "_cpp"), "--emit",
                                  "cpp", "--cpp-class", "a::Net", "--quiet"});
    EXPECT_THAT(cpp.exit_code, AnyOf(0, 3)) << cpp.err;
    for (const char* word : {"and", "co_await", "linux", "class", "not_eq"}) {
      ExpectEnd("mnnconvert",
                {SourceOf(kind), "-o", folder_ / "refused", "--emit", "cpp", "--cpp-class",
                 std::string("a::") + word},
                false);
    }
  }
}

// Samples for what a run asks for: states are not among it.
Arguments SamplesOf(const OnnxBuilder& source, const std::string& folder) {
  Arguments arguments = {"--calib"};
  for (const auto& input : source.model.graph().input()) {
    if (input.name() == "last" || input.name().find("past_") == 0) continue;
    const auto& type = input.type().tensor_type();
    std::vector<int64_t> shape = {1};
    for (const auto& dim : type.shape().dim()) shape.push_back(dim.has_dim_value() ? dim.dim_value() : 3);
    const bool is_half = type.elem_type() == ::onnx::TensorProto::FLOAT16;
    const DType dtype = type.elem_type() == ::onnx::TensorProto::INT64  ? DType::kInt64
                        : type.elem_type() == ::onnx::TensorProto::BOOL ? DType::kBool
                        : is_half                                       ? DType::kFloat16
                                                                        : DType::kFloat32;
    size_t bytes = SizeOf(dtype);
    for (const int64_t size : shape) bytes *= static_cast<size_t>(size);
    const std::vector<uint8_t> zeros(bytes);
    const std::vector<uint8_t> npy = io::FormatNpy(dtype, shape, zeros.data());
    WriteFile(folder + "/" + input.name() + ".npy", {npy.begin(), npy.end()});
    arguments.push_back(input.name() + "=" + folder + "/" + input.name() + ".npy");
  }
  return arguments;
}

TEST_F(EveryFlag, ThatChoosesBitsEndsWithEveryKindOfModel) {
  kinds_.push_back({"board", Layers(), {"--target", "cortex-m4"}});
  for (const Kind& kind : kinds_) {
    if (std::find(kind.flags.begin(), kind.flags.end(), "--quant") != kind.flags.end()) continue;
    for (const char* goal : {"size", "speed"}) {
      SCOPED_TRACE(std::string(kind.name) + " " + goal);
      Arguments flags = SamplesOf(kind.source, folder_.path());
      flags.insert(flags.end(), {"--quant", "auto", "--goal", goal, "--json", folder_ / "summary.json"});
      const std::string model = Convert(kind, "model.fb", flags);
      ExpectEnd("micrort-info", {model}, true);
      if (kind.is_run && std::string(kind.name) != "board") ExpectEnd("micrort-run", {model}, true);
    }
  }
}

}  // namespace
}  // namespace micrort::test::every_flag
