#pragma once
// Continues a text, token by token.

#include <functional>
#include <string>
#include <vector>

#include "micrort/text/decoder.h"
#include "micrort/text/sampling.h"
#include "micrort/text/tokenizer.h"

namespace micrort::text {

struct GenerateOptions {
  int max_tokens = 128;
  SamplingOptions sampling;
  LogitsMask mask;
  std::vector<int32_t> end_tokens;  // each of them ends the answer, and is not part of it
  std::vector<std::string>
      stop_words;  // text that ends the answer, and is not part of it; only for GenerateText()
};

enum class StopReason { kLength, kEndToken, kStopWord, kCallback };

struct GenerateResult {
  std::vector<int32_t> tokens;  // of the answer, without the end token
  StopReason reason = StopReason::kLength;
  size_t prompt_tokens = 0;
  double prefill_seconds = 0, decode_seconds = 0;  // reading the prompt; all runs after that
  size_t decode_runs = 0;
};

// Called for each new token or piece of text; returning false ends the answer.
using TokenCallback = std::function<bool(int32_t token)>;
using TextCallback = std::function<bool(const std::string& text)>;

// Lets the decoder read the prompt, after all that it has read before, and then its own answer. Errors:
// kInvalidArgument (empty prompt, an option out of range), and those of decoder and sampler.
Result<GenerateResult> Generate(Decoder* decoder, Span<const int32_t> prompt, const GenerateOptions& options,
                                const TokenCallback& on_token = nullptr);
// The same with text, in whole characters.
Result<GenerateResult> GenerateText(Decoder* decoder, const Tokenizer& tokenizer, Span<const int32_t> prompt,
                                    const GenerateOptions& options, const TextCallback& on_text);

}  // namespace micrort::text
