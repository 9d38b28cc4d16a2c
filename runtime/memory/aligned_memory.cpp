#include "runtime/memory/aligned_memory.h"

#include <cstring>
#include <new>

#include "kernels/base/checked_math.h"

namespace micrort {

AlignedMemory::~AlignedMemory() { ::operator delete (data_, std::align_val_t{kAlignment}); }

Status AlignedMemory::Allocate(size_t bytes) {
  ::operator delete (std::exchange(data_, nullptr), std::align_val_t{kAlignment});
  size_ = 0;
  if (bytes == 0) return Status();
  data_ = ::operator new (bytes, std::align_val_t{kAlignment}, std::nothrow);
  if (data_ == nullptr) return MICRORT_ERROR(kOutOfMemory, "cannot allocate %zu bytes", bytes);
  size_ = bytes;
  return Status();
}

Status AlignedMemory::AllocateZeroed(size_t bytes) {
  MICRORT_RETURN_IF_ERROR(Allocate(bytes));
  if (bytes != 0) std::memset(data_, 0, bytes);
  return Status();
}

}  // namespace micrort
