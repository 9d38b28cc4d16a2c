#pragma once
// What to tell a reader before any figure.

#include <vector>

#include "converter/report/quality.h"

namespace micrort::report {

// What is wrong with the int8 range of a layer's output.
enum class RangeFault { kNone, kClips, kWide };
RangeFault RangeFaultOf(const LayerQuality& layer);

// The gravest first: warnings about the samples are the likely cause of whatever follows.
std::vector<Finding> Find(const Quality& quality, const std::vector<quantize::SampleWarning>& warnings);

}  // namespace micrort::report
