#pragma once
// Files of a repository.

#include <cstddef>
#include <string>

#include "serve/protocol/error.h"

namespace micrort::serve {

// Opens a regular file for reading; the caller closes it. A pipe, device or folder is an error at once;
// messages begin with the path.
Error OpenRegularFile(const std::string& path, int* file, size_t* size);

// The content of a regular file of at most `max_bytes`. Errors as above.
Error ReadRegularFile(const std::string& path, size_t max_bytes, std::string* text);

}  // namespace micrort::serve
