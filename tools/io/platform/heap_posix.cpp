#include "tools/io/platform/heap.h"

#if defined(__APPLE__)
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

#include <cstdlib>

namespace micrort::io {

void* TakeHeap(size_t bytes, size_t alignment) {
  if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes == 0 ? 1 : bytes);
  void* data = nullptr;
  return posix_memalign(&data, alignment, bytes == 0 ? 1 : bytes) == 0 ? data : nullptr;
}

#if defined(__APPLE__)
size_t HeapBytes(void* data) { return malloc_size(data); }
#else
size_t HeapBytes(void* data) { return malloc_usable_size(data); }
#endif

void GiveHeap(void* data) { std::free(data); }

void MergeFreedBlocks() {
#if defined(__GLIBC__)
  mallopt(M_MXFAST, 0);
  // Without this, glibc keeps freed blocks of up to 32 MB for others, which seldom fit: 72 layers of 16
  // million weights took 4.1 GB to become int8, and take 2.3.
  constexpr int kLargeBlock = 4 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargeBlock);
#endif
}

}  // namespace micrort::io
