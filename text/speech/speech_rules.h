#pragma once
// Which token may follow in a transcript.

#include "kernels/base/span.h"
#include "text/speech/speech_tokens.h"

namespace micrort::text {

// A transcript with times has them in pairs around texts: <|0.00|> text <|2.40|><|2.40|> text <|5.00|>. Times
// never decrease, and the first is at most 1 s.
class SpeechRules {
 public:
  SpeechRules(const SpeechTokens& tokens, bool has_times) : tokens_(tokens), has_times_(has_times) {}

  // Sets the logits of tokens that may not follow to minus infinity. `made`: the transcript so far.
  void Apply(Span<const int32_t> made, Span<float> logits) const;

 private:
  void ApplyPairs(Span<const int32_t> made, Span<float> logits) const;
  void ApplyOrder(Span<const int32_t> made, Span<float> logits) const;
  void PreferTimes(Span<float> logits) const;

  const SpeechTokens& tokens_;
  const bool has_times_;
};

// The natural logarithm of the sum of exponentials of logits [begin, end); minus infinity if none is left.
double LogSumExp(Span<const float> logits, size_t begin, size_t end);

}  // namespace micrort::text
