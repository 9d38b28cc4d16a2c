#pragma once
// Pieces of a normalized text, by a model of SentencePiece.

#include <memory>
#include <string_view>
#include <vector>

#include "text/sentencepiece/sentence_normalizer.h"

namespace micrort::text {

struct SentencePieceToken {
  int32_t id = kNoToken;
  std::string_view text;
};

class PieceModel {
 public:
  virtual ~PieceModel() = default;
  // `text` outlives the tokens.
  virtual std::vector<SentencePieceToken> Encode(std::string_view text) const = 0;
};

// `file` and `normalizer` outlive the model. kUnsupported: byte-pair encoding with pieces that are out of
// use.
Result<std::unique_ptr<PieceModel>> MakePieceModel(const SentencePieceFile& file,
                                                   const SentenceNormalizer& normalizer);

}  // namespace micrort::text
