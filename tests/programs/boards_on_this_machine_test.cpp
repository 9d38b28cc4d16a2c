// Files for microcontrollers, run on this machine: what they say about it and about the board.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/programs/process.h"

namespace micrort::test::boards_here {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class BoardsHere : public ::testing::TestWithParam<const char*> {
 protected:
  // Of the converter's summary.
  json Convert(const std::vector<std::string>& flags) {
    std::vector<std::string> arguments = {SourceFile("examples/meter_reader/meter_digits.onnx"),
                                          "-o",
                                          model_,
                                          "--json",
                                          "-",
                                          "--quiet",
                                          "--target",
                                          GetParam()};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const ProcessResult result = RunProgram("mnnconvert", arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out);
  }
  std::vector<std::string> Int8() const {
    return {"--quant", "int8", "--calib", SourceFile("examples/meter_reader/calibration"),
            "--mean",  "127",  "--scale", "0.0078125",
            "--color", "gray"};
  }

  const TemporaryFolder folder_;
  const std::string model_ = folder_ / "digits.fb";
};

TEST_P(BoardsHere, RunSaysWhereItRan) {
  Convert(Int8());
  const ProcessResult here = RunProgram("micrort-run", {model_});
  ASSERT_EQ(here.exit_code, 0) << here.err;
  EXPECT_THAT(here.err,
              AllOf(HasSubstr(std::string("the file is for ") + GetParam()), HasSubstr(" kernels")));
  const ProcessResult portable = RunProgram("micrort-run", {model_, "--isa", "scalar"});
  EXPECT_THAT(portable.err, HasSubstr("with scalar kernels"));
  EXPECT_EQ(portable.out, here.out);
}

TEST_P(BoardsHere, FiguresAreTheBoards) {
  const json summary = Convert(Int8());
  const std::vector<std::string> once = {model_, "--runs", "1", "--warmup", "0", "--json", "-"};
  const json board = json::parse(RunProgram("micrort-bench", once).out)["board"];
  EXPECT_EQ(board["target"], GetParam());
  EXPECT_EQ(board["ram_bytes"], summary["ram_bytes"]);
  EXPECT_EQ(board["arena_bytes"], summary["arena_bytes"]);
  EXPECT_GT(board["multiply_adds"], 100000);
  EXPECT_EQ(json::parse(RunProgram("micrort-info", {model_, "--json"}).out)["board"], board);
  const std::string target = GetParam();
  EXPECT_EQ(board.contains("estimated_cycles"), target == "cortex-m4" || target == "cortex-m33");

  const ProcessResult text = RunProgram("micrort-bench", {model_, "--runs", "1"});
  EXPECT_THAT(text.out,
              AllOf(HasSubstr("board        " + target + ": "), HasSubstr(" bytes of RAM (arena ")));
  EXPECT_THAT(text.err, HasSubstr("times are those of this CPU"));
  EXPECT_THAT(RunProgram("micrort-info", {model_}).out, HasSubstr("board     " + target + ": "));
}

TEST_P(BoardsHere, FilesForTheBoardAloneSayHowToRunThemHere) {
  std::vector<std::string> flags = Int8();
  flags.push_back("--packed-only");
  const json summary = Convert(flags);
  const std::string target = GetParam();
  // Without kernels of their own, such cores take portable ones.
  const bool is_portable = target == "cortex-m0plus" || target == "cortex-m3";
  const ProcessResult result = RunProgram("micrort-run", {model_});
  if (!is_portable) {
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr("convert without --packed-only"));
  }
  const ProcessResult info = RunProgram("micrort-info", {model_, "--json"});
  EXPECT_EQ(json::parse(info.out)["board"]["ram_bytes"], summary["ram_bytes"]);
}

TEST_P(BoardsHere, FloatNetworksHaveNoCycles) {
  Convert({});
  const json info = json::parse(RunProgram("micrort-info", {model_, "--json"}).out);
  EXPECT_FALSE(info["board"].contains("estimated_cycles"));
}

INSTANTIATE_TEST_SUITE_P(Microcontrollers, BoardsHere,
                         ::testing::Values("cortex-m0plus", "cortex-m3", "cortex-m4", "cortex-m7",
                                           "cortex-m33", "cortex-m55"));

// Of networks whose cycles were counted (docs/measurements/microcontrollers.md).
TEST(BoardsHereCycles, LieWithinCountedOnes) {
  struct Counted {
    const char* network;
    double least, most;  // millions
  };
  for (const Counted& counted : {Counted{"resnet8", 30.7, 34.0}, Counted{"kws", 10.1, 11.6},
                                 Counted{"vww", 29.2, 33.7}, Counted{"ad", 1.30, 1.45}}) {
    const std::string source = ModelData("models/tflite/" + std::string(counted.network) + "_int8.tflite");
    if (!std::ifstream(source)) GTEST_SKIP() << "no " << source;
    const TemporaryFolder folder;
    const std::string model = folder / "net.fb";
    ASSERT_EQ(RunProgram("mnnconvert", {source, "-o", model, "--target", "cortex-m4", "--quiet"}).exit_code,
              0);
    const json board = json::parse(RunProgram("micrort-info", {model, "--json"}).out)["board"];
    EXPECT_GE(board["estimated_cycles"], counted.least * 1e6) << counted.network;
    EXPECT_LE(board["estimated_cycles"], counted.most * 1e6) << counted.network;
  }
}

TEST(BoardsHereNot, OtherFilesSayNothing) {
  const TemporaryFolder folder;
  const std::string model = folder / "digits.fb";
  ASSERT_EQ(RunProgram("mnnconvert",
                       {SourceFile("examples/meter_reader/meter_digits.onnx"), "-o", model, "--quiet"})
                .exit_code,
            0);
  EXPECT_THAT(RunProgram("micrort-run", {model}).err, IsEmpty());
  EXPECT_FALSE(json::parse(RunProgram("micrort-info", {model, "--json"}).out).contains("board"));
}

}  // namespace
}  // namespace micrort::test::boards_here
