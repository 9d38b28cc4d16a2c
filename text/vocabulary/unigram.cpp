#include "text/vocabulary/unigram.h"

#include <algorithm>
#include <iterator>

#include "text/vocabulary/viterbi.h"

namespace micrort::text {
namespace {

class Unigram : public TokenModel {
 public:
  Unigram(const std::vector<UnigramEntry>& entries, Vocabulary vocabulary, int32_t unknown, bool to_bytes)
      : vocabulary_(std::move(vocabulary)), unknown_(unknown), falls_back_(to_bytes), bytes_(vocabulary_) {
    double least = entries.empty() ? 0 : entries[0].score;
    for (size_t i = 0; i < entries.size(); ++i) {
      table_.Add(entries[i].piece, static_cast<int32_t>(i));
      scores_.push_back(entries[i].score);
      least = std::min(least, entries[i].score);
    }
    table_.Finish();
    unknown_score_ = least - kUnknownPenalty;
  }

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  bool HasAllBytes() const {
    return falls_back_ &&
           std::find(std::begin(bytes_.ids), std::end(bytes_.ids), kNoToken) == std::end(bytes_.ids);
  }

  void Encode(std::string_view piece, std::vector<int32_t>* ids) const override {
    std::vector<UnigramPiece> pieces;
    const auto score = [this](int32_t id, size_t) { return scores_[static_cast<size_t>(id)]; };
    BestPieces<double>(piece, table_, kUnknown, unknown_score_, score, &pieces);
    for (size_t i = 0; i < pieces.size(); ++i) {
      const bool is_unknown = IsUnknown(pieces[i].id);
      if (!is_unknown) {
        ids->push_back(pieces[i].id);
        continue;
      }
      // What is unknown is one token, however long.
      size_t last = i;
      while (last + 1 < pieces.size() && IsUnknown(pieces[last + 1].id)) ++last;
      AppendUnknown(piece.substr(pieces[i].begin, pieces[last].end - pieces[i].begin), ids);
      i = last;
    }
  }

 private:
  static constexpr int32_t kUnknown = -2;

  bool IsUnknown(int32_t id) const { return id == kUnknown || id == unknown_; }

  void AppendUnknown(std::string_view text, std::vector<int32_t>* ids) const {
    const int32_t whole = vocabulary_.Find(text);
    if (whole != kNoToken) return ids->push_back(whole);
    if (falls_back_ && bytes_.Append(text, ids)) return;
    if (unknown_ != kNoToken) ids->push_back(unknown_);
  }

  Vocabulary vocabulary_;
  PrefixTable table_;
  std::vector<double> scores_;
  double unknown_score_ = 0;
  int32_t unknown_;
  bool falls_back_;
  ByteTokens bytes_;
};

}  // namespace

Result<std::unique_ptr<TokenModel>> MakeUnigram(const std::vector<UnigramEntry>& entries, int64_t unknown,
                                                bool falls_back_to_bytes) {
  constexpr size_t kMaxPiece = 512;  // looking pieces up takes so many steps a byte of text
  Vocabulary vocabulary;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].piece.size() > kMaxPiece)
      return MICRORT_ERROR(kInvalidModel, "a piece of %zu bytes; expected at most %zu",
                           entries[i].piece.size(), kMaxPiece);
    MICRORT_RETURN_IF_ERROR(vocabulary.Add(entries[i].piece, static_cast<int64_t>(i), entries.size()));
  }
  if (unknown != kNoToken && (unknown < 0 || static_cast<uint64_t>(unknown) >= entries.size()))
    return MICRORT_ERROR(kInvalidModel, "unk_id is %lld; expected an index of the %zu pieces",
                         static_cast<long long>(unknown), entries.size());
  auto model = std::make_unique<Unigram>(entries, std::move(vocabulary), static_cast<int32_t>(unknown),
                                         falls_back_to_bytes);
  if (unknown == kNoToken && !model->HasAllBytes())
    return MICRORT_ERROR(kUnsupported, "a Unigram model without unk_id and without a token for every byte");
  return std::unique_ptr<TokenModel>(std::move(model));
}

}  // namespace micrort::text
