// A test that fails prints the command that repeats it alone. MICRORT_TEST_COMMAND is what stands before the
// program: an emulator, the environment.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace micrort::test {
namespace {

class RepeatCommand : public ::testing::EmptyTestEventListener {
  void OnTestEnd(const ::testing::TestInfo& test) override {
    if (!test.result()->Failed()) return;
    const char* before = std::getenv("MICRORT_TEST_COMMAND");
    std::error_code unknown;
    const std::string program = std::filesystem::read_symlink("/proc/self/exe", unknown).string();
    std::printf("repeat: %s%s%s --gtest_filter='%s.%s'\n", before != nullptr ? before : "",
                before != nullptr ? " " : "", program.c_str(), test.test_suite_name(), test.name());
    std::fflush(stdout);
  }
};

// The program's main() is GoogleTest's, which owns the listener.
[[maybe_unused]] const bool kListens = [] {
  ::testing::UnitTest::GetInstance()->listeners().Append(new RepeatCommand);
  return true;
}();

}  // namespace
}  // namespace micrort::test
