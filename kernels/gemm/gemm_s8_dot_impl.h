#pragma once
// Integer GEMM by instructions that multiply a few depth steps and add them into an int32: those of one row,
// broadcast as 32 bits, times the same ones of every column. Written once over the vectors.
//
// Vec has kLanes columns, kDepth depth steps (4 bytes or 2 int16 of a row), the type Right of B's elements
// and: Zero(), Broadcast(int32_t: the steps of a row), Load(const Right*: kDepth * kLanes of B), DotAdd(acc,
// row, columns), exact, Store(int32_t*, vector).

#include <cstddef>
#include <cstdint>

#include "kernels/gemm/gemm_s8_tiles.h"

namespace micrort {

namespace {

// kMr rows and two vectors of columns.
template <typename Vec, int kMr>
inline void GemmS8DotTile(size_t depth, const char* const (&rows)[kMr], const typename Vec::Right* b,
                          int32_t* sums) {
  constexpr int kLanes = Vec::kLanes, kDepth = Vec::kDepth;
  typename Vec::Type acc[kMr][2];
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) acc[i][0] = acc[i][1] = Vec::Zero();
  constexpr size_t kElementBytes = sizeof(int32_t) / kDepth;
  for (size_t k = 0; k < depth; k += kDepth, b += 2 * kDepth * kLanes) {
    const typename Vec::Type b0 = Vec::Load(b), b1 = Vec::Load(b + kDepth * kLanes);
#pragma GCC unroll 8
    for (int i = 0; i < kMr; ++i) {
      int32_t steps;
      __builtin_memcpy(&steps, rows[i] + k * kElementBytes, sizeof steps);
      const typename Vec::Type x = Vec::Broadcast(steps);
      acc[i][0] = Vec::DotAdd(acc[i][0], x, b0);
      acc[i][1] = Vec::DotAdd(acc[i][1], x, b1);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) {
    Vec::Store(sums + 2 * i * kLanes, acc[i][0]);
    Vec::Store(sums + (2 * i + 1) * kLanes, acc[i][1]);
  }
}

template <typename Vec, int kMr>
inline void GemmS8DotTiles(size_t m, size_t depth, const void* a, size_t a_stride,
                           const typename Vec::Right* b, int32_t* sums) {
  ForGemmS8Tiles<kMr, 2 * Vec::kLanes>(
      m, a, a_stride, sums,
      [=](const char* const(&rows)[kMr], int32_t* tile) { GemmS8DotTile<Vec, kMr>(depth, rows, b, tile); });
}

// Tiles of kMr rows; the last rows, if they are few, do not cost as much as a whole tile. The arguments are
// those of GemmS8Block with kr = Vec::kDepth.
template <typename Vec, int kMr>
inline void GemmS8Dot(size_t m, size_t depth, const void* a, size_t a_stride, const typename Vec::Right* b,
                      int32_t* sums) {
  const size_t few = m % kMr <= kMr / 2 ? m % kMr : 0, most = m - few;
  GemmS8DotTiles<Vec, kMr>(most, depth, a, a_stride, b, sums);
  if (few == 0) return;
  a = static_cast<const char*>(a) + most * a_stride;
  sums += most * 2 * Vec::kLanes;
  if (few == 1) return GemmS8DotTiles<Vec, 1>(1, depth, a, a_stride, b, sums);
  GemmS8DotTiles<Vec, kMr / 2>(few, depth, a, a_stride, b, sums);
}

}  // namespace

}  // namespace micrort
