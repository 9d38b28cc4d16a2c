#include "runtime/model/verify_steps.h"

namespace micrort {

namespace {

// Each begins behind the one before, so that together they are no longer than the file, whoever copies them.
Status VerifyOuter(const VerifyContext& context, const schema::Buffer& buffer, uint64_t* end) {
  const uint64_t file = context.file.size();
  const auto table = static_cast<uint64_t>(reinterpret_cast<const uint8_t*>(&buffer) - context.file.data());
  const uint64_t at = table + buffer.offset();
  const bool fits = buffer.offset() <= file - table && buffer.size() <= file - at;
  if (!fits || at % kAlignment != 0 || at < *end || Count(buffer.data()) != 0) {
    return MICRORT_ERROR(
        kInvalidModel,
        "expected %llu bytes at a multiple of %zu from %llu on, found them at %llu in a file of "
        "%llu: it is damaged or cut off; copy it again",
        static_cast<unsigned long long>(buffer.size()), kAlignment, static_cast<unsigned long long>(*end),
        static_cast<unsigned long long>(at), static_cast<unsigned long long>(file));
  }
  *end = at + buffer.size();
  return Status();
}

}  // namespace

Status VerifyBuffers(VerifyContext& context) {
  const auto* buffers = context.model->buffers();
  if (Count(buffers) == 0) return MICRORT_ERROR(kInvalidModel, "buffer 0, the empty one, is missing");
  if (buffers->Get(0)->offset() != 0 || Count(buffers->Get(0)->data()) != 0) {
    return MICRORT_ERROR(kInvalidModel, "buffer 0: expected no data, found %u bytes",
                         Count(buffers->Get(0)->data()));
  }
  uint64_t end = 0;
  for (uint32_t i = 1; i < buffers->size(); ++i) {
    const schema::Buffer& buffer = *buffers->Get(i);
    if (buffer.offset() != 0) {
      if (context.outer == OuterBuffers::kElsewhere) continue;
      if (Status s = VerifyOuter(context, buffer, &end); !s.ok()) return s.WithPrefix("buffer %u", i);
      continue;
    }
    if (Count(buffer.data()) == 0) continue;
    const auto offset = static_cast<size_t>(buffer.data()->data() - context.file.data());
    if (offset % kAlignment != 0) {
      return MICRORT_ERROR(kInvalidModel,
                           "buffer %u: expected an offset that is a multiple of %zu, found %zu", i,
                           kAlignment, offset);
    }
  }
  return Status();
}

}  // namespace micrort
