#pragma once
// Single objects: on the heap, or, in a build without one, in the memory block in force.

#include <new>

#if defined(MICRORT_NO_HEAP)
#include "kernels/base/memory_block.h"
#endif

namespace micrort {

#if defined(MICRORT_NO_HEAP)

// Null if there is no memory for it.
template <typename T>
T* NewObject() {
  void* const memory = MemoryBlock::Take(sizeof(T), alignof(T));
  return memory == nullptr ? nullptr : new (memory) T;
}

template <typename T>
void DeleteObject(T* object) {
  if (object == nullptr) return;
  object->~T();
  MemoryBlock::Give(object);
}

// The block that was in force when this was made, to be put in force again later.
class MemorySource {
 public:
  MemoryBlock* block() const { return block_; }

 private:
  MemoryBlock* block_ = MemoryBlock::Current();
};

class UseMemory {
 public:
  explicit UseMemory(const MemorySource& source) : use_(source.block()) {}

 private:
  UseBlock use_;
};

#else

template <typename T>
T* NewObject() {
  return new (std::nothrow) T;
}

template <typename T>
void DeleteObject(T* object) {
  delete object;
}

class MemorySource {};

class UseMemory {
 public:
  explicit UseMemory(const MemorySource&) {}
};

#endif

}  // namespace micrort
