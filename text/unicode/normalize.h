#pragma once
// Unicode's normalization forms, case, accents: text in, text out. `text` is valid UTF-8.

#include <string>
#include <string_view>

namespace micrort::text {

enum class NormalizationForm { kNfc, kNfd, kNfkc, kNfkd };

std::string Normalize(std::string_view text, NormalizationForm form);
// Each character by itself: U+0130 becomes two, and a capital sigma at the end of a word has no form of its
// own.
std::string Lowercase(std::string_view text);
// What is left without combining marks, or without the nonspacing ones alone.
std::string WithoutMarks(std::string_view text, bool nonspacing_only);

}  // namespace micrort::text
