#pragma once
// The way of a model through all of MicroRT.

#include <string>

#include "converter/convert.h"

namespace micrort::fuzz {

// Within limits that keep each try short.
ConvertOptions OptionsFor(frontend::SourceFormat format);

// Gives why the model was refused. What is converted may still fail as it runs, where inputs decide.
Status ConvertAndRun(const std::string& bytes, const ConvertOptions& options);

}  // namespace micrort::fuzz
