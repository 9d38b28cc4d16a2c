#pragma once
// Contract of the micro-kernels that multiply int16 by int8 and add up in 64 bits.

#include <cstddef>
#include <cstdint>

#include "kernels/base/cpu_features.h"
#include "kernels/base/kernel_ids.h"
#include "kernels/base/span.h"

namespace micrort {

// acc[j] += sum of x[k] * w[j * stride + k], 0 <= k < depth, 0 <= j < columns
using DotS16Fn = void (*)(const int16_t* x, const int8_t* w, size_t stride, size_t depth, size_t columns,
                          int64_t* acc);
// acc[j] += x[j] * w[j], 0 <= j < n
using ScaleS16Fn = void (*)(const int16_t* x, const int8_t* w, size_t n, int64_t* acc);

struct DotS16Kernel {
  const char* name;
  CpuFeatures features;  // all required
  KernelId id;
  DotS16Fn dot;
  ScaleS16Fn scale;
};

// Weakest first. All give the same bits.
Span<const DotS16Kernel> DotS16Kernels();

#define MICRORT_DOT_S16(name, set)                                                                   \
  void DotS16_##name(const int16_t* x, const int8_t* w, size_t stride, size_t depth, size_t columns, \
                     int64_t* acc);                                                                  \
  void ScaleS16_##name(const int16_t* x, const int8_t* w, size_t n, int64_t* acc);
#include "kernels/layer_s16/dot_s16.inc"
#undef MICRORT_DOT_S16

}  // namespace micrort
