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

// Gives why the model was refused, or its run ended.
Status LoadAndRun(const uint8_t* bytes, size_t size);

}  // namespace micrort::fuzz
