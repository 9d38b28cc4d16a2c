#include "kernels/random/mersenne_twister.h"

#include <gtest/gtest.h>

namespace micrort {
namespace {

// What numpy.random.RandomState(seed) gives.
TEST(MersenneTwister, GivesNumbersOfNumPy) {
  MersenneTwister generator;
  generator.Seed(0);
  for (double expected : {0.5488135039273248, 0.7151893663724195, 0.6027633760716439}) {
    EXPECT_DOUBLE_EQ(expected, generator.Uniform());
  }
  for (int i = 3; i < 999; ++i) generator.Uniform();
  EXPECT_DOUBLE_EQ(0.6771411441114241, generator.Uniform());
  generator.Seed(12345);
  for (double expected : {-0.20470765948471295, 0.47894333805754824, -0.5194387150567381}) {
    EXPECT_DOUBLE_EQ(expected, generator.Normal());
  }
}

}  // namespace
}  // namespace micrort
