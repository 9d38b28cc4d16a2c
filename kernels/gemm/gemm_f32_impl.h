#pragma once
// The float GEMM micro-kernel over a vector type F of floats (as F32x8 of kernels/base/simd/vec8.h), with
// tiles of mr = MR rows and nr = NV vectors of columns.

#include "kernels/gemm/gemm_f32.h"

namespace micrort {
namespace {

// Where the finished tile goes and what the epilogue adds: the tensors themselves, or copies padded to the
// full tile.
struct GemmF32Target {
  float* c;
  size_t c_stride;
  const float* bias;
  const float* start;
  size_t start_stride;
};

// The first M of MR rows of the tile.
template <typename F, int MR, int NV, int M>
struct GemmF32Rows {
  static constexpr int kLanes = sizeof(F) / sizeof(float);
  static constexpr int kNr = kLanes * NV;

  static void Multiply(const GemmF32Tile& t, F (&acc)[M][NV]) {
    const float* b = t.b;
    for (size_t tap = 0; tap < t.taps; ++tap) {
      const float* a[M];
      for (int i = 0; i < M; ++i) a[i] = t.a[tap * MR + i] + t.a_offset;
      for (size_t k = 0; k < t.channels; ++k, b += kNr) {
        F bv[NV];
#pragma GCC unroll 4
        for (int j = 0; j < NV; ++j) bv[j] = F::Load(b + kLanes * j);
#pragma GCC unroll 16
        for (int i = 0; i < M; ++i) {
          const F av = F::Broadcast(a[i][k]);
#pragma GCC unroll 4
          for (int j = 0; j < NV; ++j) acc[i][j] = Fma(av, bv[j], acc[i][j]);
        }
      }
    }
  }

  static void Finish(const GemmF32Tile& t, const GemmF32Target& out, const F (&acc)[M][NV]) {
    const F lo = F::Broadcast(t.lo), hi = F::Broadcast(t.hi);
#pragma GCC unroll 16
    for (int i = 0; i < M; ++i) {
#pragma GCC unroll 4
      for (int j = 0; j < NV; ++j) {
        F v = acc[i][j];
        if (out.bias != nullptr) v = v + F::Load(out.bias + kLanes * j);
        // In this order of operands a NaN passes through.
        Max(lo, Min(hi, v)).Store(out.c + i * out.c_stride + kLanes * j);
      }
    }
  }

  static void Start(const GemmF32Target& out, F (&acc)[M][NV]) {
#pragma GCC unroll 16
    for (int i = 0; i < M; ++i) {
#pragma GCC unroll 4
      for (int j = 0; j < NV; ++j) {
        acc[i][j] = out.start ? F::Load(out.start + i * out.start_stride + kLanes * j) : F::Zero();
      }
    }
  }

  static void Run(const GemmF32Tile& t) {
    if (t.m == M && t.n == kNr) return Compute(t, {t.c, t.c_stride, t.bias, t.start, t.start_stride});
    // A tile at an edge of C works on copies.
    float c[M * kNr], start[M * kNr] = {}, bias[kNr] = {};
    for (size_t i = 0; i < t.m && t.start != nullptr; ++i) {
      for (size_t j = 0; j < t.n; ++j) start[i * kNr + j] = t.start[i * t.start_stride + j];
    }
    for (size_t j = 0; j < t.n && t.bias != nullptr; ++j) bias[j] = t.bias[j];
    Compute(t, {c, kNr, bias, start, kNr});
    for (size_t i = 0; i < t.m; ++i) {
      for (size_t j = 0; j < t.n; ++j) t.c[i * t.c_stride + j] = c[i * kNr + j];
    }
  }

  static void Compute(const GemmF32Tile& t, const GemmF32Target& out) {
    F acc[M][NV];
    Start(out, acc);
    Multiply(t, acc);
    Finish(t, out, acc);
  }
};

template <typename F, int MR, int NV>
inline void GemmF32(const GemmF32Tile& t) {
  if (t.m == 1) return GemmF32Rows<F, MR, NV, 1>::Run(t);
  if (t.m <= MR / 2) return GemmF32Rows<F, MR, NV, MR / 2>::Run(t);
  GemmF32Rows<F, MR, NV, MR>::Run(t);
}

}  // namespace
}  // namespace micrort
