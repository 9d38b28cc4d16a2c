// A network of int16 activations on an emulated microcontroller whose library has their kernels.

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/devices/board.h"
#include "tests/devices/host_run.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test::devices {
namespace {

constexpr const char* kPreset = "cortex-m4-int16";
constexpr Board kBoard = {"cortex-m4", "mps2-an386", 25'000'000, 0};

// Of the meter reader's network, whose input and output are floats: an operator of these takes most of the
// stack.
constexpr uint64_t kMostInt16Memory = 33 * 1024, kMostInt16Flash = 106 * 1024, kMostInt16Stack = 5 * 1024;
// As a multiple of what int8 takes.
constexpr double kMostInt16Instructions = 1.7;

std::vector<std::string> FlagsOf(const std::string& quant, const std::string& folder) {
  return {"--quant",   quant,     "--calib", folder + "/calibration", "--mean", "127", "--scale",
          "0.0078125", "--color", "gray"};
}

void CheckInt16Outputs(const BoardRun& run, const HostRun& host, const char* what) {
  ASSERT_FALSE(run.figures.empty()) << what;
  EXPECT_TRUE(run.outputs == host.outputs) << what << ": other outputs than on this machine";
  std::printf("%s %s: flash %" PRIu64 ", memory %" PRIu64 ", stack %" PRIu64 " bytes, %" PRIu64
              " instructions for %" PRId64 " MACs\n",
              kPreset, what, run.figures.at("flash"), run.figures.at("memory"), run.figures.at("stack"),
              run.figures.at("instructions"), host.multiply_adds);
  EXPECT_LE(run.figures.at("memory"), kMostInt16Memory) << what;
  EXPECT_LE(run.figures.at("flash"), kMostInt16Flash) << what;
  EXPECT_LE(run.figures.at("stack"), kMostInt16Stack) << what;
}

TEST(Int16Board, ComputesWhatThisMachineComputes) {
  const std::string why = WhyNotIn(DeviceBuild(kPreset), {"arm-none-eabi-g++", "qemu-system-arm", "cmake"});
  if (!why.empty()) GTEST_SKIP() << "skipped: " << why;
  const std::string folder = SourceFile("examples/meter_reader"), source = folder + "/meter_digits.onnx";
  const std::vector<std::string> flags = FlagsOf("int16x8", folder);
  DevicePrograms programs(DeviceBuild(kPreset), kBoard.core);
  programs.Add("digits", source, flags);
  programs.AddEmitted("digits", source, flags);
  programs.Add("digits_int8", source, FlagsOf("int8", folder));
  programs.Build();
  ASSERT_FALSE(HasFatalFailure());
  const TemporaryFolder generated;
  std::vector<std::string> arguments = {source, "-o", generated / "portable.fb", "--quiet"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  ASSERT_EQ(RunProgram("mnnconvert", arguments).exit_code, 0);
  HostRun host;
  ASSERT_NO_FATAL_FAILURE(RunOnHost(generated / "portable.fb", &host));
  const BoardRun run = RunOn(kBoard, programs.ProgramOf("digits"), host.input);
  CheckInt16Outputs(run, host, "interpreter");
  EXPECT_EQ(nlohmann::json::parse(programs.summary("digits"))["ram_bytes"], run.figures.at("memory"));
  CheckInt16Outputs(RunOn(kBoard, programs.ProgramOf("digits_cpp"), host.input), host, "ahead of time");
  const BoardRun narrow = RunOn(kBoard, programs.ProgramOf("digits_int8"), host.input);
  const auto instructions = static_cast<double>(run.figures.at("instructions")),
             of_int8 = static_cast<double>(narrow.figures.at("instructions"));
  std::printf("%s: %.2f times the instructions of int8\n", kPreset, instructions / of_int8);
  EXPECT_LE(instructions, kMostInt16Instructions * of_int8);
}

}  // namespace
}  // namespace micrort::test::devices
