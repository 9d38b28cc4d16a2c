#pragma once
// Flags that may make a converted model better, ready for a command line.

#include <string>
#include <vector>

#include "converter/report/quality.h"

namespace micrort::report {

struct Suggestion {
  std::string why, flags;
};

// The most promising first; none where the outputs are close to the float model's.
std::vector<Suggestion> Suggest(const Quality& quality);

}  // namespace micrort::report
