#pragma once
// Contract of the micro-kernels of int8 Winograd convolution F(2, 3): a 3x3 convolution of 2x2 outputs from
// 4x4 inputs by 16 products a channel instead of 36, one for each point of the transformed plane. Inputs are
// int8. Transformed, they have 10 bits and weights, four times as large as to be integers, 12 bits; products
// and sums are int32.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

constexpr int kWinogradS8Size = 4, kWinogradS8Points = kWinogradS8Size * kWinogradS8Size;

// So many products of transformed numbers sum up to less than 2^31.
constexpr int64_t kMaxWinogradS8Channels = 3640;

// v[point][c] of one tile from its input pixels.
struct WinogradS8Input {
  const int8_t* const* x;  // [4][4] pointers to `channels` bytes
  size_t channels;
  int16_t* v;
  size_t point_stride;  // elements between points of v
};

// products[i][j] = sum over k < depth of a[i][k] * b[k][j], for rows i < m and columns j < n
struct WinogradS8Product {
  size_t m;           // rows, any number
  size_t n;           // columns that exist: 1..nr
  size_t depth;       // a multiple of kWinogradS8Depth
  const int16_t* a;   // [m][depth]
  const int16_t* b;   // [depth / kr][nr][kr]
  int32_t* products;  // [m rounded up to a multiple of mr][nr]; other rows and columns may become anything
};

// The sums of 2x2 output pixels of each of some neighbouring tiles.
struct WinogradS8Output {
  const int32_t* products;  // [16][tiles][nr]
  size_t point_stride;      // elements between points
  size_t tiles;
  int32_t *top, *bottom;  // [2 * tiles][nr]
};

struct WinogradS8Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  size_t mr, nr, kr;
  void (*input)(const WinogradS8Input& tile);
  void (*multiply)(const WinogradS8Product& block);
  void (*output)(const WinogradS8Output& row);
};

constexpr size_t kWinogradS8Depth = 4;
constexpr size_t kMaxWinogradS8Columns = 16;  // limit of nr

// Weakest first. All give the same sums.
Span<const WinogradS8Kernel> WinogradS8Kernels();

#define MICRORT_WINOGRAD_S8(name, set, mr, nr, kr)                \
  void WinogradS8Input_##name(const WinogradS8Input& tile);       \
  void WinogradS8Multiply_##name(const WinogradS8Product& block); \
  void WinogradS8Output_##name(const WinogradS8Output& row);
#include "kernels/winograd/winograd_s8.inc"
#undef MICRORT_WINOGRAD_S8

}  // namespace micrort
