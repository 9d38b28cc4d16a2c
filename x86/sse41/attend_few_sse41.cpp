#include "kernels/attention/attend_few_impl.h"
#include "x86/sse41/vec8_sse41.h"

namespace micrort {

void AttendFew_sse41(const AttentionParams& p, const AttentionTensors& t, int64_t batch, int64_t key_head) {
  AttendHead<F32x8>(p, t, batch, key_head);
}

}  // namespace micrort
