// Work that a limit does not allow: the conversion of each seed, and loading, planning and running a model
// file, end after the first operator, the second and so on. What follows is an error that says so.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/fuzz/corpus.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/load_and_run.h"

namespace micrort::fuzz {
namespace {

// Limits for each seed, evenly spread.
constexpr uint64_t kTries = 50;

class WorkLimit {
 public:
  explicit WorkLimit(uint64_t work) { LimitWork(work); }
  ~WorkLimit() { LimitWork(kNoWorkLimit); }
};

Status RunWithin(uint64_t work, const Harness& harness, const std::string& seed) {
  const WorkLimit limit(work);
  return harness.run(seed);
}

void Sweep(const Harness& harness, const std::string& seed) {
  const StatusCode usual = harness.run(seed).code();
  constexpr uint64_t kFirst = 1'000'000, kMost = uint64_t{1} << 40;
  uint64_t enough = kFirst;
  while (enough < kMost && RunWithin(enough, harness, seed).code() != usual) enough *= 2;
  for (uint64_t i = 0; i < kTries; ++i) {
    const uint64_t work = enough / kTries * i;
    const Status status = RunWithin(work, harness, seed);
    if (status.code() == usual) continue;
    EXPECT_EQ(status.code(), StatusCode::kUnsupported) << "work " << work << ": " << status.message();
  }
}

class WorkSweep : public ::testing::TestWithParam<SeededHarness> {};

TEST_P(WorkSweep, EndsWithAnErrorOfItsOwn) {
  const Harness& harness = *GetParam().harness;
  const std::vector<std::string> seeds = Corpus(GetParam());
  for (size_t i = 0; i < seeds.size(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(i));
    Sweep(harness, seeds[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Harnesses, WorkSweep,
    ::testing::Values(SeededHarness{&kTflite, TfliteSeeds}, SeededHarness{&kCaffe, CaffeSeeds},
                      SeededHarness{&kOnnx, OnnxSeeds}, SeededHarness{&kGraphDef, GraphDefSeeds},
                      SeededHarness{&kTorchscript, TorchscriptSeeds}, SeededHarness{&kModel, ModelSeeds}),
    [](const auto& info) { return std::string(info.param.harness->name); });

}  // namespace
}  // namespace micrort::fuzz
