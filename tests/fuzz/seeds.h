#pragma once
// Source models whose conversions are seeds, too.

#include <string>
#include <vector>

namespace micrort::fuzz {

std::vector<std::string> OnnxSeeds();
std::vector<std::string> TfliteSeeds();

}  // namespace micrort::fuzz
