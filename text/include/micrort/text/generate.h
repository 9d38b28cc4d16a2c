#pragma once
// Continues a text, token by token.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "micrort/text/decoder.h"
#include "micrort/text/sampling.h"
#include "micrort/text/tokenizer.h"

namespace micrort::text {

// Looking for stop words takes far less than a run of a model.
constexpr size_t kMostStopWords = 64, kLongestStopWord = 1024;  // the length in bytes

struct GenerateOptions {
  int max_tokens = 128;
  SamplingOptions sampling;
  LogitsMask mask;
  std::vector<int32_t> end_tokens;  // each of them ends the answer, and is not part of it
  // Text that ends the answer, and is not part of it; with a tokenizer only.
  std::vector<std::string> stop_words;
  // The prompt is read in runs of at most so many tokens; 0: in as few as the model allows.
  size_t prompt_chunk = 0;
  // So many tokens of the prompt have been read already (Decoder::Restart()); fewer than it has.
  size_t prompt_begun = 0;
  // No room in the model for another token ends the answer (kLength); else it is an error.
  bool ends_when_full = false;
};

enum class StopReason { kLength, kEndToken, kStopWord, kCallback };

struct GenerateResult {
  std::vector<int32_t> tokens;  // of the answer, without the end token
  StopReason reason = StopReason::kLength;
  size_t prompt_tokens = 0;
  double prefill_seconds = 0, decode_seconds = 0;  // reading the prompt; all runs after that
  size_t decode_runs = 0;
};

class GenerationImpl;

// An answer that is made step by step, for callers that do something else in between. Used by one thread at a
// time.
class Generation {
 public:
  // The decoder reads after all that it has read before. Decoder and tokenizer must outlive the object;
  // without a tokenizer (null) there are tokens and no text. kInvalidArgument: empty prompt, an option out of
  // range.
  static Result<Generation> Begin(Decoder* decoder, const Tokenizer* tokenizer, std::vector<int32_t> prompt,
                                  const GenerateOptions& options);
  Generation(Generation&&) noexcept;
  Generation& operator=(Generation&&) noexcept;
  ~Generation();

  // Runs the model once, on a part of the prompt or on the last token, and chooses a token once the prompt is
  // read. Appends to `text` what is certain to be part of the answer, in whole characters. After an error, or
  // when the answer has ended, there are no more steps.
  Status Step(std::string* text);
  bool has_ended() const;
  // Ends the answer where it is.
  void Stop();
  // So far; `reason` is that of the end.
  const GenerateResult& result() const;

 private:
  explicit Generation(std::unique_ptr<GenerationImpl> impl);
  std::unique_ptr<GenerationImpl> impl_;
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
