#pragma once
// XNNPACK's memory is the library's: what SetAllocator put in place of the heap, and in its tests.

#include <xnnpack.h>

namespace micrort {

// Lives for ever.
const xnn_allocator& XnnpackMemory();

}  // namespace micrort
