#pragma once
// Expressions of TorchScript's code.

#include <string>
#include <vector>

#include "converter/frontend/torchscript/ast.h"
#include "converter/frontend/torchscript/lexer.h"
#include "kernels/base/status.h"

namespace micrort::frontend::torchscript {

class ExpressionParser {
 public:
  explicit ExpressionParser(const Tokens& tokens) : tokens_(tokens) {}

  // `a, b` without parentheses is a tuple; *has_comma tells of a comma, which may stand alone at the end.
  Status ParseTuple(Expr* out, bool* has_comma);
  Status Parse(Expr* out);

  const Token& Peek(size_t ahead = 0) const {
    return at_ + ahead < tokens_.all.size() ? tokens_.all[at_ + ahead] : tokens_.all.back();
  }
  bool Is(const char* text) const;
  bool Take(const char* text);
  bool TakeKind(TokenKind kind);
  Status Expect(const char* text);
  Status ExpectKind(TokenKind kind, const char* what);
  Status ExpectName(std::string* out);
  Status Unexpected(const char* expected) const;
  void Advance() {
    if (at_ + 1 < tokens_.all.size()) ++at_;
  }

 private:
  Status ParseBinary(int level, Expr* out);
  Status ParseUnary(Expr* out);
  Status ParsePostfix(Expr* out);
  Status ParseAtom(Expr* out);
  Status ParseNumber(const Token& token, Expr* out);
  Status ParseItems(const char* end, Expr* out);
  Status ParseArguments(Expr* call);
  Status ParseDict(Expr* out);
  bool TakeOperator(int level, std::string* out);

  const Tokens& tokens_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace micrort::frontend::torchscript
