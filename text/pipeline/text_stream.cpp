#include "micrort/text/tokenizer.h"
#include "text/unicode/utf8.h"

namespace micrort::text {
namespace {

// Replacement characters that were said look like those of bytes in part, until another character follows. So
// many tokens of them, of a byte each, are not kept longer.
constexpr size_t kMaxPending = 32;

constexpr size_t kMaxKept = 256;  // tokens that are decoded again with each one

bool EndsInPart(const std::string& text) {
  return text.size() >= kReplacementUtf8.size() &&
         text.compare(text.size() - kReplacementUtf8.size(), std::string::npos, kReplacementUtf8) == 0;
}

}  // namespace

// Decoders look at neighbours: the text of a token is what it adds to that of the tokens before it.
Status TextStream::Pending(std::string* text, bool* is_whole) const {
  std::string all;
  MICRORT_RETURN_IF_ERROR(tokenizer_.Decode({ids_.data(), ids_.size()}, &all));
  *is_whole = !EndsInPart(all);
  if (all.compare(0, done_text_.size(), done_text_) == 0) {
    text->assign(all, done_text_.size(), std::string::npos);
    return Status();
  }
  // Bytes in part have made what was whole before them unreadable.
  return tokenizer_.Decode({ids_.data() + done_, ids_.size() - done_}, text);
}

// The unknown token is special, too, and yet has a text in SentencePiece.
Status TextStream::IsLeftOut(int32_t id, bool* is_left_out) const {
  *is_left_out = tokenizer_.Token(id).empty();
  if (!tokenizer_.IsSpecial(id)) return Status();
  std::string text;
  MICRORT_RETURN_IF_ERROR(tokenizer_.Decode({&id, 1}, &text));
  *is_left_out = text.empty();
  return Status();
}

Status TextStream::Add(int32_t id, std::string* text) {
  text->clear();
  bool is_left_out = false;
  MICRORT_RETURN_IF_ERROR(IsLeftOut(id, &is_left_out));
  if (is_left_out) return Status();  // the tokens before it stay the neighbours of the next one
  ids_.push_back(id);
  std::string pending;
  bool is_whole = false;
  MICRORT_RETURN_IF_ERROR(Pending(&pending, &is_whole));
  // A token of a space that decoders take from the beginning stays: it is the beginning for the next one.
  if ((!is_whole || pending.empty()) && ids_.size() - done_ < kMaxPending) return Status();
  text->swap(pending);
  return ForgetDone();
}

// Decoders take spaces from the beginning of a text: tokens that are nothing else cannot begin what is kept.
Status TextStream::ForgetDone() {
  MICRORT_RETURN_IF_ERROR(tokenizer_.Decode({ids_.data() + done_, ids_.size() - done_}, &done_text_));
  if (done_text_.find_first_not_of(' ') != std::string::npos || ids_.size() >= kMaxKept) {
    ids_.erase(ids_.begin(), ids_.begin() + static_cast<std::ptrdiff_t>(done_));
    done_ = ids_.size();
    return Status();
  }
  done_ = ids_.size();
  return tokenizer_.Decode({ids_.data(), ids_.size()}, &done_text_);
}

Status TextStream::Finish(std::string* text) {
  bool is_whole = false;
  text->clear();
  if (ids_.size() > done_) MICRORT_RETURN_IF_ERROR(Pending(text, &is_whole));
  ids_.clear();
  done_ = 0;
  done_text_.clear();
  return Status();
}

}  // namespace micrort::text
