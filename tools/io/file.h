#pragma once
// Whole files.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::io {

// kIo, with the path and the system's reason, if it cannot be read.
Status ReadFile(const std::string& path, std::vector<uint8_t>* out);

// The file appears whole or not at all: written beside its target under another name, then renamed.
Status WriteFileAtomically(const std::string& path, Span<const uint8_t> data);
Status WriteFileAtomically(const std::string& path, const std::string& text);

bool IsDirectory(const std::string& path);
// Creates the folder and its parents; no error if it exists.
Status MakeDirectories(const std::string& path);
// Regular files of a folder, as full paths, sorted by name.
Status ListFiles(const std::string& folder, std::vector<std::string>* out);
// "png" of "a/b.PNG"; lower case; empty if there is none.
std::string Extension(const std::string& path);

}  // namespace micrort::io
