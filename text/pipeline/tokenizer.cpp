#include "micrort/text/tokenizer.h"

#include <algorithm>

#include "text/files/read_file.h"
#include "text/pipeline/tokenizer_impl.h"
#include "text/unicode/utf8.h"
#include "text/vocabulary/vocabulary.h"

namespace micrort::text {
namespace {

constexpr size_t kMaxTokenizerFile = size_t{1} << 28;
constexpr size_t kMaxText = size_t{1} << 24;  // places in what it becomes are numbers of 32 bits

Status CheckSize(size_t bytes) {
  if (bytes <= kMaxText) return Status();
  return MICRORT_ERROR(kInvalidArgument, "a text of %zu bytes; expected at most %zu at once", bytes,
                       kMaxText);
}

bool LooksLikeJson(std::string_view bytes) {
  const size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && bytes[first] == '{';
}

}  // namespace

Tokenizer::Tokenizer(std::unique_ptr<TokenizerImpl> impl) : impl_(std::move(impl)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Result<Tokenizer> Tokenizer::FromFile(const char* path) {
  std::string bytes;
  MICRORT_RETURN_IF_ERROR(ReadWholeFile(path, kMaxTokenizerFile, &bytes));
  Result<Tokenizer> tokenizer = FromBytes(bytes);
  if (!tokenizer.ok()) return tokenizer.status().WithPrefix("%s", path);
  return tokenizer;
}

Result<Tokenizer> Tokenizer::FromBytes(std::string_view file) {
  return LooksLikeJson(file) ? FromTokenizerJson(file) : FromSentencePiece(file);
}

Result<Tokenizer> Tokenizer::FromTokenizerJson(std::string_view json) {
  MICRORT_ASSIGN_OR_RETURN(std::unique_ptr<TokenizerImpl> impl, ReadTokenizerJson(json));
  return Tokenizer(std::move(impl));
}

Result<Tokenizer> Tokenizer::FromSentencePiece(std::string_view model) {
  MICRORT_ASSIGN_OR_RETURN(std::unique_ptr<TokenizerImpl> impl, ReadSentencePiece(model));
  return Tokenizer(std::move(impl));
}

Status Tokenizer::Encode(const std::vector<TextPart>& parts, std::vector<int32_t>* ids,
                         const EncodeOptions& options) const {
  std::vector<TextPart> joined;
  size_t bytes = 0;
  for (const TextPart& part : parts) bytes += part.text.size();
  MICRORT_RETURN_IF_ERROR(CheckSize(bytes));
  for (const TextPart& part : parts) {
    const bool is_known = part.kind != TextPart::Kind::kText && TokenId(part.text) != kNoToken;
    if (!is_known && part.kind == TextPart::Kind::kToken)
      return MICRORT_ERROR(kInvalidArgument, "the tokenizer has no token '%.60s'", part.text.c_str());
    if (!is_known && !joined.empty() && joined.back().kind == TextPart::Kind::kText) {
      joined.back().text += part.text;
    } else {
      joined.push_back({part.text, is_known ? TextPart::Kind::kToken : TextPart::Kind::kText});
    }
  }
  EncodeOptions without_parsing = options;
  without_parsing.parse_special = false;
  return impl_->Encode(joined, without_parsing, ids);
}

Status Tokenizer::Encode(std::string_view text, std::vector<int32_t>* ids,
                         const EncodeOptions& options) const {
  MICRORT_RETURN_IF_ERROR(CheckSize(text.size()));
  return impl_->Encode({{std::string(text), TextPart::Kind::kText}}, options, ids);
}

Status Tokenizer::Decode(Span<const int32_t> ids, std::string* text, bool skip_special) const {
  std::string decoded;
  MICRORT_RETURN_IF_ERROR(impl_->Decode(ids, skip_special, &decoded));
  *text = ValidUtf8(decoded);
  return Status();
}

int32_t Tokenizer::TokenId(std::string_view token) const { return impl_->TokenId(token); }
std::string Tokenizer::Token(int32_t id) const { return impl_->Token(id); }
bool Tokenizer::IsSpecial(int32_t id) const { return impl_->IsSpecial(id); }
size_t Tokenizer::vocabulary_size() const { return impl_->vocabulary_size(); }

std::vector<int32_t> Tokenizer::EndTokens() const {
  std::vector<int32_t> ends;
  const auto add = [&ends](int32_t id) {
    if (id != kNoToken && std::find(ends.begin(), ends.end(), id) == ends.end()) ends.push_back(id);
  };
  add(impl_->end_of_sequence());
  for (const char* name : {"</s>", "<eos>", "<|endoftext|>", "<|end_of_text|>", "<|eot_id|>", "<|im_end|>",
                           "<end_of_turn>", "<|end|>", "<|eom_id|>"}) {
    const int32_t id = TokenId(name);
    if (id != kNoToken && IsSpecial(id)) add(id);
  }
  return ends;
}

}  // namespace micrort::text
