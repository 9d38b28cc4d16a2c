#pragma once
// The transforms over a vector type F of floats (as F32x8 of kernels/base/simd/vec8.h).

#include "kernels/winograd/winograd_1d.h"
#include "kernels/winograd/winograd_f32.h"

namespace micrort {
namespace {

// The first `count` lanes, where vectors have masks, those of AVX-512; the others are always whole.
template <typename F>
constexpr bool kHasMasks = sizeof(F) == 16 * sizeof(float);

template <typename F>
inline F LoadChannels(const float* p, size_t count) {
  if constexpr (kHasMasks<F>) return F::LoadPartial(p, count);
  return F::Load(p);
}
template <typename F>
inline void StoreChannels(F v, float* p, size_t count) {
  if constexpr (kHasMasks<F>) return v.StorePartial(p, count);
  v.Store(p);
}

// Columns first, then rows, a vector of channels. The loops over columns and over rows stay loops: copies of
// their bodies would be no faster, because a plane is larger than the registers.
template <typename F, int M>
inline void WinogradInputBlock(const WinogradInput& t, size_t c, size_t count) {
  constexpr int kSize = M + kWinogradTaps - 1;
  F columns[kSize][kSize];  // [column][row]
#pragma GCC unroll 1
  for (int j = 0; j < kSize; ++j) {
    F d[kSize];
    for (int i = 0; i < kSize; ++i) d[i] = LoadChannels<F>(t.x[i * kSize + j] + c, count);
    Winograd1D<F, M>::Input(d, columns[j]);
  }
  float* out = t.v + c;
#pragma GCC unroll 1
  for (int i = 0; i < kSize; ++i) {
    F d[kSize], v[kSize];
    for (int j = 0; j < kSize; ++j) d[j] = columns[j][i];
    Winograd1D<F, M>::Input(d, v);
    for (int j = 0; j < kSize; ++j, out += t.point_stride) StoreChannels(v[j], out, count);
  }
}

// Along a row alone.
template <typename F>
inline void WinogradInputRow(const WinogradInput& t, size_t c, size_t count) {
  F d[4], v[4];
  for (int j = 0; j < 4; ++j) d[j] = LoadChannels<F>(t.x[j] + c, count);
  Winograd1D<F, 2>::Input(d, v);
  for (int j = 0; j < 4; ++j) StoreChannels(v[j], t.v + static_cast<size_t>(j) * t.point_stride + c, count);
}

// Bias, residual and clamp or PRelu: what all pixels of a tile end with.
template <typename F>
struct WinogradEpilogue {
  const F lo, hi, bias, slopes;

  WinogradEpilogue(const WinogradOutput& t, size_t c, size_t count)
      : lo(F::Broadcast(t.lo)),
        hi(F::Broadcast(t.hi)),
        bias(t.bias == nullptr ? F::Zero() : LoadChannels<F>(t.bias + c, count)),
        slopes(t.slopes == nullptr ? F::Zero() : LoadChannels<F>(t.slopes + c, count)) {}

  void Store(const WinogradOutput& t, int pixel, F sum, size_t c, size_t count) const {
    if (t.y[pixel] == nullptr) return;
    F v = sum + bias;
    if (t.start != nullptr) v = LoadChannels<F>(t.start[pixel] + c, count) + v;
    // In this order of operands a NaN passes through.
    v = t.slopes == nullptr ? Max(lo, Min(hi, v)) : Select(Less(v, F::Zero()), v * slopes, v);
    StoreChannels(v, t.y[pixel] + c, count);
  }
};

template <typename F>
inline void WinogradOutputRow(const WinogradOutput& t, size_t c, size_t count) {
  F p[4], y[2];
  for (int j = 0; j < 4; ++j) {
    p[j] = LoadChannels<F>(t.products + static_cast<size_t>(j) * t.point_stride + c, count);
  }
  Winograd1D<F, 2>::Output(p, y);
  const WinogradEpilogue<F> epilogue(t, c, count);
  for (int j = 0; j < 2; ++j) epilogue.Store(t, j, y[j], c, count);
}

template <typename F, int M>
inline void WinogradOutputBlock(const WinogradOutput& t, size_t c, size_t count) {
  constexpr int kSize = M + kWinogradTaps - 1;
  F columns[kSize][M];  // [column][row]
#pragma GCC unroll 1
  for (int j = 0; j < kSize; ++j) {
    F p[kSize];
    for (int i = 0; i < kSize; ++i) {
      p[i] = LoadChannels<F>(t.products + static_cast<size_t>(i * kSize + j) * t.point_stride + c, count);
    }
    Winograd1D<F, M>::Output(p, columns[j]);
  }
  const WinogradEpilogue<F> epilogue(t, c, count);
#pragma GCC unroll 1
  for (int i = 0; i < M; ++i) {
    F p[kSize], y[M];
    for (int j = 0; j < kSize; ++j) p[j] = columns[j][i];
    Winograd1D<F, M>::Output(p, y);
    for (int j = 0; j < M; ++j) epilogue.Store(t, i * M + j, y[j], c, count);
  }
}

// All channels of a tile. The last few are copied to whole vectors and back: so each transform exists once,
// and these functions once for all m.
template <typename F>
inline void WinogradTransformInput(const WinogradInput& t) {
  using Block = void (*)(const WinogradInput& t, size_t c, size_t count);
  static constexpr Block kBlocks[] = {&WinogradInputRow<F>, &WinogradInputBlock<F, 2>,
                                      &WinogradInputBlock<F, 4>, &WinogradInputBlock<F, 6>};
  const Block block = kBlocks[t.m / 2];
  constexpr size_t kLanes = sizeof(F) / sizeof(float);
  size_t c = 0;
  for (; c + kLanes <= t.channels; c += kLanes) block(t, c, kLanes);
  if (c == t.channels) return;
  const size_t count = t.channels - c;
  if constexpr (kHasMasks<F>) return block(t, c, count);
  const auto points = static_cast<size_t>(WinogradPoints(t.m));
  float x[kMaxWinogradPoints][kLanes], v[kMaxWinogradPoints][kLanes];
  const float* pixels[kMaxWinogradPoints];
#pragma GCC unroll 1
  for (size_t k = 0; k < points; ++k) {
    F::LoadPartial(t.x[k] + c, count).Store(x[k]);
    pixels[k] = x[k];
  }
  block({t.m, pixels, kLanes, v[0], kLanes}, 0, kLanes);
#pragma GCC unroll 1
  for (size_t k = 0; k < points; ++k) F::Load(v[k]).StorePartial(t.v + k * t.point_stride + c, count);
}

template <typename F>
inline void WinogradTransformOutput(const WinogradOutput& t) {
  using Block = void (*)(const WinogradOutput& t, size_t c, size_t count);
  static constexpr Block kBlocks[] = {&WinogradOutputRow<F>, &WinogradOutputBlock<F, 2>,
                                      &WinogradOutputBlock<F, 4>, &WinogradOutputBlock<F, 6>};
  const Block block = kBlocks[t.m / 2];
  constexpr size_t kLanes = sizeof(F) / sizeof(float), kOutputs = kMaxWinogradOutput * kMaxWinogradOutput;
  size_t c = 0;
  for (; c + kLanes <= t.channels; c += kLanes) block(t, c, kLanes);
  if (c == t.channels) return;
  const size_t count = t.channels - c;
  if constexpr (kHasMasks<F>) return block(t, c, count);
  const auto points = static_cast<size_t>(WinogradPoints(t.m));
  const auto outputs = static_cast<size_t>(WinogradPixels(t.m));
  float products[kMaxWinogradPoints][kLanes], bias[kLanes], slopes[kLanes], pixels[kOutputs][kLanes];
  const float* start[kOutputs];
  float* y[kOutputs];
#pragma GCC unroll 1
  for (size_t k = 0; k < points; ++k) {
    F::LoadPartial(t.products + k * t.point_stride + c, count).Store(products[k]);
  }
  if (t.bias != nullptr) F::LoadPartial(t.bias + c, count).Store(bias);
  if (t.slopes != nullptr) F::LoadPartial(t.slopes + c, count).Store(slopes);
#pragma GCC unroll 1
  for (size_t k = 0; k < outputs; ++k) {
    start[k] = pixels[k];
    y[k] = t.y[k] == nullptr ? nullptr : pixels[k];
    if (t.start != nullptr && y[k] != nullptr) F::LoadPartial(t.start[k] + c, count).Store(pixels[k]);
  }
  block({t.m, products[0], kLanes, kLanes, t.bias == nullptr ? nullptr : bias,
         t.start == nullptr ? nullptr : start, y, t.lo, t.hi, t.slopes == nullptr ? nullptr : slopes},
        0, kLanes);
#pragma GCC unroll 1
  for (size_t k = 0; k < outputs; ++k) {
    if (y[k] != nullptr) F::Load(pixels[k]).StorePartial(t.y[k] + c, count);
  }
}

// Defines the functions of one row over a vector type that the file has included.
#define MICRORT_DEFINE_WINOGRAD_F32(name, F)                                                \
  void WinogradInput_##name(const WinogradInput& tile) { WinogradTransformInput<F>(tile); } \
  void WinogradOutput_##name(const WinogradOutput& tile) { WinogradTransformOutput<F>(tile); }

}  // namespace
}  // namespace micrort
