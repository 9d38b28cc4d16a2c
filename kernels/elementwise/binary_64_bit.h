#pragma once
// Functions of two variables in the compute types other than float (kernels/elementwise/elements.h).

#include <cstddef>

#include "kernels/elementwise/binary_kind.h"
#include "kernels/elementwise/elements.h"

namespace micrort {

// As BinaryF32Fn, for elements of `type`. False if an integer was divided by zero; y is then unspecified.
using BinaryIn64BitsFn = bool (*)(BinaryKind kind, const void* a, size_t a_stride, const void* b,
                                  size_t b_stride, void* y, size_t n);

// Null for kF32, and for bitwise kinds of kF64.
BinaryIn64BitsFn SelectBinaryIn64Bits(BinaryKind kind, ComputeType type);

}  // namespace micrort
