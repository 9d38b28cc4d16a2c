#include "tests/converter/random_sizes.h"

#include <gtest/gtest.h>

namespace micrort::testing {
namespace {

// tests/open_sizes runs more of these.
class RandomSizesOf : public ::testing::TestWithParam<uint32_t> {};

TEST_P(RandomSizesOf, OpenOnnxModelsGiveWhatFixedOnesGive) {
  EXPECT_EQ(CompareSizes(MakeOnnxSizeWriter, GetParam()).difference, "");
}

TEST_P(RandomSizesOf, OpenTorchscriptModelsGiveWhatFixedOnesGive) {
  EXPECT_EQ(CompareSizes(MakeTorchSizeWriter, GetParam()).difference, "");
}

// Empty tensors of sizes that are too long to be followed; sizes that only equations tell; reshapes to
// nothing; broadcasts of sizes that operators compute, that always differ, or that few numbers fit; layers
// that follow integers which only a run computes; sums of no products with a bias.
INSTANTIATE_TEST_SUITE_P(FoundBefore, RandomSizesOf,
                         ::testing::Values(5096u, 5312u, 5400u, 5426u, 6008u, 6113u, 6121u, 6534u, 6619u,
                                           6718u, 6817u, 8154u, 8493u, 8679u, 8892u, 9121u, 9365u, 9515u,
                                           83304u, 86150u, 87595u, 90646u, 98653u));
INSTANTIATE_TEST_SUITE_P(Seeds, RandomSizesOf, ::testing::Range(0u, 60u));

}  // namespace
}  // namespace micrort::testing
