#include "text/regex/parse.h"

#include <algorithm>
#include <string>

#include "text/regex/escapes.h"
#include "text/unicode/utf8.h"

namespace micrort::text {
namespace {

constexpr int kMaxGroups = 32;  // one inside the other
constexpr int kMaxRepeats = 256;
constexpr size_t kMaxPattern = 8192;

class RegexParser {
 public:
  explicit RegexParser(std::string_view pattern) : reader_(pattern) {}

  Result<ParsedRegex> Parse() {
    if (reader_.pattern().size() > kMaxPattern)
      return MICRORT_ERROR(kUnsupported, "a regular expression of %zu bytes, at most %zu are supported",
                           reader_.pattern().size(), kMaxPattern);
    MICRORT_RETURN_IF_ERROR(ParseAlternatives(&parsed_.root));
    if (!reader_.is_at_end()) return reader_.Invalid("a ')' without '('");
    return std::move(parsed_);
  }

 private:
  Status ParseAlternatives(RegexNode* node) {
    const bool outer_case = ignores_case_;
    node->kind = RegexNode::Kind::kAlternatives;
    do {
      node->children.emplace_back();
      MICRORT_RETURN_IF_ERROR(ParseSequence(&node->children.back()));
    } while (reader_.Skip('|'));
    ignores_case_ = outer_case;
    return Status();
  }

  Status ParseSequence(RegexNode* node) {
    while (!reader_.is_at_end() && reader_.peek() != '|' && reader_.peek() != ')') {
      RegexNode item;
      bool is_setting = false;  // (?i) is no item
      MICRORT_RETURN_IF_ERROR(ParseItem(&item, &is_setting));
      if (is_setting) continue;
      MICRORT_RETURN_IF_ERROR(ParseQuantifier(&item));
      node->children.push_back(std::move(item));
    }
    return Status();
  }

  Status ParseItem(RegexNode* node, bool* is_setting) {
    if (reader_.Skip('(')) return ParseGroup(node, is_setting);
    const char32_t c = reader_.peek();
    if (c == '?' || c == '*' || c == '+') return reader_.Invalid("a quantifier of nothing");
    if (c == '\\' && TakeAssertionEscape(node)) return Status();
    if (reader_.Skip('^')) return TakeAssertion(AssertionKind::kLineBegin, false, node);
    if (reader_.Skip('$')) return TakeAssertion(AssertionKind::kLineEnd, false, node);
    node->kind = RegexNode::Kind::kSet;
    return ParseSet(&node->set);
  }

  static Status TakeAssertion(AssertionKind assertion, bool is_negated, RegexNode* node) {
    node->kind = RegexNode::Kind::kAssertion;
    node->assertion = assertion;
    node->is_negated = is_negated;
    return Status();
  }

  bool TakeAssertionEscape(RegexNode* node) {
    const struct {
      const char* escape;
      AssertionKind kind;
      bool is_negated;
    } kEscapes[] = {{"\\A", AssertionKind::kTextBegin, false},
                    {"\\z", AssertionKind::kTextEnd, false},
                    {"\\b", AssertionKind::kWordBoundary, false},
                    {"\\B", AssertionKind::kWordBoundary, true}};
    for (const auto& row : kEscapes) {
      if (!reader_.SkipText(row.escape)) continue;
      static_cast<void>(TakeAssertion(row.kind, row.is_negated, node));
      return true;
    }
    return false;
  }

  // After '('.
  Status ParseGroup(RegexNode* node, bool* is_setting) {
    if (++depth_ > kMaxGroups) return reader_.Unsupported("groups so deep inside each other");
    const bool outer_case = ignores_case_;
    if (reader_.SkipText("?i)")) {
      ignores_case_ = true;
      *is_setting = true;
      --depth_;
      return Status();
    }
    const struct {
      const char* text;
      AssertionKind kind;
      bool is_negated;
    } kLooks[] = {{"?=", AssertionKind::kNext, false},
                  {"?!", AssertionKind::kNext, true},
                  {"?<=", AssertionKind::kPrevious, false},
                  {"?<!", AssertionKind::kPrevious, true}};
    for (const auto& look : kLooks) {
      if (reader_.SkipText(look.text)) return ParseLook(look.kind, look.is_negated, node);
    }
    if (reader_.SkipText("?i:")) {
      ignores_case_ = true;
    } else if (!reader_.SkipText("?:") && !reader_.is_at_end() && reader_.peek() == '?') {
      return reader_.Unsupported("a group that begins so");
    }
    MICRORT_RETURN_IF_ERROR(ParseAlternatives(node));
    ignores_case_ = outer_case;
    return EndGroup();
  }

  Status EndGroup() {
    --depth_;
    return reader_.Skip(')') ? Status() : reader_.Invalid("a '(' without ')'");
  }

  Status ParseLook(AssertionKind kind, bool is_negated, RegexNode* node) {
    MICRORT_RETURN_IF_ERROR(TakeAssertion(kind, is_negated, node));
    if (reader_.is_at_end() || reader_.peek() == '(' || reader_.peek() == ')')
      return reader_.Unsupported("a look at anything but one character");
    MICRORT_RETURN_IF_ERROR(ParseSet(&node->set));
    if (reader_.is_at_end() || reader_.peek() != ')')
      return reader_.Unsupported("a look at more than one character");
    return EndGroup();
  }

  Status ParseSet(int* index) {
    CharSet set;
    if (reader_.Skip('[')) {
      MICRORT_RETURN_IF_ERROR(ParseClass(&set));
    } else if (reader_.Skip('.')) {
      set.AddRange('\n', '\n');
      set.Negate();
    } else {
      CharSet::Item item;
      MICRORT_RETURN_IF_ERROR(reader_.ReadMember(&item));
      set.Add(item);
    }
    if (ignores_case_) set.IgnoreCase();
    set.Finish();
    *index = static_cast<int>(parsed_.sets.size());
    parsed_.sets.push_back(std::move(set));
    return Status();
  }

  // After '['.
  Status ParseClass(CharSet* set) {
    if (reader_.Skip('^')) set->Negate();
    bool is_first = true;
    while (is_first || !reader_.Skip(']')) {
      if (reader_.is_at_end()) return reader_.Invalid("a '[' without ']'");
      if (reader_.peek() == '[') return reader_.Unsupported("a class inside of another");
      if (reader_.SkipText("&&")) return reader_.Unsupported("an intersection of classes");
      CharSet::Item item;
      MICRORT_RETURN_IF_ERROR(reader_.ReadMember(&item));
      MICRORT_RETURN_IF_ERROR(ReadRangeEnd(&item));
      set->Add(item);
      is_first = false;
    }
    return Status();
  }

  // A '-' before the ']' is itself.
  Status ReadRangeEnd(CharSet::Item* item) {
    if (!reader_.is_at("-") || reader_.is_at("-]") || item->kind != CharSet::Kind::kRange) return Status();
    reader_.Skip('-');
    CharSet::Item last;
    if (reader_.is_at_end()) return reader_.Invalid("a '[' without ']'");
    MICRORT_RETURN_IF_ERROR(reader_.ReadMember(&last));
    if (last.kind != CharSet::Kind::kRange || last.last < item->first)
      return reader_.Invalid("a range that ends before it begins");
    item->last = last.last;
    return Status();
  }

  Status ParseQuantifier(RegexNode* node) {
    int least = 0, most = RegexNode::kUnbounded;
    bool is_counted = false;
    if (reader_.Skip('?')) {
      most = 1;
    } else if (reader_.Skip('+')) {
      least = 1;
    } else if (!reader_.Skip('*')) {
      MICRORT_RETURN_IF_ERROR(reader_.ReadCounts(&least, &most, &is_counted));
      if (!is_counted) return Status();
    }
    if (std::max(least, most) > kMaxRepeats) return reader_.Unsupported("so many repeats");
    if (node->kind == RegexNode::Kind::kAssertion)
      return reader_.Unsupported("an assertion that is repeated");
    RegexNode repeat;
    repeat.kind = RegexNode::Kind::kRepeat;
    repeat.least = least;
    repeat.most = most;
    repeat.is_lazy = reader_.Skip('?');
    if (!reader_.is_at_end() && (reader_.peek() == '+' || reader_.peek() == '*' || reader_.peek() == '?'))
      return reader_.Unsupported("a quantifier of a quantifier");
    repeat.children.push_back(std::move(*node));
    *node = std::move(repeat);
    return Status();
  }

  PatternReader reader_;
  ParsedRegex parsed_;
  bool ignores_case_ = false;
  int depth_ = 0;
};

}  // namespace

Result<ParsedRegex> ParseRegex(std::string_view pattern) { return RegexParser(pattern).Parse(); }

}  // namespace micrort::text
