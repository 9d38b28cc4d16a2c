#pragma once
// The outermost fields of a message, without knowing which message it is.

#include <cstdint>
#include <vector>

#include "kernels/base/span.h"

namespace micrort::io {

struct WireField {
  uint32_t number = 0;
  uint32_t type = 0;          // 0: a varint, 1: 8 bytes, 2: bytes, 5: 4 bytes
  Span<const uint8_t> bytes;  // of type 2
};

// At most `most` fields from the start. False if what was read is no message.
bool ReadWireFields(Span<const uint8_t> bytes, size_t most, std::vector<WireField>* out);

}  // namespace micrort::io
