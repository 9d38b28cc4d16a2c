// The library built by clang gives the numbers of this build.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/programs/process.h"

namespace micrort::test {
namespace {

class OtherCompiler : public ::testing::TestWithParam<const char*> {};

// The bytes of all outputs for random inputs.
std::string OutputsOf(const std::vector<std::string>& program, const std::string& model) {
  const TemporaryFolder folder;
  std::vector<std::string> command = program;
  command.insert(command.end(), {model, "--output-dir", folder.path()});
  const ProcessResult run = RunCommand(command);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  std::string bytes;
  for (const std::string& name : FilesIn(folder.path())) {
    std::ifstream file(folder / name, std::ios::binary);
    bytes.append(std::istreambuf_iterator<char>(file), {});
  }
  return bytes;
}

TEST_P(OtherCompiler, GivesTheSameBits) {
  const std::string clang = std::string(MICRORT_CLANG_BUILD) + "/bin/micrort-run";
  if (!std::filesystem::exists(clang)) GTEST_SKIP() << "skipped: no build with clang";
  const TemporaryFolder folder;
  const std::string model = folder / "model.fb";
  const auto converted = RunProgram("mnnconvert", {SourceFile("examples/meter_reader/meter_digits.onnx"),
                                                   "-o", model, "--quiet", "--quant", GetParam()});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  const std::string expected = OutputsOf({MICRORT_PROGRAMS_FOLDER "/micrort-run"}, model);
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(OutputsOf({clang}, model), expected);
}

INSTANTIATE_TEST_SUITE_P(Programs, OtherCompiler,
                         ::testing::Values("none", "fp16", "int8", "int8-weights", "int4-weights"));

}  // namespace
}  // namespace micrort::test
