#pragma once
// Shared libraries that a program loads while it runs.

#include <string>

#include "kernels/base/status.h"

namespace micrort::io {

// The function `name` of the library, which stays loaded until the program ends; null if it has none.
// kIo: it cannot be loaded; kUnsupported: this program cannot load any.
Status FunctionOfLibrary(const std::string& path, const char* name, void** function);

}  // namespace micrort::io
