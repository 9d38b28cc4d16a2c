#pragma once
// The float GEMM micro-kernel over a vector type F of floats (as F32x8 of kernels/base/simd/vec8.h), with
// tiles of mr = MR rows and nr = NV vectors of columns.

#include "kernels/gemm/gemm_f32.h"

namespace micrort {
namespace {

// The first M of MR rows and V vectors of the tile, of which panels have NV. With `kPartial` some columns of
// the last vector do not exist, or none is missing.
template <typename F, int MR, int NV, int M, int V, bool kPartial>
struct GemmF32Part {
  static constexpr int kLanes = sizeof(F) / sizeof(float);
  static constexpr int kNr = kLanes * NV;

  static size_t Last(const GemmF32Tile& t) { return t.n - kLanes * (V - 1); }
  static F Load(const GemmF32Tile& t, const float* p, int j) {
    if (kPartial && j == V - 1) return F::LoadPartial(p + kLanes * j, Last(t));
    return F::Load(p + kLanes * j);
  }
  static void Store(F v, float* p, int j, size_t last) {
    if (kPartial && j == V - 1) return v.StorePartial(p + kLanes * j, last);
    v.Store(p + kLanes * j);
  }

  // Rows that do not exist may start from anything.
  static void Start(const GemmF32Tile& t, F (&acc)[M][V]) {
#pragma GCC unroll 16
    for (int i = 0; i < M; ++i) {
      const bool load = t.start != nullptr && static_cast<size_t>(i) < t.m;
#pragma GCC unroll 16
      for (int j = 0; j < V; ++j) {
        acc[i][j] = load ? Load(t, t.start + static_cast<size_t>(i) * t.start_stride, j) : F::Zero();
      }
    }
  }

  static F LoadB(const float* b) { return F::Load(b); }
  static F LoadB(const uint16_t* halves) { return F::LoadHalf(halves); }

  // `b`: of floats, or of halves.
  template <typename B>
  static void Multiply(const GemmF32Tile& t, const B* b, F (&acc)[M][V]) {
    // Where one cache line for each step is enough, and cheap: in whole tiles. Not measured on ARM.
    constexpr bool kPrefetch = MICRORT_ARCH_X86 && M > 1 && V == NV && V > 1;
    const float* next = t.next == nullptr ? t.b : t.next;
    for (size_t tap = 0; tap < t.taps; ++tap) {
      const float* a[M];
      for (int i = 0; i < M; ++i) a[i] = t.a[tap * MR + i] + t.a_offset;
      for (size_t k = 0; k < t.channels; ++k, b += kNr) {
        F bv[V];
#pragma GCC unroll 16
        for (int j = 0; j < V; ++j) bv[j] = LoadB(b + kLanes * (j % NV) + t.panel_stride * (j / NV));
#pragma GCC unroll 16
        for (int i = 0; i < M; ++i) {
          const F av = F::Broadcast(a[i][k]);
#pragma GCC unroll 16
          for (int j = 0; j < V; ++j) acc[i][j] = Fma(av, bv[j], acc[i][j]);
        }
        if constexpr (kPrefetch) {
          __builtin_prefetch(next, 0, 2);
          next += t.next_step;
        }
      }
    }
  }

  static void Finish(const GemmF32Tile& t, const F (&acc)[M][V]) {
    const F lo = F::Broadcast(t.lo), hi = F::Broadcast(t.hi);
    // For all a compiler knows, storing a vector changes members of t.
    const size_t rows = t.m, stride = t.c_stride, last = Last(t);
    float* c = t.c;
    F bias[V];
#pragma GCC unroll 16
    for (int j = 0; j < V; ++j) bias[j] = t.bias == nullptr ? F::Zero() : Load(t, t.bias, j);
#pragma GCC unroll 16
    for (int i = 0; i < M; ++i, c += stride) {
      if (static_cast<size_t>(i) >= rows) break;
#pragma GCC unroll 16
      for (int j = 0; j < V; ++j) {
        // In this order of operands a NaN passes through.
        Store(Max(lo, Min(hi, acc[i][j] + bias[j])), c, j, last);
      }
    }
  }

  template <typename B>
  static void Run(const GemmF32Tile& t, const B* b) {
    F acc[M][V];
    Start(t, acc);
    Multiply(t, b, acc);
    Finish(t, acc);
  }
};

template <typename F, int MR, int NV, bool kMasks, int M, int V, typename B>
inline void GemmF32Columns(const GemmF32Tile& t, const B* b) {
  constexpr size_t kLanes = sizeof(F) / sizeof(float);
  if constexpr (V > 1) {
    if (t.n <= kLanes * (V - 1)) return GemmF32Columns<F, MR, NV, kMasks, M, V - 1>(t, b);
  }
  if (!kMasks && t.n == kLanes * V) return GemmF32Part<F, MR, NV, M, V, false>::Run(t, b);
  GemmF32Part<F, MR, NV, M, V, true>::Run(t, b);
}

// kMasks: partial vectors are as fast as whole ones, so that these need no functions of their own. P: panels
// of one row at a time, as GemmF32RowPanels tells.
template <typename F, int MR, int NV, bool kMasks = false, int P = kGemmF32RowPanels, typename B = float>
inline void GemmF32Row(const GemmF32Tile& t, const B* b) {
  if constexpr (P > 1) {
    if (t.n > sizeof(F) / sizeof(float) * NV) return GemmF32Part<F, MR, NV, 1, NV * P, false>::Run(t, b);
  }
  GemmF32Columns<F, MR, NV, kMasks, 1, NV>(t, b);
}

template <typename F, int MR, int NV, bool kMasks = false, int P = kGemmF32RowPanels>
inline void GemmF32(const GemmF32Tile& t) {
  if (t.m == 1) return GemmF32Row<F, MR, NV, kMasks, P>(t, t.b);
  if (t.m <= MR / 2) return GemmF32Columns<F, MR, NV, kMasks, MR / 2, NV>(t, t.b);
  GemmF32Columns<F, MR, NV, kMasks, MR, NV>(t, t.b);
}

}  // namespace
}  // namespace micrort
