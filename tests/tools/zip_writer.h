#pragma once
// ZIP archives as NumPy writes them, and with any field broken.

#include <cstdint>
#include <string>
#include <vector>

namespace micrort::testing {

struct ZipMember {
  std::string name;
  std::string content;
  bool deflated = false;
};

// Where the fields lie that tests break: offsets from the start of the part.
constexpr size_t kZipEndBytes = 22, kZipEndCount = 10, kZipEndDirectory = 16;
constexpr size_t kZipEntryMethod = 10, kZipEntryPacked = 20, kZipEntryBytes = 24, kZipEntryName = 28,
                 kZipEntryHeader = 42;

struct Zip {
  std::string bytes;
  size_t directory_at = 0;  // of the first central directory entry
  size_t end_at = 0;        // of the end record

  // Overwrites a little-endian field.
  void Set(size_t at, uint64_t value, int count);
};

Zip WriteZip(const std::vector<ZipMember>& members);

}  // namespace micrort::testing
