#pragma once
// How micro-kernels of integer GEMM cut their rows into tiles.

#include <cstddef>
#include <cstdint>

namespace micrort {

namespace {

// Calls run(rows, sums) for tiles of kMr rows and kNr columns, `rows` being kMr pointers; those behind the
// last row are the last one again.
template <size_t kMr, size_t kNr, typename Run>
inline void ForGemmS8Tiles(size_t m, const void* a, size_t a_stride, int32_t* sums, Run run) {
  const auto* first = static_cast<const char*>(a);
  for (size_t i = 0; i < m; i += kMr, first += kMr * a_stride, sums += kMr * kNr) {
    const size_t last = m - i - 1;
    const char* rows[kMr];
#pragma GCC unroll 16
    for (size_t r = 0; r < kMr; ++r) rows[r] = first + (r < last ? r : last) * a_stride;
    run(rows, sums);
  }
}

}  // namespace

}  // namespace micrort
