#pragma once
// Gather: picks blocks of a tensor by index.

#include <cstddef>
#include <cstdint>

#include "kernels/base/dtype.h"
#include "kernels/base/int4.h"
#include "kernels/base/kernel_ids.h"
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

// Builds for devices without layers of floats have tables of int8 alone.
#if defined(MICRORT_NO_FLOAT_LAYERS)
constexpr bool kHasNarrowTables = false;
#else
constexpr bool kHasNarrowTables = true;
#endif

// Blocks that become floats as they are read (kernels/copy/gather_table.h): rows of one table.
struct TableRows {
  DType dtype = DType::kUnknown;  // int8, float16 or int4; kUnknown: blocks are copied as they are
  Int4Grid grid;                  // of int4
  size_t elements = 0;            // of a row
  size_t run = 0;                 // so many of them, one after another, have one scale; the last may be fewer
  size_t row_scales = 0;          // from the scales of a row to those of the next
  const float* scales = nullptr;  // of int8
  const int32_t* zero_points = nullptr;  // as the scales; null: 0
  KernelId kernel = KernelId::none;      // of ConvertF32Kernels
};

// The same with everything decided.
struct GatherCall {
  GatherShape shape;
  DType indices;  // int32 or int64
  TableRows table;
};

// The position of the first index that is outside, and nothing is written; or shape.count.
size_t RunGather(const GatherCall& call, const void* src, const void* indices, void* dst,
                 const Parallel& parallel);

// One row of it, on the calling thread: dst[i] = src[indices[i]] for indices >= 0.
void GatherRow(const uint8_t* src, const int32_t* indices, size_t count, size_t block_bytes, uint8_t* dst);

}  // namespace micrort
