#pragma once
// Single objects in the library's memory.

#include <memory>
#include <new>
#include <utility>

#include "kernels/base/memory.h"

namespace micrort {

// Null if there is no memory for it.
template <typename T, typename... Arguments>
T* NewObject(Arguments&&... arguments) {
  void* const memory = TakeMemory(sizeof(T), alignof(T));
  return memory == nullptr ? nullptr : new (memory) T{std::forward<Arguments>(arguments)...};
}

template <typename T>
void DeleteObject(T* object) {
  if (object == nullptr) return;
  object->~T();
  GiveMemory(object, alignof(T));
}

struct ObjectDeleter {
  template <typename T>
  void operator()(T* object) const {
    DeleteObject(object);
  }
};
template <typename T>
using OwnedObject = std::unique_ptr<T, ObjectDeleter>;

#if defined(MICRORT_NO_HEAP)

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

class MemorySource {};

class UseMemory {
 public:
  explicit UseMemory(const MemorySource&) {}
};

#endif

}  // namespace micrort
