#include "tools/io/heap_limit.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include "tools/io/heap_use.h"
#include "tools/io/platform/heap.h"

namespace {

std::atomic<size_t> in_use{0};

void* Allocate(size_t bytes, size_t alignment) {
  const size_t limit = micrort::io::CurrentHeapUse().limit;
  const bool fits = limit == 0 || (bytes <= limit && in_use.load(std::memory_order_relaxed) <= limit - bytes);
  void* const data = fits ? micrort::io::TakeHeap(bytes, alignment) : nullptr;
  if (data == nullptr) {
    micrort::io::CurrentHeapUse().refused = bytes;
    micrort::io::CurrentHeapUse().over_limit = !fits;
  } else {
    in_use.fetch_add(micrort::io::HeapBytes(data), std::memory_order_relaxed);
  }
  return data;
}

void* AllocateOrThrow(size_t bytes, size_t alignment) {
  void* data = Allocate(bytes, alignment);
  if (data != nullptr) return data;
  if (micrort::io::CurrentHeapUse().end_program != nullptr) micrort::io::CurrentHeapUse().end_program();
  throw std::bad_alloc();
}

void Free(void* data) {
  if (data == nullptr) return;
  in_use.fetch_sub(micrort::io::HeapBytes(data), std::memory_order_relaxed);
  micrort::io::GiveHeap(data);
}

constexpr size_t kUsual = alignof(std::max_align_t);

}  // namespace

void* operator new(size_t bytes) { return AllocateOrThrow(bytes, kUsual); }
void* operator new[](size_t bytes) { return AllocateOrThrow(bytes, kUsual); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return Allocate(bytes, kUsual); }
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept { return Allocate(bytes, kUsual); }
void* operator new(size_t bytes, std::align_val_t at) {
  return AllocateOrThrow(bytes, static_cast<size_t>(at));
}
void* operator new[](size_t bytes, std::align_val_t at) {
  return AllocateOrThrow(bytes, static_cast<size_t>(at));
}
void* operator new(size_t bytes, std::align_val_t at, const std::nothrow_t&) noexcept {
  return Allocate(bytes, static_cast<size_t>(at));
}
void* operator new[](size_t bytes, std::align_val_t at, const std::nothrow_t&) noexcept {
  return Allocate(bytes, static_cast<size_t>(at));
}
void operator delete(void* data) noexcept { Free(data); }
void operator delete[](void* data) noexcept { Free(data); }
void operator delete(void* data, size_t) noexcept { Free(data); }
void operator delete[](void* data, size_t) noexcept { Free(data); }
void operator delete(void* data, const std::nothrow_t&) noexcept { Free(data); }
void operator delete[](void* data, const std::nothrow_t&) noexcept { Free(data); }
void operator delete(void* data, std::align_val_t) noexcept { Free(data); }
void operator delete[](void* data, std::align_val_t) noexcept { Free(data); }
void operator delete(void* data, size_t, std::align_val_t) noexcept { Free(data); }
void operator delete[](void* data, size_t, std::align_val_t) noexcept { Free(data); }
void operator delete(void* data, std::align_val_t, const std::nothrow_t&) noexcept { Free(data); }
void operator delete[](void* data, std::align_val_t, const std::nothrow_t&) noexcept { Free(data); }

namespace micrort::io {

void LimitHeap(size_t bytes) {
  CurrentHeapUse().limit = bytes;
  MergeFreedBlocks();
}

}  // namespace micrort::io
