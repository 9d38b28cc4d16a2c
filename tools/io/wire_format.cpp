#include "tools/io/wire_format.h"

namespace micrort::io {

namespace {

bool ReadVarint(Span<const uint8_t> bytes, size_t* at, uint64_t* out) {
  *out = 0;
  for (unsigned shift = 0; shift < 64 && *at < bytes.size(); shift += 7) {
    const uint8_t byte = bytes[(*at)++];
    *out |= uint64_t{byte & 0x7fu} << shift;
    if ((byte & 0x80) == 0) return true;
  }
  return false;
}

}  // namespace

bool ReadWireFields(Span<const uint8_t> bytes, size_t most, std::vector<WireField>* out) {
  size_t at = 0;
  while (at < bytes.size() && out->size() < most) {
    uint64_t tag = 0, length = 0;
    if (!ReadVarint(bytes, &at, &tag) || (tag >> 3) == 0 || (tag >> 3) > 536870911) return false;
    WireField field = {static_cast<uint32_t>(tag >> 3), static_cast<uint32_t>(tag & 7), {}};
    switch (field.type) {
      case 0:
        if (!ReadVarint(bytes, &at, &length)) return false;
        length = 0;
        break;
      case 1:
        length = 8;
        break;
      case 2:
        if (!ReadVarint(bytes, &at, &length)) return false;
        break;
      case 5:
        length = 4;
        break;
      default:
        return false;
    }
    if (length > bytes.size() - at) return false;
    if (field.type == 2) field.bytes = {bytes.data() + at, static_cast<size_t>(length)};
    at += static_cast<size_t>(length);
    out->push_back(field);
  }
  return true;
}

}  // namespace micrort::io
