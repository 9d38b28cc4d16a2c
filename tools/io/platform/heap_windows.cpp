#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "tools/io/platform/heap.h"

namespace micrort::io {
namespace {

// Windows frees blocks of larger alignments by another function, which operator delete does not know.
struct Header {
  void* block;
  size_t bytes;
};

Header* HeaderOf(void* data) { return static_cast<Header*>(data) - 1; }

}  // namespace

void* TakeHeap(size_t bytes, size_t alignment) {
  alignment = std::max(alignment, alignof(std::max_align_t));
  const size_t before = sizeof(Header) + alignment;
  if (bytes > SIZE_MAX - before) return nullptr;
  void* const block = std::malloc(bytes + before);
  if (block == nullptr) return nullptr;
  const auto data = (reinterpret_cast<uintptr_t>(block) + before) / alignment * alignment;
  *HeaderOf(reinterpret_cast<void*>(data)) = {block, bytes + before};
  return reinterpret_cast<void*>(data);
}

size_t HeapBytes(void* data) { return HeaderOf(data)->bytes; }
void GiveHeap(void* data) { std::free(HeaderOf(data)->block); }
void MergeFreedBlocks() {}

}  // namespace micrort::io
