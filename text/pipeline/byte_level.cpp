#include "text/pipeline/byte_level.h"

#include <cstdint>

#include "text/unicode/utf8.h"

namespace micrort::text {
namespace {

// Bytes that are printable in Latin-1 stay, the others follow U+00FF in their order.
struct ByteAlphabet {
  static constexpr char32_t kEnd = 512;
  ByteAlphabet() {
    for (char32_t c = 0; c < kEnd; ++c) byte_of[c] = -1;
    char32_t next = 256;
    for (int byte = 0; byte < 256; ++byte) {
      const bool stays = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
      char_of[byte] = stays ? static_cast<char32_t>(byte) : next++;
      byte_of[char_of[byte]] = static_cast<int16_t>(byte);
    }
  }
  char32_t char_of[256];
  int16_t byte_of[kEnd];
};

const ByteAlphabet& Alphabet() {
  static const ByteAlphabet alphabet;
  return alphabet;
}

}  // namespace

std::string ToByteLevel(std::string_view text) {
  std::string mapped;
  mapped.reserve(text.size() * 2);
  for (const char c : text) AppendUtf8(Alphabet().char_of[static_cast<uint8_t>(c)], &mapped);
  return mapped;
}

std::string FromByteLevel(std::string_view token) {
  std::string bytes;
  for (size_t at = 0; at < token.size();) {
    const CodePoint c = DecodeUtf8(token, at);
    const int byte = c.value < ByteAlphabet::kEnd ? Alphabet().byte_of[c.value] : -1;
    if (byte < 0) return std::string(token);
    bytes.push_back(static_cast<char>(byte));
    at += c.length;
  }
  return bytes;
}

}  // namespace micrort::text
