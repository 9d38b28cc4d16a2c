#pragma once
// int16 by int8 with the micro-kernels of int8 by int8: x = 256 high + low + 128, where all three are bytes.

#include "kernels/gemm/gemm_s16.h"

namespace micrort {
namespace {

// sums = 256 sums + low, [m][nr].
template <size_t nr>
inline void AddLowBytes(const int32_t* __restrict low, size_t m, int32_t* __restrict sums) {
  for (size_t i = 0; i < m; ++i, low += nr, sums += nr) {
    for (size_t j = 0; j < nr; ++j) sums[j] = sums[j] * 256 + low[j];
  }
}

// Made of a micro-kernel for signed bytes whose tiles are mr x nr.
template <GemmS8Fn kRun, size_t mr, size_t nr>
inline void GemmS16OfBytes(const GemmS8Block& t) {
  // The sums of the low bytes wait on the stack.
  constexpr size_t kRows = kMaxGemmS8Tile / nr / mr * mr;
  alignas(16) int32_t low[kRows * nr];
  for (size_t i = 0; i < t.m; i += kRows) {
    GemmS8Block rows = t;
    rows.m = t.m - i < kRows ? t.m - i : kRows;
    rows.sums = low;
    const auto* const high_bytes = static_cast<const int8_t*>(t.a) + i * t.a_stride;
    rows.a = high_bytes + t.depth;
    kRun(rows);
    rows.sums = t.sums + i * nr;
    rows.a = high_bytes;
    kRun(rows);
    AddLowBytes<nr>(low, rows.m, rows.sums);
  }
}

}  // namespace
}  // namespace micrort
