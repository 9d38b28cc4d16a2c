#include "kernels/elementwise/convert_f32.h"

#include "kernels/base/rows.h"

namespace micrort {
namespace {

#define MICRORT_CONVERT_F32(name, features)   \
  {"convert_f32_" #name, features,            \
   QuantizeS8_##name,    QuantizeU8_##name,   \
   DequantizeS8_##name,  DequantizeU8_##name, \
   DequantizeS32_##name, FromHalf_##name,     \
   ToHalf_##name},
constexpr ConvertF32Kernel kKernels[] = {
#include "kernels/elementwise/convert_f32.inc"
};
#undef MICRORT_CONVERT_F32

}  // namespace

Span<const ConvertF32Kernel> ConvertF32Kernels() { return kKernels; }

const ConvertF32Kernel& SelectConvertF32(CpuFeatures features) {
  return kKernels[SelectRow(ConvertF32Kernels(), features)];
}

}  // namespace micrort
