#pragma once
// TorchScript's code as tokens.

#include <string>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::frontend::torchscript {

enum class TokenKind { kName, kNumber, kString, kSymbol, kNewline, kIndent, kDedent, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;  // of a string: what it says
  int line = 0;
};

// The last token is kEnd. Errors name the line.
Status Tokenize(const std::string& source, std::vector<Token>* out);

}  // namespace micrort::frontend::torchscript
