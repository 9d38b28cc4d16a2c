#pragma once
// Tiles of int8 GEMM without dot-product instructions: four rows of eight columns, whose sums become outputs
// in their registers.

#include <arm_neon.h>

#include "arm/neon/requantize_8_neon.h"
#include "kernels/gemm/gemm_s8.h"

namespace micrort {
namespace {

// The sums of a row.
struct GemmS8Sums {
  int32x4_t low, high;
};

// Product:
//   Add<M, kFullRange>(a, b, depth, sums)   adds the products of M rows; behind them is a[i] then
// Rows [first, first + M), of which those before t.m exist.
template <typename Product, int M, bool kFullRange>
inline void GemmS8RunRows(const GemmS8Block& t, size_t first) {
  constexpr size_t kNr = 8;
  const size_t stride = t.a_stride, rows = t.m - first;
  const int8_t* a[M];
  const auto* row = static_cast<const int8_t*>(t.a) + first * stride;
#pragma GCC unroll 4
  for (size_t i = 0; i < M; ++i) {
    a[i] = row;
    if (i + 1 < rows) row += stride;
  }
  const GemmS8Output* const output = t.output;
  GemmS8Sums start = {vdupq_n_s32(0), vdupq_n_s32(0)};
  if (output != nullptr) start = {vld1q_s32(output->bias), vld1q_s32(output->bias + 4)};
  GemmS8Sums sums[M];
#pragma GCC unroll 4
  for (int i = 0; i < M; ++i) sums[i] = start;
  Product::template Add<M, kFullRange>(a, t.b, t.depth, sums);
  if (output == nullptr) {
#pragma GCC unroll 4
    for (size_t i = 0; i < M; ++i) {
      vst1q_s32(t.sums + (first + i) * kNr, sums[i].low);
      vst1q_s32(t.sums + (first + i) * kNr + 4, sums[i].high);
    }
    return;
  }
  const Requantize8 requantize(output->multipliers, output->multipliers + 4, output->zero_point, output->lo,
                               output->hi);
  // Where columns do not exist, outputs are copied afterwards.
  int8_t whole_rows[M * kNr];
  const bool whole = t.n == kNr;
  const size_t y_stride = whole ? output->stride : kNr;
  int8_t* y = whole ? output->y + first * y_stride : whole_rows;
#pragma GCC unroll 4
  for (size_t i = 0; i < M; ++i, y += y_stride) {
    if (i > 0 && i == rows) break;
    vst1_s8(y, requantize(sums[i].low, sums[i].high));
  }
  for (size_t i = 0; !whole && i < M && i < rows; ++i) {
    __builtin_memcpy(output->y + (first + i) * output->stride, whole_rows + i * kNr, t.n);
  }
}

// As many whole tiles of outputs as there are. Returns the rows.
template <typename Product, bool kFullRange>
__attribute__((noinline)) size_t GemmS8RunWholeTiles(const GemmS8Block& t) {
  constexpr size_t kMr = 4;
  const GemmS8Output o = *t.output;
  const StoredRequantize8 stored(o.multipliers, o.multipliers + 4, o.zero_point, o.lo, o.hi);
  const size_t stride = t.a_stride, depth = t.depth, rows = t.m / kMr * kMr;
  const auto* first = static_cast<const int8_t*>(t.a);
  const int8_t* a[kMr] = {first, first + stride, first + 2 * stride, first + 3 * stride};
  const size_t next_rows = kMr * stride - depth;
  int8_t* y = o.y;
#pragma GCC unroll 1
  for (size_t i = 0; i < rows; i += kMr) {
    const GemmS8Sums start = {vld1q_s32(o.bias), vld1q_s32(o.bias + 4)};
    GemmS8Sums sums[kMr] = {start, start, start, start};
    Product::template Add<kMr, kFullRange>(a, t.b, depth, sums);
#pragma GCC unroll 4
    for (const int8_t*& row : a) row += next_rows;
    const Requantize8& requantize = Load(stored);
#pragma GCC unroll 2
    for (size_t j = 0; j < kMr; j += 2) {
      const int8x16_t two = requantize.TwoRows(sums[j].low, sums[j].high, sums[j + 1].low, sums[j + 1].high);
      vst1_s8(y, vget_low_s8(two));
      vst1_s8(y + o.stride, vget_high_s8(two));
      y += 2 * o.stride;
    }
  }
  return rows;
}

template <typename Product, bool kFullRange>
__attribute__((noinline)) void GemmS8RunTiles(const GemmS8Block& t) {
  size_t i = t.output != nullptr && t.n == 8 ? GemmS8RunWholeTiles<Product, kFullRange>(t) : 0;
  for (; i + 2 < t.m; i += 4) GemmS8RunRows<Product, 4, kFullRange>(t, i);
  if (i + 1 < t.m) return GemmS8RunRows<Product, 2, kFullRange>(t, i);
  if (i < t.m) GemmS8RunRows<Product, 1, kFullRange>(t, i);
}

template <typename Product>
inline void GemmS8RunFourByEight(const GemmS8Block& block) {
  if (block.output != nullptr) *block.written = true;
  block.full_range ? GemmS8RunTiles<Product, true>(block) : GemmS8RunTiles<Product, false>(block);
}

}  // namespace
}  // namespace micrort
