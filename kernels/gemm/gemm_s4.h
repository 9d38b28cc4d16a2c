#pragma once
// Contract of the micro-kernels of int4 weights by int8 activations, both with a scale for every group of
// the depth: integer sums of a group are exact, and become floats that are added up in order. Weights stay 4
// bits until they are in registers.
//
// A panel has, for each group after each other:
//   scales       float or half [nr]
//   zero points  bytes [nr / 2], only where weights have other ones than kInt4Center: 0 to 15, column j in
//                the lower half of byte j, column nr / 2 + j in its upper half
//   weights      by Int4Halves:
//     kRows      bytes [group / 8][nr][4]: the lower half of byte i is row i of eight, the upper half is row
//                4 + i
//     kColumns   bytes [group / 4][nr / 2][4]: the lower half of byte i of column j is row i of four; the
//                upper half is that row of column nr / 2 + j, less kInt4Center, in two's complement
//     kEights    bytes [group / 8][nr / 2][8]: the same of row i of eight
// Weights are 0 to 15, of which the zero point is taken off.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

constexpr size_t kInt4Chunk = 32;  // groups are multiples of it
constexpr int kInt4Center = 8;     // what int4 in two's complement are moved by

// Which two weights share a byte: of one column, or of two.
enum class Int4Halves : uint8_t { kRows, kColumns, kEights };

// How the groups of a panel lie.
struct Int4Panel {
  size_t nr, group;
  Int4Halves halves;
  bool half_scales, zero_points;

  constexpr size_t scale_bytes() const { return half_scales ? sizeof(uint16_t) : sizeof(float); }
  constexpr size_t weights_at() const { return nr * scale_bytes() + (zero_points ? nr / 2 : 0); }
  constexpr size_t group_bytes() const { return weights_at() + nr * group / 2; }
};

// y[i][j] = sum over g of (float(sum over the group's k of a[i][k] * (b[k][j] - zero_point[g][j])) *
// scale[g][j]) * a_scale[i][g], each operation rounded to float, in the order of g, from 0 on.
//
// With kEights, rows lie in blocks of four: a is [groups * group / 8][4][8], and each scale and sum comes
// twice, [groups][4][2]. What is behind the last whole block is one of four, too, where three rows are left,
// [..][2][8] and [..][2][2] where two are left, and of one row, [row, zeros, zeros, row] as a block of four.
struct GemmS4Block {
  Int4Panel panel;
  size_t m, groups;
  const int8_t* a;        // [m][groups * group]
  const float* a_scales;  // [m][groups]
  const int32_t* a_sums;  // [m][groups]: of the elements of a group
  const uint8_t* b;
  float* y;  // [m][nr]
};

using GemmS4Fn = void (*)(const GemmS4Block& block);

struct GemmS4Kernel {
  const char* name;      // "avx2_4x16"
  CpuFeatures features;  // all required
  KernelId id;
  size_t mr, nr;
  Int4Halves halves;
  GemmS4Fn run;
};

// Weakest first. All give the same bits.
Span<const GemmS4Kernel> GemmS4Kernels();

#define MICRORT_GEMM_S4(name, ...) void GemmS4_##name(const GemmS4Block& block);
#include "kernels/gemm/gemm_s4.inc"
#undef MICRORT_GEMM_S4

}  // namespace micrort
