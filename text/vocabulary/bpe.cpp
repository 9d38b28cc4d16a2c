#include "text/vocabulary/bpe.h"

#include "text/unicode/utf8.h"
#include "text/vocabulary/merge_symbols.h"

namespace micrort::text {
namespace {

uint64_t PairKey(int32_t left, int32_t right) {
  return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
}

class Bpe : public TokenModel {
 public:
  Bpe(Vocabulary vocabulary, const BpeOptions& options)
      : vocabulary_(std::move(vocabulary)), options_(options), bytes_(vocabulary_) {}

  Status AddMerges(const std::vector<std::pair<std::string, std::string>>& merges) {
    if (!options_.unknown.empty()) {
      unknown_ = vocabulary_.Find(options_.unknown);
      if (unknown_ == kNoToken)
        return MICRORT_ERROR(kInvalidModel, "the unknown token '%.60s' is not in the vocabulary",
                             options_.unknown.c_str());
    }
    merges_.reserve(merges.size());
    for (const auto& [left, right] : merges) MICRORT_RETURN_IF_ERROR(AddMerge(left, right));
    return Status();
  }

  const Vocabulary& vocabulary() const override { return vocabulary_; }

  void Encode(std::string_view piece, std::vector<int32_t>* ids) const override {
    if (piece.empty()) return;
    if (options_.ignores_merges) {
      const int32_t whole = vocabulary_.Find(piece);
      if (whole != kNoToken) return ids->push_back(whole);
    }
    std::vector<Symbol> symbols;
    for (size_t at = 0; at < piece.size();) {
      const size_t length = DecodeUtf8(piece, at).length;
      AddCharacter(piece, at, length, &symbols);
      at += length;
    }
    MergeSymbols(&symbols, [this](const Symbol& left, const Symbol& right, Merge* merge) {
      const auto found = merges_.find(PairKey(left.id, right.id));
      if (found == merges_.end()) return false;
      *merge = found->second;
      return true;
    });
    for (const Symbol& symbol : symbols)
      if (symbol.length > 0) ids->push_back(symbol.id);
  }

 private:
  Status AddMerge(const std::string& left, const std::string& right) {
    const std::string& prefix = options_.continuing_prefix;
    const bool has_prefix = !prefix.empty() && right.compare(0, prefix.size(), prefix) == 0;
    const std::string joined = left + (has_prefix ? right.substr(prefix.size()) : right);
    const int32_t left_id = vocabulary_.Find(left), right_id = vocabulary_.Find(right);
    const int32_t id = vocabulary_.Find(joined);
    if (left_id == kNoToken || right_id == kNoToken || id == kNoToken)
      return MICRORT_ERROR(kInvalidModel,
                           "merge of '%.60s' and '%.60s': one of them, or both joined, is no token",
                           left.c_str(), right.c_str());
    const auto rank = static_cast<double>(merges_added_++);
    merges_[PairKey(left_id, right_id)] = {rank, id};
    return Status();
  }

  void AddCharacter(std::string_view piece, size_t at, size_t length, std::vector<Symbol>* symbols) const {
    const auto put = [&](int32_t id, size_t bytes) {
      Symbol symbol;
      symbol.id = id;
      symbol.length = static_cast<uint32_t>(bytes);
      symbols->push_back(symbol);
    };
    std::string text;
    if (at > 0) text += options_.continuing_prefix;
    text += piece.substr(at, length);
    if (at + length == piece.size()) text += options_.word_suffix;
    const int32_t id = vocabulary_.Find(text);
    std::vector<int32_t> bytes;
    if (id != kNoToken) {
      put(id, length);
    } else if (options_.falls_back_to_bytes && bytes_.Append(text, &bytes)) {
      for (const int32_t byte : bytes) put(byte, 1);
    } else if (unknown_ != kNoToken) {
      const bool fuses = options_.fuses_unknown && !symbols->empty() && symbols->back().is_fixed;
      if (!fuses) put(unknown_, length);
      symbols->back().is_fixed = options_.fuses_unknown;
    }
  }

  Vocabulary vocabulary_;
  BpeOptions options_;
  ByteTokens bytes_;
  int32_t unknown_ = kNoToken;
  size_t merges_added_ = 0;
  std::unordered_map<uint64_t, Merge> merges_;
};

}  // namespace

Result<std::unique_ptr<TokenModel>> MakeBpe(Vocabulary vocabulary,
                                            const std::vector<std::pair<std::string, std::string>>& merges,
                                            const BpeOptions& options) {
  auto model = std::make_unique<Bpe>(std::move(vocabulary), options);
  MICRORT_RETURN_IF_ERROR(model->AddMerges(merges));
  return std::unique_ptr<TokenModel>(std::move(model));
}

}  // namespace micrort::text
