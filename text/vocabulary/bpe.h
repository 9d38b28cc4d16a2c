#pragma once
// Byte-pair encoding with a list of merges, as tokenizer.json has it.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "text/vocabulary/token_model.h"

namespace micrort::text {

struct BpeOptions {
  std::string unknown;  // the token for what has none; "" for none
  std::string continuing_prefix, word_suffix;
  bool fuses_unknown = false;
  bool falls_back_to_bytes = false;
  bool ignores_merges = false;  // for a piece that is a token as a whole
};

// Merges are in the order of their priority. kInvalidModel if one of their tokens is missing.
Result<std::unique_ptr<TokenModel>> MakeBpe(Vocabulary vocabulary,
                                            const std::vector<std::pair<std::string, std::string>>& merges,
                                            const BpeOptions& options);

}  // namespace micrort::text
