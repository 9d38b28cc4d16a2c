#pragma once
// Regular expressions whose time is linear in the text: all ways to match are followed at once (Thompson's
// and Pike's machine), and the one that a backtracking engine would find first wins.

#include <string_view>
#include <vector>

#include "kernels/base/status.h"
#include "text/regex/parse.h"

namespace micrort::text {

struct TextRange {
  size_t begin = 0, end = 0;
};

class Regex {
 public:
  // As ParseRegex() says; an expression that matches the empty text is refused (kUnsupported).
  static Result<Regex> Parse(std::string_view pattern);

  // Matches from left to right that do not overlap. `text` is valid UTF-8. kUnsupported if the expression is
  // one of the few that take more than linear time for all matches together, and takes that for this text.
  Status FindAll(std::string_view text, std::vector<TextRange>* matches) const;

 private:
  friend class RegexCompiler;
  friend class RegexSearch;

  struct Instruction {
    enum class Kind { kSet, kSplit, kJump, kAssertion, kMatch };
    Kind kind = Kind::kMatch;
    uint32_t target = 0, other = 0;  // of a split, the preferred one first
    int set = 0;
    AssertionKind assertion = AssertionKind::kTextBegin;
    bool is_negated = false;
  };

  std::vector<Instruction> program_;
  std::vector<CharSet> sets_;
};

}  // namespace micrort::text
