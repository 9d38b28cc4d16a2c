#include "micrort/text/generate.h"

#include <algorithm>
#include <chrono>

#include "text/generate/stop_words.h"

namespace micrort::text {
namespace {

// Reads tokens, and adds the time that takes.
Status ReadTimed(Decoder* decoder, Span<const int32_t> tokens, double* seconds, Span<float>* logits) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const Status read = decoder->Read(tokens, logits);
  *seconds += std::chrono::duration<double>(Clock::now() - begin).count();
  return read;
}

}  // namespace

Result<GenerateResult> Generate(Decoder* decoder, Span<const int32_t> prompt, const GenerateOptions& options,
                                const TokenCallback& on_token) {
  if (options.max_tokens < 0) return MICRORT_ERROR(kInvalidArgument, "max_tokens is %d", options.max_tokens);
  MICRORT_ASSIGN_OR_RETURN(Sampler sampler, Sampler::Create(options.sampling, options.mask));
  GenerateResult result;
  result.prompt_tokens = prompt.size();
  Span<float> logits;
  MICRORT_RETURN_IF_ERROR(ReadTimed(decoder, prompt, &result.prefill_seconds, &logits));
  std::vector<int32_t> tokens(prompt.begin(), prompt.end());
  const auto most = static_cast<size_t>(options.max_tokens);
  while (result.tokens.size() < most) {
    int32_t token = 0;
    MICRORT_RETURN_IF_ERROR(sampler.Choose(logits, {tokens.data(), tokens.size()}, prompt.size(), &token));
    if (std::find(options.end_tokens.begin(), options.end_tokens.end(), token) != options.end_tokens.end()) {
      result.reason = StopReason::kEndToken;
      break;
    }
    tokens.push_back(token);
    result.tokens.push_back(token);
    if (on_token != nullptr && !on_token(token)) {
      result.reason = StopReason::kCallback;
      break;
    }
    if (result.tokens.size() == most) break;
    MICRORT_RETURN_IF_ERROR(ReadTimed(decoder, {&token, 1}, &result.decode_seconds, &logits));
    ++result.decode_runs;
  }
  return result;
}

Result<GenerateResult> GenerateText(Decoder* decoder, const Tokenizer& tokenizer, Span<const int32_t> prompt,
                                    const GenerateOptions& options, const TextCallback& on_text) {
  StopWords stop_words(options.stop_words);
  TextStream stream(tokenizer);
  Status decoded;
  bool has_stopped = false, goes_on = true;
  // Gives out what is certain; false where the answer ends.
  const auto give = [&](const std::string& text) {
    std::string certain;
    has_stopped = stop_words.Add(text, &certain);
    if (!certain.empty()) goes_on = on_text(certain);
    return goes_on && !has_stopped;
  };
  const auto on_token = [&](int32_t token) {
    std::string text;
    decoded = stream.Add(token, &text);
    return decoded.ok() && (text.empty() || give(text));
  };
  MICRORT_ASSIGN_OR_RETURN(GenerateResult result, Generate(decoder, prompt, options, on_token));
  MICRORT_RETURN_IF_ERROR(decoded);
  std::string rest;
  MICRORT_RETURN_IF_ERROR(stream.Finish(&rest));
  if (!has_stopped && goes_on && !rest.empty()) give(rest);
  if (!has_stopped && goes_on && !stop_words.Rest().empty()) on_text(stop_words.Rest());
  if (has_stopped) result.reason = StopReason::kStopWord;
  return result;
}

}  // namespace micrort::text
