#pragma once
// micrort::SetAllocator: functions of the program for all memory of the library, in place of the heap. An
// arena can be the caller's without that: InterpreterOptions::arena.

#include "kernels/base/memory.h"
