#include "runtime/memory/aligned_memory.h"

#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/memory.h"
#if !defined(MICRORT_NO_HEAP)
#include "kernels/base/platform/pages.h"
#endif

namespace micrort {

AlignedMemory::~AlignedMemory() { GiveMemory(data_, kAlignment); }

Status AlignedMemory::Allocate(size_t bytes) {
  GiveMemory(std::exchange(data_, nullptr), kAlignment);
  size_ = 0;
  if (bytes == 0) return Status();
  data_ = TakeMemory(bytes, kAlignment);
  if (data_ == nullptr) return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", bytes);
#if !defined(MICRORT_NO_HEAP)
  if (!HasAllocator()) PreferLargePages(data_, bytes);  // else the memory is the caller's
#endif
  size_ = bytes;
  return Status();
}

Status AlignedMemory::AllocateZeroed(size_t bytes) {
  MICRORT_RETURN_IF_ERROR(Allocate(bytes));
  if (bytes != 0) std::memset(data_, 0, bytes);
  return Status();
}

}  // namespace micrort
