#pragma once
// GEMM of int4 by int8, written once over the vectors.
//
// Vec has kLanes columns, and: Bytes (four of each column), Load(p), Low(bytes) and High(bytes): the halves
// of each byte; Four (four steps of a row, for every column), Broadcast(p); Partial (sums of kInt4Chunk
// products a column), Zero(), Add(partial, weights, row), Finish(partial): Sums, int32; Start(n) and
// Start<shift>(zero points, n): -n times the zero points, which are the halves of bytes on from bit `shift`;
// Plus(sums, sums); Floats, LoadFloats(p), LoadHalves(p), Store(p, floats), None(), AddScaled(total, sums,
// scales, row's scale): total + float(sums) * scales * row's scale, in steps. kSplit: the halves of bytes
// have partial sums of their own where there is one row.

#include <cstddef>
#include <cstdint>

#include "kernels/gemm/gemm_s4.h"

namespace micrort {

namespace {

template <typename Vec, int kMr, int NV>
struct GemmS4Tile {
  const GemmS4Block& t;
  const size_t first;  // row
  typename Vec::Floats total[kMr][NV];

  inline void Run() {
#pragma GCC unroll 4
    for (int i = 0; i < kMr; ++i) {
#pragma GCC unroll 4
      for (int j = 0; j < NV; ++j) total[i][j] = Vec::None();
    }
    const uint8_t* b = t.b;
    for (size_t g = 0; g < t.groups; ++g, b += t.panel.group_bytes()) AddGroup(g, b);
#pragma GCC unroll 4
    for (int i = 0; i < kMr; ++i) {
#pragma GCC unroll 4
      for (int j = 0; j < NV; ++j) {
        Vec::Store(t.y + (first + static_cast<size_t>(i)) * NV * Vec::kLanes + j * Vec::kLanes, total[i][j]);
      }
    }
  }

 private:
  inline size_t At(int i, size_t g) const { return (first + static_cast<size_t>(i)) * t.groups + g; }

  // Less the zero points of vector j, of which two are a byte.
  inline typename Vec::Sums StartBelow(const uint8_t* b, int j, int32_t n) const {
    const uint8_t* const zero_points = b + NV * Vec::kLanes * t.panel.scale_bytes();
    return j < NV / 2 ? Vec::template Start<0>(zero_points + j * Vec::kLanes, n)
                      : Vec::template Start<4>(zero_points + (j - NV / 2) * Vec::kLanes, n);
  }

  inline void AddGroup(size_t g, const uint8_t* b) {
    typename Vec::Sums sums[kMr][NV];
#pragma GCC unroll 4
    for (int i = 0; i < kMr; ++i) {
      const int32_t n = t.a_sums[At(i, g)];
#pragma GCC unroll 4
      for (int j = 0; j < NV; ++j) {
        sums[i][j] = t.panel.zero_points ? StartBelow(b, j, n) : Vec::Start(n);
      }
    }
    const uint8_t* weights = b + t.panel.weights_at();
    for (size_t k = 0; k < t.panel.group; k += kInt4Chunk) {
      AddChunk(g, k, weights, sums);
      weights += kInt4Chunk / 2 * NV * Vec::kLanes;
    }
#pragma GCC unroll 4
    for (int j = 0; j < NV; ++j) {
      const auto scales = t.panel.half_scales ? Vec::LoadHalves(b + j * Vec::kLanes * sizeof(uint16_t))
                                              : Vec::LoadFloats(b + j * Vec::kLanes * sizeof(float));
#pragma GCC unroll 4
      for (int i = 0; i < kMr; ++i)
        total[i][j] = Vec::AddScaled(total[i][j], sums[i][j], scales, t.a_scales[At(i, g)]);
    }
  }

  inline void AddChunk(size_t g, size_t k, const uint8_t* weights, typename Vec::Sums (&sums)[kMr][NV]) {
    constexpr int kParts = kMr == 1 && Vec::kSplit ? 2 : 1;
    typename Vec::Partial partial[kMr][NV][kParts];
#pragma GCC unroll 4
    for (int i = 0; i < kMr; ++i) {
#pragma GCC unroll 4
      for (int j = 0; j < NV; ++j) {
#pragma GCC unroll 2
        for (int part = 0; part < kParts; ++part) partial[i][j][part] = Vec::Zero();
      }
    }
#pragma GCC unroll 4
    for (size_t step = 0; step < kInt4Chunk; step += 8, weights += 4 * NV * Vec::kLanes) {
      typename Vec::Bytes low[NV], high[NV];
#pragma GCC unroll 4
      for (int j = 0; j < NV; ++j) {
        const auto bytes = Vec::Load(weights + 4 * j * Vec::kLanes);
        low[j] = Vec::Low(bytes);
        high[j] = Vec::High(bytes);
      }
#pragma GCC unroll 4
      for (int i = 0; i < kMr; ++i) {
        const int8_t* const a = t.a + At(i, g) * t.panel.group + k + step;
        const auto x0 = Vec::Broadcast(a), x1 = Vec::Broadcast(a + 4);
#pragma GCC unroll 4
        for (int j = 0; j < NV; ++j) {
          partial[i][j][0] = Vec::Add(partial[i][j][0], low[j], x0);
          partial[i][j][kParts - 1] = Vec::Add(partial[i][j][kParts - 1], high[j], x1);
        }
      }
    }
#pragma GCC unroll 4
    for (int i = 0; i < kMr; ++i) {
#pragma GCC unroll 4
      for (int j = 0; j < NV; ++j) {
#pragma GCC unroll 2
        for (int part = 0; part < kParts; ++part)
          sums[i][j] = Vec::Plus(sums[i][j], Vec::Finish(partial[i][j][part]));
      }
    }
  }
};

template <typename Vec, int kMr, int NV>
inline void GemmS4Rows(const GemmS4Block& t, size_t first) {
  GemmS4Tile<Vec, kMr, NV>{t, first, {}}.Run();
}

// Tiles of four rows, and what is left.
template <typename Vec, int NV>
inline void GemmS4(const GemmS4Block& t) {
  size_t i = 0;
  for (; i + 4 <= t.m; i += 4) GemmS4Rows<Vec, 4, NV>(t, i);
  switch (t.m - i) {
    case 3:
      return GemmS4Rows<Vec, 3, NV>(t, i);
    case 2:
      return GemmS4Rows<Vec, 2, NV>(t, i);
    case 1:
      return GemmS4Rows<Vec, 1, NV>(t, i);
    default:
      return;
  }
}

}  // namespace

}  // namespace micrort
