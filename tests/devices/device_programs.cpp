#include "tests/devices/device_programs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <utility>

#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test::devices {

namespace {

void Expect(const std::vector<std::string>& command) {
  const ProcessResult result = RunCommand(command);
  ASSERT_EQ(result.exit_code, 0) << command[0] << ": " << result.out << result.err;
}

bool IsThere(const std::string& program) { return RunCommand({program, "--version"}).exit_code == 0; }

}  // namespace

std::map<std::string, uint64_t> FiguresIn(const std::string& text) {
  std::map<std::string, uint64_t> figures;
  std::istringstream lines(text);
  for (std::string line, name; std::getline(lines, line);) {
    std::istringstream words(line);
    uint64_t value = 0;
    if (words >> name >> value) figures[name] = value;
  }
  return figures;
}

// MICRORT_DEVICE_BUILDS is the start of the names of the build folders; a preset's is its name behind it.
std::string DeviceBuild(const std::string& preset) {
  const std::string begin = MICRORT_DEVICE_BUILDS;
  return begin.empty() ? "" : begin + preset;
}

std::string WhyNotIn(const std::string& build_folder, const std::vector<std::string>& programs) {
  if (build_folder.empty()) return "no builds for devices; ./dev test makes them";
  if (!std::filesystem::exists(build_folder + "/build.ninja")) return "no " + build_folder;
  for (const std::string& program : programs) {
    if (!IsThere(program)) return "no " + program;
  }
  return "";
}

DevicePrograms::DevicePrograms(std::string build_folder, std::string target)
    : build_(std::move(build_folder)), target_(std::move(target)), models_(build_ + "/device-models") {
  std::filesystem::remove_all(models_);
  std::filesystem::create_directories(models_);
}

void DevicePrograms::Convert(const std::string& source, std::vector<std::string> arguments,
                             const std::vector<std::string>& flags, std::string* told) const {
  arguments.insert(arguments.begin(), {source, "--target", target_, "--json", "-"});
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  const ProcessResult converted = RunProgram("mnnconvert", arguments);
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  *told = converted.out;
}

void DevicePrograms::Add(const std::string& name, const std::string& source,
                         const std::vector<std::string>& flags) {
  Convert(source, {"-o", ModelOf(name), "--packed-only"}, flags, &summaries_[name]);
  const ProcessResult resolver =
      RunProgram("mnnconvert", {"--emit", "resolver", ModelOf(name), "-o", models_ + "/" + name + "_ops.h"});
  ASSERT_EQ(resolver.exit_code, 0) << resolver.err;
}

void DevicePrograms::AddEmitted(const std::string& name, const std::string& source,
                                const std::vector<std::string>& flags) {
  std::string told;
  Convert(source,
          {"-o", EmittedTo(name), "--emit", "cpp", "--cpp-class", "app::Net", "--thread-pool", "none"}, flags,
          &told);
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
    Convert(source, {"-o", ModelOf(name), "--packed-only"}, flags, &summaries_[name]);
    WriteFile(models_ + "/" + name + "_ops.h", begin + operators + "}\n");
  }
}

void DevicePrograms::Build() const {
  Expect({"cmake", "-DMICRORT_DEVICE_MODELS=" + models_, "-DMICRORT_TRUSTED_MODELS=trusted_core", build_});
  Expect({"cmake", "--build", build_});
}

}  // namespace micrort::test::devices
