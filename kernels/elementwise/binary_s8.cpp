#include "kernels/elementwise/binary_s8.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr BinaryS8Kernel kAllBinaryS8Kernels[] = {
#define MICRORT_BINARY_S8(name, set) \
  MICRORT_VARIANT(set, {#name, isa::set, KernelId::binary_s8_##name, MICRORT_RUN(set, BinaryS8_##name)})
#include "kernels/elementwise/binary_s8.inc"
#undef MICRORT_BINARY_S8
};
constexpr auto kBinaryS8Kernels = MICRORT_NEEDED(BinaryS8Kernel, kAllBinaryS8Kernels);

}  // namespace

Span<const BinaryS8Kernel> BinaryS8Kernels() { return kBinaryS8Kernels; }

const BinaryS8Kernel& SelectBinaryS8(CpuFeatures features) {
  return kBinaryS8Kernels[SelectVariant(BinaryS8Kernels(), features)];
}

}  // namespace micrort
