#pragma once
// UTF-8, as Unicode's standard defines it: no surrogates, nothing overlong, at most U+10FFFF.

#include <cstdint>
#include <string>
#include <string_view>

namespace micrort::text {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kReplacementUtf8 = "\xEF\xBF\xBD";
// U+2581, the mark that SentencePiece puts for a space.
constexpr std::string_view kSpaceMark = "\xE2\x96\x81";

struct CodePoint {
  char32_t value = kReplacement;
  uint32_t length = 1;  // bytes; 1 for a byte that begins no character
  bool is_valid = false;
};

// The character at `at`, which is less than text.size().
CodePoint DecodeUtf8(std::string_view text, size_t at);
void AppendUtf8(char32_t c, std::string* text);
bool IsValidUtf8(std::string_view text);
// Bytes that belong to no character become U+FFFD, one each.
std::string ValidUtf8(std::string_view text);
// How many bytes at the end of `text` begin a character that is not whole.
size_t IncompleteTail(std::string_view text);

}  // namespace micrort::text
