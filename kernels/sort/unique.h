#pragma once
// Different slices of a tensor.

#include <cstddef>
#include <cstdint>

#include "kernels/base/dtype.h"

namespace micrort {

// x is [outer][n][inner]; its n slices [outer][inner] are compared. n < 2^32.
struct UniqueParams {
  DType dtype;
  bool sorted;  // slices come out in their order, or as they first appear
  size_t outer, n, inner;
};

// With the axis of the output that counts them.
struct UniqueCall {
  UniqueParams params;
  int output_axis;
};

// kTooManyBytes: there is no such block.
size_t UniqueScratchBytes(size_t n);

// Finds the different slices and returns their number. Zeros of both signs are equal, and so are NaNs, which
// come last.
//   first    [number]  of each different slice, where it first appears
//   inverse  [n]       the position of slice i among the different ones
//   counts   [number]  how often it appears
size_t FindUnique(const UniqueParams& params, const void* x, int64_t* first, int64_t* inverse,
                  int64_t* counts, void* scratch);

// y: [outer][count][inner], the slices at first[0 .. count).
void CopySlices(const UniqueParams& params, const void* x, const int64_t* first, size_t count, void* y);

}  // namespace micrort
