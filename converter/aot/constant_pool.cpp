#include "converter/aot/constant_pool.h"

#include <cstring>

#include "kernels/base/checked_math.h"

namespace micrort::aot {

size_t ConstantPool::Add(const void* data, size_t bytes) {
  const auto* from = static_cast<const uint8_t*>(data);
  const auto [first, last] = offsets_by_size_.equal_range(bytes);
  for (auto it = first; it != last; ++it) {
    if (std::memcmp(bytes_.data() + it->second, from, bytes) == 0) return it->second;
  }
  bytes_.resize(AlignUp(bytes_.size(), kAlignment));
  const size_t offset = bytes_.size();
  bytes_.insert(bytes_.end(), from, from + bytes);
  offsets_by_size_.emplace(bytes, offset);
  return offset;
}

}  // namespace micrort::aot
