#pragma once
// Goes on with a text, token by token.

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
  std::vector<int32_t> end_tokens;  // one of them ends the answer, and is not given out
  std::vector<std::string>
      stop_words;  // text that ends the answer, and is not given out; of GenerateText() alone
};

enum class StopReason { kLength, kEndToken, kStopWord, kCallback };

struct GenerateResult {
  std::vector<int32_t> tokens;  // of the answer, without the one that ends it
  StopReason reason = StopReason::kLength;
  size_t prompt_tokens = 0;
  double prefill_seconds = 0, decode_seconds = 0;  // reading the prompt; all runs after that
  size_t decode_runs = 0;
};

// Called as tokens or text come; false ends the answer.
using TokenCallback = std::function<bool(int32_t token)>;
using TextCallback = std::function<bool(const std::string& text)>;

// Reads the prompt after what the decoder has read, and then what it says itself. Errors: kInvalidArgument
// (empty prompt, an option out of range), and those of decoder and sampler.
Result<GenerateResult> Generate(Decoder* decoder, Span<const int32_t> prompt, const GenerateOptions& options,
                                const TokenCallback& on_token = nullptr);
// The same with text, in whole characters.
Result<GenerateResult> GenerateText(Decoder* decoder, const Tokenizer& tokenizer, Span<const int32_t> prompt,
                                    const GenerateOptions& options, const TextCallback& on_text);

}  // namespace micrort::text
