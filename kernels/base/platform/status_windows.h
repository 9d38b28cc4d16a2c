#pragma once
// The first header of every file for Windows: GCC takes formats of printf() there for those of Microsoft's
// library, which the programs do not print by.

#define format(kind, text, first) format(gnu_##kind, text, first)
#include "kernels/base/status.h"
#undef format
