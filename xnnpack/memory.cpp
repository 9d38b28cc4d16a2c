#include "xnnpack/memory.h"

#include <cstdint>
#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/memory.h"

namespace micrort {
namespace {

// In front of each block, which is aligned to kAlignment, too: XNNPACK gives blocks back without a size.
struct Header {
  size_t bytes;
};
constexpr size_t kHeaderBytes = kAlignment;
static_assert(sizeof(Header) <= kHeaderBytes, "");

Header* HeaderOf(void* block) {
  return reinterpret_cast<Header*>(static_cast<uint8_t*>(block) - kHeaderBytes);
}

void* Allocate(void*, size_t bytes) {
  if (bytes > PTRDIFF_MAX - kHeaderBytes) return nullptr;
  auto* const memory = static_cast<uint8_t*>(TakeMemory(kHeaderBytes + bytes, kAlignment));
  if (memory == nullptr) return nullptr;
  reinterpret_cast<Header*>(memory)->bytes = bytes;
  return memory + kHeaderBytes;
}

void Deallocate(void*, void* block) {
  if (block != nullptr) GiveMemory(HeaderOf(block), kAlignment);
}

void* Reallocate(void* context, void* block, size_t bytes) {
  void* const other = Allocate(context, bytes);
  if (block == nullptr || other == nullptr) return other;
  const size_t had = HeaderOf(block)->bytes;
  std::memcpy(other, block, had < bytes ? had : bytes);
  Deallocate(context, block);
  return other;
}

void* AllocateAligned(void* context, size_t alignment, size_t bytes) {
  return alignment <= kAlignment ? Allocate(context, bytes) : nullptr;
}

}  // namespace

const xnn_allocator& XnnpackMemory() {
  static constexpr xnn_allocator kMemory = {nullptr,    Allocate,        Reallocate,
                                            Deallocate, AllocateAligned, Deallocate};
  return kMemory;
}

}  // namespace micrort
