#pragma once
// A matcher for many numbers.

#include <gmock/gmock.h>

#include <cstddef>
#include <string>
#include <vector>

namespace micrort::testing {

// The first place where numbers are further apart than `tolerance`, one of them alone is NaN, or both are: in
// words, or "" if there is none.
std::string FirstApart(const std::vector<float>& found, const std::vector<float>& expected, float tolerance);

// As Pointwise(FloatNear(tolerance), expected), which makes a matcher for each pair: a fifth of the time of
// tests of layers.
MATCHER_P2(EachNear, expected, tolerance, "is near " + ::testing::PrintToString(expected)) {
  const std::string apart = FirstApart(arg, expected, tolerance);
  *result_listener << apart;
  return apart.empty();
}

}  // namespace micrort::testing
