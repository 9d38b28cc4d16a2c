#include "converter/frontend/tensorflow/crc32c.h"

#include <array>

namespace micrort::frontend::tensorflow {

namespace {

std::array<uint32_t, 256> MakeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? c >> 1 ^ 0x82f63b78u : c >> 1;
    table[i] = c;
  }
  return table;
}

}  // namespace

Crc32c& Crc32c::Add(const void* bytes, size_t n) {
  static const std::array<uint32_t, 256> table = MakeTable();
  const auto* p = static_cast<const uint8_t*>(bytes);
  for (size_t i = 0; i < n; ++i) state_ = table[(state_ ^ p[i]) & 0xff] ^ state_ >> 8;
  return *this;
}

uint32_t Crc32c::Masked() const {
  const uint32_t crc = ~state_;
  return (crc >> 15 | crc << 17) + 0xa282ead8u;
}

}  // namespace micrort::frontend::tensorflow
