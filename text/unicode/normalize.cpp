#include "text/unicode/normalize.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "text/unicode/classes.h"
#include "text/unicode/utf8.h"

namespace micrort::text {
namespace {

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<uint8_t>(c) < 0x80; });
}

utf8proc_option_t OptionsOf(NormalizationForm form) {
  int options = UTF8PROC_STABLE;
  const bool composes = form == NormalizationForm::kNfc || form == NormalizationForm::kNfkc;
  options |= composes ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE;
  const bool is_compatible = form == NormalizationForm::kNfkc || form == NormalizationForm::kNfkd;
  if (is_compatible) options |= UTF8PROC_COMPAT;
  return static_cast<utf8proc_option_t>(options);
}

}  // namespace

std::string Normalize(std::string_view text, NormalizationForm form) {
  if (IsAscii(text)) return std::string(text);
  utf8proc_uint8_t* mapped = nullptr;
  const utf8proc_ssize_t length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &mapped, OptionsOf(form));
  if (length < 0) throw std::bad_alloc();  // the text is valid
  std::string normalized(reinterpret_cast<const char*>(mapped), static_cast<size_t>(length));
  std::free(mapped);
  return normalized;
}

std::string Lowercase(std::string_view text) {
  constexpr char32_t kCapitalDottedI = 0x130;
  std::string lower;
  lower.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = DecodeUtf8(text, at);
    if (c.value == kCapitalDottedI) {
      lower += "i\xCC\x87";
    } else {
      AppendUtf8(ToLowerSimple(c.value), &lower);
    }
    at += c.length;
  }
  return lower;
}

std::string WithoutMarks(std::string_view text, bool nonspacing_only) {
  const CategorySet marks = CategoriesOfName(nonspacing_only ? "Mn" : "M");
  std::string left;
  left.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = DecodeUtf8(text, at);
    if ((CategoryOf(c.value) & marks) == 0) left.append(text.substr(at, c.length));
    at += c.length;
  }
  return left;
}

}  // namespace micrort::text
