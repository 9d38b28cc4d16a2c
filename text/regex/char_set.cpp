#include "text/regex/char_set.h"

#include <utf8proc.h>

#include <algorithm>

namespace micrort::text {
namespace {

bool IsMember(char32_t c, const CharSet::Item& item) {
  switch (item.kind) {
    case CharSet::Kind::kRange:
      return c >= item.first && c <= item.last;
    case CharSet::Kind::kCategories:
      return (CategoryOf(c) & item.categories) != 0;
    case CharSet::Kind::kSpace:
      return IsWhiteSpace(c);
    case CharSet::Kind::kWord:
      return IsWord(c);
  }
  return false;
}

}  // namespace

bool CharSet::HasItemOf(char32_t c) const {
  return std::any_of(items_.begin(), items_.end(),
                     [c](const Item& item) { return IsMember(c, item) != item.is_negated; });
}

bool CharSet::Search(char32_t c) const {
  bool found = HasItemOf(c);
  if (!found && ignores_case_) {
    const char32_t folded = FoldCase(c);
    const auto upper = static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(folded)));
    found = HasItemOf(folded) || HasItemOf(upper);
  }
  return found != is_negated_;
}

void CharSet::Finish() {
  for (char32_t c = 0; c < kAscii; ++c) ascii_[c] = Search(c);
}

}  // namespace micrort::text
