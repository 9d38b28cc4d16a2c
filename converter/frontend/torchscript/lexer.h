#pragma once
// TorchScript's code as tokens.

#include <deque>
#include <string>
#include <string_view>

#include "kernels/base/status.h"

namespace micrort::frontend::torchscript {

enum class TokenKind { kName, kNumber, kString, kSymbol, kNewline, kIndent, kDedent, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  int line = 0;
  std::string_view text;  // of a string: what it says
};

// A source has millions: they are not moved as they become more, and lie in the source where they can.
struct Tokens {
  std::deque<Token> all;
  std::deque<std::string> strings;  // what those of kString say
};

// The last token is kEnd. Valid as long as the source. Errors name the line.
Status Tokenize(const std::string& source, Tokens* out);

}  // namespace micrort::frontend::torchscript
