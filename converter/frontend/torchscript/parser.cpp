#include "converter/frontend/torchscript/parser.h"

#include <utility>
#include <vector>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/torchscript/expression_parser.h"

namespace micrort::frontend::torchscript {

namespace {

constexpr int kMaxBlockDepth = 100;

class Parser {
 public:
  Parser(const std::string& file, const Tokens& tokens) : file_(file), p_(tokens) {}

  Status Run(SourceFile* out);

 private:
  Status ParseClass(SourceFile* out);
  Status ParseClassLine(Class* out);
  Status ParseFunction(Function* out);
  Status ParseParameters(Function* out);
  Status ParseBlock(std::vector<Stmt>* out);
  Status ParseStatement(Stmt* out);
  Status ParseSimple(Stmt* out);
  Status ParseConditional(Stmt* out);
  Status ParseFor(Stmt* out);
  Status ParseWith(Stmt* out);
  Status ParseLocalFunction(Stmt* out);
  Status ParseTargetName(Stmt* out);
  Status EndLine() { return p_.ExpectKind(TokenKind::kNewline, "the end of the line"); }

  const std::string& file_;
  ExpressionParser p_;
  int depth_ = 0;
};

Status Parser::Run(SourceFile* out) {
  for (;;) {
    if (p_.TakeKind(TokenKind::kEnd) || p_.Peek().kind == TokenKind::kEnd) return Status();
    if (p_.TakeKind(TokenKind::kNewline)) continue;
    if (p_.Is("class")) {
      MICRORT_RETURN_IF_ERROR(ParseClass(out));
    } else if (p_.Is("def")) {
      out->functions.emplace_back();
      MICRORT_RETURN_IF_ERROR(ParseFunction(&out->functions.back()));
    } else {
      // `op_version_set = 1` of the first writers.
      Stmt ignored;
      MICRORT_RETURN_IF_ERROR(ParseSimple(&ignored));
    }
  }
}

Status Parser::ParseClass(SourceFile* out) {
  out->classes.emplace_back();
  Class& c = out->classes.back();
  p_.Advance();
  MICRORT_RETURN_IF_ERROR(p_.ExpectName(&c.name));
  if (p_.Take("(")) {
    MICRORT_RETURN_IF_ERROR(p_.ExpectName(&c.base));
    MICRORT_RETURN_IF_ERROR(p_.Expect(")"));
  }
  MICRORT_RETURN_IF_ERROR(p_.Expect(":"));
  MICRORT_RETURN_IF_ERROR(EndLine());
  if (!p_.TakeKind(TokenKind::kIndent)) return Status();
  while (!p_.TakeKind(TokenKind::kDedent)) MICRORT_RETURN_IF_ERROR(ParseClassLine(&c));
  return Status();
}

// `weight : Tensor`, `padding : Final[int] = 1`, `__annotations__["0"] = T`, a method.
Status Parser::ParseClassLine(Class* out) {
  if (p_.TakeKind(TokenKind::kNewline)) return Status();
  if (p_.Is("def")) {
    out->methods.emplace_back();
    return ParseFunction(&out->methods.back());
  }
  if (p_.Take("pass")) return EndLine();
  Expr target;
  MICRORT_RETURN_IF_ERROR(p_.Parse(&target));
  ClassAttribute attribute;
  attribute.name = target.text;
  if (p_.Take(":")) MICRORT_RETURN_IF_ERROR(p_.Parse(&attribute.type));
  if (p_.Take("=")) {
    attribute.has_value = true;
    MICRORT_RETURN_IF_ERROR(p_.Parse(&attribute.value));
  }
  if (target.kind == ExprKind::kName) out->attributes.push_back(std::move(attribute));
  return EndLine();
}

Status Parser::ParseFunction(Function* out) {
  out->file = file_;
  out->line = p_.Peek().line;
  p_.Advance();
  MICRORT_RETURN_IF_ERROR(p_.ExpectName(&out->name));
  MICRORT_RETURN_IF_ERROR(p_.Expect("("));
  MICRORT_RETURN_IF_ERROR(ParseParameters(out));
  if (p_.Take("->")) MICRORT_RETURN_IF_ERROR(p_.Parse(&out->result_type));
  MICRORT_RETURN_IF_ERROR(p_.Expect(":"));
  return ParseBlock(&out->body);
}

Status Parser::ParseParameters(Function* out) {
  while (!p_.Take(")")) {
    if (p_.Take("*")) {  // what follows is given by name
      MICRORT_RETURN_IF_ERROR(p_.Expect(","));
      continue;
    }
    Parameter parameter;
    MICRORT_RETURN_IF_ERROR(p_.ExpectName(&parameter.name));
    if (p_.Take(":")) MICRORT_RETURN_IF_ERROR(p_.Parse(&parameter.type));
    if (p_.Take("=")) {
      parameter.has_default = true;
      MICRORT_RETURN_IF_ERROR(p_.Parse(&parameter.otherwise));
    }
    out->parameters.push_back(std::move(parameter));
    if (!p_.Is(")")) MICRORT_RETURN_IF_ERROR(p_.Expect(","));
  }
  return Status();
}

Status Parser::ParseBlock(std::vector<Stmt>* out) {
  if (++depth_ > kMaxBlockDepth)
    return Unsupported("line {}: more than {} blocks inside each other", p_.Peek().line, kMaxBlockDepth);
  MICRORT_RETURN_IF_ERROR(EndLine());
  // A function of nothing but constants that were removed has an empty body.
  if (p_.TakeKind(TokenKind::kIndent)) {
    while (!p_.TakeKind(TokenKind::kDedent)) {
      if (p_.TakeKind(TokenKind::kNewline)) continue;
      out->emplace_back();
      MICRORT_RETURN_IF_ERROR(ParseStatement(&out->back()));
    }
  }
  --depth_;
  return Status();
}

Status Parser::ParseStatement(Stmt* out) {
  out->line = p_.Peek().line;
  if (p_.Take("if")) {
    out->kind = StmtKind::kIf;
    return ParseConditional(out);
  }
  if (p_.Take("while")) {
    out->kind = StmtKind::kWhile;
    MICRORT_RETURN_IF_ERROR(p_.Parse(&out->value));
    MICRORT_RETURN_IF_ERROR(p_.Expect(":"));
    return ParseBlock(&out->body);
  }
  if (p_.Take("for")) return ParseFor(out);
  if (p_.Take("with")) return ParseWith(out);
  if (p_.Take("def")) return ParseLocalFunction(out);
  return ParseSimple(out);
}

Status Parser::ParseConditional(Stmt* out) {
  MICRORT_RETURN_IF_ERROR(p_.Parse(&out->value));
  MICRORT_RETURN_IF_ERROR(p_.Expect(":"));
  MICRORT_RETURN_IF_ERROR(ParseBlock(&out->body));
  if (p_.Is("elif")) {
    ++depth_;  // the block of each branch bounds it
    out->otherwise.emplace_back();
    Stmt& inner = out->otherwise.back();
    inner.kind = StmtKind::kIf;
    inner.line = p_.Peek().line;
    p_.Advance();
    MICRORT_RETURN_IF_ERROR(ParseConditional(&inner));
    --depth_;
    return Status();
  }
  if (!p_.Take("else")) return Status();
  MICRORT_RETURN_IF_ERROR(p_.Expect(":"));
  return ParseBlock(&out->otherwise);
}

Status Parser::ParseTargetName(Stmt* out) {
  Expr target;
  MICRORT_RETURN_IF_ERROR(p_.ExpectName(&target.text));
  target.kind = ExprKind::kName;
  target.line = out->line;
  out->targets.push_back(std::move(target));
  return Status();
}

Status Parser::ParseWith(Stmt* out) {
  out->kind = StmtKind::kWith;
  MICRORT_RETURN_IF_ERROR(p_.Parse(&out->value));
  if (p_.Take("as")) MICRORT_RETURN_IF_ERROR(ParseTargetName(out));
  MICRORT_RETURN_IF_ERROR(p_.Expect(":"));
  return ParseBlock(&out->body);
}

// `def __forked_function():`, which reads the names around it.
Status Parser::ParseLocalFunction(Stmt* out) {
  out->kind = StmtKind::kDef;
  MICRORT_RETURN_IF_ERROR(ParseTargetName(out));
  for (const char* sign : {"(", ")", ":"}) MICRORT_RETURN_IF_ERROR(p_.Expect(sign));
  return ParseBlock(&out->body);
}

Status Parser::ParseFor(Stmt* out) {
  out->kind = StmtKind::kFor;
  do {
    MICRORT_RETURN_IF_ERROR(ParseTargetName(out));
  } while (p_.Take(",") && !p_.Is("in"));
  out->is_unpacking = out->targets.size() > 1;
  MICRORT_RETURN_IF_ERROR(p_.Expect("in"));
  MICRORT_RETURN_IF_ERROR(p_.Parse(&out->value));
  MICRORT_RETURN_IF_ERROR(p_.Expect(":"));
  return ParseBlock(&out->body);
}

Status Parser::ParseSimple(Stmt* out) {
  out->line = p_.Peek().line;
  if (p_.Take("pass")) return EndLine();
  if (p_.Take("return")) {
    out->kind = StmtKind::kReturn;
    bool has_comma = false;
    if (p_.Peek().kind != TokenKind::kNewline)
      MICRORT_RETURN_IF_ERROR(p_.ParseTuple(&out->value, &has_comma));
    return EndLine();
  }
  bool has_comma = false;
  Expr first;
  MICRORT_RETURN_IF_ERROR(p_.ParseTuple(&first, &has_comma));
  if (p_.Take(":")) {
    Expr type;
    MICRORT_RETURN_IF_ERROR(p_.Parse(&type));
  }
  if (!p_.Take("=")) {
    if (!p_.Is(";") && p_.Peek().kind != TokenKind::kNewline) return p_.Unexpected("the end of the line");
    out->kind = StmtKind::kExpr;
    out->value = std::move(first);
    return EndLine();
  }
  out->kind = StmtKind::kAssign;
  out->is_unpacking = has_comma;
  if (has_comma) {
    out->targets = std::move(first.parts);
  } else {
    out->targets.push_back(std::move(first));
  }
  MICRORT_RETURN_IF_ERROR(p_.ParseTuple(&out->value, &has_comma));
  return EndLine();
}

}  // namespace

Status ParseSource(const std::string& file, const std::string& source, SourceFile* out) {
  Tokens tokens;
  Status status = Tokenize(source, &tokens);
  if (status.ok()) status = Parser(file, tokens).Run(out);
  return status.ok() ? status : status.WithPrefix("%s", file.c_str());
}

}  // namespace micrort::frontend::torchscript
