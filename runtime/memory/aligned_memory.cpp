#include "runtime/memory/aligned_memory.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <cstdint>
#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/memory.h"

namespace micrort {

namespace {

#if defined(MICRORT_NO_HEAP)

void PreferLargePages(void*, size_t) {}

#else

// A hint: large blocks of weights and activations then take a fraction of the page faults as they are filled,
// and of the translations as they are streamed.
void PreferLargePages(void* data, size_t bytes) {
#if defined(MADV_HUGEPAGE)
  if (HasAllocator()) return;  // the memory is the caller's
  constexpr uintptr_t kLargePage = uintptr_t{2} << 20;
  const auto first = reinterpret_cast<uintptr_t>(data);
  const uintptr_t begin = AlignUp(first, kLargePage), end = (first + bytes) / kLargePage * kLargePage;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  static_cast<void>(data);
  static_cast<void>(bytes);
#endif
}

#endif

}  // namespace

AlignedMemory::~AlignedMemory() { GiveMemory(data_, kAlignment); }

Status AlignedMemory::Allocate(size_t bytes) {
  GiveMemory(std::exchange(data_, nullptr), kAlignment);
  size_ = 0;
  if (bytes == 0) return Status();
  data_ = TakeMemory(bytes, kAlignment);
  if (data_ == nullptr) return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", bytes);
  PreferLargePages(data_, bytes);
  size_ = bytes;
  return Status();
}

Status AlignedMemory::AllocateZeroed(size_t bytes) {
  MICRORT_RETURN_IF_ERROR(Allocate(bytes));
  if (bytes != 0) std::memset(data_, 0, bytes);
  return Status();
}

}  // namespace micrort
