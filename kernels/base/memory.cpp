#include "kernels/base/memory.h"

#if !defined(MICRORT_NO_HEAP)

#include <new>

namespace micrort {

namespace {

Allocator current;

constexpr bool IsUsual(size_t alignment) { return alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__; }

}  // namespace

void SetAllocator(const Allocator& allocator) { current = allocator; }
bool HasAllocator() { return current.allocate != nullptr; }

void* TakeMemory(size_t bytes, size_t alignment) {
  if (HasAllocator()) return current.allocate(current.context, bytes, alignment);
  if (IsUsual(alignment)) return ::operator new(bytes, std::nothrow);
  return ::operator new (bytes, std::align_val_t{alignment}, std::nothrow);
}

void GiveMemory(void* data, size_t alignment) {
  if (data == nullptr) return;
  if (HasAllocator()) {
    if (current.deallocate != nullptr) current.deallocate(current.context, data, alignment);
  } else if (IsUsual(alignment)) {
    ::operator delete(data);
  } else {
    ::operator delete (data, std::align_val_t{alignment});
  }
}

}  // namespace micrort

#endif
