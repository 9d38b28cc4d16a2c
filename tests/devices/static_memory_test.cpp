// Programs without a heap on Linux's processors: every byte of their outputs is that of this machine, their
// memory is a part of them, and what they take.

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>

#include "tests/devices/device_programs.h"
#include "tests/devices/host_run.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test::devices {
namespace {

constexpr uint64_t kKilobyte = 1024;
// The meter reader's network, all in: arena, interpreter, model.
constexpr uint64_t kMostMemory = 32 * kKilobyte;

// g++ 12.2 of Debian 12 and its cross compilers, the presets as they are, 2026-11-25. Bytes of a program
// beside its model: all that is loaded, but the shared libc and libm.
struct Processor {
  const char* preset;
  const char* target;
  const char* size;                   // the program that tells what is loaded
  std::vector<std::string> emulator;  // none: this machine
  uint64_t most_operators, most_core, most_trusted_core;
};

const Processor kProcessors[] = {
    {"no-heap-avx2", "avx2", "size", {}, 200 * kKilobyte, 84 * kKilobyte, 55 * kKilobyte},
    {"no-heap-aarch64",
     "neon",
     "aarch64-linux-gnu-size",
     {"qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"},
     160 * kKilobyte,
     84 * kKilobyte,
     55 * kKilobyte},
    {"no-heap-armv7",
     "armv7-neon",
     "arm-linux-gnueabihf-size",
     {"qemu-arm", "-L", "/usr/arm-linux-gnueabihf"},
     120 * kKilobyte,
     46 * kKilobyte,
     30 * kKilobyte}};

std::string WhyNot(const Processor& processor) {
  std::vector<std::string> programs = {processor.size, "cmake"};
  if (!processor.emulator.empty()) programs.push_back(processor.emulator[0]);
  return WhyNotIn(DeviceBuild(processor.preset), programs);
}

ProcessResult RunOn(const Processor& processor, const std::string& program,
                    const std::vector<std::string>& arguments) {
  std::vector<std::string> command = processor.emulator;
  command.push_back(program);
  command.insert(command.end(), arguments.begin(), arguments.end());
  return RunCommand(command, {0, 60});
}

// Code, constants and initial values, without the model. 0: unknown.
uint64_t LoadedBytes(const Processor& processor, const DevicePrograms& programs, const std::string& name) {
  const ProcessResult told = RunCommand({processor.size, programs.ProgramOf(name)});
  uint64_t text = 0, data = 0;
  const size_t numbers = told.out.find('\n');
  if (numbers == std::string::npos ||
      std::sscanf(told.out.c_str() + numbers, "%" SCNu64 " %" SCNu64, &text, &data) != 2)
    return 0;
  return text + data - ReadFile(programs.ModelOf(name)).size();
}

void CheckSizes(const Processor& processor, const DevicePrograms& programs) {
  const std::pair<const char*, uint64_t> limits[] = {{"operators", processor.most_operators},
                                                     {"core", processor.most_core},
                                                     {"trusted_core", processor.most_trusted_core}};
  for (const auto& [name, limit] : limits) {
    const uint64_t bytes = LoadedBytes(processor, programs, name);
    std::printf("%s %s: %" PRIu64 " bytes\n", processor.preset, name, bytes);
    EXPECT_GT(bytes, 0u) << name << " told nothing";
    EXPECT_LE(bytes, limit) << name;
  }
}

class StaticMemory : public ::testing::TestWithParam<Processor> {};

TEST_P(StaticMemory, RunsTheMeterReaderInItsOwn) {
  const Processor& processor = GetParam();
  if (const std::string why = WhyNot(processor); !why.empty()) GTEST_SKIP() << "skipped: " << why;
  const std::string folder = SourceFile("examples/meter_reader"), source = folder + "/meter_digits.onnx";
  const std::vector<std::string> flags = {"--quant", "int8", "--calib", folder + "/calibration",
                                          "--mean",  "127",  "--scale", "0.0078125",
                                          "--color", "gray"};
  DevicePrograms programs(DeviceBuild(processor.preset), processor.target);
  programs.Add("meter_digits", source, flags);
  programs.AddSizes(source, flags);
  programs.Build();
  ASSERT_FALSE(HasFatalFailure());
  CheckSizes(processor, programs);

  const TemporaryFolder files;
  std::vector<std::string> arguments = {source, "-o", files / "portable.fb", "--quiet"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  ASSERT_EQ(RunProgram("mnnconvert", arguments).exit_code, 0);
  HostRun host;
  ASSERT_NO_FATAL_FAILURE(RunOnHost(files / "portable.fb", &host));
  WriteFile(files / "input", host.input);
  const ProcessResult run =
      RunOn(processor, programs.ProgramOf("meter_digits"), {files / "input", files / "outputs"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(ReadFile(files / "outputs") == host.outputs) << "other outputs than on this machine";
  auto figures = FiguresIn(run.out);
  std::printf("%s meter_digits: %" PRIu64 " bytes, memory %" PRIu64 " (arena %" PRIu64 ")\n",
              processor.preset, LoadedBytes(processor, programs, "meter_digits"), figures["memory"],
              figures["arena"]);
  EXPECT_GT(figures["memory"], figures["arena"]);
  EXPECT_LE(figures["memory"], kMostMemory);
}

std::string ProcessorName(const ::testing::TestParamInfo<Processor>& info) {
  std::string name = info.param.preset;
  name.erase(0, name.rfind('-') + 1);
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, StaticMemory, ::testing::ValuesIn(kProcessors), ProcessorName);

}  // namespace
}  // namespace micrort::test::devices
