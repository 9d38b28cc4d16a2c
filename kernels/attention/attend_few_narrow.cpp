#include "kernels/attention/attend_few.h"
#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

#define MICRORT_ATTEND_FEW(name, set)                                                    \
  MICRORT_VARIANT(set, {"attend_few_half_" #name, isa::set, KernelId::attend_few_##name, \
                        MICRORT_RUN(set, AttendFewHalf_##name)})
constexpr AttendFewNarrowKernel kAllHalf[] = {
#include "kernels/attention/attend_few.inc"
};
#undef MICRORT_ATTEND_FEW
constexpr auto kHalf = MICRORT_NEEDED(AttendFewNarrowKernel, kAllHalf);

#define MICRORT_ATTEND_FEW(name, set)                                                    \
  MICRORT_VARIANT(set, {"attend_few_int8_" #name, isa::set, KernelId::attend_few_##name, \
                        MICRORT_RUN(set, AttendFewInt8_##name)})
constexpr AttendFewNarrowKernel kAllInt8[] = {
#include "kernels/attention/attend_few.inc"
};
#undef MICRORT_ATTEND_FEW
constexpr auto kInt8 = MICRORT_NEEDED(AttendFewNarrowKernel, kAllInt8);

}  // namespace

Span<const AttendFewNarrowKernel> AttendFewNarrowKernels(DType rows) {
  if (rows == DType::kFloat16) return kHalf;
  return kInt8;
}

void AttendFewNarrow(const AttentionParams& p, const AttentionTensors& tensors, void* scratch,
                     const Parallel& parallel) {
  const AttendFewNarrowKernel& kernel = VariantOf(AttendFewNarrowKernels(p.rows), p.plan.few);
  float* const blocks = static_cast<float*>(scratch);
  ParallelFor(parallel, static_cast<size_t>(p.batch * p.key_heads), [&](size_t head, int worker) {
    const auto h = static_cast<int64_t>(head);
    kernel.run(p, tensors, h / p.key_heads, h % p.key_heads, blocks + worker * AttendFewBlockFloats(p));
  });
}

}  // namespace micrort
