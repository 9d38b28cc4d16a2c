#include "text/regex/escapes.h"

#include <algorithm>
#include <string>

#include "text/unicode/utf8.h"

namespace micrort::text {
namespace {

int HexDigit(char32_t c) {
  if (c >= '0' && c <= '9') return static_cast<int>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<int>(c - 'a' + 10);
  return c >= 'A' && c <= 'F' ? static_cast<int>(c - 'A' + 10) : -1;
}

CharSet::Item OneCharacter(char32_t c) { return {CharSet::Kind::kRange, false, c, c, 0}; }

}  // namespace

char32_t PatternReader::peek() const { return DecodeUtf8(pattern_, at_).value; }

char32_t PatternReader::Next() {
  const CodePoint c = DecodeUtf8(pattern_, at_);
  at_ += c.length;
  return c.value;
}

bool PatternReader::SkipText(std::string_view text) {
  if (!is_at(text)) return false;
  at_ += text.size();
  return true;
}

Status PatternReader::Invalid(const char* what) const {
  return MICRORT_ERROR(kInvalidArgument, "regular expression '%.*s', at %zu: %s",
                       static_cast<int>(std::min<size_t>(pattern_.size(), 100)), pattern_.data(), at_, what);
}

Status PatternReader::Unsupported(const char* what) const {
  return MICRORT_ERROR(kUnsupported, "regular expression '%.*s', at %zu: %s is not supported",
                       static_cast<int>(std::min<size_t>(pattern_.size(), 100)), pattern_.data(), at_, what);
}

Status PatternReader::ReadMember(CharSet::Item* item) {
  if (Skip('\\')) return ReadEscape(item);
  *item = OneCharacter(Next());
  return Status();
}

Status PatternReader::ReadEscape(CharSet::Item* item) {
  if (is_at_end()) return Invalid("nothing after '\\'");
  const CategorySet digits = CategoriesOfName("Nd");
  const struct {
    char letter;
    CharSet::Item item;
  } kClasses[] = {
      {'s', {CharSet::Kind::kSpace, false, 0, 0, 0}},
      {'S', {CharSet::Kind::kSpace, true, 0, 0, 0}},
      {'w', {CharSet::Kind::kWord, false, 0, 0, 0}},
      {'W', {CharSet::Kind::kWord, true, 0, 0, 0}},
      {'d', {CharSet::Kind::kCategories, false, 0, 0, digits}},
      {'D', {CharSet::Kind::kCategories, true, 0, 0, digits}},
      {'n', OneCharacter('\n')},
      {'r', OneCharacter('\r')},
      {'t', OneCharacter('\t')},
      {'f', OneCharacter('\f')},
      {'v', OneCharacter('\v')},
  };
  for (const auto& row : kClasses) {
    if (!Skip(row.letter)) continue;
    *item = row.item;
    return Status();
  }
  if (Skip('p')) return ReadProperty(false, item);
  if (Skip('P')) return ReadProperty(true, item);
  char32_t code = 0;
  if (Skip('x')) {
    const bool is_braced = Skip('{');
    MICRORT_RETURN_IF_ERROR(ReadHex(is_braced ? 6 : 2, &code));
    if (is_braced && !Skip('}')) return Invalid("expected '}'");
  } else if (Skip('u')) {
    MICRORT_RETURN_IF_ERROR(ReadHex(4, &code));
  } else {
    code = Next();
    if (IsWord(code)) return Unsupported("such a letter or digit after '\\'");
  }
  *item = OneCharacter(code);
  return Status();
}

Status PatternReader::ReadHex(int most_digits, char32_t* value) {
  int digits = 0;
  while (digits < most_digits && !is_at_end() && HexDigit(peek()) >= 0) {
    *value = *value * 16 + static_cast<char32_t>(HexDigit(Next()));
    ++digits;
  }
  if (digits == 0 || *value > 0x10FFFF) return Invalid("expected the hexadecimal number of a character");
  return Status();
}

Status PatternReader::ReadProperty(bool is_negated, CharSet::Item* item) {
  if (!Skip('{')) return Invalid("expected '{' after '\\p'");
  if (Skip('^')) is_negated = !is_negated;
  std::string name;
  while (!is_at_end() && peek() != '}') AppendUtf8(Next(), &name);
  if (!Skip('}')) return Invalid("expected '}'");
  const CategorySet categories = CategoriesOfName(name.c_str());
  if (categories == 0) return Unsupported(("the property '" + name.substr(0, 40) + "'").c_str());
  *item = {CharSet::Kind::kCategories, is_negated, 0, 0, categories};
  return Status();
}

bool PatternReader::ReadNumber(int* value) {
  constexpr int kTooMany = 100000;
  const size_t begin = at_;
  int number = 0;
  while (!is_at_end() && peek() >= '0' && peek() <= '9')
    number = std::min(kTooMany, number * 10 + static_cast<int>(Next() - '0'));
  if (at_ == begin) return false;
  *value = number;
  return true;
}

Status PatternReader::ReadCounts(int* least, int* most, bool* is_counted) {
  const size_t begin = at_;
  if (!Skip('{')) return Status();
  const bool has_least = ReadNumber(least);
  bool has_most = false;
  if (Skip(',')) {
    has_most = ReadNumber(most);
  } else if (has_least) {
    *most = *least;
    has_most = true;
  }
  if (!Skip('}') || (!has_least && !has_most)) {
    at_ = begin;
    return Unsupported("a '{' that begins no count");
  }
  if (has_most && *most < *least) return Invalid("fewer repeats at most than at least");
  *is_counted = true;
  return Status();
}

}  // namespace micrort::text
