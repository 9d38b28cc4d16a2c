// ::testing::TempDir() is a folder of this process alone: CTest runs several at a time, and two tests may
// name a file alike.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <system_error>

namespace micrort::test {
namespace {

class OwnTempDir : public ::testing::Environment {
  void SetUp() override {
    std::random_device random;
    const std::string name = "micrort-test-" + std::to_string(random()) + "-" + std::to_string(random());
    const std::filesystem::path path = std::filesystem::temp_directory_path() / name;
    std::error_code error;
    ASSERT_TRUE(std::filesystem::create_directory(path, error)) << path << ": " << error.message();
    std::filesystem::permissions(path, std::filesystem::perms::owner_all, error);
    path_ = path.string();
#if defined(_WIN32)
    ASSERT_EQ(_putenv_s("TEST_TMPDIR", path_.c_str()), 0);
#else
    ASSERT_EQ(setenv("TEST_TMPDIR", path_.c_str(), 1), 0);
#endif
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
