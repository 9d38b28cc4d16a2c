#pragma once
// A file as source code.

#include <string>

#include "kernels/base/span.h"

namespace micrort::emit {

// A C and C++ identifier from a file's name without folder and extension: "my-net.v2.h" gives "my_net_v2".
std::string IdentifierFor(const std::string& path);

// A header for C11 and C++ with `file` as `static const unsigned char NAME[]`, aligned as the loader needs
// it.
std::string CArray(const std::string& name, Span<const uint8_t> file);

}  // namespace micrort::emit
