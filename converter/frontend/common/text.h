#pragma once
// Names go into messages, files and JSON, so they must be text.

#include <string>

namespace micrort::frontend {

// Well-formed UTF-8 without control characters.
bool IsText(const std::string& s);

// The name as it goes into a message: cut to 100 bytes, "?" if it is not text.
std::string Shown(const std::string& name);

}  // namespace micrort::frontend
