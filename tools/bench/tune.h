#pragma once
// The fastest algorithms as a file that TunedChoices reads (docs/tuning.md).

#include <string>

#include "tools/bench/measure.h"

namespace micrort {

// From rows with candidates. Says on stderr how many layers differ from what was estimated.
Status WriteTuned(const BenchResult& result, const std::string& path);

}  // namespace micrort
