#include "text/sentencepiece/piece_model.h"

#include <algorithm>
#include <limits>

#include "text/unicode/utf8.h"
#include "text/vocabulary/merge_symbols.h"
#include "text/vocabulary/viterbi.h"

namespace micrort::text {
namespace {

using PieceType = SentencePieceFile::PieceType;

// Pairs join to the piece of the highest score.
class PairMerges : public PieceModel {
 public:
  PairMerges(const SentencePieceFile& file, const SentenceNormalizer& normalizer)
      : file_(file), normalizer_(normalizer) {}

  std::vector<SentencePieceToken> Encode(std::string_view text) const override {
    std::vector<Symbol> symbols;
    for (size_t at = 0; at < text.size();) {
      Symbol symbol;
      const size_t defined = normalizer_.UserDefined(text.substr(at), &symbol.id);
      symbol.is_fixed = defined > 0;
      symbol.begin = static_cast<uint32_t>(at);
      symbol.length = static_cast<uint32_t>(defined > 0 ? defined : DecodeUtf8(text, at).length);
      if (defined == 0) symbol.id = IdOf(text.substr(at, symbol.length));
      at += symbol.length;
      symbols.push_back(symbol);
    }
    MergeSymbols(&symbols, [&](const Symbol& left, const Symbol& right, Merge* merge) {
      const int32_t id = file_.vocabulary.Find(text.substr(left.begin, left.length + right.length));
      if (!file_.Is(id, PieceType::kNormal) && !file_.Is(id, PieceType::kUserDefined)) return false;
      *merge = {-static_cast<double>(file_.pieces[static_cast<size_t>(id)].score), id};
      return true;
    });
    std::vector<SentencePieceToken> tokens;
    for (const Symbol& symbol : symbols)
      if (symbol.length > 0) tokens.push_back({symbol.id, text.substr(symbol.begin, symbol.length)});
    return tokens;
  }

 private:
  int32_t IdOf(std::string_view character) const {
    const int32_t id = file_.vocabulary.Find(character);
    return id == kNoToken ? file_.unknown : id;
  }

  const SentencePieceFile& file_;
  const SentenceNormalizer& normalizer_;
};

class BestPath : public PieceModel {
 public:
  explicit BestPath(const SentencePieceFile& file) : file_(file) {
    float least = std::numeric_limits<float>::max();
    for (size_t i = 0; i < file.pieces.size(); ++i) {
      const auto id = static_cast<int32_t>(i);
      const bool is_normal = file.Is(id, PieceType::kNormal);
      if (is_normal || file.Is(id, PieceType::kUserDefined)) table_.Add(file.vocabulary.Token(id), id);
      if (!is_normal) continue;
      least = std::min(least, file.pieces[i].score);
      greatest_ = std::max(greatest_, file.pieces[i].score);
    }
    table_.Finish();
    unknown_score_ = least - static_cast<float>(kUnknownPenalty);
  }

  std::vector<SentencePieceToken> Encode(std::string_view text) const override {
    const auto score = [this](int32_t id, size_t length) -> double {
      // Pieces that the user has defined are taken wherever they fit.
      constexpr double kUserDefinedPenalty = 0.1;
      const bool is_defined = file_.Is(id, PieceType::kUserDefined);
      return is_defined ? static_cast<float>(length) * greatest_ - kUserDefinedPenalty
                        : file_.pieces[static_cast<size_t>(id)].score;
    };
    std::vector<UnigramPiece> pieces;
    BestPieces<float>(text, table_, file_.unknown, unknown_score_, score, &pieces);
    std::vector<SentencePieceToken> tokens;
    for (const UnigramPiece& piece : pieces)
      tokens.push_back({piece.id, text.substr(piece.begin, piece.end - piece.begin)});
    return tokens;
  }

 private:
  const SentencePieceFile& file_;
  PrefixTable table_;
  // As SentencePiece has it, which begins with the least positive number.
  float greatest_ = std::numeric_limits<float>::min();
  float unknown_score_ = 0;
};

}  // namespace

Result<std::unique_ptr<PieceModel>> MakePieceModel(const SentencePieceFile& file,
                                                   const SentenceNormalizer& normalizer) {
  if (file.kind == SentencePieceFile::Kind::kUnigram)
    return std::unique_ptr<PieceModel>(std::make_unique<BestPath>(file));
  const bool has_unused =
      std::any_of(file.pieces.begin(), file.pieces.end(),
                  [](const SentencePieceFile::Piece& piece) { return piece.type == PieceType::kUnused; });
  if (has_unused)
    return MICRORT_ERROR(kUnsupported, "byte-pair encoding with pieces of the type UNUSED is not supported");
  return std::unique_ptr<PieceModel>(std::make_unique<PairMerges>(file, normalizer));
}

}  // namespace micrort::text
