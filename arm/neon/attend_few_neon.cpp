#include "arm/neon/vec8_neon.h"
#include "kernels/attention/attend_few_impl.h"

namespace micrort {

void AttendFew_neon(const AttentionParams& p, const AttentionTensors& t, int64_t batch, int64_t key_head) {
  AttendHead<F32x8>(p, t, batch, key_head);
}

}  // namespace micrort
