#include "micrort/text/generate.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "text/generate/stop_words.h"

namespace micrort::text {
namespace {

Status CheckOptions(const GenerateOptions& options) {
  if (options.max_tokens < 0) return MICRORT_ERROR(kInvalidArgument, "max_tokens is %d", options.max_tokens);
  if (options.stop_words.size() > kMostStopWords)
    return MICRORT_ERROR(kInvalidArgument, "stop words: expected at most %zu, found %zu", kMostStopWords,
                         options.stop_words.size());
  for (const std::string& word : options.stop_words) {
    if (word.size() > kLongestStopWord)
      return MICRORT_ERROR(kInvalidArgument, "a stop word of %zu bytes; expected at most %zu", word.size(),
                           kLongestStopWord);
  }
  return Status();
}

}  // namespace

class GenerationImpl {
 public:
  GenerationImpl(Decoder* decoder, const Tokenizer* tokenizer, std::vector<int32_t> prompt,
                 const GenerateOptions& options, Sampler sampler)
      : decoder_(decoder),
        options_(options),
        sampler_(std::move(sampler)),
        tokens_(std::move(prompt)),
        prompt_(tokens_.size()),
        read_(options.prompt_begun),
        stop_words_(options.stop_words) {
    if (tokenizer != nullptr) stream_.emplace(*tokenizer);
    result_.prompt_tokens = prompt_;
  }

  Status Step(std::string* text) {
    if (has_ended_) return Status();
    const Status status = Advance(text);
    has_ended_ = has_ended_ || !status.ok();
    return status;
  }

  void Stop() {
    if (!has_ended_) result_.reason = StopReason::kCallback;
    has_ended_ = true;
  }

  bool has_ended() const { return has_ended_; }
  const GenerateResult& result() const { return result_; }

 private:
  Status Advance(std::string* text) {
    const bool is_prompt = read_ < prompt_;
    const Status read = is_prompt ? ReadPrompt() : ReadToken();
    if (!is_prompt && options_.ends_when_full && read.code() == StatusCode::kOutOfRange)
      return End(StopReason::kLength, text);
    MICRORT_RETURN_IF_ERROR(read);
    if (read_ < prompt_) return Status();
    if (options_.max_tokens == 0) return End(StopReason::kLength, text);
    return Choose(text);
  }

  Status ReadPrompt() {
    const size_t left = prompt_ - read_;
    return Read(options_.prompt_chunk == 0 ? left : std::min(options_.prompt_chunk, left),
                &result_.prefill_seconds);
  }

  Status ReadToken() {
    MICRORT_RETURN_IF_ERROR(Read(1, &result_.decode_seconds));
    ++result_.decode_runs;
    return Status();
  }

  // Adds the time that it takes.
  Status Read(size_t count, double* seconds) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    const Status status = decoder_->Read({tokens_.data() + read_, count}, &logits_);
    *seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    read_ += status.ok() ? count : 0;
    return status;
  }

  Status Choose(std::string* text) {
    int32_t token = 0;
    MICRORT_RETURN_IF_ERROR(sampler_.Choose(logits_, {tokens_.data(), tokens_.size()}, prompt_, &token));
    const auto& ends = options_.end_tokens;
    if (std::find(ends.begin(), ends.end(), token) != ends.end()) return End(StopReason::kEndToken, text);
    tokens_.push_back(token);
    result_.tokens.push_back(token);
    if (stream_.has_value()) {
      std::string piece;
      MICRORT_RETURN_IF_ERROR(stream_->Add(token, &piece));
      if (Give(piece, text)) return Status();
    }
    if (result_.tokens.size() == static_cast<size_t>(options_.max_tokens))
      return End(StopReason::kLength, text);
    return Status();
  }

  // True, and the answer has ended, where a stop word has come.
  bool Give(const std::string& piece, std::string* text) {
    if (piece.empty() || !stop_words_.Add(piece, text)) return false;
    result_.reason = StopReason::kStopWord;
    return has_ended_ = true;
  }

  Status End(StopReason reason, std::string* text) {
    has_ended_ = true;
    result_.reason = reason;
    if (!stream_.has_value()) return Status();
    std::string rest;
    MICRORT_RETURN_IF_ERROR(stream_->Finish(&rest));
    if (!Give(rest, text)) *text += stop_words_.Rest();
    return Status();
  }

  Decoder* decoder_;
  const GenerateOptions options_;
  Sampler sampler_;
  std::vector<int32_t> tokens_;  // of prompt and answer
  const size_t prompt_;          // of these, tokens of the prompt
  size_t read_;                  // of these, by the decoder
  Span<float> logits_;
  std::optional<TextStream> stream_;
  StopWords stop_words_;
  GenerateResult result_;
  bool has_ended_ = false;
};

Generation::Generation(std::unique_ptr<GenerationImpl> impl) : impl_(std::move(impl)) {}
Generation::Generation(Generation&&) noexcept = default;
Generation& Generation::operator=(Generation&&) noexcept = default;
Generation::~Generation() = default;

Result<Generation> Generation::Begin(Decoder* decoder, const Tokenizer* tokenizer,
                                     std::vector<int32_t> prompt, const GenerateOptions& options) {
  MICRORT_RETURN_IF_ERROR(CheckOptions(options));
  if (prompt.empty()) return MICRORT_ERROR(kInvalidArgument, "the prompt has no token");
  if (options.prompt_begun >= prompt.size())
    return MICRORT_ERROR(kInvalidArgument, "%zu tokens of a prompt of %zu have been read",
                         options.prompt_begun, prompt.size());
  MICRORT_ASSIGN_OR_RETURN(Sampler sampler, Sampler::Create(options.sampling, options.mask));
  return Generation(
      std::make_unique<GenerationImpl>(decoder, tokenizer, std::move(prompt), options, std::move(sampler)));
}

Status Generation::Step(std::string* text) { return impl_->Step(text); }
bool Generation::has_ended() const { return impl_->has_ended(); }
void Generation::Stop() { impl_->Stop(); }
const GenerateResult& Generation::result() const { return impl_->result(); }

Result<GenerateResult> Generate(Decoder* decoder, Span<const int32_t> prompt, const GenerateOptions& options,
                                const TokenCallback& on_token) {
  MICRORT_ASSIGN_OR_RETURN(Generation generation,
                           Generation::Begin(decoder, nullptr, {prompt.begin(), prompt.end()}, options));
  const std::vector<int32_t>& tokens = generation.result().tokens;
  while (!generation.has_ended()) {
    const size_t before = tokens.size();
    std::string no_text;
    MICRORT_RETURN_IF_ERROR(generation.Step(&no_text));
    if (on_token != nullptr && tokens.size() > before && !on_token(tokens.back())) generation.Stop();
  }
  return generation.result();
}

Result<GenerateResult> GenerateText(Decoder* decoder, const Tokenizer& tokenizer, Span<const int32_t> prompt,
                                    const GenerateOptions& options, const TextCallback& on_text) {
  MICRORT_ASSIGN_OR_RETURN(Generation generation,
                           Generation::Begin(decoder, &tokenizer, {prompt.begin(), prompt.end()}, options));
  while (!generation.has_ended()) {
    std::string text;
    MICRORT_RETURN_IF_ERROR(generation.Step(&text));
    if (!text.empty() && !on_text(text)) generation.Stop();
  }
  return generation.result();
}

}  // namespace micrort::text
