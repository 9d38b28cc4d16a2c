#include "converter/frontend/torchscript/expression_parser.h"

#include <cerrno>
#include <cstdlib>
#include <limits>
#include <utility>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/common/text.h"

namespace micrort::frontend::torchscript {

namespace {

constexpr int kMaxExpressionDepth = 200;
// From the loosest to the tightest; 0, `or`, to `*`. Unary operators and `**` bind tighter.
constexpr int kLevels = 9;
const char* const kOperators[kLevels][8] = {{"or"},       {"and"},    {"<", ">", "<=", ">=", "==", "!="},
                                            {"|"},        {"^"},      {"&"},
                                            {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"}};
constexpr int kComparison = 2;

}  // namespace

bool ExpressionParser::Is(const char* text) const {
  const Token& token = Peek();
  return (token.kind == TokenKind::kSymbol || token.kind == TokenKind::kName) && token.text == text;
}

bool ExpressionParser::Take(const char* text) {
  const bool is = Is(text);
  if (is) Advance();
  return is;
}

bool ExpressionParser::TakeKind(TokenKind kind) {
  const bool is = Peek().kind == kind;
  if (is) Advance();
  return is;
}

Status ExpressionParser::Unexpected(const char* expected) const {
  const Token& token = Peek();
  const bool is_text = token.kind != TokenKind::kNewline && token.kind != TokenKind::kIndent &&
                       token.kind != TokenKind::kDedent && token.kind != TokenKind::kEnd;
  return Invalid("line {}: expected {}, found {}{}{}", token.line, expected, is_text ? "'" : "",
                 is_text ? Shown(std::string(token.text)).c_str() : "the end of the line",
                 is_text ? "'" : "");
}

Status ExpressionParser::Expect(const char* text) {
  return Take(text) ? Status() : Unexpected(("'" + std::string(text) + "'").c_str());
}

Status ExpressionParser::ExpectKind(TokenKind kind, const char* what) {
  return TakeKind(kind) ? Status() : Unexpected(what);
}

Status ExpressionParser::ExpectName(std::string* out) {
  if (Peek().kind != TokenKind::kName) return Unexpected("a name");
  *out = Peek().text;
  Advance();
  return Status();
}

Status ExpressionParser::ParseTuple(Expr* out, bool* has_comma) {
  MICRORT_RETURN_IF_ERROR(Parse(out));
  *has_comma = Is(",");
  if (!*has_comma) return Status();
  Expr tuple;
  tuple.kind = ExprKind::kTuple;
  tuple.line = out->line;
  tuple.parts.push_back(std::move(*out));
  while (Take(",")) {
    if (Is("=") || Is(":") || Is("]") || Is(")") || Peek().kind == TokenKind::kNewline || Is("in")) break;
    tuple.parts.emplace_back();
    MICRORT_RETURN_IF_ERROR(Parse(&tuple.parts.back()));
  }
  *out = std::move(tuple);
  return Status();
}

Status ExpressionParser::Parse(Expr* out) {
  if (++depth_ > kMaxExpressionDepth)
    return Unsupported("line {}: more than {} expressions inside each other", Peek().line,
                       kMaxExpressionDepth);
  MICRORT_RETURN_IF_ERROR(ParseBinary(0, out));
  if (Take("if")) {
    Expr ternary;
    ternary.kind = ExprKind::kTernary;
    ternary.line = out->line;
    ternary.parts.resize(3);
    ternary.parts[0] = std::move(*out);
    MICRORT_RETURN_IF_ERROR(ParseBinary(0, &ternary.parts[1]));
    MICRORT_RETURN_IF_ERROR(Expect("else"));
    MICRORT_RETURN_IF_ERROR(Parse(&ternary.parts[2]));
    *out = std::move(ternary);
  }
  --depth_;
  return Status();
}

bool ExpressionParser::TakeOperator(int level, std::string* out) {
  for (const char* op : kOperators[level]) {
    if (op == nullptr || !Is(op)) continue;
    *out = op;
    Advance();
    return true;
  }
  if (level != kComparison) return false;
  if (Take("is")) {
    *out = Take("not") ? "is not" : "is";
    return true;
  }
  const bool is_not_in = Is("not") && Peek(1).text == "in";
  if (is_not_in) Advance();
  *out = is_not_in ? "not in" : "in";
  // `for x in y` is no comparison; its target is parsed by ParseUnary's level.
  return Take("in");
}

Status ExpressionParser::ParseBinary(int level, Expr* out) {
  if (level == kLevels) return ParseUnary(out);
  MICRORT_RETURN_IF_ERROR(ParseBinary(level + 1, out));
  int count = 0;
  for (std::string op; TakeOperator(level, &op); ++count) {
    if (count > kMaxExpressionDepth) return Unexpected("a shorter expression");
    Expr binary;
    binary.kind = ExprKind::kBinary;
    binary.text = op;
    binary.line = out->line;
    binary.parts.resize(2);
    binary.parts[0] = std::move(*out);
    MICRORT_RETURN_IF_ERROR(ParseBinary(level + 1, &binary.parts[1]));
    *out = std::move(binary);
  }
  return Status();
}

Status ExpressionParser::ParseUnary(Expr* out) {
  for (const char* op : {"-", "not", "~", "+"}) {
    if (!Is(op)) continue;
    if (++depth_ > kMaxExpressionDepth) return Unexpected("fewer operators");
    Expr unary;
    unary.kind = ExprKind::kUnary;
    unary.text = op;
    unary.line = Peek().line;
    Advance();
    unary.parts.resize(1);
    MICRORT_RETURN_IF_ERROR(ParseUnary(&unary.parts[0]));
    *out = std::move(unary);
    --depth_;
    return Status();
  }
  MICRORT_RETURN_IF_ERROR(ParsePostfix(out));
  if (!Take("**")) return Status();
  Expr power;
  power.kind = ExprKind::kBinary;
  power.text = "**";
  power.line = out->line;
  power.parts.resize(2);
  power.parts[0] = std::move(*out);
  MICRORT_RETURN_IF_ERROR(ParseUnary(&power.parts[1]));
  *out = std::move(power);
  return Status();
}

Status ExpressionParser::ParsePostfix(Expr* out) {
  MICRORT_RETURN_IF_ERROR(ParseAtom(out));
  for (int count = 0;; ++count) {
    if (count > kMaxExpressionDepth) return Unexpected("a shorter expression");
    Expr next;
    next.line = Peek().line;
    if (Take(".")) {
      next.kind = ExprKind::kAttribute;
      MICRORT_RETURN_IF_ERROR(ExpectName(&next.text));
      next.parts.push_back(std::move(*out));
    } else if (Take("(")) {
      next.kind = ExprKind::kCall;
      next.parts.push_back(std::move(*out));
      MICRORT_RETURN_IF_ERROR(ParseArguments(&next));
    } else if (Take("[")) {
      next.kind = ExprKind::kSubscript;
      next.parts.push_back(std::move(*out));
      next.parts.emplace_back();
      bool has_comma = false;
      MICRORT_RETURN_IF_ERROR(ParseTuple(&next.parts[1], &has_comma));
      MICRORT_RETURN_IF_ERROR(Expect("]"));
    } else {
      return Status();
    }
    *out = std::move(next);
  }
}

Status ExpressionParser::ParseArguments(Expr* call) {
  while (!Take(")")) {
    const bool is_keyword =
        Peek().kind == TokenKind::kName && Peek(1).kind == TokenKind::kSymbol && Peek(1).text == "=";
    if (is_keyword) {
      std::string name;
      MICRORT_RETURN_IF_ERROR(ExpectName(&name));
      Advance();
      call->keywords.emplace_back(std::move(name), Expr());
      MICRORT_RETURN_IF_ERROR(Parse(&call->keywords.back().second));
    } else {
      call->parts.emplace_back();
      MICRORT_RETURN_IF_ERROR(Parse(&call->parts.back()));
    }
    if (!Is(")")) MICRORT_RETURN_IF_ERROR(Expect(","));
  }
  return Status();
}

Status ExpressionParser::ParseItems(const char* end, Expr* out) {
  while (!Take(end)) {
    out->parts.emplace_back();
    MICRORT_RETURN_IF_ERROR(Parse(&out->parts.back()));
    if (!Is(end)) MICRORT_RETURN_IF_ERROR(Expect(","));
  }
  return Status();
}

Status ExpressionParser::ParseDict(Expr* out) {
  while (!Take("}")) {
    out->parts.resize(out->parts.size() + 2);
    const size_t key = out->parts.size() - 2;
    MICRORT_RETURN_IF_ERROR(Parse(&out->parts[key]));
    MICRORT_RETURN_IF_ERROR(Expect(":"));
    MICRORT_RETURN_IF_ERROR(Parse(&out->parts[key + 1]));
    if (!Is("}")) MICRORT_RETURN_IF_ERROR(Expect(","));
  }
  return Status();
}

Status ExpressionParser::ParseNumber(const Token& token, Expr* out) {
  const std::string text(token.text);
  char* end = nullptr;
  errno = 0;
  if (text.find_first_of(".eEjn") == std::string::npos) {
    out->kind = ExprKind::kInt;
    out->integer = std::strtoll(text.c_str(), &end, 10);
    // 9223372036854775808 stands behind a minus only.
    if (errno == ERANGE) out->integer = std::numeric_limits<int64_t>::max();
  } else {
    out->kind = ExprKind::kFloat;
    out->number = std::strtod(text.c_str(), &end);
    if (*end == 'j') {
      out->kind = ExprKind::kImaginary;
      ++end;
    }
  }
  return *end == '\0' ? Status() : Invalid("line {}: '{}' is no number", token.line, Shown(text));
}

Status ExpressionParser::ParseAtom(Expr* out) {
  const Token token = Peek();
  out->line = token.line;
  if (token.kind == TokenKind::kNumber) {
    Advance();
    return ParseNumber(token, out);
  }
  if (token.kind == TokenKind::kString) {
    out->kind = ExprKind::kString;
    while (Peek().kind == TokenKind::kString) {
      out->text += Peek().text;
      Advance();
    }
    return Status();
  }
  if (token.kind == TokenKind::kName) {
    Advance();
    out->kind = ExprKind::kName;
    out->text = token.text;
    if (token.text == "None") out->kind = ExprKind::kNone;
    if (token.text == "True" || token.text == "False") {
      out->kind = ExprKind::kBool;
      out->integer = token.text == "True" ? 1 : 0;
    }
    return Status();
  }
  if (Take("[")) {
    out->kind = ExprKind::kList;
    return ParseItems("]", out);
  }
  if (Take("{")) {
    out->kind = ExprKind::kDict;
    return ParseDict(out);
  }
  if (!Take("(")) return Unexpected("an expression");
  if (Take(")")) {
    out->kind = ExprKind::kTuple;
    return Status();
  }
  bool has_comma = false;
  MICRORT_RETURN_IF_ERROR(ParseTuple(out, &has_comma));
  return Expect(")");
}

}  // namespace micrort::frontend::torchscript
