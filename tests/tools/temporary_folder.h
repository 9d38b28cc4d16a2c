#pragma once
// A folder of its own for a test, removed with all that is in it.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace micrort::testing {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test->test_suite_name()) + "_" + test->name();
    std::replace(name.begin(), name.end(), '/', '_');  // of tests with parameters
    path_ = ::testing::TempDir() + name;
    std::filesystem::create_directories(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string File(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace micrort::testing
