// Commands typed as other programs take them: each message says what to type instead.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/onnx_builder.h"
#include "tests/programs/process.h"
#include "tools/io/npy.h"

namespace micrort::test::mistyped_commands {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class MistypedCommands : public ::testing::Test {
 protected:
  MistypedCommands() {
    testing::OnnxBuilder builder;
    builder.Input("image", {"1", "3", "16", "16"}).Weights("w", {8, 3, 3, 3});
    builder.Node("Conv", {"image", "w"}, {"sums"}).Ints("pads", {1, 1, 1, 1});
    builder.Node("GlobalAveragePool", {"sums"}, {"y"});
    WriteFile(source_, builder.Output("y").Bytes());
  }
  void SetUp() override {
    ASSERT_EQ(RunProgram("mnnconvert", {source_, "-o", model_, "--quiet"}).exit_code, 0);
  }

  // What a usage error says.
  std::string Message(const std::string& program, const std::vector<std::string>& arguments) {
    const ProcessResult result = RunProgram(program, arguments);
    EXPECT_EQ(result.exit_code, 1) << result.err;
    return result.err;
  }
  std::string Converting(std::vector<std::string> flags) {
    flags.insert(flags.begin(), {source_, "-o", folder_ / "out.fb"});
    return Message("mnnconvert", flags);
  }
  std::string Running(std::vector<std::string> flags) {
    flags.insert(flags.begin(), model_);
    return Message("micrort-run", flags);
  }
  std::string Array() {
    const std::vector<float> x(3 * 16 * 16, 1.0f);
    const std::vector<uint8_t> npy = io::FormatNpy(DType::kFloat32, {1, 3, 16, 16}, x.data());
    WriteFile(folder_ / "x.npy", std::string(npy.begin(), npy.end()));
    return folder_ / "x.npy";
  }
  std::string Picture() {
    const std::string pictures = SourceFile("examples/meter_reader/calibration");
    return pictures + "/" + FilesIn(pictures)[0];
  }

  const TemporaryFolder folder_;
  const std::string source_ = folder_ / "net.onnx", model_ = folder_ / "net.fb";
};

TEST_F(MistypedCommands, NothingAtAll) {
  EXPECT_THAT(Message("mnnconvert", {}),
              HasSubstr("MODEL is required; for instance: mnnconvert model.onnx -o model.fb\n"));
  EXPECT_THAT(Message("micrort-run", {}), HasSubstr("for instance: micrort-run face.fb --input"));
}

TEST_F(MistypedCommands, LinesToTypeAreRight) {
  EXPECT_THAT(Message("mnnconvert", {"--quant", "int8", source_}),
              HasSubstr("type: mnnconvert --quant int8 " + source_ + " -o OUT.fb"));
}

TEST_F(MistypedCommands, FlagsOfOtherPrograms) {
  EXPECT_THAT(Converting({"--fp16"}), HasSubstr("did you mean --quant fp16?"));
  EXPECT_THAT(Converting({"--std", "0.2"}), HasSubstr("did you mean --scale, the factor 1/std"));
  EXPECT_THAT(Converting({"--shape", "image=1"}), HasSubstr("did you mean --input-shape image=1?"));
  EXPECT_THAT(Converting({"--threads", "2"}), HasSubstr("did you mean --target-threads 2?"));
  EXPECT_THAT(Message("mnnconvert", {"--model", source_, "-o", folder_ / "out.fb"}),
              HasSubstr("type mnnconvert MODEL ..., without a flag"));
  EXPECT_THAT(Message("mnnconvert", {source_, "-out", folder_ / "out.fb"}),
              HasSubstr("did you mean --output " + (folder_ / "out.fb") + "?"));
  EXPECT_THAT(Message("micrort-bench", {model_, "--iterations", "5"}), HasSubstr("did you mean --runs 5?"));
  EXPECT_THAT(Running({"--image", "x.png"}), HasSubstr("did you mean --input x.png?"));
}

TEST_F(MistypedCommands, ValuesByOtherNames) {
  EXPECT_THAT(Converting({"--quant", "half"}), HasSubstr("did you mean fp16?"));
  EXPECT_THAT(Converting({"--quant", "8"}), HasSubstr("did you mean int8?"));
  EXPECT_THAT(Converting({"--from", "pytorch"}), HasSubstr("did you mean torchscript?"));
  EXPECT_THAT(Converting({"--from", "keras"}), HasSubstr("did you mean tensorflow?"));
  EXPECT_THAT(Converting({"--emit", "c++"}), HasSubstr("did you mean cpp?"));
  EXPECT_THAT(Running({"--color", "grey"}), HasSubstr("did you mean gray?"));
}

TEST_F(MistypedCommands, ShapesInOtherForms) {
  EXPECT_THAT(Converting({"--input-shape", "image=1,3,8,8"}),
              HasSubstr("did you mean --input-shape image=1x3x8x8?"));
  EXPECT_THAT(Converting({"--input-shape", "image:[1, 3, 8, 8]"}),
              HasSubstr("did you mean --input-shape image=1x3x8x8?"));
  EXPECT_THAT(Converting({"--input-shape", "1x3x8x8"}), HasSubstr("type --input-shape '#0=1x3x8x8'"));
  EXPECT_THAT(Converting({"--input-shape", "image=large"}), Not(HasSubstr("did you mean")));
}

TEST_F(MistypedCommands, ValuesThatAreMissingOrNoNumbers) {
  EXPECT_THAT(Converting({"--quant", "int8", "--calib"}), HasSubstr("--calib: expected PATH..."));
  EXPECT_THAT(Converting({"--quant", "int8", "--calib"}), HasSubstr("found nothing"));
  EXPECT_THAT(Converting({"--scale", "1/128"}),
              HasSubstr("--scale: expected a number such as 0.0078, found '1/128'"));
}

TEST_F(MistypedCommands, ArgumentsTooMany) {
  EXPECT_THAT(Message("mnnconvert", {source_, source_, "-o", folder_ / "out.fb"}),
              HasSubstr("is one argument too many; it takes one model at a time"));
  EXPECT_THAT(Running({"x.npy"}), HasSubstr("did you mean --input NAME=x.npy?"));
  EXPECT_THAT(Running({"image=x.npy"}), HasSubstr("did you mean --input image=x.npy?"));
}

TEST_F(MistypedCommands, AddressesWhereFilesBelong) {
  const std::string address = "https://example.org/net.onnx";
  const auto refuses = HasSubstr("found the address '" + address + "'; download it first: curl -LO ");
  EXPECT_THAT(Message("mnnconvert", {address, "-o", folder_ / "out.fb"}), refuses);
  for (const char* program : {"micrort-run", "micrort-info", "micrort-bench"}) {
    EXPECT_THAT(Message(program, {address}), refuses) << program;
  }
}

TEST_F(MistypedCommands, MeansOfPixelsFromZeroToOne) {
  const auto notes = [&](const std::string& mean, const std::string& scale) {
    return RunProgram("micrort-run",
                      {model_, "--input", "image=" + Picture(), "--mean", mean, "--scale", scale})
        .err;
  };
  EXPECT_THAT(notes("0.485,0.456,0.406", "4,5,4"),
              HasSubstr("type --mean 123.675,116.28,103.53 --scale 0.0156863,0.0196078,0.0156863"));
  EXPECT_THAT(notes("0.5", "0.0078"), HasSubstr("type --mean 127.5 --scale 0.0078"));
  EXPECT_THAT(notes("127", "0.0078"), IsEmpty());
  EXPECT_THAT(notes("0", "0.0039"), IsEmpty());
}

TEST_F(MistypedCommands, SamplesThatAreNone) {
  const TemporaryFolder empty;
  EXPECT_THAT(Converting({"--quant", "int8", "--calib", empty.path()}),
              HasSubstr("expected files of .npy, .npz"));
  WriteFile(folder_ / "x.webp", "RIFF");
  EXPECT_THAT(Converting({"--quant", "int8", "--calib", folder_ / "x.webp"}),
              HasSubstr("pictures are read from .png, .jpg and .bmp"));
  WriteFile(folder_ / "text.png", "this is text");
  EXPECT_THAT(Running({"--input", "image=" + (folder_ / "text.png")}), HasSubstr("found other content"));
}

TEST_F(MistypedCommands, LabelsOfAnotherModel) {
  const auto notes = [&](int labels) {
    std::string text;
    for (int i = 0; i < labels; ++i) text += "label\n";
    WriteFile(folder_ / "labels.txt", text);
    return RunProgram("micrort-run",
                      {model_, "--input", "image=" + Array(), "--labels", folder_ / "labels.txt"})
        .err;
  };
  EXPECT_THAT(notes(8), IsEmpty());
  EXPECT_THAT(notes(2), AllOf(HasSubstr("has 2 labels"), HasSubstr("output 'y' has 8 scores")));
  EXPECT_THAT(notes(9), HasSubstr("one too many"));
  EXPECT_THAT(notes(7), HasSubstr("background"));
}

TEST_F(MistypedCommands, JsonOfRunsMayBeAFile) {
  const ProcessResult result = RunProgram("micrort-run", {model_, "--json", folder_ / "out.json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("#    name"));
  EXPECT_THAT(ReadFile(folder_ / "out.json"), HasSubstr("\"outputs\""));
  EXPECT_THAT(Running({"--json", model_}), HasSubstr("which is read"));
}

}  // namespace
}  // namespace micrort::test::mistyped_commands
