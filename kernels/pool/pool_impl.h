#pragma once
// The pooling micro-kernels over a vector type F of eight lanes (kernels/base/simd/vec8.h).
//
// A policy says how taps become a result:
//   Element, Vector, kLanes     elements of the tensors, what holds the running result, channels in one
//   Vector Initial()                   of an empty window Combine(acc, p)             with the kLanes
//   channels at p Finish(windows, acc, p)     writes kLanes channels
// and, where kLanes is 8, CombinePartial and FinishPartial for the first n channels.

#include <cstddef>
#include <cstdint>

#include "kernels/pool/pool.h"

namespace micrort {

template <typename F>
struct MaxF32Policy {
  using Element = float;
  using Vector = F;
  static constexpr size_t kLanes = 8;

  static F Initial() { return F::Broadcast(-__builtin_inff()); }
  static F Combine(F acc, const float* p) { return Max(F::Load(p), acc); }
  static F CombinePartial(F acc, const float* p, size_t n) { return Max(F::LoadPartial(p, n), acc); }
  static void Finish(const PoolWindows&, F acc, float* p) { acc.Store(p); }
  static void FinishPartial(const PoolWindows&, F acc, float* p, size_t n) { acc.StorePartial(p, n); }
};

template <typename F>
struct AverageF32Policy {
  using Element = float;
  using Vector = F;
  static constexpr size_t kLanes = 8;

  static F Initial() { return F::Zero(); }
  static F Combine(F acc, const float* p) { return acc + F::Load(p); }
  static F CombinePartial(F acc, const float* p, size_t n) { return acc + F::LoadPartial(p, n); }
  static void Finish(const PoolWindows& w, F acc, float* p) { (acc / F::Broadcast(w.divisor)).Store(p); }
  static void FinishPartial(const PoolWindows& w, F acc, float* p, size_t n) {
    (acc / F::Broadcast(w.divisor)).StorePartial(p, n);
  }
};

// Halves, in float.
template <typename F>
struct F16Policy {
  using Element = uint16_t;
  using Vector = F;
  static constexpr size_t kLanes = 8;

  static F LoadPartial(const uint16_t* p, size_t n) {
    uint16_t halves[kLanes] = {};
    __builtin_memcpy(halves, p, n * sizeof(uint16_t));
    return F::LoadHalf(halves);
  }
  static void StorePartial(F v, uint16_t* p, size_t n) {
    uint16_t halves[kLanes];
    v.StoreHalf(halves);
    __builtin_memcpy(p, halves, n * sizeof(uint16_t));
  }
};

template <typename F>
struct MaxF16Policy : F16Policy<F> {
  static F Initial() { return F::Broadcast(-__builtin_inff()); }
  static F Combine(F acc, const uint16_t* p) { return Max(F::LoadHalf(p), acc); }
  static F CombinePartial(F acc, const uint16_t* p, size_t n) {
    return Max(F16Policy<F>::LoadPartial(p, n), acc);
  }
  static void Finish(const PoolWindows&, F acc, uint16_t* p) { acc.StoreHalf(p); }
  static void FinishPartial(const PoolWindows&, F acc, uint16_t* p, size_t n) {
    F16Policy<F>::StorePartial(acc, p, n);
  }
};

template <typename F>
struct AverageF16Policy : F16Policy<F> {
  static F Initial() { return F::Zero(); }
  static F Combine(F acc, const uint16_t* p) { return acc + F::LoadHalf(p); }
  static F CombinePartial(F acc, const uint16_t* p, size_t n) {
    return acc + F16Policy<F>::LoadPartial(p, n);
  }
  static void Finish(const PoolWindows& w, F acc, uint16_t* p) {
    (acc / F::Broadcast(w.divisor)).StoreHalf(p);
  }
  static void FinishPartial(const PoolWindows& w, F acc, uint16_t* p, size_t n) {
    F16Policy<F>::StorePartial(acc / F::Broadcast(w.divisor), p, n);
  }
};

// `lowest`: the lowest value of T.
template <typename F, typename T, int32_t lowest>
struct MaxIntegerPolicy {
  using Element = T;
  using Vector = typename F::Int;
  static constexpr size_t kLanes = 8;

  static Vector Initial() { return Vector::Broadcast(lowest); }
  static Vector Combine(Vector acc, const T* p) { return Max(acc, Vector::Load(p)); }
  static Vector CombinePartial(Vector acc, const T* p, size_t n) {
    return Max(acc, Vector::LoadPartial(p, n));
  }
  static void Finish(const PoolWindows&, Vector acc, T* p) { acc.Store(p); }
  static void FinishPartial(const PoolWindows&, Vector acc, T* p, size_t n) { acc.StorePartial(p, n); }
};
template <typename F>
using MaxS8Policy = MaxIntegerPolicy<F, int8_t, INT8_MIN>;
template <typename F>
using MaxU8Policy = MaxIntegerPolicy<F, uint8_t, 0>;
template <typename F>
using MaxS16Policy = MaxIntegerPolicy<F, int16_t, INT16_MIN>;

template <typename F, typename T>
struct SumPolicy {
  using Element = T;
  using Vector = typename F::Int;
  static constexpr size_t kLanes = 8;

  static Vector Initial() { return Vector::Zero(); }
  static Vector Combine(Vector acc, const T* p) { return acc + Vector::Load(p); }
  static Vector CombinePartial(Vector acc, const T* p, size_t n) { return acc + Vector::LoadPartial(p, n); }
};

template <typename F>
struct AverageS8Policy : SumPolicy<F, int8_t> {
  using Vector = typename F::Int;
  static void Finish(const PoolWindows& w, Vector acc, int8_t* p) { Quantize(w, acc).Store(p); }
  static void FinishPartial(const PoolWindows& w, Vector acc, int8_t* p, size_t n) {
    Quantize(w, acc).StorePartial(p, n);
  }

 private:
  // Saturates before rounding, so that the sum with the zero point stays in range; the result is the same.
  static Vector Quantize(const PoolWindows& w, Vector acc) {
    if (w.rounding == Rounding::kTflite) return Quotient(w, acc);
    const F low = F::Broadcast(static_cast<float>(INT8_MIN - w.out_zero_point));
    const F high = F::Broadcast(static_cast<float>(INT8_MAX - w.out_zero_point));
    const F value = ToFloat(acc - Vector::Broadcast(w.zero_point_sum)) * F::Broadcast(w.multiplier);
    return RoundToIntInRange(Max(Min(value, high), low)) + Vector::Broadcast(w.out_zero_point);
  }

  // Below 2^24, floats hold the integers, and quotients of so few taps that are no integers stay away from
  // them.
  static Vector Quotient(const PoolWindows& w, Vector acc) {
    const Vector sign = ShiftRight(acc, 31);
    const Vector magnitude = (acc ^ sign) - sign;
    const Vector half = Vector::Broadcast(static_cast<int32_t>(w.divisor) / 2);
    const F quotient = Floor(ToFloat(magnitude + half) / F::Broadcast(w.divisor));
    return (RoundToIntInRange(quotient) ^ sign) - sign;
  }
};

template <typename F>
struct AverageS16Policy : SumPolicy<F, int16_t> {
  using Vector = typename F::Int;
  static void Finish(const PoolWindows& w, Vector acc, int16_t* p) { Quotient(w, acc).Store(p); }
  static void FinishPartial(const PoolWindows& w, Vector acc, int16_t* p, size_t n) {
    Quotient(w, acc).StorePartial(p, n);
  }

 private:
  // Floats do not hold these sums, but quotients are off by one at most, which the remainder tells.
  static Vector Quotient(const PoolWindows& w, Vector acc) {
    const Vector sign = ShiftRight(acc, 31), divisor = Vector::Broadcast(static_cast<int32_t>(w.divisor));
    const Vector magnitude = ((acc ^ sign) - sign) + ShiftRight(divisor, 1);
    const Vector near = RoundToIntInRange(Floor(ToFloat(magnitude) / F::Broadcast(w.divisor)));
    const Vector rest = magnitude - near * divisor;
    const Vector quotient = near + Less(rest, Vector::Zero()) - ~Less(rest, divisor);
    return (quotient ^ sign) - sign;
  }
};

// In portable code, without floats.
template <bool average>
struct S16Policy {
  using Element = int16_t;
  static constexpr size_t kLanes = 8;
  struct Vector {
    int32_t lanes[kLanes];
  };

  static Vector Initial() {
    Vector v;
    for (int32_t& lane : v.lanes) lane = average ? 0 : INT16_MIN;
    return v;
  }
  static Vector Combine(Vector acc, const int16_t* p) { return CombinePartial(acc, p, kLanes); }
  static Vector CombinePartial(Vector acc, const int16_t* p, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      if (average) {
        acc.lanes[i] += p[i];
      } else if (p[i] > acc.lanes[i]) {
        acc.lanes[i] = p[i];
      }
    }
    return acc;
  }
  static void Finish(const PoolWindows& w, const Vector& acc, int16_t* p) {
    FinishPartial(w, acc, p, kLanes);
  }
  static void FinishPartial(const PoolWindows& w, const Vector& acc, int16_t* p, size_t n) {
    const auto taps = static_cast<int32_t>(w.divisor);
    for (size_t i = 0; i < n; ++i)
      p[i] = static_cast<int16_t>(average ? Quotient(acc.lanes[i], taps) : acc.lanes[i]);
  }

 private:
  static int32_t Quotient(int32_t sum, int32_t taps) { return (sum + (sum < 0 ? -taps : taps) / 2) / taps; }
};

// One window, kVectors * kLanes channels.
template <typename Policy, size_t kVectors>
inline void PoolVectors(const PoolWindows& w, const typename Policy::Element* in,
                        typename Policy::Element* out) {
  using Element = typename Policy::Element;
  typename Policy::Vector acc[kVectors];
  for (size_t v = 0; v < kVectors; ++v) acc[v] = Policy::Initial();
  const auto* row = reinterpret_cast<const char*>(in);
  for (size_t r = 0; r < w.rows; ++r, row += w.row_stride) {
    const char* tap = row;
    for (size_t c = 0; c < w.cols; ++c, tap += w.col_stride) {
      const auto* p = reinterpret_cast<const Element*>(tap);
      for (size_t v = 0; v < kVectors; ++v) acc[v] = Policy::Combine(acc[v], p + v * Policy::kLanes);
    }
  }
  for (size_t v = 0; v < kVectors; ++v) Policy::Finish(w, acc[v], out + v * Policy::kLanes);
}

// One window, the last n < 8 channels.
template <typename Policy>
inline void PoolTail(const PoolWindows& w, const typename Policy::Element* in, typename Policy::Element* out,
                     size_t n) {
  using Element = typename Policy::Element;
  typename Policy::Vector acc = Policy::Initial();
  const auto* row = reinterpret_cast<const char*>(in);
  for (size_t r = 0; r < w.rows; ++r, row += w.row_stride) {
    const char* tap = row;
    for (size_t c = 0; c < w.cols; ++c, tap += w.col_stride) {
      acc = Policy::CombinePartial(acc, reinterpret_cast<const Element*>(tap), n);
    }
  }
  Policy::FinishPartial(w, acc, out, n);
}

// The contract of PoolFn. `Wide` takes most of the channels, kUnroll vectors at a time, `Narrow`, of eight
// lanes, the rest.
template <typename Wide, typename Narrow = Wide, size_t kUnroll = 4>
inline void Pool(const PoolWindows& w) {
  using Element = typename Wide::Element;
  for (size_t i = 0; i < w.count; ++i) {
    const auto step = static_cast<ptrdiff_t>(i);
    const auto* in =
        reinterpret_cast<const Element*>(static_cast<const char*>(w.first) + step * w.window_stride);
    auto* out = reinterpret_cast<Element*>(static_cast<char*>(w.out) + step * w.out_stride);
    size_t c = 0;
    for (; kUnroll > 1 && c + kUnroll * Wide::kLanes <= w.channels; c += kUnroll * Wide::kLanes) {
      PoolVectors<Wide, kUnroll>(w, in + c, out + c);
    }
    for (; c + Wide::kLanes <= w.channels; c += Wide::kLanes) PoolVectors<Wide, 1>(w, in + c, out + c);
    if constexpr (Narrow::kLanes < Wide::kLanes) {
      for (; c + Narrow::kLanes <= w.channels; c += Narrow::kLanes)
        PoolVectors<Narrow, 1>(w, in + c, out + c);
    }
    if (c < w.channels) PoolTail<Narrow>(w, in + c, out + c, w.channels - c);
  }
}

}  // namespace micrort
