#include "kernels/attention/attend_few.h"

#include <algorithm>

#include "kernels/attention/cache_rows.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/part.h"

namespace micrort {

MICRORT_PART(AttendFewNarrowKernels);

namespace {

#define MICRORT_ATTEND_FEW(name, set)                                               \
  MICRORT_VARIANT(set, {"attend_few_" #name, isa::set, KernelId::attend_few_##name, \
                        MICRORT_RUN(set, AttendFew_##name), MICRORT_RUN(set, CapScores_##name)})
constexpr AttendFewKernel kAllAttendFewKernels[] = {
#include "kernels/attention/attend_few.inc"
};
#undef MICRORT_ATTEND_FEW
constexpr auto kAttendFewKernels = MICRORT_NEEDED(AttendFewKernel, kAllAttendFewKernels);

}  // namespace

Span<const AttendFewKernel> AttendFewKernels() { return kAttendFewKernels; }

const AttendFewKernel& SelectAttendFew(CpuFeatures features) {
  return kAttendFewKernels[SelectVariant(AttendFewKernels(), features)];
}

bool SuitsAttendFew(const AttentionParams& p) {
  return p.causal && p.heads / p.key_heads <= kAttendFewRows / std::max<int64_t>(1, p.queries);
}

const char* AttendFewName(const AttentionParams& p) {
  if (!kHasNarrowCaches || p.rows == DType::kFloat32) return VariantOf(AttendFewKernels(), p.plan.few).name;
  return VariantOf(AttendFewNarrowKernels(p.rows), p.plan.few).name;
}

void AttendFew(const AttentionParams& p, const AttentionTensors& tensors, const Parallel& parallel) {
  const AttendFewKernel& kernel = VariantOf(AttendFewKernels(), p.plan.few);
  ParallelFor(parallel, static_cast<size_t>(p.batch * p.key_heads), [&](size_t head, int) {
    const auto h = static_cast<int64_t>(head);
    kernel.run(p, tensors, h / p.key_heads, h % p.key_heads);
  });
}

}  // namespace micrort
