// ::testing::TempDir() is a folder of this process alone: CTest runs several at a time, and two tests may
// name a file alike.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace micrort::test {
namespace {

class OwnTempDir : public ::testing::Environment {
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "micrort-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr) << pattern;
    path_ = pattern;
    ASSERT_EQ(setenv("TEST_TMPDIR", path_.c_str(), 1), 0);
  }

  void TearDown() override {
    std::error_code left_behind;
    std::filesystem::remove_all(path_, left_behind);
  }

  std::string path_;
};

// The program's main() is GoogleTest's, which owns the environment.
[[maybe_unused]] const ::testing::Environment* const kOwnTempDir =
    ::testing::AddGlobalTestEnvironment(new OwnTempDir);

}  // namespace
}  // namespace micrort::test
