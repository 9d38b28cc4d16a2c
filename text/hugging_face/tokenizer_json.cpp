// tokenizer.json: text goes through added tokens, normalizer, pre-tokenizer, model and post-processor.

#include <algorithm>
#include <utility>

#include "text/hugging_face/added_tokens.h"
#include "text/hugging_face/components.h"
#include "text/pipeline/tokenizer_impl.h"
#include "text/unicode/utf8.h"

namespace micrort::text {
namespace {

class TokenizerJson : public TokenizerImpl {
 public:
  Status Read(const Json& file) {
    Fields fields(file, "tokenizer.json");
    MICRORT_ASSIGN_OR_RETURN(model_, ReadModel(fields.Object("model")));
    MICRORT_RETURN_IF_ERROR(fields.status());
    MICRORT_ASSIGN_OR_RETURN(normalize_, ReadNormalizer(file.value("normalizer", Json())));
    MICRORT_ASSIGN_OR_RETURN(pre_tokenize_, ReadPreTokenizer(file.value("pre_tokenizer", Json())));
    MICRORT_ASSIGN_OR_RETURN(frame_, ReadPostProcessor(file.value("post_processor", Json())));
    MICRORT_ASSIGN_OR_RETURN(decode_, ReadDecoder(file.value("decoder", Json())));
    if (!fields.Has("added_tokens")) return Status();
    return added_.Read(fields.Array("added_tokens"), model_->vocabulary(), normalize_);
  }

  Status Encode(const std::vector<TextPart>& parts, const EncodeOptions& options,
                std::vector<int32_t>* ids) const override {
    std::vector<int32_t> encoded;
    bool is_first = true;
    for (const TokenOrText& section : SectionsOf(parts, options.parse_special)) {
      if (section.id != kNoToken) {
        encoded.push_back(section.id);
      } else {
        MICRORT_RETURN_IF_ERROR(EncodeSection(section.text, options.parse_special, is_first, &encoded));
      }
      is_first = false;
    }
    if (options.add_special) ids->insert(ids->end(), frame_.before.begin(), frame_.before.end());
    ids->insert(ids->end(), encoded.begin(), encoded.end());
    if (options.add_special) ids->insert(ids->end(), frame_.after.begin(), frame_.after.end());
    return Status();
  }

  Status Decode(Span<const int32_t> ids, bool skip_special, std::string* text) const override {
    std::vector<std::string> tokens;
    size_t bytes = 0;
    for (const int32_t id : ids) {
      if (skip_special && added_.IsSpecial(id)) continue;
      std::string token = Token(id);
      if (token.empty()) continue;
      bytes += token.size();
      tokens.push_back(std::move(token));
    }
    MICRORT_RETURN_IF_ERROR(decode_(&tokens, GrowthLimit(bytes)));
    for (const std::string& token : tokens) *text += token;
    return Status();
  }

  int32_t TokenId(std::string_view token) const override {
    const int32_t added = added_.Find(token);
    return added != kNoToken ? added : model_->vocabulary().Find(token);
  }
  std::string Token(int32_t id) const override {
    const std::string_view added = added_.Content(id);
    return std::string(added.empty() ? model_->vocabulary().Token(id) : added);
  }
  bool IsSpecial(int32_t id) const override { return added_.IsSpecial(id); }
  size_t vocabulary_size() const override { return std::max(model_->vocabulary().size(), added_.size()); }
  int32_t end_of_sequence() const override { return kNoToken; }

 private:
  // Tokens and the texts between them, before normalization.
  std::vector<TokenOrText> SectionsOf(const std::vector<TextPart>& parts, bool parse_special) const {
    std::vector<TokenOrText> sections;
    std::vector<std::string> texts;
    for (const TextPart& part : parts) texts.push_back(ValidUtf8(part.text));
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].kind == TextPart::Kind::kText) continue;
      const bool text_before = i > 0 && parts[i - 1].kind == TextPart::Kind::kText;
      const bool text_after = i + 1 < parts.size() && parts[i + 1].kind == TextPart::Kind::kText;
      added_.StripAround(TokenId(texts[i]), text_before ? &texts[i - 1] : nullptr,
                         text_after ? &texts[i + 1] : nullptr);
    }
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].kind == TextPart::Kind::kText) {
        added_.Split(texts[i], false, parse_special, &sections);
      } else {
        sections.push_back({TokenId(texts[i]), ""});
      }
    }
    return sections;
  }

  Status EncodeSection(std::string text, bool parse_special, bool is_first, std::vector<int32_t>* ids) const {
    MICRORT_RETURN_IF_ERROR(normalize_(&text, GrowthLimit(text.size())));
    std::vector<TokenOrText> sections;
    added_.Split(text, true, parse_special, &sections);
    for (const TokenOrText& section : sections) {
      if (section.id != kNoToken) {
        ids->push_back(section.id);
      } else {
        std::vector<TextPiece> pieces = {{section.text, is_first}};
        MICRORT_RETURN_IF_ERROR(pre_tokenize_(&pieces, GrowthLimit(section.text.size())));
        for (const TextPiece& piece : pieces) model_->Encode(piece.text, ids);
      }
      is_first = false;
    }
    return Status();
  }

  std::unique_ptr<TokenModel> model_;
  AddedTokens added_;
  Normalizer normalize_;
  PreTokenizer pre_tokenize_;
  TokenFrame frame_;
  TokenDecoder decode_;
};

}  // namespace

Result<std::unique_ptr<TokenizerImpl>> ReadTokenizerJson(std::string_view json) {
  const Json file = Json::parse(json.begin(), json.end(), nullptr, false);
  if (!file.is_object()) return MICRORT_ERROR(kInvalidModel, "expected a JSON object, as tokenizer.json is");
  auto tokenizer = std::make_unique<TokenizerJson>();
  MICRORT_RETURN_IF_ERROR(tokenizer->Read(file));
  return std::unique_ptr<TokenizerImpl>(std::move(tokenizer));
}

}  // namespace micrort::text
