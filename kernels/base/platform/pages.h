#pragma once
// Hints on pages of memory.

#include <cstddef>
#include <cstdint>

#include "kernels/base/checked_math.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace micrort {

// Large blocks of weights and activations then take a fraction of the page faults as they are filled, and of
// the translations as they are streamed.
inline void PreferLargePages([[maybe_unused]] void* data, [[maybe_unused]] size_t bytes) {
#if defined(MADV_HUGEPAGE)
  constexpr uintptr_t kLargePage = uintptr_t{2} << 20;
  const auto first = reinterpret_cast<uintptr_t>(data);
  const uintptr_t begin = AlignUp(first, kLargePage), end = (first + bytes) / kLargePage * kLargePage;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace micrort
