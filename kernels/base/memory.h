#pragma once
// Where the library's memory comes from: the heap, what SetAllocator put in its place, or, in a build without
// a heap, the memory block in force.

#include <cstddef>

#if defined(MICRORT_NO_HEAP)
#include "kernels/base/memory_block.h"
#endif

namespace micrort {

#if defined(MICRORT_NO_HEAP)

inline void* TakeMemory(size_t bytes, size_t alignment) { return MemoryBlock::Take(bytes, alignment); }
inline void GiveMemory(void* data, size_t) { MemoryBlock::Give(data); }

#else

// Functions of a caller, for all memory of the library. `alignment` is a power of two, and the same for both
// calls of a piece.
struct Allocator {
  void* (*allocate)(void* context, size_t bytes, size_t alignment) = nullptr;  // null: there is no more
  // Never of null. Null where memory is never given back.
  void (*deallocate)(void* context, void* data, size_t alignment) = nullptr;
  void* context = nullptr;
};

// For the whole process, from now on; Allocator() is the heap. Nothing of the library exists meanwhile, and
// no other thread is in it. Stacks and bookkeeping of threads stay the system's.
void SetAllocator(const Allocator& allocator);
bool HasAllocator();

// Null if there is no more.
void* TakeMemory(size_t bytes, size_t alignment);
// Null is nothing.
void GiveMemory(void* data, size_t alignment);

#endif

}  // namespace micrort
