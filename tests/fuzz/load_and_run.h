#pragma once
// A model file, loaded and run within limits that keep each try short.

#include <cstddef>
#include <cstdint>

#include "kernels/base/status.h"
#include "micrort/custom_op.h"
#include "micrort/model_limits.h"

// Of examples/custom_op.
extern "C" const micrort_custom_op kZeroOut;

namespace micrort::fuzz {

ModelLimits TightLimits();

// From now on, conversions, planning and runs have this limit if theirs is higher.
constexpr uint64_t kNoWorkLimit = ~uint64_t{0};
void LimitWork(uint64_t work);

// Gives why the model was refused, or its run ended.
Status LoadAndRun(const uint8_t* bytes, size_t size);

}  // namespace micrort::fuzz
