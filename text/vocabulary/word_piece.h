#pragma once
// WordPiece: the longest token that a word begins with, then the longest continuation of it, and so on.

#include <memory>
#include <string>

#include "text/vocabulary/token_model.h"

namespace micrort::text {

struct WordPieceOptions {
  std::string unknown = "[UNK]";
  std::string continuing_prefix = "##";
  size_t most_characters = 100;  // a longer word is unknown
};

// kInvalidModel if the unknown token is not in the vocabulary.
Result<std::unique_ptr<TokenModel>> MakeWordPiece(Vocabulary vocabulary, const WordPieceOptions& options);

}  // namespace micrort::text
