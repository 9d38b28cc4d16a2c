#pragma once
// The transcript of one window, token by token.

#include <vector>

#include "micrort/text/decoder.h"
#include "micrort/text/sampling.h"
#include "text/speech/speech_rules.h"

namespace micrort::text {

// What is the same for all windows.
struct WriteOptions {
  int32_t language = -1;  // -1: the most probable, if the model has several
  bool translate = false, times = false;
  int max_tokens = 0;
  std::vector<int32_t> before;  // the start token; none, or of a text that came before
};

class SpeechWriter {
 public:
  SpeechWriter(Decoder* decoder, const SpeechTokens& tokens, Sampler* sampler)
      : decoder_(decoder), tokens_(tokens), sampler_(sampler) {}

  // Reads the prompt, and sets the language where it is -1. The decoder has forgotten all tokens.
  Status Begin(WriteOptions* options);
  // The next token; the end token when there are no more.
  Status Next(int32_t* token);

  const std::vector<int32_t>& made() const { return made_; }  // without the end token
  // The model takes the sound for silence by its first logits; IsSilent() needs the transcript, too.
  bool MayBeSilent() const;
  bool IsSilent() const;

 private:
  Status Read(Span<const int32_t> tokens);
  Status Choose(int32_t* token);
  Status ChooseLanguage(int32_t* language);

  Decoder* decoder_;
  const SpeechTokens& tokens_;
  Sampler* sampler_;
  WriteOptions options_;
  std::vector<int32_t> prompt_, made_;
  Span<float> logits_;
  double silence_ = 0;          // its probability
  double log_probability_ = 0;  // of the tokens; counted if there may be silence
};

}  // namespace micrort::text
