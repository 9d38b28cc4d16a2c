#pragma once
// The way of a model through all of MicroRT, within limits that keep each try short.

#include <string>

#include "converter/convert.h"

namespace micrort::fuzz {

ModelLimits TightLimits();
ConvertOptions OptionsFor(frontend::SourceFormat format);

// Each gives why the model was refused. What is converted may still fail as it runs, where inputs decide.
Status ConvertAndRun(const std::string& bytes, const ConvertOptions& options);
Status LoadAndRun(const uint8_t* bytes, size_t size);

}  // namespace micrort::fuzz
