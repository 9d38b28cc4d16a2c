// Files converted on this machine for AArch64, as programs for AArch64 load them under qemu-user.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test::cross_target {
namespace {

using nlohmann::json;

using Flags = std::vector<std::string>;

class CrossTarget : public ::testing::TestWithParam<std::tuple<const char*, Flags>> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(DeviceProgram("micrort-run")))
      GTEST_SKIP() << "skipped: no build for AArch64";
  }

  static std::string DeviceProgram(const std::string& name) {
    return std::string(MICRORT_AARCH64_BUILD) + "/bin/" + name;
  }
  static std::string isa() { return std::get<0>(GetParam()); }

  // The summary.
  json Convert(Flags flags) {
    flags.insert(flags.begin(),
                 {SourceFile("examples/meter_reader/meter_digits.onnx"), "-o", model_, "--json", "-"});
    const Flags& quantization = std::get<1>(GetParam());
    flags.insert(flags.end(), quantization.begin(), quantization.end());
    const ProcessResult result = RunProgram("mnnconvert", flags);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out);
  }
  ProcessResult RunOnDevice(const std::string& program, const std::vector<std::string>& flags) {
    std::vector<std::string> command = {"qemu-aarch64", DeviceProgram(program), model_, "--isa", isa()};
    command.insert(command.end(), flags.begin(), flags.end());
    ProcessResult result = RunCommand(command);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }
  json Bench() {
    return json::parse(RunOnDevice("micrort-bench", {"--runs", "1", "--warmup", "0", "--json", "-"}).out);
  }
  // Byte for byte. The shard that this test belongs to is none of the device's.
  void ExpectPackedAsTheDeviceDoes() {
    const ProcessResult result =
        RunCommand({"qemu-aarch64", "-U", "GTEST_TOTAL_SHARDS", "-U", "GTEST_SHARD_INDEX", "-E",
                    "MICRORT_PACKED_MODEL=" + model_, DeviceProgram("runtime_tests"),
                    "--gtest_filter=PackedElsewhere.*"});
    EXPECT_EQ(result.exit_code, 0) << result.out;
    EXPECT_THAT(result.out, ::testing::HasSubstr("[  PASSED  ] 1 test"));
  }
  // The bytes of what the model gives for random inputs.
  std::string Outputs() {
    const TemporaryFolder folder;
    RunOnDevice("micrort-run", {"--output-dir", folder.path()});
    std::string bytes;
    for (const std::string& name : FilesIn(folder.path())) bytes += ReadFile(folder / name);
    return bytes;
  }

  const TemporaryFolder folder_;
  const std::string model_ = folder_ / "digits.fb";
};

TEST_P(CrossTarget, IsLoadedInPlaceAndMeasuredAsTheDeviceDoes) {
  Convert({});
  const std::string portable = Outputs();
  const json before = Bench();
  EXPECT_GT(before["packed_bytes"], 0);

  for (const bool packed_only : {false, true}) {
    Flags flags = {"--target", isa()};
    if (packed_only) flags.push_back("--packed-only");
    const json summary = Convert(flags);
    EXPECT_EQ(Outputs(), portable);
    EXPECT_EQ(json::parse(RunOnDevice("micrort-info", {"--program", "--json"}).out)["program"]["decided"],
              "in the file");
    const json after = Bench();
    EXPECT_EQ(after["packed_bytes"], 0);
    EXPECT_EQ(after["packed_in_place_bytes"], before["packed_bytes"]);
    EXPECT_EQ(summary["target"], isa());
    EXPECT_EQ(summary["packed_bytes"], before["packed_bytes"]);
    if (!packed_only) ExpectPackedAsTheDeviceDoes();
    EXPECT_EQ(summary["arena_bytes"], after["arena_bytes"]);
    EXPECT_EQ(summary["arena_lower_bound"], after["arena_lower_bound"]);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Aarch64, CrossTarget,
    ::testing::Combine(::testing::Values("neon", "dotprod"),
                       ::testing::Values(Flags{}, Flags{"--quant", "int8"}, Flags{"--quant", "fp16"},
                                         Flags{"--quant", "int4-weights", "--int8-compute"})));
INSTANTIATE_TEST_SUITE_P(HalfArithmetic, CrossTarget,
                         ::testing::Combine(::testing::Values("neon", "fp16", "i8mm"),
                                            ::testing::Values(Flags{"--quant", "fp16", "--fp16-compute"},
                                                              Flags{"--quant", "fp16",
                                                                    "--fp16-activations"})));

}  // namespace
}  // namespace micrort::test::cross_target
