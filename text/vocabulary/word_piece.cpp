#include "text/vocabulary/word_piece.h"

#include "text/unicode/utf8.h"
#include "text/vocabulary/prefix_table.h"

namespace micrort::text {
namespace {

size_t CharactersIn(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); at += DecodeUtf8(text, at).length) ++count;
  return count;
}

class WordPiece : public TokenModel {
 public:
  WordPiece(Vocabulary vocabulary, const WordPieceOptions& options, int32_t unknown)
      : vocabulary_(std::move(vocabulary)), most_characters_(options.most_characters), unknown_(unknown) {
    const std::string& prefix = options.continuing_prefix;
    for (size_t i = 0; i < vocabulary_.size(); ++i) {
      const auto id = static_cast<int32_t>(i);
      const std::string_view token = vocabulary_.Token(id);
      begins_.Add(token, id);
      if (token.substr(0, prefix.size()) == prefix) continuations_.Add(token.substr(prefix.size()), id);
    }
    begins_.Finish();
    continuations_.Finish();
  }

  const Vocabulary& vocabulary() const override { return vocabulary_; }

  void Encode(std::string_view piece, std::vector<int32_t>* ids) const override {
    const size_t before = ids->size();
    bool is_known = CharactersIn(piece) <= most_characters_;
    for (size_t at = 0; is_known && at < piece.size();) {
      int32_t id = kNoToken;
      const size_t length = (at == 0 ? begins_ : continuations_).Longest(piece.substr(at), &id);
      is_known = length > 0;
      at += length;
      ids->push_back(id);
    }
    if (is_known) return;
    ids->resize(before);
    ids->push_back(unknown_);
  }

 private:
  Vocabulary vocabulary_;
  PrefixTable begins_, continuations_;
  size_t most_characters_;
  int32_t unknown_;
};

}  // namespace

Result<std::unique_ptr<TokenModel>> MakeWordPiece(Vocabulary vocabulary, const WordPieceOptions& options) {
  const int32_t unknown = vocabulary.Find(options.unknown);
  if (unknown == kNoToken)
    return MICRORT_ERROR(kInvalidModel, "the unknown token '%.60s' is not in the vocabulary",
                         options.unknown.c_str());
  return std::unique_ptr<TokenModel>(std::make_unique<WordPiece>(std::move(vocabulary), options, unknown));
}

}  // namespace micrort::text
