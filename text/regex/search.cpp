#include <algorithm>

#include "text/regex/regex.h"
#include "text/unicode/utf8.h"

namespace micrort::text {

// All matches of one text.
class RegexSearch {
 public:
  RegexSearch(const Regex& regex, std::string_view text)
      : regex_(regex),
        text_(text),
        seen_(regex.program_.size(), kNever),
        // Real expressions take a tenth.
        steps_left_(kStepsABytePerInstruction * (text.size() + 1) * (regex.program_.size() + 1)) {}

  Status FindAll(std::vector<TextRange>* matches) {
    for (size_t at = 0; at < text_.size();) {
      TextRange match;
      if (!FindNext(at, &match)) break;
      matches->push_back(match);
      at = match.end;
    }
    if (steps_left_ == 0)
      return MICRORT_ERROR(kUnsupported, "a regular expression that takes too long for %zu bytes of text",
                           text_.size());
    return Status();
  }

 private:
  using Kind = Regex::Instruction::Kind;
  static constexpr size_t kNever = static_cast<size_t>(-1);
  static constexpr size_t kStepsABytePerInstruction = 16;

  struct Thread {
    uint32_t at;   // a set or the match
    size_t begin;  // of what it matches
  };

  bool FindNext(size_t from, TextRange* match) {
    bool found = false;
    threads_.clear();
    ++generation_;
    for (size_t at = from;;) {
      if (!found) Follow(0, at, at, &threads_);
      if (threads_.empty() && found) return true;
      const bool is_at_end = at == text_.size();
      const CodePoint c = is_at_end ? CodePoint{} : DecodeUtf8(text_, at);
      next_.clear();
      ++generation_;
      for (const Thread& thread : threads_) {
        const Regex::Instruction& step = regex_.program_[thread.at];
        if (step.kind == Kind::kMatch) {
          *match = {thread.begin, at};
          found = true;
          break;  // those behind it are second choices
        }
        if (!is_at_end && regex_.sets_[step.set].Contains(c.value))
          Follow(thread.at + 1, thread.begin, at + c.length, &next_);
      }
      if (is_at_end || steps_left_ == 0) return found && steps_left_ != 0;
      threads_.swap(next_);
      at += c.length;
    }
  }

  // Adds what can be reached from `start` without a character, best first.
  void Follow(uint32_t start, size_t begin, size_t at, std::vector<Thread>* to) {
    stack_.assign(1, start);
    while (!stack_.empty() && steps_left_ > 0) {
      --steps_left_;
      const uint32_t index = stack_.back();
      stack_.pop_back();
      if (seen_[index] == generation_) continue;
      seen_[index] = generation_;
      const Regex::Instruction& step = regex_.program_[index];
      switch (step.kind) {
        case Kind::kJump:
          stack_.push_back(step.target);
          break;
        case Kind::kSplit:
          stack_.push_back(step.other);
          stack_.push_back(step.target);
          break;
        case Kind::kAssertion:
          if (Holds(step, at) != step.is_negated) stack_.push_back(index + 1);
          break;
        case Kind::kSet:
        case Kind::kMatch:
          to->push_back({index, begin});
      }
    }
  }

  // The character that ends at `at`, which is not 0.
  char32_t Previous(size_t at) const {
    size_t begin = at - 1;
    while (begin > 0 && (static_cast<uint8_t>(text_[begin]) & 0xC0) == 0x80) --begin;
    return DecodeUtf8(text_, begin).value;
  }

  bool Holds(const Regex::Instruction& step, size_t at) const {
    const bool is_begin = at == 0, is_end = at == text_.size();
    switch (step.assertion) {
      case AssertionKind::kTextBegin:
        return is_begin;
      case AssertionKind::kTextEnd:
        return is_end;
      case AssertionKind::kLineBegin:
        return is_begin || text_[at - 1] == '\n';
      case AssertionKind::kLineEnd:
        return is_end || text_[at] == '\n';
      case AssertionKind::kWordBoundary:
        return (!is_begin && IsWord(Previous(at))) != (!is_end && IsWord(DecodeUtf8(text_, at).value));
      case AssertionKind::kNext:
        return !is_end && regex_.sets_[step.set].Contains(DecodeUtf8(text_, at).value);
      case AssertionKind::kPrevious:
        return !is_begin && regex_.sets_[step.set].Contains(Previous(at));
    }
    return false;
  }

  const Regex& regex_;
  std::string_view text_;
  std::vector<Thread> threads_, next_;
  std::vector<uint32_t> stack_;
  std::vector<size_t> seen_;  // the last generation that came by each instruction
  size_t generation_ = 0;
  size_t steps_left_;
};

Status Regex::FindAll(std::string_view text, std::vector<TextRange>* matches) const {
  return RegexSearch(*this, text).FindAll(matches);
}

}  // namespace micrort::text
