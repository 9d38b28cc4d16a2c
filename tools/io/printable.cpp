#include "tools/io/printable.h"

#include <cstdint>
#include <cstdio>

namespace micrort::io {
namespace {

// Bytes of the character that begins at `at`; 0: it is not UTF-8, or a control character.
size_t PrintableBytes(const std::string& text, size_t at) {
  const auto byte = [&](size_t i) -> uint8_t { return i < text.size() ? static_cast<uint8_t>(text[i]) : 0; };
  const uint8_t first = byte(at);
  if (first < 0x80) return (first >= 0x20 && first != 0x7f) || first == '\n' ? 1 : 0;
  const size_t bytes = first >= 0xf0 && first < 0xf5   ? 4
                       : first >= 0xe0 && first < 0xf0 ? 3
                       : first >= 0xc2 && first < 0xe0 ? 2
                                                       : 0;
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  }
  return first == 0xc2 && byte(at + 1) < 0xa0 ? 0 : bytes;
}

}  // namespace

std::string Printable(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t bytes = PrintableBytes(text, at);
    if (bytes != 0) {
      out.append(text, at, bytes);
      at += bytes;
      continue;
    }
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned>(static_cast<uint8_t>(text[at])));
    out += escaped;
    ++at;
  }
  return out;
}

}  // namespace micrort::io
