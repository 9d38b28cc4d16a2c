#pragma once
// The ZIP container of PyTorch's files. Source: PKWARE's APPNOTE.TXT, sections 4.3 and 4.5.3 (ZIP64).

#include <map>
#include <string>

#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::frontend::torchscript {

class ZipArchive {
 public:
  // Reads the directory. `bytes` must outlive this. kInvalidModel unless all entries lie inside the file,
  // apart from each other, and say the same where they stand as in the directory.
  Status Open(Span<const uint8_t> bytes);

  // Names without the folder that PyTorch puts around all entries.
  bool Has(const std::string& name) const { return entries_.count(name) != 0; }
  // Null if there is none.
  const std::string* FirstBelow(const std::string& folder) const;

  // The entry's content in place. kUnsupported if it is compressed.
  Result<Span<const uint8_t>> View(const std::string& name) const;
  // A copy of it, of at most max_bytes, decompressed where needed.
  Status Read(const std::string& name, size_t max_bytes, std::string* out) const;

 private:
  struct Entry {
    uint32_t method = 0;
    uint64_t packed_bytes = 0, bytes = 0, header_at = 0, data_at = 0;
  };
  struct Directory {
    uint64_t at = 0, bytes = 0, count = 0;
  };

  Status FindDirectory(Directory* out) const;
  Result<Directory> ReadZip64(uint64_t end) const;
  Status ReadEntry(uint64_t* at, uint64_t end, std::string* name, Entry* out) const;
  Status CheckLocalHeader(const std::string& name, Entry* entry) const;
  Status CheckApart(uint64_t directory_at) const;
  void DropCommonFolder();
  Status Find(const std::string& name, const Entry** out) const;
  uint64_t Number(uint64_t at, int count) const;
  bool Fits(uint64_t at, uint64_t count) const { return at <= bytes_.size() && count <= bytes_.size() - at; }

  Span<const uint8_t> bytes_;
  std::map<std::string, Entry> entries_;
};

}  // namespace micrort::frontend::torchscript
