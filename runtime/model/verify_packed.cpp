#include "runtime/model/verify_steps.h"

namespace micrort {

namespace {

// Several targets, each with kMaxPacked slots.
constexpr uint32_t kMaxEntries = 64;

Status VerifyEntry(const VerifyContext& context, const schema::PackedWeights& packed) {
  const auto* buffers = context.model->buffers();
  if (Count(packed.layout()) == 0) return MICRORT_ERROR(kInvalidModel, "the layout is missing");
  if (packed.buffer() == 0 || packed.buffer() >= buffers->size()) {
    return MICRORT_ERROR(kInvalidModel, "expected a buffer in [1, %u), found %u", buffers->size(),
                         packed.buffer());
  }
  if (!BytesOfBuffer(*context.model, packed.buffer()).empty()) return Status();
  return MICRORT_ERROR(kInvalidModel, "buffer %u has no data", packed.buffer());
}

}  // namespace

Status VerifyPacked(VerifyContext& context, const schema::Operator& op) {
  const uint32_t count = Count(op.packed());
  if (count > kMaxEntries) {
    return MICRORT_ERROR(kInvalidModel, "expected at most %u packed weights, found %u", kMaxEntries, count);
  }
  MICRORT_RETURN_IF_ERROR(context.Spend(count));
  for (uint32_t i = 0; i < count; ++i) {
    if (Status s = VerifyEntry(context, *op.packed()->Get(i)); !s.ok())
      return s.WithPrefix("packed weights %u", i);
  }
  return Status();
}

}  // namespace micrort
