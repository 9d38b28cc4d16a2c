#pragma once
// A caller's memory. In a build without a heap (MICRORT_HEAP=OFF), models and interpreters take from it all
// that they need.

#include <cstddef>
#include <cstdint>

namespace micrort {

// Not thread-safe. Outlives what was made in it.
class MemoryBlock {
 public:
  // The memory is the block's from now on.
  MemoryBlock(void* data, size_t bytes);
  MemoryBlock(const MemoryBlock&) = delete;
  MemoryBlock& operator=(const MemoryBlock&) = delete;

  // As much as was ever in use. The same calls in a block of exactly this size, equally aligned to 64 bytes,
  // succeed, and with one byte less they end with kOutOfMemory.
  size_t peak_bytes() const { return peak_; }
  size_t used_bytes() const;

  // For the library itself. Null if there is no room. `alignment` is a power of two.
  void* Allocate(size_t bytes, size_t alignment);

  static MemoryBlock* Current() { return current_; }
  // Memory of the current block; null, too, where there is none.
  static void* Take(size_t bytes, size_t alignment) {
    return current_ == nullptr ? nullptr : current_->Allocate(bytes, alignment);
  }
  // From whichever block it came. Null is nothing.
  static void Give(void* data);

 private:
  friend class UseBlock;
  // Every piece of memory, free or not, has one before it, and the next one after it.
  struct Header {
    uintptr_t bytes;  // of the piece and this
    bool in_use;
  };
  static constexpr size_t kUnit = 2 * sizeof(uintptr_t);
  static_assert(sizeof(Header) == kUnit);

  Header* At(uint8_t* place) const { return reinterpret_cast<Header*>(place); }
  // Free pieces behind this one become a part of it.
  void JoinFree(uint8_t* place) const;

  static MemoryBlock* current_;
  uint8_t* begin_ = nullptr;
  uint8_t* end_ = nullptr;
  size_t peak_ = 0;
};

// Puts a block in force for as long as this lives.
class UseBlock {
 public:
  explicit UseBlock(MemoryBlock* block) : former_(MemoryBlock::current_) { MemoryBlock::current_ = block; }
  ~UseBlock() { MemoryBlock::current_ = former_; }
  UseBlock(const UseBlock&) = delete;
  UseBlock& operator=(const UseBlock&) = delete;

 private:
  MemoryBlock* former_;
};

}  // namespace micrort
