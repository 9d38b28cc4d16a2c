#include "text/speech/transcript.h"

namespace micrort::text {
namespace {

constexpr const char* kSpaces = " \t\r\n";

std::string Trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(kSpaces) + 1 - first);
}

}  // namespace

void Transcript::BeginWindow(double begin, bool may_be_silent, bool has_times) {
  begin_ = begin;
  holds_back_ = may_be_silent;
  has_times_ = has_times;
  held_.clear();
  stream_.reset();
  if (!holds_back_ && !has_times_) stream_.emplace(tokenizer_);
}

// No text has spaces before it, but the first of its tokens often does.
void Transcript::AddText(const std::string& text) {
  const size_t first = result_.text.empty() ? text.find_first_not_of(kSpaces) : 0;
  if (text.empty() || first == std::string::npos) return;
  const std::string piece = text.substr(first);
  result_.text += piece;
  if (callbacks_.on_text != nullptr && !callbacks_.on_text(piece)) result_.was_stopped = true;
}

Status Transcript::AddToken(int32_t token) {
  if (!stream_.has_value()) return Status();
  std::string piece;
  MICRORT_RETURN_IF_ERROR(stream_->Add(token, &piece));
  AddText(piece);
  return Status();
}

Status Transcript::AddSegment(const TokenSegment& segment) {
  if (!holds_back_) return Publish(segment, true);
  held_.push_back(segment);
  return Status();
}

Status Transcript::Publish(const TokenSegment& tokens, bool has_text) {
  std::string text;
  MICRORT_RETURN_IF_ERROR(tokenizer_.Decode({tokens.tokens.data(), tokens.tokens.size()}, &text));
  if (has_text) AddText(text);
  SpeechSegment segment = {begin_ + tokens.begin, begin_ + tokens.end, Trimmed(text), tokens.tokens};
  if (segment.text.empty()) return Status();
  result_.segments.push_back(std::move(segment));
  if (callbacks_.on_segment != nullptr && !callbacks_.on_segment(result_.segments.back()))
    result_.was_stopped = true;
  return Status();
}

Status Transcript::EndWindow(const std::optional<TokenSegment>& rest, bool is_silent) {
  if (is_silent) return Status();
  for (const TokenSegment& segment : held_) MICRORT_RETURN_IF_ERROR(Publish(segment, true));
  if (stream_.has_value()) {
    std::string piece;
    MICRORT_RETURN_IF_ERROR(stream_->Finish(&piece));
    AddText(piece);
  }
  return rest.has_value() ? Publish(*rest, !stream_.has_value()) : Status();
}

}  // namespace micrort::text
