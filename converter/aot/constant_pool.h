#pragma once
// Bytes that never change, all in one block, the same bytes once.

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace micrort::aot {

class ConstantPool {
 public:
  // Where they lie in the block, aligned to 64 bytes.
  size_t Add(const void* data, size_t bytes);

  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
  std::multimap<size_t, size_t> offsets_by_size_;
};

}  // namespace micrort::aot
