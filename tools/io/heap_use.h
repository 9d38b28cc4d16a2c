#pragma once
// What is known of the heap where memory is over (heap_limit.h).

#include <cstddef>
#include <cstdint>

namespace micrort::io {

struct HeapUse {
  size_t limit = 0;         // 0: none
  size_t refused = 0;       // bytes of the last allocation that failed; 0: not known
  bool over_limit = false;  // it failed because of the limit, and not of the system
  bool grows_with_files = false;
  // Called where memory is refused, and does not return: not all libraries survive std::bad_alloc, which is
  // thrown where there is none.
  void (*end_program)() = nullptr;
};
HeapUse& CurrentHeapUse();

// For files that a model or the command line names: where the limit follows from the size of the model, what
// they take comes on top.
inline void AllowHeap(uint64_t bytes) {
  HeapUse& heap = CurrentHeapUse();
  if (heap.grows_with_files && bytes < PTRDIFF_MAX - heap.limit) heap.limit += static_cast<size_t>(bytes);
}

// What a conversion may hold for so many bytes of weights: as they are read, in the graph, quantized, as an
// object and as bytes of the file, and the reference that it is verified against.
constexpr uint64_t HeapFor(uint64_t weight_bytes) { return 8 * weight_bytes; }

}  // namespace micrort::io
