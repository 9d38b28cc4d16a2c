#include "runtime/model/verify_steps.h"

namespace micrort {

Status VerifyBuffers(VerifyContext& context) {
  const auto* buffers = context.model->buffers();
  if (Count(buffers) == 0) return MICRORT_ERROR(kInvalidModel, "buffer 0, the empty one, is missing");
  if (Count(buffers->Get(0)->data()) != 0) {
    return MICRORT_ERROR(kInvalidModel, "buffer 0: expected no data, found %u bytes",
                         Count(buffers->Get(0)->data()));
  }
  for (uint32_t i = 1; i < buffers->size(); ++i) {
    const auto* data = buffers->Get(i)->data();
    if (Count(data) == 0) continue;
    const auto offset = static_cast<size_t>(data->data() - context.file.data());
    if (offset % kAlignment != 0) {
      return MICRORT_ERROR(kInvalidModel,
                           "buffer %u: expected an offset that is a multiple of %zu, found %zu", i,
                           kAlignment, offset);
    }
  }
  return Status();
}

}  // namespace micrort
