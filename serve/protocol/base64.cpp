#include "serve/protocol/base64.h"

namespace micrort::serve {
namespace {

int ValueOf(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

}  // namespace

bool DecodeBase64(const std::string& text, std::vector<uint8_t>* bytes) {
  size_t length = text.size();
  while (length > 0 && text.size() - length < 2 && text[length - 1] == '=') --length;
  if (length % 4 == 1) return false;
  if (length != text.size() && text.size() % 4 != 0) return false;
  bytes->clear();
  bytes->reserve(length / 4 * 3 + 2);
  uint32_t bits = 0;
  int count = 0;
  for (size_t i = 0; i < length; ++i) {
    const int value = ValueOf(text[i]);
    if (value < 0) return false;
    bits = bits << 6 | static_cast<uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes->push_back(static_cast<uint8_t>(bits >> count));
  }
  return true;
}

}  // namespace micrort::serve
