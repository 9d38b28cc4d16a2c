#pragma once
// The system's heap below operator new.

#include <cstddef>

namespace micrort::io {

// Null if there is no memory.
void* TakeHeap(size_t bytes, size_t alignment);
// How much TakeHeap() took for the block.
size_t HeapBytes(void* data);
void GiveHeap(void* data);

// Small blocks are merged as they are freed. Programs that allocate large blocks now and then are faster:
// each of these would merge all small ones that are free, to be split again. Large blocks go back to the
// system.
void MergeFreedBlocks();

}  // namespace micrort::io
