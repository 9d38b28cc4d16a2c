// Weights packed for a class of CPUs, from mnnconvert --target to the programs that run them.

#include "kernels/base/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kernels/base/cpu_features.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test::target {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Target : public ::testing::Test {
 protected:
  ProcessResult Convert(std::vector<std::string> flags) {
    flags.insert(flags.begin(), {SourceFile("examples/meter_reader/meter_digits.onnx"), "-o", model_});
    return RunProgram("mnnconvert", flags);
  }
  json Bench(std::vector<std::string> flags = {}) {
    flags.insert(flags.begin(), {model_, "--runs", "1", "--warmup", "0", "--json", "-"});
    const ProcessResult result = RunProgram("micrort-bench", flags);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out);
  }
  // The bytes of what the model gives for random inputs.
  std::string Outputs(const std::string& isa) {
    const TemporaryFolder folder;
    const ProcessResult result =
        RunProgram("micrort-run", {model_, "--output-dir", folder.path(), "--isa", isa});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::string bytes;
    for (const std::string& name : FilesIn(folder.path())) bytes += ReadFile(folder / name);
    return bytes;
  }

  const TemporaryFolder folder_;
  const std::string model_ = folder_ / "digits.fb";
};

TEST_F(Target, IsLoadedInPlaceAndComputesTheSame) {
  ASSERT_EQ(Convert({}).exit_code, 0);
  const std::string portable = Outputs("scalar");
  const json before = Bench({"--isa", "scalar"});
  EXPECT_GT(before["packed_bytes"], 0);
  EXPECT_EQ(before["packed_in_place_bytes"], 0);

  const ProcessResult converted = Convert({"--target", "scalar"});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  EXPECT_THAT(converted.out, HasSubstr("bytes packed in the file for"));
  EXPECT_EQ(Outputs("scalar"), portable);
  const json after = Bench({"--isa", "scalar"});
  EXPECT_EQ(after["packed_bytes"], 0);
  EXPECT_EQ(after["packed_in_place_bytes"], before["packed_bytes"]);
  EXPECT_EQ(after["weight_bytes"], before["weight_bytes"]);
  const json elsewhere = Bench();
  EXPECT_EQ(elsewhere["packed_in_place_bytes"] == 0, elsewhere["isa"] != "scalar");
}

TEST_F(Target, AloneMakesTheFileSmallerAndKeepsToItsInstructions) {
  ASSERT_EQ(Convert({"--target", "scalar"}).exit_code, 0);
  const size_t both = ReadFile(model_).size();
  const std::string portable = Outputs("scalar");
  const ProcessResult converted = Convert({"--target", "scalar", "--packed-only"});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  EXPECT_THAT(converted.out, HasSubstr("portable"));
  EXPECT_LT(ReadFile(model_).size(), both);
  EXPECT_EQ(Bench()["isa"], "scalar");
  EXPECT_EQ(Outputs("scalar"), portable);
}

TEST_F(Target, AloneIsRefusedByOtherCpus) {
  const std::string strongest = TargetName(ArchitectureFeatures());
  if (strongest == "scalar") GTEST_SKIP() << "an architecture without instruction sets";
  ASSERT_EQ(Convert({"--target", strongest, "--packed-only"}).exit_code, 0);
  const ProcessResult result = RunProgram("micrort-run", {model_, "--isa", "scalar"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("packed for " + strongest + " only"),
                                HasSubstr("found a CPU with scalar"), HasSubstr("--target scalar")));
}

TEST_F(Target, GoesWithALimitOfTheArena) {
  ASSERT_EQ(Convert({"--target", "scalar", "--packed-only", "--max-arena", "200000"}).exit_code, 0);
  EXPECT_LE(Bench()["arena_bytes"], 200000);
  EXPECT_LE(Bench({"--threads", "3"})["arena_bytes"], 200000);
}

TEST_F(Target, GoesWithIntegers) {
  for (const char* quant : {"int8", "fp16", "int4-weights"}) {
    ASSERT_EQ(Convert({"--quant", quant}).exit_code, 0);
    const std::string portable = Outputs("scalar");
    ASSERT_EQ(Convert({"--quant", quant, "--target", "scalar", "--packed-only"}).exit_code, 0);
    EXPECT_EQ(Outputs("scalar"), portable) << quant;
    EXPECT_EQ(Bench()["packed_bytes"], 0) << quant;
  }
}

TEST_F(Target, IsShownByInfo) {
  ASSERT_EQ(Convert({"--target", "scalar", "--packed-only"}).exit_code, 0);
  EXPECT_THAT(
      RunProgram("micrort-info", {model_}).out,
      AllOf(HasSubstr("scalar, for which"), HasSubstr(" packed as "), HasSubstr("constant, packed only")));
  const json document = json::parse(RunProgram("micrort-info", {model_, "--json"}).out);
  EXPECT_EQ(document["schema_version"], 6);
  EXPECT_EQ(document["target"], "scalar");
  EXPECT_GT(document["packed_bytes"], 0);
  ASSERT_EQ(Convert({}).exit_code, 0);
  EXPECT_EQ(json::parse(RunProgram("micrort-info", {model_, "--json"}).out)["target"], "portable");
  EXPECT_THAT(RunProgram("micrort-info", {model_}).out, Not(HasSubstr("packed as")));
}

TEST_F(Target, MayBePortable) {
  ASSERT_EQ(Convert({}).exit_code, 0);
  const std::string file = ReadFile(model_);
  ASSERT_EQ(Convert({"--target", "portable"}).exit_code, 0);
  EXPECT_EQ(ReadFile(model_), file);
}

TEST_F(Target, MayBeSeveral) {
  const std::string strongest = TargetName(ArchitectureFeatures());
  if (strongest == "scalar") GTEST_SKIP() << "an architecture without instruction sets";
  const auto decided = [this](const std::string& isa) {
    const ProcessResult r = RunProgram("micrort-info", {model_, "--json", "--program", "--isa", isa});
    return json::parse(r.out)["program"]["decided"];
  };
  ASSERT_EQ(Convert({}).exit_code, 0);
  const std::string portable = Outputs("scalar");
  ASSERT_EQ(Convert({"--target", strongest + ",scalar"}).exit_code, 0);
  EXPECT_EQ(Outputs("scalar"), portable);
  EXPECT_EQ(Bench({"--isa", "scalar"})["packed_bytes"], 0);
  EXPECT_EQ(decided("scalar"), "in the file");
  const json document = json::parse(RunProgram("micrort-info", {model_, "--json"}).out);
  EXPECT_EQ(document["target"], strongest + ",scalar");
  const std::string file = ReadFile(model_);
  ASSERT_EQ(Convert({"--target", strongest, "--target", "scalar"}).exit_code, 0);
  EXPECT_EQ(ReadFile(model_), file);
  ASSERT_EQ(Convert({"--target", strongest}).exit_code, 0);
  EXPECT_EQ(decided("scalar"), "here");
}

TEST_F(Target, OfSeveralIsNeitherGivenTwiceNorPackedOnly) {
  const ProcessResult twice = Convert({"--target", "neon,scalar,neon"});
  EXPECT_EQ(twice.exit_code, 1);
  EXPECT_THAT(twice.err, HasSubstr("'neon' is given twice"));
  const ProcessResult only = Convert({"--target", "neon,scalar", "--packed-only"});
  EXPECT_EQ(only.exit_code, 1);
  EXPECT_THAT(only.err, HasSubstr("--packed-only: expected one --target, found 2"));
}

// The presets of microcontrollers link layers of int8 alone.
TEST_F(Target, OfAMicrocontrollerNamesLayersThatItsPresetRefuses) {
  struct {
    std::vector<std::string> flags;
    std::string layer, memory;
  } const kCases[] = {
      {{}, "(float32)", "of a build with MICRORT_FLOAT_LAYERS=ON: the preset refuses"},
      {{"--quant", "fp16"}, "(float32)", "of a build with MICRORT_FLOAT_LAYERS=ON"},
      {{"--quant", "int4-weights", "--int8-compute"}, "(int4 weights)", "MICRORT_FLOAT_LAYERS=ON"},
      {{"--quant", "int8"}, "", ""}};
  for (const auto& c : kCases) {
    std::vector<std::string> flags = {"--target", "cortex-m33", "--packed-only"};
    flags.insert(flags.end(), c.flags.begin(), c.flags.end());
    const ProcessResult told = Convert(flags);
    ASSERT_EQ(told.exit_code, 0) << told.err;
    flags.insert(flags.end(), {"--json", "-"});
    const json summary = json::parse(Convert(flags).out);
    EXPECT_EQ(summary["device_refuses"].empty(), c.layer.empty()) << summary;
    EXPECT_EQ(summary["device_refusal"].is_null(), c.layer.empty()) << summary;
    if (c.layer.empty()) {
      EXPECT_THAT(told.err, Not(HasSubstr("warning")));
      EXPECT_THAT(told.out, HasSubstr("all in, the size of its MemoryBlock\n"));
      continue;
    }
    EXPECT_THAT(told.err, AllOf(HasSubstr("warning: the library of the preset cortex-m33 refuses"),
                                HasSubstr(c.layer), HasSubstr("--quant int8 --calib PATH")));
    EXPECT_THAT(told.out, HasSubstr(c.memory));
  }
}

TEST_F(Target, OfAMicrocontrollerIsNotAskedByAheadOfTimeCode) {
  const TemporaryFolder folder;
  std::vector<std::string> flags = {SourceFile("examples/meter_reader/meter_digits.onnx"),
                                    "-o",
                                    folder / "net",
                                    "--emit",
                                    "cpp",
                                    "--cpp-class",
                                    "app::Net",
                                    "--target",
                                    "cortex-m33"};
  const ProcessResult told = RunProgram("mnnconvert", flags);
  ASSERT_EQ(told.exit_code, 0) << told.err;
  EXPECT_THAT(told.err, Not(HasSubstr("preset")));
  EXPECT_THAT(told.out, Not(AnyOf(HasSubstr("preset"), HasSubstr("MemoryBlock"))));
  flags.insert(flags.end(), {"--json", "-"});
  const json summary = json::parse(RunProgram("mnnconvert", flags).out);
  EXPECT_THAT(ReadFile(folder / "net/net.h"),
              HasSubstr("kBytes = " + std::to_string(summary["ram_bytes"].get<size_t>()) + ";"));
}

TEST_F(Target, IsOneThatTheBuildKnows) {
  const ProcessResult unknown = Convert({"--target", "abacus"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("expected one of portable, scalar"), HasSubstr("found 'abacus'")));
  const ProcessResult alone = Convert({"--packed-only"});
  EXPECT_EQ(alone.exit_code, 1);
  EXPECT_THAT(alone.err, HasSubstr("--packed-only needs --target"));
}

}  // namespace
}  // namespace micrort::test::target
