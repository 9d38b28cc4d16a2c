#pragma once
// int8 GEMM by products of unsigned and signed bytes: four depth steps of one row, broadcast, times the same
// four of every column, added without saturation. Written once over the width of the vectors.
//
// Vec has kLanes columns and: Zero(), Load(const int8_t*), Broadcast(int32_t: four bytes),
// DotAdd(acc, unsigned bytes, signed bytes), Store(int32_t*, vector).

#include <cstddef>
#include <cstdint>

namespace micrort {

namespace {

// A tile of kMr rows and two vectors of columns; the arguments are those of GemmS8Fn with kr = 4.
template <typename Vec, int kMr>
void GemmS8Dot4(size_t depth, const void* const* a, const int8_t* b, int32_t* tile) {
  constexpr int kLanes = Vec::kLanes;
  typename Vec::Type acc[kMr][2];
#pragma GCC unroll 8
  for (int i = 0; i < kMr; ++i) acc[i][0] = acc[i][1] = Vec::Zero();
  const uint8_t* rows[kMr];
  for (int i = 0; i < kMr; ++i) rows[i] = static_cast<const uint8_t*>(a[i]);
  for (size_t k = 0; k < depth; k += 4, b += 8 * kLanes) {
    const typename Vec::Type b0 = Vec::Load(b), b1 = Vec::Load(b + 4 * kLanes);
#pragma GCC unroll 8
    for (int i = 0; i < kMr; ++i) {
      int32_t four;
      __builtin_memcpy(&four, rows[i] + k, sizeof four);
      const typename Vec::Type x = Vec::Broadcast(four);
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

}  // namespace

}  // namespace micrort
