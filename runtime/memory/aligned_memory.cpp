#include "runtime/memory/aligned_memory.h"

#if defined(MICRORT_NO_HEAP)
#include "kernels/base/memory_block.h"
#elif defined(__linux__)
#include <sys/mman.h>
#endif

#include <cstdint>
#include <cstring>
#include <new>

#include "kernels/base/checked_math.h"

namespace micrort {

namespace {

#if defined(MICRORT_NO_HEAP)

void* NewBlock(size_t bytes) { return MemoryBlock::Take(bytes, kAlignment); }
void DeleteBlock(void* data) { MemoryBlock::Give(data); }

#else

// A hint: large blocks of weights and activations then take a fraction of the page faults as they are filled,
// and of the translations as they are streamed.
void PreferLargePages(void* data, size_t bytes) {
#if defined(MADV_HUGEPAGE)
  constexpr uintptr_t kLargePage = uintptr_t{2} << 20;
  const auto first = reinterpret_cast<uintptr_t>(data);
  const uintptr_t begin = AlignUp(first, kLargePage), end = (first + bytes) / kLargePage * kLargePage;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  static_cast<void>(data);
  static_cast<void>(bytes);
#endif
}

void* NewBlock(size_t bytes) {
  void* const data = ::operator new (bytes, std::align_val_t{kAlignment}, std::nothrow);
  if (data != nullptr) PreferLargePages(data, bytes);
  return data;
}

void DeleteBlock(void* data) { ::operator delete (data, std::align_val_t{kAlignment}); }

#endif

}  // namespace

AlignedMemory::~AlignedMemory() { DeleteBlock(data_); }

Status AlignedMemory::Allocate(size_t bytes) {
  DeleteBlock(std::exchange(data_, nullptr));
  size_ = 0;
  if (bytes == 0) return Status();
  data_ = NewBlock(bytes);
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
