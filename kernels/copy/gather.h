#pragma once
// Gather: picks blocks of a tensor by index.

#include <cstddef>
#include <cstdint>

#include "kernels/base/dtype.h"
#include "kernels/base/parallel.h"

namespace micrort {

// src is [outer, bound, block], dst is [outer, count, block]; block is `block_bytes` contiguous bytes.
struct GatherShape {
  size_t outer;
  size_t bound;
  size_t count;
  size_t block_bytes;
};

// The position of the first index outside [-bound, bound), or `count` if there is none.
template <typename Index>
size_t FindBadIndex(const Index* indices, size_t count, size_t bound);

// dst[o][i] = src[o][indices[i]], counted from the end where negative. Every index is in [-bound, bound).
template <typename Index>
void Gather(const GatherShape& shape, const void* src, const Index* indices, void* dst,
            const Parallel& parallel);

// The same with everything decided.
struct GatherCall {
  GatherShape shape;
  DType indices;  // int32 or int64
};

// The position of the first index that is outside, and nothing is written; or shape.count.
size_t RunGather(const GatherCall& call, const void* src, const void* indices, void* dst,
                 const Parallel& parallel);

// One row of it, on the calling thread: dst[i] = src[indices[i]] for indices >= 0.
void GatherRow(const uint8_t* src, const int32_t* indices, size_t count, size_t block_bytes, uint8_t* dst);

}  // namespace micrort
