#include "runtime/model/schema_text.h"

namespace micrort {

Span<const uint8_t> BytesOfBuffer(const schema::Model& model, uint32_t index) {
  const schema::Buffer& buffer = *model.buffers()->Get(index);
  if (buffer.offset() == 0) return {DataOf(buffer.data()), Count(buffer.data())};
  const uintptr_t begin = reinterpret_cast<uintptr_t>(&buffer) + static_cast<uintptr_t>(buffer.offset());
  return {reinterpret_cast<const uint8_t*>(begin), static_cast<size_t>(buffer.size())};
}

}  // namespace micrort
