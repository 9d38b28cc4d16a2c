#include "tests/support/near.h"

#include <cmath>

namespace micrort::testing {

std::string FirstApart(const std::vector<float>& found, const std::vector<float>& expected, float tolerance) {
  if (found.size() != expected.size()) {
    return std::to_string(found.size()) + " numbers where " + std::to_string(expected.size()) +
           " are expected";
  }
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i] == expected[i] || std::abs(found[i] - expected[i]) <= tolerance) continue;
    return "number " + std::to_string(i) + " is " + ::testing::PrintToString(found[i]) + " where " +
           ::testing::PrintToString(expected[i]) + " is expected";
  }
  return "";
}

}  // namespace micrort::testing
