#pragma once
// Regular expressions as trees.

#include <memory>
#include <string_view>
#include <vector>

#include "kernels/base/status.h"
#include "text/regex/char_set.h"

namespace micrort::text {

enum class AssertionKind { kTextBegin, kTextEnd, kLineBegin, kLineEnd, kWordBoundary, kNext, kPrevious };

struct RegexNode {
  enum class Kind { kSet, kSequence, kAlternatives, kRepeat, kAssertion };
  static constexpr int kUnbounded = -1;

  Kind kind = Kind::kSequence;
  std::vector<RegexNode> children;  // one of a repeat
  int set = 0;                      // of kSet, and of assertions about a character
  int least = 0, most = kUnbounded;
  bool is_lazy = false;
  AssertionKind assertion = AssertionKind::kTextBegin;
  bool is_negated = false;
};

struct ParsedRegex {
  RegexNode root;
  std::vector<CharSet> sets;
};

// The subset of Oniguruma's syntax (as Ruby has it) that tokenizers use: alternatives, groups, (?:…), (?i:…),
// (?i), classes with ranges and \s \S \d \D \w \W \p{L} \P{L}, . ^ $ \A \z \b \B, ? * + {m,n} and their lazy
// forms, lookahead and lookbehind at one character. kUnsupported names anything else, kInvalidArgument what
// is no expression.
Result<ParsedRegex> ParseRegex(std::string_view pattern);

}  // namespace micrort::text
