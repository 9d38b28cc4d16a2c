// What libFuzzer does for minutes, for a moment and with any compiler: seeds, what has been found before, and
// a few changes of each.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/corpus.h"
#include "tests/fuzz/harness.h"
#include "tests/kept_seeds.h"

namespace micrort::fuzz {
namespace {

// What runs is in this file, if that is asked for, so that a crash leaves its input behind.
void KeepForAfterACrash(const std::string& input) {
  static const char* const path = std::getenv("MICRORT_FUZZ_CURRENT");
  if (path != nullptr) std::ofstream(path, std::ios::binary) << input;
}

class Replay : public ::testing::TestWithParam<SeededHarness> {
 protected:
  const Harness& harness() const { return *GetParam().harness; }
};

// Inputs that once crashed, leaked or took too long.
std::vector<std::string> Findings(const std::string& harness) {
  return FilesOf(std::filesystem::path(MICRORT_FUZZ_FINDINGS) / harness);
}

// Inputs that take more seconds of a processor than MICRORT_FUZZ_SLOW says are written into the folder
// MICRORT_FUZZ_FOUND.
void KeepIfSlow(const std::string& input, std::clock_t begin) {
  static const char *const slow = std::getenv("MICRORT_FUZZ_SLOW"), *const folder =
                                                                        std::getenv("MICRORT_FUZZ_FOUND");
  if (slow == nullptr || folder == nullptr) return;
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  if (seconds < std::atof(slow)) return;
  std::ofstream(std::filesystem::path(folder) / (std::to_string(seconds) + "s"), std::ios::binary) << input;
}

// Every second time with something of another one.
std::string Changed(const Harness& harness, const std::string& bytes, const std::string& other,
                    Random& random) {
  const bool alone = harness.cross == nullptr || Below(2, random) == 0;
  return alone ? harness.mutate(bytes, random) : harness.cross(bytes, other, random);
}

// Of each seed.
int Rounds() {
  constexpr int kDefault = 60;
  const char* rounds = std::getenv("MICRORT_FUZZ_ROUNDS");
  return rounds == nullptr ? kDefault : std::atoi(rounds);
}

// Other changes with another one.
unsigned FirstSeed() {
  const char* seed = std::getenv("MICRORT_FUZZ_SEED");
  return seed == nullptr ? 1 : static_cast<unsigned>(std::atoi(seed));
}

TEST_P(Replay, SeedsAreAccepted) {
  const std::vector<std::string> seeds = GetParam().seeds();
  EXPECT_FALSE(seeds.empty());
  for (size_t i = 0; i < seeds.size(); ++i) {
    const Status accepted = harness().run(seeds[i]);
    EXPECT_TRUE(accepted.ok()) << "seed " << i << ": " << accepted.message();
    testing::KeepSeed(harness().name, seeds[i]);
  }
}

TEST_P(Replay, FindingsEnd) {
  for (const std::string& finding : Findings(harness().name)) static_cast<void>(harness().run(finding));
}

TEST_P(Replay, ChangedSeedsAreAcceptedOrRefused) {
  const int rounds = Rounds();
  const std::vector<std::string> seeds = Corpus(GetParam());
  Random random(FirstSeed());
  int refused = 0, unchanged = 0;
  for (const std::string& seed : seeds) {
    for (int i = 0; i < rounds; ++i) {
      const std::string changed = Changed(harness(), seed, seeds[Below(seeds.size(), random)], random);
      KeepForAfterACrash(changed);
      const std::clock_t begin = std::clock();
      refused += harness().run(changed).ok() ? 0 : 1;
      KeepIfSlow(changed, begin);
      unchanged += changed == seed ? 1 : 0;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(unchanged, std::max(1, rounds / 2) * static_cast<int>(seeds.size()));
}

INSTANTIATE_TEST_SUITE_P(Harnesses, Replay, ::testing::ValuesIn(Harnesses()),
                         [](const auto& info) { return std::string(info.param.harness->name); });

}  // namespace
}  // namespace micrort::fuzz
