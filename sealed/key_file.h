#pragma once
// A key as a file: 64 hexadecimal digits and the end of the line.

#include <string>

#include "sealed/seal.h"

namespace micrort::sealed {

Result<Key> ReadKey(const std::string& path);
// Secret ones for the owner's eyes alone. An existing file is not replaced: it may be the only copy of its
// key.
Status WriteKey(const std::string& path, const Key& key, bool is_secret);

}  // namespace micrort::sealed
