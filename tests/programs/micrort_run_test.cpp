#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "kernels/base/cpu_features.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"
#include "tools/io/file.h"
#include "tools/io/load.h"
#include "tools/io/npy.h"

namespace micrort::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kDigits[] = "examples/meter_reader/meter_digits.onnx";

class MicrortRun : public ::testing::Test {
 protected:
  void SetUp() override {
    const ProcessResult r = RunProgram("mnnconvert", {SourceFile(kDigits), "-o", model_, "--quiet"});
    ASSERT_EQ(r.exit_code, 0) << r.err;
  }
  ProcessResult Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), model_);
    return RunProgram("micrort-run", arguments);
  }

  const TemporaryFolder folder_;
  const std::string model_ = folder_ / "digits.fb";
};

TEST_F(MicrortRun, WritesOneFileAnOutputInTheSourceModelsShape) {
  const ProcessResult r = Run({"--output-dir", folder_ / "out"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(FilesIn(folder_ / "out"), ElementsAre("output.npy"));
  io::NamedArray output;
  const io::InputSpec spec{"output", DType::kFloat32, {1, 10}};
  EXPECT_TRUE(io::LoadInput(folder_ / "out/output.npy", spec, {}, &output).ok());
}

TEST_F(MicrortRun, NamesOnlyFilesThatItWrote) {
  EXPECT_THAT(Run({}).out, Not(HasSubstr("output.npy")));
  EXPECT_THAT(Run({"--output-dir", folder_ / "out"}).out, HasSubstr("output.npy"));
}

TEST_F(MicrortRun, PreparesPicturesAsTheModelStatesUnlessFlagsDo) {
  const std::string pictures = SourceFile("examples/meter_reader/calibration");
  const std::vector<std::string> flags = {"--mean", "127", "--scale", "0.0078125", "--color", "gray"};
  std::vector<std::string> convert = {SourceFile(kDigits), "-o",   model_,    "--quiet",
                                      "--quant",           "int8", "--calib", pictures};
  convert.insert(convert.end(), flags.begin(), flags.end());
  ASSERT_EQ(RunProgram("mnnconvert", convert).exit_code, 0);
  const auto run = [&](const std::vector<std::string>& how, bool says_so) {
    std::vector<std::string> arguments = {"--input", "input=" + pictures + "/" + FilesIn(pictures)[0],
                                          "--json", "-"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    const ProcessResult r = Run(arguments);
    EXPECT_EQ(r.exit_code, 0) << r.err;
    const auto stated = HasSubstr("as the model states: --mean 127 --scale 0.0078125 --color gray");
    if (says_so) {
      EXPECT_THAT(r.err, stated);
    } else {
      EXPECT_THAT(r.err, Not(stated));
    }
    return r.out;
  };
  const std::string as_stated = run({}, true);
  EXPECT_EQ(run(flags, false), as_stated);
  EXPECT_NE(run({"--mean", "0"}, false), as_stated);
  EXPECT_THAT(RunProgram("micrort-bench", {model_, "--min-time", "0", "--input",
                                           "input=" + pictures + "/" + FilesIn(pictures)[0]})
                  .err,
              HasSubstr("as the model states"));
}

TEST_F(MicrortRun, RandomInputsAreTheSameEveryTime) { EXPECT_EQ(Run({}).out, Run({}).out); }

void SetType(onnx::ValueInfoProto* value, const char* name, int type, int64_t size) {
  value->set_name(name);
  value->mutable_type()->mutable_tensor_type()->set_elem_type(type);
  value->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(1)->set_dim_value(size);
}

// The sum of rows of a table of 3, and of 50, by two inputs [1,64] of int64.
onnx::ModelProto Sentence() {
  onnx::ModelProto model = ReluModel();
  onnx::GraphProto& graph = *model.mutable_graph();
  *graph.add_input() = graph.input(0);
  SetType(graph.mutable_input(0), "types", onnx::TensorProto::INT64, 64);
  SetType(graph.mutable_input(1), "words", onnx::TensorProto::INT64, 64);
  SetType(graph.mutable_output(0), "y", onnx::TensorProto::FLOAT, 64);
  graph.clear_node();
  for (const auto& [name, rows] : {std::pair("types", 3), std::pair("words", 50)}) {
    onnx::TensorProto& table = *graph.add_initializer();
    table.set_name(std::string(name) + "_table");
    table.set_data_type(onnx::TensorProto::FLOAT);
    table.add_dims(rows);
    for (int i = 0; i < rows; ++i) table.add_float_data(static_cast<float>(i));
    AddNode(&model, "Gather", name, table.name(), std::string(name) + "_rows");
    graph.mutable_node(graph.node_size() - 1)->add_input(name);
  }
  AddNode(&model, "Add", "sum", "types_rows", "y");
  graph.mutable_node(2)->add_input("words_rows");
  return model;
}

TEST_F(MicrortRun, RandomIntegersAreRowsThatTablesHave) {
  WriteFile(folder_ / "sentence.onnx", Sentence().SerializeAsString());
  ASSERT_EQ(RunProgram("mnnconvert", {folder_ / "sentence.onnx", "-o", model_, "--quiet"}).exit_code, 0);
  const ProcessResult run = Run({}), bench = RunProgram("micrort-bench", {model_, "--min-time", "0"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(bench.exit_code, 0) << bench.err;
}

TEST_F(MicrortRun, PrintsOneJsonObject) {
  const ProcessResult r = Run({"--json", "-"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  const auto json = nlohmann::json::parse(r.out);
  EXPECT_EQ(json["outputs"][0]["name"], "output");
  EXPECT_EQ(json["outputs"][0]["file"], "output.npy");
  EXPECT_EQ(json["outputs"][0]["dtype"], "float32");
  EXPECT_EQ(json["outputs"][0]["shape"], nlohmann::json({1, 10}));
  EXPECT_LE(json["outputs"][0]["min"], json["outputs"][0]["max"]);
}

TEST_F(MicrortRun, ReadsAPictureByNameOrPosition) {
  const std::string picture = SourceFile("examples/meter_reader/calibration/digit_03.png");
  const std::vector<std::string> flags = {"--mean",  "127",  "--scale", "0.0078125",
                                          "--color", "gray", "--json",  "-"};
  std::vector<std::string> by_name = flags, by_position = flags;
  by_name.insert(by_name.end(), {"--input", "input=" + picture});
  by_position.insert(by_position.end(), {"--input", "#0=" + picture});
  const ProcessResult r = Run(by_name);
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_EQ(r.out, Run(by_position).out);
  EXPECT_NE(r.out, Run({"--json", "-"}).out);
}

TEST_F(MicrortRun, DumpsEveryLayer) {
  ASSERT_EQ(Run({"--dump-layers", folder_ / "layers"}).exit_code, 0);
  EXPECT_GT(FilesIn(folder_ / "layers").size(), 5u);
}

TEST_F(MicrortRun, GivesTheSameNumbersForAnyNumberOfThreads) {
  const std::string one = Run({"--json", "-"}).out;
  EXPECT_EQ(one, Run({"--json", "-", "--threads", "2"}).out);
  EXPECT_EQ(one, Run({"--json", "-", "--threads", "3"}).out);
}

TEST_F(MicrortRun, RunsWithEachInstructionSetThatTheCpuHas) {
  for (const char* name : {"scalar", "sse41", "avx2", "neon"}) {
    CpuFeatures features = 0;
    ASSERT_TRUE(ParseIsa(name, &features));
    const bool has = (features & DetectCpuFeatures()) == features;
    EXPECT_EQ(Run({"--isa", name}).exit_code, has ? 0 : 3) << name;
  }
}

TEST_F(MicrortRun, SaysWhichShapeAnInputNeeds) {
  const std::vector<float> values(6);
  const auto npy = io::FormatNpy(DType::kFloat32, {2, 3}, values.data());
  ASSERT_TRUE(io::WriteFileAtomically(folder_ / "x.npy", Span<const uint8_t>(npy.data(), npy.size())).ok());
  const ProcessResult r = Run({"--input", "input=" + (folder_ / "x.npy")});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_THAT(r.err, HasSubstr("input 'input': expected shape 1x1x32x24, found 2x3"));
}

TEST_F(MicrortRun, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(Run({"--no-such-flag"}).exit_code, 1);
  EXPECT_EQ(Run({"--threads", "0"}).exit_code, 1);
  EXPECT_EQ(Run({"--isa", "no-such-isa"}).exit_code, 1);
  EXPECT_EQ(Run({"--input", "input"}).exit_code, 1);
  EXPECT_EQ(Run({"--input", "input=/no/such/file.npy"}).exit_code, 1);
  const ProcessResult r = Run({"--input", "other=x.npy"});
  EXPECT_EQ(r.exit_code, 1);
  EXPECT_THAT(r.err, HasSubstr("no such input; the model's inputs are 'input'"));
}

TEST(Programs, RefuseBrokenModelFiles) {
  const TemporaryFolder folder;
  std::ofstream(folder / "empty.fb");
  std::ofstream(folder / "text.fb") << "this is no model, but a text that is long enough to hold a header";
  for (const char* program : {"micrort-run", "micrort-bench", "micrort-info"}) {
    EXPECT_EQ(RunProgram(program, {folder / "missing.fb"}).exit_code, 1) << program;
    for (const char* name : {"empty.fb", "text.fb"}) {
      const ProcessResult r = RunProgram(program, {folder / name});
      EXPECT_EQ(r.exit_code, 2) << program << " " << name;
      EXPECT_THAT(r.err, HasSubstr(name)) << program;
      EXPECT_EQ(r.out, "") << program;
    }
  }
}

TEST(Programs, ExplainThemselves) {
  for (const char* program : {"mnnconvert", "micrort-run", "micrort-bench", "micrort-info"}) {
    const ProcessResult help = RunProgram(program, {"--help"});
    EXPECT_EQ(help.exit_code, 0) << program;
    EXPECT_THAT(help.out, HasSubstr("Example:")) << program;
    const ProcessResult version = RunProgram(program, {"--version"});
    EXPECT_EQ(version.exit_code, 0) << program;
    EXPECT_THAT(version.out, HasSubstr(program)) << program;
    EXPECT_EQ(RunProgram(program, {}).exit_code, 1) << program;
  }
}

}  // namespace
}  // namespace micrort::test
