#pragma once
// micrort::SetAllocator: the program's functions provide all memory of the library, instead of the heap. For
// the arena alone, InterpreterOptions::arena is enough.

#include "kernels/base/memory.h"
