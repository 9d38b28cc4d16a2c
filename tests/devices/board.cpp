#include "tests/devices/board.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test::devices {

namespace {

void Expect(const std::vector<std::string>& command) {
  const ProcessResult result = RunCommand(command);
  ASSERT_EQ(result.exit_code, 0) << command[0] << ": " << result.out << result.err;
}

bool IsThere(const std::string& program) { return RunCommand({program, "--version"}).exit_code == 0; }

// MICRORT_CORTEX_M_BUILDS is the start of the names of the build folders; a core's is its name behind it.
std::string BuildFolder(const Board& board) { return MICRORT_CORTEX_M_BUILDS + std::string(board.core); }

std::map<std::string, uint64_t> FiguresIn(const std::string& text) {
  std::map<std::string, uint64_t> figures;
  std::istringstream lines(text);
  std::string name;
  for (uint64_t value = 0; lines >> name >> value;) figures[name] = value;
  return figures;
}

}  // namespace

std::string WhyNot(const Board& board) {
  if (std::string(MICRORT_CORTEX_M_BUILDS).empty()) return "no builds for Cortex-M; ./dev test makes them";
  if (!std::filesystem::exists(BuildFolder(board) + "/build.ninja")) return "no " + BuildFolder(board);
  for (const char* program : {"arm-none-eabi-g++", "qemu-system-arm", "cmake"}) {
    if (!IsThere(program)) return std::string("no ") + program;
  }
  return "";
}

DevicePrograms::DevicePrograms(const Board& board)
    : board_(board), build_(BuildFolder(board)), models_(build_ + "/device-models") {
  std::filesystem::remove_all(models_);
  std::filesystem::create_directories(models_);
}

void DevicePrograms::Convert(const std::string& source, std::vector<std::string> arguments,
                             const std::vector<std::string>& flags, std::string* told) const {
  arguments.insert(arguments.begin(), {source, "--target", board_.core, "--json", "-"});
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  const ProcessResult converted = RunProgram("mnnconvert", arguments);
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  *told = converted.out;
}

void DevicePrograms::Add(const std::string& name, const std::string& source,
                         const std::vector<std::string>& flags) {
  const std::string model = models_ + "/" + name + ".fb";
  Convert(source, {"-o", model, "--packed-only"}, flags, &summaries_[name]);
  std::string of_emitted;
  Convert(source,
          {"-o", models_ + "/" + name + "_cpp", "--emit", "cpp", "--cpp-class", "app::Net", "--thread-pool",
           "none"},
          flags, &of_emitted);
  const ProcessResult resolver =
      RunProgram("mnnconvert", {"--emit", "resolver", model, "-o", models_ + "/" + name + "_ops.h"});
  ASSERT_EQ(resolver.exit_code, 0) << resolver.err;
}

void DevicePrograms::Build() const {
  Expect({"cmake", "-DMICRORT_DEVICE_MODELS=" + models_, "-DMICRORT_TRUSTED_MODELS=trusted_core", build_});
  Expect({"cmake", "--build", build_});
}

std::vector<std::string> DevicePrograms::CommandFor(const std::string& name, const std::string& input,
                                                    const std::string& outputs) const {
  // One instruction a nanosecond of the board's time, which its timer counts.
  return {"qemu-system-arm",
          "-M",
          board_.machine,
          "-nographic",
          "-monitor",
          "none",
          "-serial",
          "none",
          "-icount",
          "shift=0",
          "-semihosting-config",
          "enable=on,target=native,arg=program,arg=" + input + ",arg=" + outputs,
          "-kernel",
          build_ + "/bin/device_" + name};
}

DevicePrograms::RunResult DevicePrograms::Run(const std::string& name, const std::string& input) const {
  const TemporaryFolder folder;
  WriteFile(folder / "input", input);
  const ProcessResult result =
      RunCommand(CommandFor(name, folder / "input", folder / "outputs"), {.cpu_seconds = 120});
  EXPECT_EQ(result.exit_code, 0) << name << " on " << board_.machine << ": " << result.out << result.err;
  RunResult run;
  if (result.exit_code != 0) return run;
  run.outputs = ReadFile(folder / "outputs");
  // QEMU writes what the board prints to its standard error.
  run.figures = FiguresIn(result.out + result.err);
  if (run.figures.count("ticks") != 0) {
    run.figures["instructions"] = run.figures["ticks"] * 1'000'000'000 / board_.clock_hz;
  }
  return run;
}

void DevicePrograms::AddSizes(const std::string& source, const std::vector<std::string>& flags) {
  const std::string begin = "#include <micrort/op_resolver.h>\ninline micrort::OpResolver ModelOps() {\n";
  const std::pair<const char*, const char*> programs[] = {
      {"core", "  return {};\n"},
      {"trusted_core", "  return {};\n"},
      {"operators",
       "  using micrort::kInt8;\n"
       "  return micrort::OpResolver().AddConv2D(kInt8).AddDepthwiseConv2D(kInt8).AddMatMul(kInt8)\n"
       "      .AddPool2D(kInt8).AddSoftmax(kInt8).AddReshape().AddBinary(kInt8);\n"}};
  for (const auto& [name, operators] : programs) {
    Convert(source, {"-o", models_ + "/" + name + ".fb", "--packed-only"}, flags, &summaries_[name]);
    WriteFile(models_ + "/" + name + "_ops.h", begin + operators + "}\n");
  }
}

uint64_t DevicePrograms::FlashOf(const std::string& name) const {
  const ProcessResult result = RunCommand(CommandFor(name, "none", "none"), {.cpu_seconds = 60});
  return FiguresIn(result.out + result.err)["flash"];
}

}  // namespace micrort::test::devices
