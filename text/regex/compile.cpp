#include "text/regex/regex.h"

namespace micrort::text {
namespace {

constexpr size_t kMaxInstructions = 4096;

bool MatchesNothing(const RegexNode& node) {
  switch (node.kind) {
    case RegexNode::Kind::kSet:
      return false;
    case RegexNode::Kind::kAssertion:
      return true;
    case RegexNode::Kind::kRepeat:
      return node.least == 0 || MatchesNothing(node.children[0]);
    case RegexNode::Kind::kSequence:
      for (const RegexNode& child : node.children)
        if (!MatchesNothing(child)) return false;
      return true;
    case RegexNode::Kind::kAlternatives:
      for (const RegexNode& child : node.children)
        if (MatchesNothing(child)) return true;
      return false;
  }
  return true;
}

}  // namespace

class RegexCompiler {
 public:
  explicit RegexCompiler(std::vector<Regex::Instruction>* program) : program_(*program) {}

  Status Compile(const RegexNode& root) {
    MICRORT_RETURN_IF_ERROR(Emit(root));
    Append(Kind::kMatch);
    return Status();
  }

 private:
  using Kind = Regex::Instruction::Kind;

  uint32_t here() const { return static_cast<uint32_t>(program_.size()); }
  uint32_t Append(Kind kind) {
    program_.emplace_back();
    program_.back().kind = kind;
    return here() - 1;
  }

  Status Emit(const RegexNode& node) {
    if (program_.size() > kMaxInstructions)
      return MICRORT_ERROR(kUnsupported, "a regular expression of more than %zu steps", kMaxInstructions);
    switch (node.kind) {
      case RegexNode::Kind::kSet:
        program_[Append(Kind::kSet)].set = node.set;
        return Status();
      case RegexNode::Kind::kAssertion:
        return EmitAssertion(node);
      case RegexNode::Kind::kSequence:
        for (const RegexNode& child : node.children) MICRORT_RETURN_IF_ERROR(Emit(child));
        return Status();
      case RegexNode::Kind::kAlternatives:
        return EmitAlternatives(node);
      case RegexNode::Kind::kRepeat:
        return EmitRepeat(node);
    }
    return Status();
  }

  Status EmitAssertion(const RegexNode& node) {
    Regex::Instruction& assertion = program_[Append(Kind::kAssertion)];
    assertion.assertion = node.assertion;
    assertion.is_negated = node.is_negated;
    assertion.set = node.set;
    return Status();
  }

  Status EmitAlternatives(const RegexNode& node) {
    std::vector<uint32_t> jumps;
    for (size_t i = 0; i + 1 < node.children.size(); ++i) {
      const uint32_t split = Append(Kind::kSplit);
      program_[split].target = here();
      MICRORT_RETURN_IF_ERROR(Emit(node.children[i]));
      jumps.push_back(Append(Kind::kJump));
      program_[split].other = here();
    }
    MICRORT_RETURN_IF_ERROR(Emit(node.children.back()));
    for (const uint32_t jump : jumps) program_[jump].target = here();
    return Status();
  }

  void SetBranches(uint32_t split, uint32_t inside, uint32_t outside, bool is_lazy) {
    program_[split].target = is_lazy ? outside : inside;
    program_[split].other = is_lazy ? inside : outside;
  }

  Status EmitRepeat(const RegexNode& node) {
    const RegexNode& child = node.children[0];
    for (int i = 0; i < node.least; ++i) MICRORT_RETURN_IF_ERROR(Emit(child));
    if (node.most == RegexNode::kUnbounded) {
      const uint32_t split = Append(Kind::kSplit);
      const uint32_t inside = here();
      MICRORT_RETURN_IF_ERROR(Emit(child));
      program_[Append(Kind::kJump)].target = split;
      SetBranches(split, inside, here(), node.is_lazy);
      return Status();
    }
    std::vector<uint32_t> splits;
    for (int i = node.least; i < node.most; ++i) {
      splits.push_back(Append(Kind::kSplit));
      MICRORT_RETURN_IF_ERROR(Emit(child));
    }
    for (const uint32_t split : splits) SetBranches(split, split + 1, here(), node.is_lazy);
    return Status();
  }

  std::vector<Regex::Instruction>& program_;
};

Result<Regex> Regex::Parse(std::string_view pattern) {
  MICRORT_ASSIGN_OR_RETURN(ParsedRegex parsed, ParseRegex(pattern));
  if (MatchesNothing(parsed.root))
    return MICRORT_ERROR(kUnsupported, "the regular expression '%.*s' matches the empty text",
                         static_cast<int>(pattern.size() < 100 ? pattern.size() : 100), pattern.data());
  Regex regex;
  MICRORT_RETURN_IF_ERROR(RegexCompiler(&regex.program_).Compile(parsed.root));
  regex.sets_ = std::move(parsed.sets);
  return regex;
}

}  // namespace micrort::text
