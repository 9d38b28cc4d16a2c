#pragma once
// Functions of one variable in the compute types other than float (kernels/elementwise/elements.h).

#include <cstddef>

#include "kernels/elementwise/elements.h"
#include "kernels/elementwise/unary_kind.h"

namespace micrort {

// y[i] = op(x[i]) for i < n, of one compute type; y may be x.
using UnaryIn64BitsFn = void (*)(const UnaryOp& op, const void* x, void* y, size_t n);

// Null where the type has no such function: integers have kIdentity, kClip, kAbs, kNeg, kSign and
// kBitwiseNot; kF64 what the C library has and simple formulas; kF32 is not handled here.
UnaryIn64BitsFn SelectUnaryIn64Bits(UnaryKind kind, ComputeType type);

// kIsNaN and kIsInf of kF32 or kF64: y[i] is 0 or 1.
void ClassifyFloats(UnaryKind kind, ComputeType type, const void* x, uint8_t* y, size_t n);

}  // namespace micrort
