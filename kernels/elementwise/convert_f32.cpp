#include "kernels/elementwise/convert_f32.h"

#include "kernels/base/has_int16.h"
#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

// Nothing of it is linked where there is no int16.
#if defined(MICRORT_NO_INT16)
#define MICRORT_QUANTIZE_S16(set, name) nullptr
#else
#define MICRORT_QUANTIZE_S16(set, name) MICRORT_RUN(set, QuantizeS16_##name)
#endif
#define MICRORT_CONVERT_F32(name, set)                                                                 \
  MICRORT_VARIANT(set, {"convert_f32_" #name, isa::set, KernelId::convert_f32_##name,                  \
                        MICRORT_RUN(set, QuantizeS8_##name), MICRORT_RUN(set, QuantizeU8_##name),      \
                        MICRORT_QUANTIZE_S16(set, name), MICRORT_RUN(set, DequantizeS8_##name),        \
                        MICRORT_RUN(set, DequantizeU8_##name), MICRORT_RUN(set, DequantizeS32_##name), \
                        MICRORT_RUN(set, FromHalf_##name), MICRORT_RUN(set, ToHalf_##name)})
constexpr ConvertF32Kernel kAllConvertF32Kernels[] = {
#include "kernels/elementwise/convert_f32.inc"
};
#undef MICRORT_CONVERT_F32
#undef MICRORT_QUANTIZE_S16
constexpr auto kConvertF32Kernels = MICRORT_NEEDED(ConvertF32Kernel, kAllConvertF32Kernels);

}  // namespace

Span<const ConvertF32Kernel> ConvertF32Kernels() { return kConvertF32Kernels; }

const ConvertF32Kernel& SelectConvertF32(CpuFeatures features) {
  return kConvertF32Kernels[SelectVariant(ConvertF32Kernels(), features)];
}

}  // namespace micrort
