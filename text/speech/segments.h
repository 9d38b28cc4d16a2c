#pragma once
// Segments out of a window's tokens.

#include <optional>

#include "micrort/text/transcribe.h"
#include "text/speech/speech_tokens.h"

namespace micrort::text {

// A segment whose text is still tokens; seconds from the begin of the window.
struct TokenSegment {
  double begin = 0, end = 0;
  std::vector<int32_t> tokens;
};

class SegmentCollector {
 public:
  // `length`: seconds of sound in the window.
  SegmentCollector(const SpeechTokens& tokens, double length) : tokens_(tokens), length_(length) {}

  // The segment that a timestamp ends.
  std::optional<TokenSegment> Add(int32_t token);
  // The text that no timestamp has ended, where it counts: if it is all there is. Otherwise the next window
  // hears it again.
  std::optional<TokenSegment> Finish() const;
  // Where the next window begins, in seconds after the begin of this one; 0: behind it.
  double Advance() const;

 private:
  const SpeechTokens& tokens_;
  const double length_;
  TokenSegment open_;
  double last_end_ = 0;  // of a complete segment
  bool has_segments_ = false;
  bool ends_complete_ = false;  // nothing follows the last one
};

}  // namespace micrort::text
