// Memory that the system does not give: of each seed's conversion, and of loading, creating and running it,
// allocation number n fails and all after it. What follows is an error of its own, with nothing leaked.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <new>

#include "tests/fuzz/corpus.h"
#include "tests/fuzz/harness.h"
#include "tests/runtime/allocation_hook.h"

namespace micrort::fuzz {
namespace {

using ::micrort::testing::AllocationHook;

// Values of n for each seed, evenly spread: 0 is each. More of them take longer.
size_t Tries() {
  constexpr size_t kDefault = 150;
  const char* tries = std::getenv("MICRORT_SWEEP_TRIES");
  return tries == nullptr ? kDefault : static_cast<size_t>(std::atoi(tries));
}

// What std::bad_alloc says becomes a status, as at the end of every program.
Status Attempt(const std::function<Status()>& work, size_t fail_at, size_t* allocations) {
  Status status;
  {
    const AllocationHook hook(fail_at);
    try {
      status = work();
    } catch (const std::bad_alloc&) {
      status = MICRORT_ERROR(kOutOfMemory, "bad_alloc");
    }
    *allocations = AllocationHook::count();
  }
  return status;
}

void Sweep(const std::function<Status()>& work) {
  size_t all = 0, count = 0;
  const StatusCode usual = Attempt(work, AllocationHook::kNever, &all).code();
  const size_t step = Tries() == 0 ? 1 : std::max<size_t>(1, all / Tries());
  for (size_t n = 0; n < all; n += step) {
    const Status status = Attempt(work, n, &count);
    // What runs once in a process does not allocate again.
    if (count <= n) {
      EXPECT_EQ(status.code(), usual) << status.message();
      continue;
    }
    EXPECT_EQ(status.code(), StatusCode::kOutOfMemory) << "allocation " << n << ": " << status.message();
  }
}

class AllocationSweep : public ::testing::TestWithParam<SeededHarness> {};

TEST_P(AllocationSweep, EndsWithAnErrorOfItsOwn) {
  const Harness& harness = *GetParam().harness;
  const std::vector<std::string> seeds = Corpus(GetParam());
  for (size_t i = 0; i < seeds.size(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(i));
    Sweep([&] { return harness.run(seeds[i]); });
  }
}

#ifdef MICRORT_FUZZ_SERVE
INSTANTIATE_TEST_SUITE_P(Requests, AllocationSweep,
                         ::testing::Values(SeededHarness{&kRest, RestSeeds},
                                           SeededHarness{&kPredict, PredictSeeds}),
                         [](const auto& info) { return std::string(info.param.harness->name); });
#endif

// Not of formats that protobuf reads: its messages cannot be destroyed where their growth failed. TFLite
// files take the whole converter, too.
INSTANTIATE_TEST_SUITE_P(Harnesses, AllocationSweep,
                         ::testing::Values(SeededHarness{&kTflite, TfliteSeeds},
                                           SeededHarness{&kModel, ModelSeeds},
                                           SeededHarness{&kNpy, NpySeeds}),
                         [](const auto& info) { return std::string(info.param.harness->name); });

}  // namespace
}  // namespace micrort::fuzz
