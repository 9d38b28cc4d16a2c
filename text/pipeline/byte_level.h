#pragma once
// GPT-2's alphabet: each byte is a printable character.

#include <string>
#include <string_view>

namespace micrort::text {

std::string ToByteLevel(std::string_view text);
// The bytes of a token; the token itself if one of its characters is of another alphabet.
std::string FromByteLevel(std::string_view token);

}  // namespace micrort::text
