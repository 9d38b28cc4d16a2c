#include "kernels/elementwise/binary_s8.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr BinaryS8Kernel kAllKernels[] = {
#define MICRORT_BINARY_S8(name, set) \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::binary_s8_##name, MICRORT_RUN(set, BinaryS8_##name)})
#include "kernels/elementwise/binary_s8.inc"
#undef MICRORT_BINARY_S8
};
constexpr auto kKernels = MICRORT_NEEDED(BinaryS8Kernel, kAllKernels);

}  // namespace

Span<const BinaryS8Kernel> BinaryS8Kernels() { return kKernels; }

const BinaryS8Kernel& SelectBinaryS8(CpuFeatures features) {
  return kKernels[SelectVariant(BinaryS8Kernels(), features)];
}

}  // namespace micrort
