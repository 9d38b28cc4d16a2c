#pragma once
// Tokens of Whisper-like recognizers that are no text: begin, language, task, times.

#include <string>
#include <string_view>
#include <vector>

#include "micrort/text/tokenizer.h"

namespace micrort::text {

struct SpeechLanguage {
  std::string code;  // "en"
  int32_t token = -1;
};

// -1 where the tokenizer has no such token.
struct SpeechTokens {
  int32_t start = -1, end = -1, transcribe = -1, translate = -1, no_timestamps = -1, no_speech = -1;
  int32_t previous = -1;                  // before a text that came before
  int32_t first_timestamp = -1;           // of 0 s; from here on, each token is kTimestampStep later
  std::vector<SpeechLanguage> languages;  // none: the model knows one language
  std::vector<int32_t> suppressed;        // never part of the text
  std::vector<int32_t> suppressed_first;  // no first token of it

  static constexpr double kTimestampStep = 0.02;  // seconds
  bool has_timestamps() const { return first_timestamp >= 0; }
  bool is_timestamp(int32_t token) const { return has_timestamps() && token >= first_timestamp; }
  double seconds(int32_t timestamp) const { return (timestamp - first_timestamp) * kTimestampStep; }
};

// `config`: generation_config.json of Hugging Face, or "". `vocabulary`: the number of logits. `window`:
// seconds that timestamps reach at least. kUnsupported if there is no token for the start or the end, or more
// tokens than logits; kInvalidModel if the configuration is malformed.
Result<SpeechTokens> FindSpeechTokens(const Tokenizer& tokenizer, std::string_view config, size_t vocabulary,
                                      double window);

// The token of a language's code; kInvalidArgument lists those that there are.
Result<int32_t> LanguageToken(const SpeechTokens& tokens, const std::string& code);

}  // namespace micrort::text
