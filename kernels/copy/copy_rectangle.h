#pragma once
// The inner loops of the strided copy: a rectangle of blocks.

#include <cstddef>
#include <cstdint>

#include "kernels/copy/strided_copy.h"

namespace micrort {

// Copies rows.size x cols.size blocks. `copy` gives the size of a block and the kernel for tiles.
using CopyRectangleFn = void (*)(const StridedCopy& copy, const CopyDim& rows, const CopyDim& cols,
                                 const uint8_t* src, uint8_t* dst);

// The loops for this copy's rectangle: single elements and small blocks as fixed-size moves, large blocks by
// memcpy, transposes in tiles that fit the first-level cache.
CopyRectangleFn ChooseCopyRectangle(const StridedCopy& copy);

}  // namespace micrort
