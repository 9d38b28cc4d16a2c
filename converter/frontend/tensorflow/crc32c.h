#pragma once
// Checksums as checkpoints store them.

#include <cstddef>
#include <cstdint>

namespace micrort::frontend::tensorflow {

// CRC-32C (polynomial of Castagnoli, reflected) of bytes in parts.
class Crc32c {
 public:
  Crc32c& Add(const void* bytes, size_t n);
  // Stored rotated and offset, so that a checksum of data with checksums stays a good one.
  uint32_t Masked() const;

 private:
  uint32_t state_ = 0xffffffffu;
};

}  // namespace micrort::frontend::tensorflow
