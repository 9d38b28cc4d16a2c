#pragma once
// The way of a model through all of MicroRT, within limits that keep each try short.

#include <string>

#include "converter/convert.h"

namespace micrort::fuzz {

ModelLimits TightLimits();
ConvertOptions OptionsFor(frontend::SourceFormat format);

// Each gives why the model was refused, "" if it was not.
std::string ConvertAndRun(const std::string& bytes, const ConvertOptions& options);
std::string LoadAndRun(const uint8_t* bytes, size_t size);

}  // namespace micrort::fuzz
