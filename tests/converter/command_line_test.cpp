#include "converter/cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace micrort::cli {
namespace {

using ::testing::ElementsAre;

TEST(ParseInputType, ReadsNameAndTypeAndRefusesEverythingElse) {
  frontend::InputType type;
  ASSERT_TRUE(ParseInputType("a=b=int64", &type).ok());
  EXPECT_EQ(type.input, "a=b");
  EXPECT_EQ(type.dtype, DType::kInt64);
  EXPECT_FALSE(type.is_complex);
  ASSERT_TRUE(ParseInputType("x=complex64", &type).ok());
  EXPECT_EQ(type.dtype, DType::kFloat32);
  EXPECT_TRUE(type.is_complex);
  for (const char* text :
       {"input", "=int64", "x=", "x=int", "x=int4", "x=unknown", "x=int64 ", "x=complex128", "=complex64"}) {
    EXPECT_EQ(ParseInputType(text, &type).code(), StatusCode::kInvalidArgument) << text;
  }
}

TEST(ParseInputValue, SplitsNamesFromValuesAndPaths) {
  frontend::InputValue value;
  const struct {
    const char *text, *input, *value;
  } cases[] = {{"rate=16000", "rate", "16000"},
               {"#0=1,-2.5e3,inf", "#0", "1,-2.5e3,inf"},
               {"a=b=true", "a=b", "true"},
               {"x=folder/k=1.npy", "x", "folder/k=1.npy"}};
  for (const auto& c : cases) {
    ASSERT_TRUE(ParseInputValue(c.text, &value).ok()) << c.text;
    EXPECT_EQ(value.input, c.input);
    EXPECT_EQ(value.text, c.value);
  }
  for (const char* text : {"rate", "=1", "rate=", "="}) {
    EXPECT_EQ(ParseInputValue(text, &value).code(), StatusCode::kInvalidArgument) << text;
  }
}

bool Parses(std::vector<const char*> arguments, CommandLine* line) {
  arguments.insert(arguments.begin(), "mnnconvert");
  std::vector<char*> argv;
  for (const char* argument : arguments) argv.push_back(const_cast<char*>(argument));
  int exit_code = -1;
  return ParseCommandLine(static_cast<int>(argv.size()), argv.data(), line, &exit_code);
}

CommandLine Parse(const std::vector<const char*>& arguments) {
  CommandLine line;
  EXPECT_TRUE(Parses(arguments, &line));
  return line;
}

TEST(ParseCommandLine, HasTheDocumentedDefaults) {
  const CommandLine line = Parse({"m.onnx", "-o", "m.fb"});
  EXPECT_EQ(line.model_path, "m.onnx");
  EXPECT_EQ(line.output_path, "m.fb");
  EXPECT_FALSE(line.quiet);
  EXPECT_EQ(line.options.quant, QuantMode::kNone);
  EXPECT_EQ(line.options.io_layout, IoLayout::kKeep);
  EXPECT_EQ(line.options.verify, VerifyMode::kOff);
  EXPECT_FALSE(line.options.max_arena.has_value());
}

TEST(ParseCommandLine, ReadsEveryFlag) {
  const CommandLine line = Parse({"m.onnx",
                                  "-o",
                                  "m.fb",
                                  "--from",
                                  "onnx",
                                  "--weights",
                                  "m.weights",
                                  "--quant",
                                  "int8",
                                  "--calib",
                                  "a",
                                  "x=b",
                                  "--calib-method",
                                  "percentile",
                                  "--mean",
                                  "1,2,3",
                                  "--scale",
                                  "0.5",
                                  "--color",
                                  "bgr",
                                  "--resize",
                                  "crop",
                                  "--input-shape",
                                  "x=1x?",
                                  "--input-shape",
                                  "y=2",
                                  "--feeds",
                                  "p,q",
                                  "--fetches",
                                  "r",
                                  "--io-layout",
                                  "nhwc",
                                  "--max-arena",
                                  "1000",
                                  "--verify=layers",
                                  "--quiet"});
  const ConvertOptions& options = line.options;
  EXPECT_EQ(options.format, frontend::SourceFormat::kOnnx);
  EXPECT_EQ(options.weights, "m.weights");
  EXPECT_EQ(options.quant, QuantMode::kInt8);
  EXPECT_THAT(options.calibration, ElementsAre("a", "x=b"));
  EXPECT_EQ(options.calibration_method, observe::CalibrationMethod::kPercentile);
  EXPECT_THAT(options.preprocess.mean, ElementsAre(1, 2, 3));
  EXPECT_EQ(options.preprocess.color, io::Color::kBgr);
  EXPECT_EQ(options.preprocess.fit, io::ResizeFit::kCrop);
  ASSERT_EQ(options.input_shapes.size(), 2u);
  EXPECT_EQ(options.input_shapes[1].name, "y");
  EXPECT_THAT(options.feeds, ElementsAre("p", "q"));
  EXPECT_THAT(options.fetches, ElementsAre("r"));
  EXPECT_EQ(options.io_layout, IoLayout::kNhwc);
  EXPECT_EQ(options.max_arena, 1000u);
  EXPECT_EQ(options.verify, VerifyMode::kLayers);
  EXPECT_TRUE(line.quiet);
}

TEST(ParseCommandLine, ReadsMemoryRegionsOfMicrocontrollersAlone) {
  const CommandLine line = Parse({"m.onnx", "-o", "m.fb", "--target", "cortex-m7", "--packed-only",
                                  "--memory-regions", "dtcm=64K,sram=256K@1M"});
  ASSERT_EQ(line.options.memory_regions.size(), 2u);
  EXPECT_EQ(line.options.memory_regions[1].offset, 1u << 20);
  for (const std::vector<const char*>& others :
       {std::vector<const char*>{"--target", "avx2", "--packed-only"},
        {"--target", "cortex-m7"},
        {"--target", "cortex-m7", "--packed-only", "--max-arena", "1M"}}) {
    std::vector<const char*> arguments = {"m.onnx", "-o", "m.fb", "--memory-regions", "fast=64K"};
    arguments.insert(arguments.end(), others.begin(), others.end());
    CommandLine refused;
    EXPECT_FALSE(Parses(arguments, &refused)) << others.size();
  }
}

TEST(ParseCommandLine, TakesTheModelBehindFlags) {
  const CommandLine line =
      Parse({"-o", "m.fb", "--verify", "--quant", "int8", "--calib", "a", "b", "m.onnx"});
  EXPECT_EQ(line.model_path, "m.onnx");
  EXPECT_THAT(line.options.calibration, ElementsAre("a", "b"));
  EXPECT_EQ(line.options.verify, VerifyMode::kOutputs);
}

}  // namespace
}  // namespace micrort::cli
