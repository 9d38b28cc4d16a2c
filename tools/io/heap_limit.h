#pragma once
// A limit on what a program holds on its heap. Whatever a file asks for, in whichever place, ends there
// instead of taking the machine's memory. A program has it that links heap_limit.cpp, which replaces the
// global operators new and delete.

#include <cstddef>

namespace micrort::io {

// From now on; at first there is none. More than that ends the program as CatchAll() does, or is
// std::bad_alloc outside of it. Freed blocks are merged at once (platform/heap.h).
void LimitHeap(size_t bytes);

}  // namespace micrort::io
