#pragma once
// Whole files.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::io {

// Texts that programs read whole: more is none that anybody wrote.
constexpr uint64_t kMostText = uint64_t{16} << 20;

// kIo, with the path and the system's reason, if it cannot be read. Of what is no file, only pipes are read:
// at most 4 GiB (32-bit systems: 1 GiB), while somebody writes to them. kUnsupported if there is more than
// `most_bytes`.
Status ReadFile(const std::string& path, std::vector<uint8_t>* out, uint64_t most_bytes = UINT64_MAX);

// The file appears whole or not at all: written beside its target under another name, then renamed. A link
// stays, and what it leads to is replaced. Pipes and character devices are written to as they are; folders,
// block devices and sockets are refused.
Status WriteFileAtomically(const std::string& path, Span<const uint8_t> data);
Status WriteFileAtomically(const std::string& path, const std::string& text);

// What is written and need not be in memory as a whole.
class FileSource {
 public:
  virtual ~FileSource() = default;
  // The next bytes of the file, until the next call; none at its end.
  virtual Span<const uint8_t> Next() = 0;
};
Status WriteFileAtomically(const std::string& path, FileSource* source);

// kInvalidArgument if one of `outputs` is, by whatever name, one of `sources` or another output.
Status CheckOutputFiles(const std::vector<std::string>& outputs, const std::vector<std::string>& sources);

bool IsDirectory(const std::string& path);
// Creates the folder and its parents; no error if it exists.
Status MakeDirectories(const std::string& path);
// Regular files of a folder, as full paths, sorted by name.
Status ListFiles(const std::string& folder, std::vector<std::string>* out);
// The same with those of the folders in it. Links to folders are not followed.
Status ListFilesInside(const std::string& folder, std::vector<std::string>* out);
// "png" of "a/b.PNG"; lower case; empty if there is none.
std::string Extension(const std::string& path);

}  // namespace micrort::io
