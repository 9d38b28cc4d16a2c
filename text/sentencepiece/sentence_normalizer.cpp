#include "text/sentencepiece/sentence_normalizer.h"

#include "text/pipeline/stages.h"
#include "text/unicode/utf8.h"

namespace micrort::text {
namespace {

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

Status SentenceNormalizer::Read(const SentencePieceFile& file) {
  space_ = file.marks_spaces ? kSpaceMark : " ";
  adds_prefix_ = file.adds_dummy_prefix;
  removes_spaces_ = file.removes_extra_spaces;
  has_space_at_end_ = file.has_space_at_end;
  for (size_t i = 0; i < file.pieces.size(); ++i) {
    const auto id = static_cast<int32_t>(i);
    if (file.Is(id, SentencePieceFile::PieceType::kUserDefined))
      user_defined_.Add(file.vocabulary.Token(id), id);
  }
  user_defined_.Finish();
  if (file.char_map.empty()) return Status();
  MICRORT_ASSIGN_OR_RETURN(CharMap map, CharMap::Parse(file.char_map));
  char_map_ = std::make_unique<const CharMap>(std::move(map));
  return Status();
}

SentenceNormalizer::Prefix SentenceNormalizer::NormalizePrefix(std::string_view text) const {
  int32_t id = kNoToken;
  if (const size_t defined = UserDefined(text, &id); defined > 0) return {text.substr(0, defined), defined};
  if (char_map_ != nullptr) {
    const CharMap::Match match = char_map_->Longest(text);
    if (match.length > 0) return {match.replacement, match.length};
  }
  const CodePoint c = DecodeUtf8(text, 0);
  return {c.is_valid ? text.substr(0, c.length) : kReplacementUtf8, c.length};
}

void SentenceNormalizer::Append(std::string_view prefix, std::string* out) const {
  for (const char c : prefix) {
    if (c == ' ') {
      *out += space_;
    } else {
      out->push_back(c);
    }
  }
}

Status SentenceNormalizer::Normalize(std::string_view text, std::string* out) const {
  const size_t limit = GrowthLimit(text.size());
  while (removes_spaces_ && !text.empty()) {
    const Prefix prefix = NormalizePrefix(text);
    if (prefix.text != " ") break;
    text.remove_prefix(prefix.consumed);
  }
  if (text.empty()) return Status();
  if (adds_prefix_ && !has_space_at_end_) *out += space_;
  bool after_space = removes_spaces_;
  while (!text.empty()) {
    Prefix prefix = NormalizePrefix(text);
    while (after_space && !prefix.text.empty() && prefix.text[0] == ' ') prefix.text.remove_prefix(1);
    if (!prefix.text.empty()) {
      Append(prefix.text, out);
      after_space = removes_spaces_ && EndsWith(prefix.text, " ");
    }
    text.remove_prefix(prefix.consumed);
    MICRORT_RETURN_IF_ERROR(CheckGrowth(out->size(), limit));
  }
  while (removes_spaces_ && EndsWith(*out, space_)) out->resize(out->size() - space_.size());
  if (adds_prefix_ && has_space_at_end_) *out += space_;
  return Status();
}

}  // namespace micrort::text
