#include "micrort/text/tokenizer.h"
#include "text/unicode/utf8.h"

namespace micrort::text {
namespace {

// No character has more bytes: what is not whole after so many tokens never will be.
constexpr size_t kMaxPending = 8;

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

Status TextStream::Add(int32_t id, std::string* text) {
  text->clear();
  ids_.push_back(id);
  std::string pending;
  bool is_whole = false;
  MICRORT_RETURN_IF_ERROR(Pending(&pending, &is_whole));
  if (!is_whole && ids_.size() - done_ < kMaxPending) return Status();
  if (pending.empty()) {  // a special token: those before it stay the neighbours of the next one
    ids_.pop_back();
    return Status();
  }
  text->swap(pending);
  ids_.erase(ids_.begin(), ids_.begin() + static_cast<std::ptrdiff_t>(done_));
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
