#pragma once
// Whole files.

#include <string>

#include "kernels/base/status.h"

namespace micrort::text {

// kIo if it cannot be read or is no regular file, kUnsupported if it is larger; messages begin with the path.
Status ReadWholeFile(const std::string& path, size_t most_bytes, std::string* out);

bool Exists(const std::string& path);

}  // namespace micrort::text
