#pragma once
// What the operators that only move elements (Transpose, Slice, Gather ...) have in common in prepare.

#include "kernels/copy/strided_copy.h"
#include "runtime/ops/op.h"

namespace micrort {

// An axis in [-rank, rank), counted from the end if negative. kInvalidModel outside.
Status ResolveAxis(int64_t axis, int rank, int* resolved);

// Bit-equal scales and zero points; also if neither is quantized.
bool SameQuantization(const QuantizationView& a, const QuantizationView& b);

// Output 0 gets the dtype of input 0 and this shape. Elements are moved as they are, so where both are
// quantized as a whole they must be quantized alike (kInvalidModel). Scales along an axis are the affair of
// who writes the file.
Status SetMovedOutput(PrepareContext& context, const Shape& shape);

// Lets output 0 take the place of input 0 if the copy changes nothing.
void AllowInPlaceIfSame(PrepareContext& context, const StridedCopy& copy);

// From input 0 to output 0.
void RunMove(const RunContext& context, const CopyCall& call);

}  // namespace micrort
