#pragma once
// Lines of many languages, code and emoji, made from a seed.

#include <string>
#include <vector>

namespace micrort::test {

// None holds a line feed or a zero.
std::vector<std::string> MixedLines(size_t count, unsigned seed);

}  // namespace micrort::test
