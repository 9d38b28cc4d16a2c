#pragma once
// Inputs that become constants (--input-value), and what else is asked of a conversion.

#include <vector>

#include "converter/options.h"

namespace micrort {

// kInvalidArgument if the options treat one of these as an input. With the command line's own names: before
// the samples are read and states are kept.
Status CheckConstantInputs(const ConvertOptions& options,
                           const std::vector<frontend::ConstantInput>& constants);

}  // namespace micrort
