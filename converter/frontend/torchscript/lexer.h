#pragma once
// TorchScript's code as tokens.

#include <deque>
#include <string>

#include "kernels/base/status.h"

namespace micrort::frontend::torchscript {

enum class TokenKind { kName, kNumber, kString, kSymbol, kNewline, kIndent, kDedent, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;  // of a string: what it says
  int line = 0;
};

// A source has millions, which are not moved as they become more.
using Tokens = std::deque<Token>;

// The last token is kEnd. Errors name the line.
Status Tokenize(const std::string& source, Tokens* out);

}  // namespace micrort::frontend::torchscript
