#include "text/hugging_face/added_tokens.h"

#include <algorithm>

#include "text/unicode/classes.h"
#include "text/unicode/utf8.h"

namespace micrort::text {
namespace {

constexpr size_t kMaxAddedToken = 1024;

// Where the character that ends at `end`, which is not 0, begins.
size_t CharacterBefore(std::string_view text, size_t end) {
  size_t begin = end - 1;
  while (begin > 0 && (static_cast<uint8_t>(text[begin]) & 0xC0) == 0x80) --begin;
  return begin;
}

// Where the white space before `end` begins, at `least` or after it, and where that after `begin` ends.
size_t SpaceBegin(std::string_view text, size_t end, size_t least = 0) {
  while (end > least) {
    const size_t begin = CharacterBefore(text, end);
    if (!IsWhiteSpace(DecodeUtf8(text, begin).value)) break;
    end = begin;
  }
  return end;
}

size_t SpaceEnd(std::string_view text, size_t begin) {
  while (begin < text.size()) {
    const CodePoint c = DecodeUtf8(text, begin);
    if (!IsWhiteSpace(c.value)) break;
    begin += c.length;
  }
  return begin;
}

Status ReadAddedToken(const Json& spec, const Vocabulary& vocabulary, AddedToken* token) {
  Fields fields(spec, "added_tokens");
  token->content = fields.String("content");
  const int64_t id = fields.Integer("id", kNoToken);
  token->is_special = fields.Bool("special", false);
  token->is_single_word = fields.Bool("single_word", false);
  token->strips_left = fields.Bool("lstrip", false);
  token->strips_right = fields.Bool("rstrip", false);
  token->is_normalized = fields.Bool("normalized", !token->is_special);
  MICRORT_RETURN_IF_ERROR(fields.status());
  if (token->content.empty() || token->content.size() > kMaxAddedToken)
    return MICRORT_ERROR(kInvalidModel, "an added token of %zu bytes; expected 1 to %zu",
                         token->content.size(), kMaxAddedToken);
  const int32_t known = vocabulary.Find(token->content);
  token->id = known != kNoToken ? known : static_cast<int32_t>(std::clamp<int64_t>(id, -1, INT32_MAX));
  return Status();
}

}  // namespace

Status AddedTokens::Read(const Json& list, const Vocabulary& vocabulary, const Normalizer& normalize) {
  for (const Json& spec : list) {
    AddedToken token;
    MICRORT_RETURN_IF_ERROR(ReadAddedToken(spec, vocabulary, &token));
    MICRORT_RETURN_IF_ERROR(vocabulary_.Add(token.content, token.id, vocabulary.size() + list.size()));
    std::string sought = token.content;
    if (token.is_normalized) MICRORT_RETURN_IF_ERROR(normalize(&sought, GrowthLimit(sought.size())));
    const auto index = static_cast<int32_t>(tokens_.size());
    (token.is_normalized ? normalized_ : raw_).Add(sought, index);
    index_of_[token.id] = tokens_.size();
    tokens_.push_back(std::move(token));
  }
  raw_.Finish();
  normalized_.Finish();
  return Status();
}

const AddedToken* AddedTokens::FindById(int32_t id) const {
  const auto found = index_of_.find(id);
  return found == index_of_.end() ? nullptr : &tokens_[found->second];
}

bool AddedTokens::IsSpecial(int32_t id) const {
  const AddedToken* token = FindById(id);
  return token != nullptr && token->is_special;
}

bool AddedTokens::IsAllowedAt(const AddedToken& token, std::string_view text, size_t begin,
                              size_t end) const {
  if (!token.is_single_word) return true;
  const bool word_before = begin > 0 && IsWordOrJoiner(DecodeUtf8(text, CharacterBefore(text, begin)).value);
  const bool word_after = end < text.size() && IsWordOrJoiner(DecodeUtf8(text, end).value);
  return !word_before && !word_after;
}

void AddedTokens::Split(const std::string& text, bool normalized, bool special,
                        std::vector<TokenOrText>* out) const {
  const PrefixTable& table = normalized ? normalized_ : raw_;
  const std::string_view view = text;
  size_t done = 0;
  const auto put_text = [&](size_t end) {
    if (end > done) out->push_back({kNoToken, text.substr(done, end - done)});
  };
  for (size_t at = 0; at < text.size() && !table.empty();) {
    int32_t index = 0;
    const size_t length = table.Longest(view.substr(at), &index);
    if (length == 0) {
      at += DecodeUtf8(view, at).length;
      continue;
    }
    const AddedToken& token = tokens_[static_cast<size_t>(index)];
    size_t begin = at, end = at + length;
    at = end;
    if ((token.is_special && !special) || !IsAllowedAt(token, view, begin, end)) continue;
    if (token.strips_left) begin = SpaceBegin(view, begin, done);
    if (token.strips_right) end = SpaceEnd(view, end);
    put_text(begin);
    out->push_back({token.id, ""});
    done = at = end;
  }
  put_text(text.size());
}

void AddedTokens::StripAround(int32_t id, std::string* before, std::string* after) const {
  const AddedToken* token = FindById(id);
  if (token == nullptr) return;
  if (token->strips_left && before != nullptr) before->resize(SpaceBegin(*before, before->size()));
  if (token->strips_right && after != nullptr) after->erase(0, SpaceEnd(*after, 0));
}

}  // namespace micrort::text
