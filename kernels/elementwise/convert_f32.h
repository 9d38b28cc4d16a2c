#pragma once
// Arrays of floats from and to narrower types: quantized integers and binary16.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

// real = scale * (q - zero_point). The scale is finite and > 0; the zero point is a value of the quantized
// type.
struct QuantizationParams {
  float scale = 1.0f;
  int32_t zero_point = 0;
};

// y = saturate(round_half_even(x / scale) + zero_point); NaN becomes the lowest value.
using QuantizeS8Fn = void (*)(const float* x, int8_t* y, size_t n, QuantizationParams q);
using QuantizeU8Fn = void (*)(const float* x, uint8_t* y, size_t n, QuantizationParams q);
// The same, but halves away from zero, as TensorFlow Lite has them.
using QuantizeS16Fn = void (*)(const float* x, int16_t* y, size_t n, QuantizationParams q);
// y = float(x - zero_point) * scale
using DequantizeS8Fn = void (*)(const int8_t* x, float* y, size_t n, QuantizationParams q);
using DequantizeU8Fn = void (*)(const uint8_t* x, float* y, size_t n, QuantizationParams q);
using DequantizeS32Fn = void (*)(const int32_t* x, float* y, size_t n, QuantizationParams q);
// As kernels/base/half.h, but for the payload of NaNs.
using FromHalfFn = void (*)(const uint16_t* x, float* y, size_t n);
using ToHalfFn = void (*)(const float* x, uint16_t* y, size_t n);

struct ConvertF32Kernel {
  const char* name;      // "convert_f32_avx2"
  CpuFeatures features;  // all required
  KernelId id;
  QuantizeS8Fn quantize_s8;
  QuantizeU8Fn quantize_u8;
  QuantizeS16Fn quantize_s16;
  DequantizeS8Fn dequantize_s8;
  DequantizeU8Fn dequantize_u8;
  DequantizeS32Fn dequantize_s32;
  FromHalfFn from_half;
  ToHalfFn to_half;
};

// Weakest first. All give the same bits.
Span<const ConvertF32Kernel> ConvertF32Kernels();
const ConvertF32Kernel& SelectConvertF32(CpuFeatures features);

#define MICRORT_CONVERT_F32(name, set)                                                   \
  void QuantizeS8_##name(const float* x, int8_t* y, size_t n, QuantizationParams q);     \
  void QuantizeU8_##name(const float* x, uint8_t* y, size_t n, QuantizationParams q);    \
  void QuantizeS16_##name(const float* x, int16_t* y, size_t n, QuantizationParams q);   \
  void DequantizeS8_##name(const int8_t* x, float* y, size_t n, QuantizationParams q);   \
  void DequantizeU8_##name(const uint8_t* x, float* y, size_t n, QuantizationParams q);  \
  void DequantizeS32_##name(const int32_t* x, float* y, size_t n, QuantizationParams q); \
  void FromHalf_##name(const uint16_t* x, float* y, size_t n);                           \
  void ToHalf_##name(const float* x, uint16_t* y, size_t n);
#include "kernels/elementwise/convert_f32.inc"
#undef MICRORT_CONVERT_F32

}  // namespace micrort
