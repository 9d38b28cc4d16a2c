#include "kernels/base/memory_block.h"

#include <algorithm>

#include "kernels/base/checked_math.h"

namespace micrort {

MemoryBlock* MemoryBlock::current_ = nullptr;

MemoryBlock::MemoryBlock(void* data, size_t bytes) {
  const auto first = reinterpret_cast<uintptr_t>(data);
  const size_t lost = static_cast<size_t>(AlignUp(first, kUnit) - first);
  if (data == nullptr || bytes < lost + 2 * kUnit) return;
  begin_ = static_cast<uint8_t*>(data) + lost;
  end_ = begin_ + (bytes - lost) / kUnit * kUnit;
  *At(begin_) = {static_cast<uintptr_t>(end_ - begin_), false};
}

void MemoryBlock::JoinFree(uint8_t* place) const {
  Header* const header = At(place);
  for (uint8_t* next = place + header->bytes; next != end_ && !At(next)->in_use;
       next = place + header->bytes) {
    header->bytes += At(next)->bytes;
  }
}

void* MemoryBlock::Allocate(size_t bytes, size_t alignment) {
  if (bytes > PTRDIFF_MAX / 2) return nullptr;
  const size_t needed = AlignUp(bytes, kUnit) + kUnit;
  // The first place with room: what is made last and lives longest lies as low as what was freed allows.
  for (uint8_t* place = begin_; place != end_; place += At(place)->bytes) {
    if (At(place)->in_use) continue;
    JoinFree(place);
    const auto data = AlignUp(reinterpret_cast<uintptr_t>(place) + kUnit, std::max(alignment, kUnit));
    const size_t before = static_cast<size_t>(data - kUnit - reinterpret_cast<uintptr_t>(place));
    const size_t found = At(place)->bytes;
    if (found < needed || found - needed < before) continue;
    uint8_t* const taken = place + before;
    if (before != 0) *At(place) = {before, false};
    *At(taken) = {needed, true};
    if (found != before + needed) *At(taken + needed) = {found - before - needed, false};
    peak_ = std::max(peak_, static_cast<size_t>(taken + needed - begin_));
    return taken + kUnit;
  }
  return nullptr;
}

void MemoryBlock::Give(void* data) {
  if (data != nullptr) reinterpret_cast<Header*>(static_cast<uint8_t*>(data) - kUnit)->in_use = false;
}

size_t MemoryBlock::used_bytes() const {
  size_t bytes = 0;
  for (uint8_t* place = begin_; place != end_; place += At(place)->bytes) {
    if (At(place)->in_use) bytes += At(place)->bytes;
  }
  return bytes;
}

}  // namespace micrort
