// Usual mistakes of the first hour: each message says what is wrong, and what to type instead.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "tests/converter/onnx_builder.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"
#include "tools/io/npy.h"

namespace micrort::test::usual_mistakes {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// y = Relu(Conv(x)) of a picture.
std::string PictureNetwork(const std::vector<std::string>& shape = {"1", "3", "16", "16"}) {
  testing::OnnxBuilder builder;
  builder.Input("image", shape).Weights("w", {8, 3, 3, 3});
  builder.Node("Conv", {"image", "w"}, {"sums"}).Ints("pads", {1, 1, 1, 1});
  return builder.Node("Relu", {"sums"}, {"y"}).Output("y").Bytes();
}

class UsualMistakes : public ::testing::Test {
 protected:
  UsualMistakes() { WriteFile(model_, PictureNetwork()); }

  // Fails with a usage error that says so, and writes nothing.
  void ExpectMessage(const std::vector<std::string>& arguments, const std::string& message, int code = 1) {
    const ProcessResult result = RunProgram("mnnconvert", arguments);
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_THAT(FilesIn(out_.path()), IsEmpty());
  }
  void ExpectFlagMessage(std::vector<std::string> flags, const std::string& message, int code = 1) {
    flags.insert(flags.begin(), {model_, "-o", out_ / "out.fb"});
    ExpectMessage(flags, message, code);
  }
  template <typename T>
  std::string Array(const std::vector<int64_t>& shape) {
    size_t elements = 1;
    for (const int64_t d : shape) elements *= static_cast<size_t>(d);
    const std::vector<T> x(elements, T{1});
    const std::vector<uint8_t> npy = io::FormatNpy(kDTypeOf<T>, shape, x.data());
    WriteFile(folder_ / "x.npy", std::string(npy.begin(), npy.end()));
    return folder_ / "x.npy";
  }

  TemporaryFolder folder_, out_;
  const std::string model_ = folder_ / "model.onnx";
};

TEST_F(UsualMistakes, OutputsWithoutTheirFlag) {
  const std::string out = out_ / "out.fb";
  ExpectMessage({model_, out}, "--output is required; type: mnnconvert " + model_ + " -o " + out);
  ExpectMessage({model_}, "type: mnnconvert " + model_ + " -o OUT.fb");
  ExpectMessage({model_, "-o", out_ / "out.tflite"}, "type -o " + (out_ / "out.fb"));
}

TEST_F(UsualMistakes, FlagsAndValuesThatAreNearlyRight) {
  ExpectFlagMessage({"--quantize", "int8"}, "--quantize is no option; did you mean --quant int8?");
  ExpectFlagMessage({"--quantise=int8"}, "did you mean --quant=int8?");
  ExpectFlagMessage({"--calibration", "pictures"}, "did you mean --calib pictures?");
  ExpectFlagMessage({"--input_shape", "x=1"}, "did you mean --input-shape x=1?");
  ExpectFlagMessage({"--quant", "INT8"}, "did you mean int8?");
  ExpectFlagMessage({"--quant", "int-8"}, "did you mean int8?");
  ExpectFlagMessage({"--frobnicate"}, "--frobnicate is no option\n");
}

TEST_F(UsualMistakes, TargetsByTheNamesOfDevices) {
  ExpectFlagMessage({"--target", "arm64"}, "phones of 2019 and later are --target dotprod");
  ExpectFlagMessage({"--target", "x86_64"}, "PCs are --target avx2");
  ExpectFlagMessage({"--target", "cortex-m"}, "name the core: --target cortex-m0plus");
  ExpectFlagMessage({"--target", "dotprd"}, "did you mean dotprod?");
  ExpectFlagMessage({"--target", "cortex-a53"}, "Cortex-A35, A53, A57, A72 and A73 are --target neon");
  ExpectFlagMessage({"--target", "RaspberryPi4"}, "the Raspberry Pi 3 and 4 are --target neon");
  ExpectFlagMessage({"--target", "apple-m1"}, "Apple's M1, A13 and A14 are --target dotprod");
  ExpectFlagMessage({"--target", "esp32s3"}, "without --target, the file runs on it by portable code");
}

TEST_F(UsualMistakes, ModelsBehindAFlagThatTakesSeveralValues) {
  const std::string samples = Array<float>({1, 3, 16, 16});
  ExpectMessage({"--quant", "int8", "--calib", samples, model_, "-o", out_ / "out.fb"},
                "--calib took '" + model_ + "': put the other arguments before --calib");
}

TEST_F(UsualMistakes, FoldersThatDoNotExist) {
  ExpectMessage({model_, "-o", out_ / "new/out.fb"},
                "new/out.fb: its folder does not exist: mkdir -p " + (out_ / "new"));
}

TEST_F(UsualMistakes, SamplesForInputsThatAreNotThere) {
  ExpectFlagMessage(
      {"--quant", "int8", "--calib", "images=" + Array<float>({1, 3, 16, 16})},
      "--calib: 'images' is no input of the model, whose inputs are 'image'; did you mean image?");
}

TEST_F(UsualMistakes, NormalizationOfPicturesThatNobodyReads) {
  ExpectFlagMessage({"--mean", "127"}, "add --calib PICTURES");
  ExpectFlagMessage({"--scale", "0.5", "--quant", "int8"}, "or --preprocess to put them into the model");
}

TEST_F(UsualMistakes, ArraysOfAnotherLayout) {
  const std::vector<std::string> flags = {"--quant", "int8", "--calib", folder_ / "x.npy"};
  Array<float>({1, 16, 16, 3});
  ExpectFlagMessage(flags, "NHWC where the input is NCHW: np.save(file, x.transpose(0, 3, 1, 2))");
  Array<float>({16, 16, 3});
  ExpectFlagMessage(flags, "HWC where the input is NCHW: np.save(file, x.transpose(2, 0, 1)[None])");
  Array<float>({1, 8, 8, 8});
  ExpectFlagMessage(flags, "expected shape 1x3x16x16, found 1x8x8x8\n");
}

TEST_F(UsualMistakes, ElementsOfAnotherType) {
  const auto notes_of = [&](const std::string& array) {
    const ProcessResult result =
        RunProgram("mnnconvert", {model_, "-o", out_ / "out.fb", "--verify", "--calib", array});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.err;
  };
  EXPECT_THAT(notes_of(Array<double>({1, 3, 16, 16})), HasSubstr("x.astype(np.float32)"));
  EXPECT_THAT(notes_of(Array<uint8_t>({1, 3, 16, 16})), HasSubstr("normalize them as in training"));
  EXPECT_THAT(notes_of(Array<int64_t>({1, 3, 16, 16})), HasSubstr("normalize them as in training"));
  EXPECT_THAT(notes_of(Array<float>({1, 3, 16, 16})), IsEmpty());
}

TEST_F(UsualMistakes, ModelsThatDoNotFit) {
  const ProcessResult result = RunProgram("mnnconvert", {model_, "-o", out_ / "out.fb", "--max-arena", "1K"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("--quant int8 --calib SAMPLES: "), HasSubstr("--io-type uint8"),
                                HasSubstr("--input-shape image=1x3x8x8: ")));
}

TEST_F(UsualMistakes, SourceModelsForProgramsThatRunThem) {
  for (const char* program : {"micrort-run", "micrort-bench", "micrort-info"}) {
    const ProcessResult result = RunProgram(program, {model_});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("found an ONNX model; convert it first: mnnconvert " + model_ + " -o " +
                                      (folder_ / "model.fb")));
  }
  EXPECT_THAT(RunProgram("micrort-run", {folder_.path()}).err, HasSubstr("found a folder"));
}

TEST_F(UsualMistakes, OtherFilesForProgramsThatRunModels) {
  const std::string file = folder_ / "x.fb";
  const auto message_of = [&](const std::string& content) {
    WriteFile(file, content);
    return RunProgram("micrort-run", {file}).err;
  };
  EXPECT_THAT(message_of(PictureNetwork()), HasSubstr("found an ONNX model; convert it first: mnnconvert " +
                                                      file + " -o " + (folder_ / "x.converted.fb")));
  EXPECT_THAT(message_of("Entry not found"), HasSubstr("begins with 'Entry not found', not a model"));
  EXPECT_THAT(message_of(std::string(64, '\1')), HasSubstr("mnnconvert model.onnx -o model.fb"));
  EXPECT_THAT(message_of(std::string("PK\3\4", 4) + std::string(40, ' ') + "archive/data.pkl"),
              HasSubstr("written by torch.save, without the network's code"));
  EXPECT_THAT(message_of(""), HasSubstr("the file is empty: copy or download it again"));
}

TEST_F(UsualMistakes, InputsOfMicrortRunThatAreNotThere) {
  ASSERT_EQ(RunProgram("mnnconvert", {model_, "-o", folder_ / "model.fb"}).exit_code, 0);
  const ProcessResult result =
      RunProgram("micrort-run", {folder_ / "model.fb", "--input", "img=" + Array<float>({1, 3, 16, 16})});
  EXPECT_THAT(result.err, HasSubstr("no such input; the model's inputs are 'image'"));
  const ProcessResult slip =
      RunProgram("micrort-run", {folder_ / "model.fb", "--input", "imgae=" + Array<float>({1, 3, 16, 16})});
  EXPECT_THAT(slip.err, HasSubstr("did you mean image?"));
  EXPECT_THAT(RunProgram("micrort-run", {folder_ / "model.fb", "--input", "x.npy"}).err,
              HasSubstr("--input: expected NAME=FILE, found 'x.npy'; micrort-info lists the names"));
  EXPECT_THAT(RunProgram("micrort-run", {folder_ / "model.fb", "-o", "out"}).err,
              HasSubstr("-o is no option; did you mean --output-dir out?"));
  EXPECT_THAT(RunProgram("micrort-run", {folder_ / "model.fb", "--threads", "two"}).err,
              HasSubstr("--threads: expected a number from 1 to 64, found 'two'"));
  EXPECT_THAT(RunProgram("micrort-run", {folder_ / "model.fb", "--isa", "avx512f"}).err,
              HasSubstr("did you mean avx512?"));
}

TEST(Help, HasGroupsOfOneLineAnOption) {
  const ProcessResult help = RunProgram("mnnconvert", {"--help"});
  std::istringstream lines(help.out);
  int options = 0;
  std::string last;
  for (std::string line; std::getline(lines, line); last = line) {
    EXPECT_LE(line.size(), 100u) << line;
    const bool is_option = line.compare(0, 3, "  -") == 0;
    options += is_option;
    EXPECT_THAT(line, Not(::testing::StartsWith("       "))) << "a second line of: " << last;
  }
  EXPECT_GT(options, 40);
  for (const char* group : {"Model:", "Inputs:", "Quantization:", "Device:", "Output:", "Checks:",
                            "Untrusted files:", "Example:"})
    EXPECT_THAT(help.out, HasSubstr(std::string("\n") + group)) << group;
  const std::string examples = help.out.substr(help.out.find("Example:"));
  EXPECT_EQ(std::count(examples.begin(), examples.end(), '\n'), 6) << examples;
}

TEST(Help, TellsTheDetailsWhenAsked) {
  const ProcessResult all = RunProgram("mnnconvert", {"--help-all"});
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_GT(all.out.size(), RunProgram("mnnconvert", {"--help"}).out.size() + 2000);
  EXPECT_THAT(all.out, HasSubstr("cortex-m55"));
}

}  // namespace
}  // namespace micrort::test::usual_mistakes
