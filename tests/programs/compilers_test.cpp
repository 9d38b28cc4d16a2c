// The library built by clang gives the numbers of this build.

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/programs/process.h"

namespace micrort::test {
namespace {

class OtherCompiler : public ::testing::TestWithParam<const char*> {};

// The bytes of all outputs for seeded inputs.
std::string OutputsOf(const std::string& folder, const std::string& model) {
  const ProcessResult run = RunCommand({folder + "/print_outputs", model});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return run.out;
}

TEST_P(OtherCompiler, GivesTheSameBits) {
  const std::string clang = std::string(MICRORT_CLANG_BUILD) + "/bin";
  if (!std::filesystem::exists(clang + "/print_outputs")) GTEST_SKIP() << "skipped: no build with clang";
  const TemporaryFolder folder;
  const std::string model = folder / "model.fb";
  const auto converted = RunProgram("mnnconvert", {SourceFile("examples/meter_reader/meter_digits.onnx"),
                                                   "-o", model, "--quiet", "--quant", GetParam()});
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  const std::string expected = OutputsOf(MICRORT_PROGRAMS_FOLDER, model);
  EXPECT_FALSE(expected.empty());
  EXPECT_TRUE(OutputsOf(clang, model) == expected);
}

INSTANTIATE_TEST_SUITE_P(Programs, OtherCompiler,
                         ::testing::Values("none", "fp16", "int8", "int8-weights", "int4-weights"));

}  // namespace
}  // namespace micrort::test
