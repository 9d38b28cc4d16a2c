#pragma once
// Unigram models of tokenizer.json.

#include <memory>
#include <string>
#include <vector>

#include "text/vocabulary/token_model.h"

namespace micrort::text {

struct UnigramEntry {
  std::string piece;
  double score = 0;
};

// kInvalidModel if `unknown` is no index of the entries, or an entry is longer than 512 bytes; kUnsupported
// without `unknown` (kNoToken), unless every byte has a token to fall back to.
Result<std::unique_ptr<TokenModel>> MakeUnigram(const std::vector<UnigramEntry>& entries, int64_t unknown,
                                                bool falls_back_to_bytes);

}  // namespace micrort::text
