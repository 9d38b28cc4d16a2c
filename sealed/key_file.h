#pragma once
// A key as a file: 64 hexadecimal digits and the end of the line.

#include <string>

#include "sealed/seal.h"

namespace micrort::sealed {

Result<Key> ReadKey(const std::string& path);
// NAME.sign and NAME.secret, for the owner's eyes alone, and NAME.public: all three or none. An existing file
// is not replaced: it may be the only copy of its key.
Status WriteKeys(const std::string& name, const NewKeys& keys);

}  // namespace micrort::sealed
