// Models of SentencePiece.

#include <utility>

#include "text/pipeline/stages.h"
#include "text/pipeline/tokenizer_impl.h"
#include "text/sentencepiece/piece_model.h"
#include "text/unicode/utf8.h"
#include "text/vocabulary/token_model.h"

namespace micrort::text {
namespace {

using PieceType = SentencePieceFile::PieceType;

class SentencePiece : public TokenizerImpl {
 public:
  explicit SentencePiece(SentencePieceFile file) : file_(std::move(file)), bytes_(file_.vocabulary) {}

  Status Prepare() {
    MICRORT_RETURN_IF_ERROR(normalizer_.Read(file_));
    MICRORT_ASSIGN_OR_RETURN(model_, MakePieceModel(file_, normalizer_));
    return Status();
  }

  Status Encode(const std::vector<TextPart>& parts, const EncodeOptions& options,
                std::vector<int32_t>* ids) const override {
    const size_t before = ids->size();
    if (options.add_special && file_.begin_of_sequence != kNoToken) ids->push_back(file_.begin_of_sequence);
    for (const TextPart& part : parts) {
      if (part.kind == TextPart::Kind::kText) {
        const Status encoded = EncodeText(part.text, ids);
        if (!encoded.ok()) ids->resize(before);
        MICRORT_RETURN_IF_ERROR(encoded);
      } else {
        ids->push_back(file_.vocabulary.Find(part.text));
      }
    }
    return Status();
  }

  Status Decode(Span<const int32_t> ids, bool, std::string* text) const override {
    std::string bytes;
    bool expects_prefix = true, had_prefix = false;
    for (const int32_t id : ids) {
      if (!file_.vocabulary.Has(id)) continue;
      if (file_.Is(id, PieceType::kByte)) {
        const int byte = ByteOfToken(file_.vocabulary.Token(id));
        if (byte >= 0) bytes.push_back(static_cast<char>(byte));
        continue;
      }
      FlushBytes(&bytes, text);
      if (had_prefix || !text->empty()) expects_prefix = false;
      had_prefix = AppendPiece(id, expects_prefix, text);
    }
    FlushBytes(&bytes, text);
    return Status();
  }

  int32_t TokenId(std::string_view token) const override { return file_.vocabulary.Find(token); }
  std::string Token(int32_t id) const override { return std::string(file_.vocabulary.Token(id)); }
  bool IsSpecial(int32_t id) const override {
    return file_.Is(id, PieceType::kControl) || file_.Is(id, PieceType::kUnknown);
  }
  size_t vocabulary_size() const override { return file_.vocabulary.size(); }
  int32_t end_of_sequence() const override { return file_.end_of_sequence; }

 private:
  Status EncodeText(std::string_view text, std::vector<int32_t>* ids) const {
    std::string normalized;
    MICRORT_RETURN_IF_ERROR(normalizer_.Normalize(text, &normalized));
    bool after_unknown = false;
    for (const SentencePieceToken& token : model_->Encode(normalized)) {
      const bool is_unknown = token.id == file_.unknown;
      if (is_unknown && file_.falls_back_to_bytes) {
        bytes_.Append(token.text, ids);
      } else if (!is_unknown || !after_unknown) {  // what is unknown is one token, however long
        ids->push_back(token.id);
      }
      after_unknown = is_unknown;
    }
    return Status();
  }

  static void FlushBytes(std::string* bytes, std::string* text) {
    *text += ValidUtf8(*bytes);
    bytes->clear();
  }

  // Whether the space was left out that the text was given when it was encoded.
  bool AppendPiece(int32_t id, bool expects_prefix, std::string* text) const {
    if (file_.Is(id, PieceType::kControl)) return false;
    if (id == file_.unknown) {
      *text += file_.unknown_surface;
      return false;
    }
    std::string_view piece = file_.vocabulary.Token(id);
    bool had_prefix = false;
    if (expects_prefix && (file_.adds_dummy_prefix || file_.removes_extra_spaces)) {
      had_prefix = piece.substr(0, kSpaceMark.size()) == kSpaceMark;
      if (had_prefix) piece.remove_prefix(kSpaceMark.size());
      if (file_.removes_extra_spaces) had_prefix = false;
    }
    for (size_t at = 0; at < piece.size();) {
      const bool is_mark = piece.substr(at, kSpaceMark.size()) == kSpaceMark;
      text->push_back(is_mark ? ' ' : piece[at]);
      at += is_mark ? kSpaceMark.size() : 1;
    }
    return had_prefix;
  }

  SentencePieceFile file_;
  ByteTokens bytes_;
  SentenceNormalizer normalizer_;
  std::unique_ptr<PieceModel> model_;
};

}  // namespace

Result<std::unique_ptr<TokenizerImpl>> ReadSentencePiece(std::string_view model) {
  MICRORT_ASSIGN_OR_RETURN(SentencePieceFile file, ReadSentencePieceFile(model));
  auto tokenizer = std::make_unique<SentencePiece>(std::move(file));
  MICRORT_RETURN_IF_ERROR(tokenizer->Prepare());
  return std::unique_ptr<TokenizerImpl>(std::move(tokenizer));
}

}  // namespace micrort::text
