#include "kernels/attention/attend_few.h"
#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

#define MICRORT_ATTEND_FEW(name, set)                                                    \
  MICRORT_VARIANT(set, {"attend_few_half_" #name, isa::set, KernelId::attend_few_##name, \
                        MICRORT_RUN(set, AttendFewHalf_##name)})
constexpr AttendFewKernel kAllHalf[] = {
#include "kernels/attention/attend_few.inc"
};
#undef MICRORT_ATTEND_FEW
constexpr auto kHalf = MICRORT_NEEDED(AttendFewKernel, kAllHalf);

#define MICRORT_ATTEND_FEW(name, set)                                                    \
  MICRORT_VARIANT(set, {"attend_few_int8_" #name, isa::set, KernelId::attend_few_##name, \
                        MICRORT_RUN(set, AttendFewInt8_##name)})
constexpr AttendFewKernel kAllInt8[] = {
#include "kernels/attention/attend_few.inc"
};
#undef MICRORT_ATTEND_FEW
constexpr auto kInt8 = MICRORT_NEEDED(AttendFewKernel, kAllInt8);

}  // namespace

Span<const AttendFewKernel> AttendFewNarrowKernels(DType rows) {
  return rows == DType::kFloat16 ? Span<const AttendFewKernel>(kHalf) : Span<const AttendFewKernel>(kInt8);
}

}  // namespace micrort
