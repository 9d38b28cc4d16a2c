#include "text/unicode/utf8.h"

namespace micrort::text {
namespace {

uint8_t ByteAt(std::string_view text, size_t at) { return static_cast<uint8_t>(text[at]); }

// Bytes of a character by its first one; 0 where none begins so.
uint32_t LengthByFirstByte(uint8_t first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 0;
}

}  // namespace

CodePoint DecodeUtf8(std::string_view text, size_t at) {
  const uint8_t first = ByteAt(text, at);
  const uint32_t length = LengthByFirstByte(first);
  if (length == 1) return {first, 1, true};
  if (length == 0 || length > text.size() - at) return {};
  char32_t value = first & (0x7F >> length);
  for (uint32_t i = 1; i < length; ++i) {
    const uint8_t next = ByteAt(text, at + i);
    if ((next & 0xC0) != 0x80) return {};
    value = (value << 6) | (next & 0x3F);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || value > 0x10FFFF || is_surrogate) return {};
  return {value, length, true};
}

void AppendUtf8(char32_t c, std::string* text) {
  const auto put = [text](char32_t byte) { text->push_back(static_cast<char>(byte)); };
  const auto rest = [&](int shift) { put(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    rest(0);
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    rest(6);
    rest(0);
  } else {
    put(0xF0 | (c >> 18));
    rest(12);
    rest(6);
    rest(0);
  }
}

bool IsValidUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = DecodeUtf8(text, at);
    if (!c.is_valid) return false;
    at += c.length;
  }
  return true;
}

std::string ValidUtf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = DecodeUtf8(text, at);
    valid.append(c.is_valid ? text.substr(at, c.length) : kReplacementUtf8);
    at += c.length;
  }
  return valid;
}

size_t IncompleteTail(std::string_view text) {
  const size_t most = text.size() < 3 ? text.size() : 3;
  for (size_t tail = 1; tail <= most; ++tail) {
    const uint8_t byte = ByteAt(text, text.size() - tail);
    if ((byte & 0xC0) == 0x80) continue;
    return LengthByFirstByte(byte) > tail ? tail : 0;
  }
  return 0;
}

}  // namespace micrort::text
