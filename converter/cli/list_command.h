#pragma once
// mnnconvert --list: what a source model offers.

#include <string>

#include "converter/options.h"
#include "kernels/base/status.h"

namespace micrort::cli {

// Signatures, inputs and outputs as text, a line each.
Status ListSource(const std::string& path, const ConvertOptions& options, std::string* text);

}  // namespace micrort::cli
