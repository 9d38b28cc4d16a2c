#include "kernels/attention/attend_few_impl.h"
#include "kernels/base/simd/vec8_scalar.h"

namespace micrort {

void AttendFew_scalar(const AttentionParams& p, const AttentionTensors& t, int64_t batch, int64_t key_head) {
  AttendHead<F32x8>(p, t, batch, key_head);
}

}  // namespace micrort
