#pragma once
// Memory that ends where nothing may be read.

#if defined(_WIN32)
#include <windows.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <cstddef>
#include <cstdint>

namespace micrort::testing {

class GuardedPage {
 public:
#if defined(_WIN32)
  GuardedPage() {
    DWORD before;
    memory_ =
        static_cast<uint8_t*>(VirtualAlloc(nullptr, 2 * kPage, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
    is_guarded_ = memory_ != nullptr && VirtualProtect(end(), kPage, PAGE_NOACCESS, &before);
  }
  ~GuardedPage() { VirtualFree(memory_, 0, MEM_RELEASE); }
#else
  GuardedPage() {
    constexpr int kAccess = PROT_READ | PROT_WRITE, kKind = MAP_PRIVATE | MAP_ANONYMOUS;
    void* const memory = mmap(nullptr, 2 * kPage, kAccess, kKind, -1, 0);
    if (memory == MAP_FAILED) return;
    memory_ = static_cast<uint8_t*>(memory);
    is_guarded_ = mprotect(end(), kPage, PROT_NONE) == 0;
  }
  ~GuardedPage() {
    if (memory_ != nullptr) munmap(memory_, 2 * kPage);
  }
#endif
  GuardedPage(const GuardedPage&) = delete;
  GuardedPage& operator=(const GuardedPage&) = delete;

  bool is_guarded() const { return is_guarded_; }
  uint8_t* end() const { return memory_ + kPage; }

 private:
  static constexpr size_t kPage = 65536;  // of every size that systems have, a multiple

  uint8_t* memory_ = nullptr;
  bool is_guarded_ = false;
};

}  // namespace micrort::testing
