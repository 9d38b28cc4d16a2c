#pragma once
// Small files of a repository.

#include <string>

#include "serve/protocol/error.h"

namespace micrort::serve {

// The content of a regular file of at most `max_bytes`. A pipe, device or folder is an error at once;
// messages begin with the path.
Error ReadRegularFile(const std::string& path, size_t max_bytes, std::string* text);

}  // namespace micrort::serve
