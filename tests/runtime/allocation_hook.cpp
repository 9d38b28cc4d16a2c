// The linker sends all calls of malloc and its kin here (--wrap, see tests/CMakeLists.txt); operator new is
// replaced. Windows has malloc in a DLL, whose functions LLD 14 wraps so that they call themselves: there
// operator new alone is watched.

#include "tests/runtime/allocation_hook.h"

#if defined(_WIN32)
#include "tools/io/platform/heap.h"
#else
#include <sys/mman.h>
#endif

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

namespace micrort::testing {
namespace {

std::atomic<bool> watching{false};
std::atomic<size_t> allocations{0};
std::atomic<size_t> fail_from{AllocationHook::kNever};

bool MayAllocate() { return !watching || allocations++ < fail_from; }

}  // namespace

AllocationHook::AllocationHook(size_t fail_at) {
  allocations = 0;
  fail_from = fail_at;
  watching = true;
}

AllocationHook::~AllocationHook() { watching = false; }

size_t AllocationHook::count() { return allocations; }

}  // namespace micrort::testing

using micrort::testing::MayAllocate;

#if !defined(_WIN32)
extern "C" {

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* p, size_t size);

void* __wrap_malloc(size_t size) { return MayAllocate() ? __real_malloc(size) : nullptr; }
void* __wrap_calloc(size_t count, size_t size) {
  return MayAllocate() ? __real_calloc(count, size) : nullptr;
}
void* __wrap_realloc(void* p, size_t size) { return MayAllocate() ? __real_realloc(p, size) : nullptr; }

void* __real_aligned_alloc(size_t alignment, size_t size);
void* __real_mmap(void* at, size_t size, int protection, int flags, int file, off_t offset);

void* __wrap_aligned_alloc(size_t alignment, size_t size) {
  return MayAllocate() ? __real_aligned_alloc(alignment, size) : nullptr;
}
void* __wrap_mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  if (MayAllocate()) return __real_mmap(at, size, protection, flags, file, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}

}  // extern "C"
#endif

namespace {

#if defined(_WIN32)
void* Allocate(size_t size, size_t alignment) {
  return MayAllocate() ? micrort::io::TakeHeap(size, alignment) : nullptr;
}
void Free(void* p) {
  if (p != nullptr) micrort::io::GiveHeap(p);
}
#else
void* Allocate(size_t size, size_t alignment) {
  if (!MayAllocate()) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return __real_malloc(size == 0 ? 1 : size);
  void* p = nullptr;  // Emscripten's linker finds no aligned_alloc() behind that of this file
  return posix_memalign(&p, alignment, size) == 0 ? p : nullptr;
}
void Free(void* p) { std::free(p); }
#endif

void* AllocateOrThrow(size_t size, size_t alignment) {
  void* p = Allocate(size, alignment);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

size_t Bytes(std::align_val_t alignment) { return static_cast<size_t>(alignment); }

}  // namespace

void* operator new(size_t n) { return AllocateOrThrow(n, 1); }
void* operator new[](size_t n) { return AllocateOrThrow(n, 1); }
void* operator new(size_t n, std::align_val_t a) { return AllocateOrThrow(n, Bytes(a)); }
void* operator new[](size_t n, std::align_val_t a) { return AllocateOrThrow(n, Bytes(a)); }
void* operator new(size_t n, const std::nothrow_t&) noexcept { return Allocate(n, 1); }
void* operator new[](size_t n, const std::nothrow_t&) noexcept { return Allocate(n, 1); }
void* operator new(size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return Allocate(n, Bytes(a));
}
void* operator new[](size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return Allocate(n, Bytes(a));
}
void operator delete(void* p) noexcept { Free(p); }
void operator delete[](void* p) noexcept { Free(p); }
void operator delete(void* p, size_t) noexcept { Free(p); }
void operator delete[](void* p, size_t) noexcept { Free(p); }
void operator delete(void* p, std::align_val_t) noexcept { Free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { Free(p); }
void operator delete(void* p, size_t, std::align_val_t) noexcept { Free(p); }
void operator delete[](void* p, size_t, std::align_val_t) noexcept { Free(p); }
