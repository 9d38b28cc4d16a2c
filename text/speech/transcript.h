#pragma once
// The text of a transcription as it grows, and who is told.

#include <optional>

#include "micrort/text/transcribe.h"
#include "text/speech/segments.h"

namespace micrort::text {

class Transcript {
 public:
  Transcript(const Tokenizer& tokenizer, const TranscribeCallbacks& callbacks)
      : tokenizer_(tokenizer), callbacks_(callbacks) {}

  // `begin`: seconds. Text of a window that may be silent is certain at its end, of one with times when a
  // segment ends, and else with each token.
  void BeginWindow(double begin, bool may_be_silent, bool has_times);
  Status AddToken(int32_t token);
  Status AddSegment(const TokenSegment& segment);
  Status EndWindow(const std::optional<TokenSegment>& rest, bool is_silent);

  Transcription& result() { return result_; }
  bool was_stopped() const { return result_.was_stopped; }
  Transcription Finish() { return std::move(result_); }

 private:
  Status Publish(const TokenSegment& segment, bool has_text);
  void AddText(const std::string& text);

  const Tokenizer& tokenizer_;
  const TranscribeCallbacks& callbacks_;
  Transcription result_;
  double begin_ = 0;  // of the window
  bool holds_back_ = false, has_times_ = false;
  std::optional<TextStream> stream_;  // of tokens whose text is certain
  std::vector<TokenSegment> held_;
};

}  // namespace micrort::text
