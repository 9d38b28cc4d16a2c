#pragma once
// Reads the parts that a regular expression is written in.

#include <string_view>

#include "kernels/base/status.h"
#include "text/regex/char_set.h"

namespace micrort::text {

class PatternReader {
 public:
  explicit PatternReader(std::string_view pattern) : pattern_(pattern) {}

  std::string_view pattern() const { return pattern_; }
  bool is_at_end() const { return at_ >= pattern_.size(); }
  bool is_at(std::string_view text) const { return pattern_.substr(at_, text.size()) == text; }
  char32_t peek() const;  // not at the end
  bool SkipText(std::string_view text);
  bool Skip(char c) { return SkipText(std::string_view(&c, 1)); }

  // One character or class: x, \n, \s, \p{L}.
  Status ReadMember(CharSet::Item* item);
  // {m}, {m,}, {,n}, {m,n}; anything else is left where it is.
  Status ReadCounts(int* least, int* most, bool* is_counted);

  Status Invalid(const char* what) const;
  Status Unsupported(const char* what) const;

 private:
  char32_t Next();
  Status ReadEscape(CharSet::Item* item);
  Status ReadProperty(bool is_negated, CharSet::Item* item);
  Status ReadHex(int most_digits, char32_t* value);
  bool ReadNumber(int* value);

  std::string_view pattern_;
  size_t at_ = 0;
};

}  // namespace micrort::text
