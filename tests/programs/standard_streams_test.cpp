// What is lost of the standard output is an error of every program.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/programs/process.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;

class StandardStreams : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(RunProgram("mnnconvert", {network_, "-o", model_}).exit_code, 0); }
  std::vector<std::pair<std::string, std::vector<std::string>>> commands() const {
    return {{"mnnconvert", {network_, "-o", model_}},
            {"mnnconvert", {"--help"}},
            {"micrort-run", {model_}},
            {"micrort-info", {model_, "--json"}},
            {"micrort-bench", {model_, "--runs", "1", "--warmup", "0"}}};
  }

  const TemporaryFolder folder_;
  const std::string network_ = SourceFile("examples/meter_reader/meter_digits.onnx");
  const std::string model_ = folder_ / "digits.fb";
};

TEST_F(StandardStreams, AFullDiskEndsEveryProgramWithExitCode1) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  for (const auto& [program, arguments] : commands()) {
    const ProcessResult result = RunProgram(program, arguments, {}, full);
    EXPECT_EQ(result.exit_code, 1) << program;
    EXPECT_THAT(result.err, HasSubstr(program + ": error: stdout: cannot write"));
  }
  close(full);
}

TEST_F(StandardStreams, SoDoesAPipeThatNobodyReads) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  for (const auto& [program, arguments] : commands()) {
    const ProcessResult result = RunProgram(program, arguments, {}, ends[1]);
    EXPECT_EQ(result.exit_code, 1) << program;
    EXPECT_THAT(result.err, HasSubstr(program + ": error: stdout: cannot write"));
  }
  close(ends[1]);
}

TEST_F(StandardStreams, AClosedOneIsNotWrittenIntoTheNextFile) {
  const std::string command = "'" + std::string(MICRORT_PROGRAMS_FOLDER) + "/mnnconvert' '" + network_ +
                              "' -o '" + model_ + "2' >&- 2>/dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
  EXPECT_EQ(RunProgram("micrort-info", {model_ + "2"}).exit_code, 0);
}

}  // namespace
}  // namespace micrort::test
