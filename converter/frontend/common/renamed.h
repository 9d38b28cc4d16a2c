#pragma once
// Inputs and outputs that cannot have the name of their source.

#include <string>

#include "converter/frontend/frontend.h"

namespace micrort::frontend {

// role: "input" or "output", which the source calls `name`. Warns if the value is called otherwise.
inline void WarnIfRenamed(const char* role, const std::string& name, const ir::Value& value,
                          ImportDiagnostics* diagnostics) {
  if (name.empty() || value.name == name) return;
  diagnostics->warnings.push_back(std::string(role) + " '" + name + "' is called '" + value.name +
                                  "': another input or output has its name");
}

}  // namespace micrort::frontend
