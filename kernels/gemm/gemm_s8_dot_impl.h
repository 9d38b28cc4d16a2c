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

// kMr rows and NV of two vectors of columns.
template <typename Vec, int kMr, int NV>
inline void GemmS8DotTile(size_t depth, const char* const (&rows)[kMr], const typename Vec::Right* b,
                          int32_t* sums) {
  constexpr int kLanes = Vec::kLanes, kDepth = Vec::kDepth;
  typename Vec::Type acc[kMr][NV];
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) {
#pragma GCC unroll 2
    for (int j = 0; j < NV; ++j) acc[i][j] = Vec::Zero();
  }
  constexpr size_t kElementBytes = sizeof(int32_t) / kDepth;
  for (size_t k = 0; k < depth; k += kDepth, b += 2 * kDepth * kLanes) {
    typename Vec::Type columns[NV];
#pragma GCC unroll 2
    for (int j = 0; j < NV; ++j) columns[j] = Vec::Load(b + j * kDepth * kLanes);
#pragma GCC unroll 8
    for (int i = 0; i < kMr; ++i) {
      int32_t steps;
      __builtin_memcpy(&steps, rows[i] + k * kElementBytes, sizeof steps);
      const typename Vec::Type x = Vec::Broadcast(steps);
#pragma GCC unroll 2
      for (int j = 0; j < NV; ++j) acc[i][j] = Vec::DotAdd(acc[i][j], x, columns[j]);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) {
#pragma GCC unroll 2
    for (int j = 0; j < NV; ++j) Vec::Store(sums + (2 * i + j) * kLanes, acc[i][j]);
  }
}

// Rows of a matrix times a panel, its sums two vectors wide. `stride`: bytes from row to row.
template <typename Vec>
struct GemmS8DotBlock {
  size_t m, depth;
  const void* a;
  size_t stride;
  const typename Vec::Right* b;  // [depth / Vec::kDepth][2 * kLanes][kDepth]
  int32_t* sums;                 // [m][2 * kLanes]
};

template <typename Vec, int kMr, int NV>
inline void GemmS8DotTiles(const GemmS8DotBlock<Vec>& t) {
  ForGemmS8Tiles<kMr, 2 * Vec::kLanes>(t.m, t.a, t.stride, t.sums,
                                       [&](const char* const(&rows)[kMr], int32_t* tile) {
                                         GemmS8DotTile<Vec, kMr, NV>(t.depth, rows, t.b, tile);
                                       });
}

// Tiles of kMr rows; the last rows, if they are few, do not cost as much as a whole tile.
template <typename Vec, int kMr, int NV>
inline void GemmS8DotColumns(GemmS8DotBlock<Vec> t) {
  const size_t few = t.m % kMr <= kMr / 2 ? t.m % kMr : 0;
  t.m -= few;
  GemmS8DotTiles<Vec, kMr, NV>(t);
  if (few == 0) return;
  t.a = static_cast<const char*>(t.a) + t.m * t.stride;
  t.sums += t.m * 2 * Vec::kLanes;
  t.m = few;
  if (few == 1) return GemmS8DotTiles<Vec, 1, NV>(t);
  GemmS8DotTiles<Vec, kMr / 2, NV>(t);
}

// `n`: columns that exist.
template <typename Vec, int kMr>
inline void GemmS8Dot(const GemmS8DotBlock<Vec>& t, size_t n) {
  if (n <= Vec::kLanes) return GemmS8DotColumns<Vec, kMr, 1>(t);
  GemmS8DotColumns<Vec, kMr, 2>(t);
}

}  // namespace

}  // namespace micrort
