#pragma once
// int8 GEMM by instructions that multiply a few depth steps and add them into an int32: those of one row,
// broadcast as 32 bits, times the same ones of every column. Written once over the vectors.
//
// Vec has kLanes columns, kDepth depth steps (4 bytes or 2 int16 of a row) and: Zero(), Broadcast(int32_t:
// the steps of a row), Load(const int8_t*: kDepth * kLanes of B), DotAdd(acc, row, columns), exact,
// Store(int32_t*, vector).

#include <cstddef>
#include <cstdint>

namespace micrort {

namespace {

// kMr rows and two vectors of columns; the arguments are those of GemmS8Fn with kr = Vec::kDepth.
template <typename Vec, int kMr>
inline void GemmS8DotRows(size_t depth, const void* const* a, const int8_t* b, int32_t* tile) {
  constexpr int kLanes = Vec::kLanes, kDepth = Vec::kDepth;
  typename Vec::Type acc[kMr][2];
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) acc[i][0] = acc[i][1] = Vec::Zero();
  const char* rows[kMr];
  for (int i = 0; i < kMr; ++i) rows[i] = static_cast<const char*>(a[i]);
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
    Vec::Store(tile + 2 * i * kLanes, acc[i][0]);
    Vec::Store(tile + (2 * i + 1) * kLanes, acc[i][1]);
  }
}

// A tile of kMr rows. The last rows of a matrix, or a single one, do not cost as much as a whole tile.
template <typename Vec, int kMr>
inline void GemmS8Dot(size_t m, size_t depth, const void* const* a, const int8_t* b, int32_t* tile) {
  if (m == 1) return GemmS8DotRows<Vec, 1>(depth, a, b, tile);
  if (m <= kMr / 2) return GemmS8DotRows<Vec, kMr / 2>(depth, a, b, tile);
  GemmS8DotRows<Vec, kMr>(depth, a, b, tile);
}

}  // namespace

}  // namespace micrort
