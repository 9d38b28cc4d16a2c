#include "kernels/elementwise/quantize.h"

#include "kernels/base/has_int16.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/elementwise/tiles.h"

namespace micrort {
namespace {

// n elements from `first` on, all with the same parameters.
void Quantize(const ConvertF32Kernel& kernel, DType dtype, const void* x, void* y, size_t first, size_t n,
              QuantizationParams q) {
  const float* from = static_cast<const float*>(x) + first;
  if (kHasInt16 && dtype == DType::kInt16) {
    kernel.quantize_s16(from, static_cast<int16_t*>(y) + first, n, q);
  } else if (dtype == DType::kInt8) {
    kernel.quantize_s8(from, static_cast<int8_t*>(y) + first, n, q);
  } else {
    kernel.quantize_u8(from, static_cast<uint8_t*>(y) + first, n, q);
  }
}

void Dequantize(const ConvertF32Kernel& kernel, DType dtype, const void* x, void* y, size_t first, size_t n,
                QuantizationParams q) {
  float* to = static_cast<float*>(y) + first;
  switch (dtype) {
    case DType::kInt8:
      return kernel.dequantize_s8(static_cast<const int8_t*>(x) + first, to, n, q);
    case DType::kUInt8:
      return kernel.dequantize_u8(static_cast<const uint8_t*>(x) + first, to, n, q);
    default:
      return kernel.dequantize_s32(static_cast<const int32_t*>(x) + first, to, n, q);
  }
}

}  // namespace

void RunConvert(const ConvertCall& call, const void* x, void* y, const Parallel& parallel) {
  const QuantizedSlices& s = call.slices;
  const ConvertF32Kernel& kernel = VariantOf(ConvertF32Kernels(), call.kernel);
  const auto convert = [&](size_t first, size_t n, size_t slice) {
    const QuantizationParams q = {call.scales[slice],
                                  call.zero_points == nullptr ? 0 : call.zero_points[slice]};
    call.quantizes ? Quantize(kernel, call.dtype, x, y, first, n, q)
                   : Dequantize(kernel, call.dtype, x, y, first, n, q);
  };
  if (s.slices == 1) {
    ForEachTile(parallel, s.outer * s.inner,
                [&](size_t begin, size_t end) { convert(begin, end - begin, 0); });
    return;
  }
  ParallelFor(parallel, s.outer, [&](size_t outer, int) {
    for (size_t i = 0; i < s.slices; ++i) convert((outer * s.slices + i) * s.inner, s.inner, i);
  });
}

}  // namespace micrort
