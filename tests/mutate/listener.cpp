// Part of every test program of a mutated build: writes "ID TEST" for each mutant that a test reaches into
// the file that the environment variable MICRORT_REACHED names.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "tests/mutate/mutant.h"

namespace {

class Listener : public ::testing::EmptyTestEventListener {
  void OnTestStart(const ::testing::TestInfo&) override {
    for (std::atomic<bool>& flag : ::micrort::mutate::reached) flag = false;
  }
  void OnTestEnd(const ::testing::TestInfo& test) override {
    const char* path = std::getenv("MICRORT_REACHED");
    std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "a");
    if (file == nullptr) return;
    for (int id = 0; id < ::micrort::mutate::kMost; ++id) {
      if (::micrort::mutate::reached[id])
        std::fprintf(file, "%d %s.%s\n", id, test.test_suite_name(), test.name());
    }
    std::fclose(file);
  }
};

const bool listens = [] {
  ::testing::UnitTest::GetInstance()->listeners().Append(new Listener);
  return true;
}();

}  // namespace
