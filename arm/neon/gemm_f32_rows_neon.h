#pragma once
// Float GEMM of any number of rows, by micro-kernels of one tile.

#include "kernels/gemm/gemm_f32.h"

namespace micrort {
namespace {

// Calls run(tile) for tiles of kMr rows from row `first`, a multiple of kMr, on, and for what is left.
template <size_t kMr>
inline void GemmF32ForEachTile(const GemmF32Tile& t, size_t first, GemmF32Fn run) {
  GemmF32Tile tile = t;
  tile.a += first / kMr * tile.a_step;
  tile.c += first * tile.c_stride;
  if (tile.start != nullptr) tile.start += first * tile.start_stride;
  for (size_t left = t.m - first; left > 0; left -= tile.m) {
    tile.m = left < kMr ? left : kMr;
    run(tile);
    tile.a += tile.a_step;
    tile.c += tile.m * tile.c_stride;
    if (tile.start != nullptr) tile.start += tile.m * tile.start_stride;
  }
}

}  // namespace
}  // namespace micrort
