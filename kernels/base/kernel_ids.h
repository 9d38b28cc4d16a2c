#pragma once
// Numbers of the kernel variants of all families, by which calls name them: <family>_<name>, as the family's
// registry (kernels/<family>/<family>.inc) has it. The same in every build, whatever it knows of an
// instruction set. Never renumbered; what is new goes to the end.

#include <cstdint>

namespace micrort {

enum class KernelId : uint8_t {
  none = 0,

  gemm_f32_scalar_4x8 = 1,
  gemm_f32_sse41_6x8 = 2,
  gemm_f32_avx2_6x16 = 3,
  gemm_f32_avx512_8x32 = 4,
  gemm_f32_avx512_6x64 = 5,
  gemm_f32_neon_6x16 = 6,
  gemm_f32_neon_4x8 = 7,

  gemm_s8_scalar_4x4 = 8,
  gemm_s8_sse41_4x8 = 9,
  gemm_s8_avx2_6x16 = 10,
  gemm_s8_avxvnni_6x16 = 11,
  gemm_s8_avx512vnni_8x32 = 12,
  // 13 was gemm_s8_neon_4x4.
  gemm_s8_dotprod_6x16 = 14,
  // 15 was gemm_s8_i8mm_8x8, 16 gemm_s8_neon_2x4, 17 gemm_s8_dsp_2x4.

  requantize_scalar = 18,
  requantize_sse41 = 19,
  requantize_avx2 = 20,
  requantize_neon = 21,
  requantize_dsp = 22,

  dequantize_weights_scalar = 23,
  dequantize_weights_sse41 = 24,
  dequantize_weights_avx2 = 25,
  dequantize_weights_avx512 = 26,
  dequantize_weights_neon = 27,

  dwconv_f32_scalar_2 = 28,
  dwconv_f32_sse41_4 = 29,
  dwconv_f32_avx2_4 = 30,
  dwconv_f32_avx512_4 = 31,
  dwconv_f32_neon_7 = 32,

  dwconv_s8_scalar_2 = 33,
  dwconv_s8_sse41_8 = 34,
  dwconv_s8_avx2_8 = 35,
  dwconv_s8_avxvnni_8 = 36,
  dwconv_s8_avx512vnni_8 = 37,
  dwconv_s8_neon_7 = 38,
  dwconv_s8_neon_8 = 39,
  dwconv_s8_dsp_4 = 40,

  winograd_f32_scalar = 41,
  winograd_f32_sse41 = 42,
  winograd_f32_avx2 = 43,
  winograd_f32_avx512 = 44,
  winograd_f32_neon = 45,

  winograd_s8_scalar_4x8 = 46,
  winograd_s8_sse41_4x8 = 47,
  winograd_s8_avx2_6x16 = 48,
  winograd_s8_neon_4x16 = 49,
  winograd_s8_neon_4x8 = 50,

  unary_f32_scalar = 51,
  unary_f32_sse41 = 52,
  unary_f32_avx2 = 53,
  unary_f32_avx512 = 54,
  unary_f32_neon = 55,

  binary_f32_scalar = 56,
  binary_f32_sse41 = 57,
  binary_f32_avx2 = 58,
  binary_f32_neon = 59,

  binary_fixed_scalar = 60,
  binary_fixed_sse41 = 61,
  binary_fixed_avx2 = 62,
  binary_fixed_neon = 63,
  binary_fixed_dsp = 64,

  convert_f32_scalar = 65,
  convert_f32_sse41 = 66,
  convert_f32_avx2 = 67,
  convert_f32_neon = 68,

  softmax_f32_scalar = 69,
  softmax_f32_sse41 = 70,
  softmax_f32_avx2 = 71,
  softmax_f32_neon = 72,

  normalize_f32_scalar = 73,
  normalize_f32_sse41 = 74,
  normalize_f32_avx2 = 75,
  normalize_f32_neon = 76,

  fold_f32_scalar = 77,
  fold_f32_sse41 = 78,
  fold_f32_avx2 = 79,
  fold_f32_neon = 80,

  min_max_f32_scalar = 81,
  min_max_f32_sse41 = 82,
  min_max_f32_avx2 = 83,
  min_max_f32_neon = 84,

  blend_f32_scalar = 85,
  blend_f32_sse41 = 86,
  blend_f32_avx2 = 87,
  blend_f32_neon = 88,

  transpose_tile_b32_scalar = 89,
  transpose_tile_b8_scalar = 90,
  transpose_tile_b32_sse41 = 91,
  transpose_tile_b8_sse41 = 92,
  transpose_tile_b32_avx2 = 93,
  transpose_tile_b8_avx2 = 94,
  transpose_tile_b32_neon = 95,
  transpose_tile_b8_neon = 96,

  pool_MaxF32_scalar = 97,
  pool_MaxS8_scalar = 98,
  pool_MaxU8_scalar = 99,
  pool_AverageF32_scalar = 100,
  pool_AverageS8_scalar = 101,
  pool_MaxF32_sse41 = 102,
  pool_MaxS8_sse41 = 103,
  pool_MaxU8_sse41 = 104,
  pool_AverageF32_sse41 = 105,
  pool_AverageS8_sse41 = 106,
  pool_MaxF32_avx2 = 107,
  pool_MaxS8_avx2 = 108,
  pool_MaxU8_avx2 = 109,
  pool_AverageF32_avx2 = 110,
  pool_AverageS8_avx2 = 111,
  pool_MaxF32_neon = 112,
  pool_MaxS8_neon = 113,
  pool_MaxU8_neon = 114,
  pool_AverageF32_neon = 115,
  pool_AverageS8_neon = 116,

  gemm_f16_fp16_6x32 = 117,

  binary_f32_avx512 = 118,

  pool_MaxF16_scalar = 119,
  pool_AverageF16_scalar = 120,
  pool_MaxF16_avx2 = 121,
  pool_AverageF16_avx2 = 122,
  pool_MaxF16_neon = 123,
  pool_AverageF16_neon = 124,

  dwconv_f16_fp16_7 = 125,

  fused_f32_scalar = 126,
  fused_f32_sse41 = 127,
  fused_f32_avx2 = 128,
  fused_f32_avx512 = 129,
  fused_f32_neon32 = 130,
  fused_f32_neon64 = 131,

  binary_s8_scalar = 132,
  binary_s8_sse41 = 133,
  binary_s8_avx2 = 134,
  binary_s8_neon = 135,
  binary_s8_dsp = 136,

  gemm_s8_dsp_2x16 = 137,
  gemm_s8_mve_2x4 = 138,

  dwconv_s8_dotprod_7 = 139,
  gemm_s8_neon32_4x8 = 140,
  gemm_s8_i8mm_8x12 = 141,
  gemm_s8_neon64_4x8 = 142,

  xnnpack_f32_operator = 143,
  xnnpack_s8_operator = 144,

  winograd_f16_fp16 = 145,

  dot_s16_scalar = 146,
  pool_MaxS16_scalar = 147,
  pool_AverageS16_scalar = 148,
  dot_s16_avx2 = 149,

  gemm_s16_scalar_2x4 = 150,
  gemm_s16_sse41_4x8 = 151,
  gemm_s16_avx2_6x16 = 152,
  gemm_s16_avxvnni_6x16 = 153,
  gemm_s16_avx512vnni_8x32 = 154,
  dwconv_s16_scalar_2 = 155,
  dwconv_s16_avx2_8 = 156,
  dwconv_s16_avxvnni_8 = 157,
  dwconv_s16_avx512vnni_8 = 158,
  finish_s16_scalar = 159,
  finish_s16_avx2 = 160,
  finish_s16_avx512 = 161,
  gemm_s16_neon64_6x8 = 162,
  dwconv_s16_neon64_7 = 163,
  finish_s16_neon64 = 164,

  binary_s16_scalar = 165,
  binary_s16_sse41 = 166,
  binary_s16_avx2 = 167,
  binary_s16_neon = 168,
  unary_s16_scalar = 169,
  unary_s16_sse41 = 170,
  unary_s16_avx2 = 171,
  unary_s16_neon = 172,
  pool_MaxS16_sse41 = 173,
  pool_AverageS16_sse41 = 174,
  pool_MaxS16_avx2 = 175,
  pool_AverageS16_avx2 = 176,
  pool_MaxS16_neon = 177,
  pool_AverageS16_neon = 178,

  dot_s16_dsp = 179,

  gemm_s4_scalar_1x8 = 180,
  gemm_s4_avx2_4x16 = 181,
  gemm_s4_avxvnni_4x16 = 182,
  gemm_s4_avx512vnni_4x32 = 183,
  gemm_s4_neon64_4x8 = 184,
  // 185 was gemm_s4_dotprod_4x8.

  attend_few_scalar = 186,
  attend_few_sse41 = 187,
  attend_few_avx2 = 188,
  attend_few_neon = 189,

  softmax_f32_avx512 = 190,

  dot_s16_mve = 191,

  gemm_s16_dotprod_6x16 = 192,
  gemm_s16_i8mm_8x12 = 193,

  attend_few_avx512 = 194,

  prelu_f32_scalar = 195,
  prelu_f32_sse41 = 196,
  prelu_f32_avx2 = 197,
  prelu_f32_avx512 = 198,
  prelu_f32_neon = 199,

  grouped_f32_scalar_4x8 = 200,
  grouped_f32_avx2_8x8 = 201,
  grouped_f32_avx512_8x16 = 202,

  gemm_s4_dotprod_4x16 = 203,
  gemm_s4_i8mm_12x16 = 204,

  gemm_f32_simd128_6x8 = 205,
  gemm_s8_simd128_4x8 = 206,
  requantize_simd128 = 207,
  dequantize_weights_simd128 = 208,
  dwconv_f32_simd128_4 = 209,
  dwconv_s8_simd128_8 = 210,
  winograd_f32_simd128 = 211,
  winograd_s8_simd128_4x8 = 212,
  unary_f32_simd128 = 213,
  binary_f32_simd128 = 214,
  binary_fixed_simd128 = 215,
  convert_f32_simd128 = 216,
  softmax_f32_simd128 = 217,
  normalize_f32_simd128 = 218,
  fold_f32_simd128 = 219,
  min_max_f32_simd128 = 220,
  blend_f32_simd128 = 221,
  transpose_tile_b32_simd128 = 222,
  transpose_tile_b8_simd128 = 223,
  pool_MaxF32_simd128 = 224,
  pool_MaxS8_simd128 = 225,
  pool_MaxU8_simd128 = 226,
  pool_AverageF32_simd128 = 227,
  pool_AverageS8_simd128 = 228,
  fused_f32_simd128 = 229,
  binary_s8_simd128 = 230,
  gemm_s16_simd128_4x8 = 231,
  binary_s16_simd128 = 232,
  unary_s16_simd128 = 233,
  pool_MaxS16_simd128 = 234,
  pool_AverageS16_simd128 = 235,
  attend_few_simd128 = 236,
  prelu_f32_simd128 = 237,
};

// An algorithm with its micro-kernel (kernels/conv2d/algorithm_variants.h); 0: none.
using AlgorithmVariant = uint16_t;

}  // namespace micrort
