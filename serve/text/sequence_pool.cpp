#include "serve/text/sequence_pool.h"

#include <exception>
#include <random>
#include <utility>

namespace micrort::serve {
namespace {

// A prompt is read in runs of so many tokens: others compute in between, and scores take bounded memory.
constexpr size_t kPromptChunk = 128;

text::ChatMessage::Role RoleOf(const std::string& name) {
  using Role = text::ChatMessage::Role;
  if (name == "system") return Role::kSystem;
  return name == "user" ? Role::kUser : Role::kAssistant;
}

uint64_t RandomSeed() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

}  // namespace

SequencePool::SequencePool(const Model& model, const TextOptions& options, const text::Tokenizer& tokenizer,
                           std::optional<text::ChatFamily> family)
    : model_(model), options_(options), tokenizer_(tokenizer), family_(family), workers_(options.sequences) {
  for (int i = 0; i < options.sequences; ++i) sequences_.push_back(std::make_unique<Sequence>());
}

Error SequencePool::Prepare() { return Make(sequences_[0].get()); }

Error SequencePool::Make(Sequence* sequence) {
  if (!sequence->decoder.has_value()) {
    Result<text::Decoder> decoder = text::Decoder::Create(model_, options_.interpreter);
    if (!decoder.ok()) return Error::From(decoder.status());
    sequence->decoder.emplace(std::move(*decoder));
  }
  const size_t before = std::exchange(sequence->bytes, sequence->decoder->memory_bytes());
  memory_bytes_ += sequence->bytes - before;
  return {};
}

Error SequencePool::Submit(const TextJobPtr& job) {
  const std::lock_guard lock(mutex_);
  options_.stats->Accept();
  for (const auto& sequence : sequences_) {
    if (is_closed_ || sequence->job != nullptr) continue;
    sequence->job = job;
    ++running_;
    workers_.Post([this, s = sequence.get()] { Work(s); });
    return {};
  }
  options_.stats->Reject();
  if (is_closed_) return Unloading();
  return {ErrorKind::kUnavailable, "all " + std::to_string(sequences_.size()) +
                                       " sequences of the model are in use (--max-text-sequences)"};
}

void SequencePool::Cancel(const TextJobPtr& job) {
  job->is_cancelled = true;
  const std::lock_guard lock(mutex_);
  for (const auto& sequence : sequences_) {
    if (sequence->job == job && sequence->may_be_cancelled) sequence->decoder->Cancel();
  }
}

void SequencePool::Close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
}

void SequencePool::Abort() {
  const std::lock_guard lock(mutex_);
  is_aborted_ = true;
  for (const auto& sequence : sequences_) {
    if (sequence->may_be_cancelled) sequence->decoder->Cancel();
  }
}

void SequencePool::SetCancellable(Sequence* sequence, bool may_be_cancelled) {
  const std::lock_guard lock(mutex_);
  sequence->may_be_cancelled = may_be_cancelled;
}

void SequencePool::Work(Sequence* sequence) {
  const TextJobPtr job = sequence->job;
  const Clock::time_point begin = Clock::now();
  CompletionCounts counts;
  Error error;
  try {
    error = Run(sequence, &counts);
  } catch (const std::exception&) {
    error = {ErrorKind::kUnavailable, "out of memory"};
  }
  StageTimes times;
  times.infer_ns = Nanoseconds(begin, Clock::now());
  options_.stats->Finish(error, 1, times.infer_ns, 0, times);
  {
    // Before the answer: whoever has it may ask again.
    const std::lock_guard lock(mutex_);
    sequence->job = nullptr;
  }
  try {
    job->done(error, counts);
  } catch (const std::exception&) {
    // Without memory for an answer there is none; the connection ends by its timeout.
  }
  job->on_text = nullptr;
  job->on_end = nullptr;
  job->done = nullptr;
  --running_;
}

Error SequencePool::Run(Sequence* sequence, CompletionCounts* counts) {
  const TextJob& job = *sequence->job;
  MICRORT_SERVE_RETURN_IF_ERROR(Make(sequence));
  text::Decoder* decoder = &*sequence->decoder;
  Error error;
  for (size_t i = 0; i < job.request.answers() && error.ok(); ++i) {
    std::vector<int32_t> tokens;
    error = Encode(job.request, i, &tokens);
    if (!error.ok()) break;
    // What it has read for the last answer, of this request or of another, may begin as the prompt does.
    size_t begun = 0;
    if (options_.shares_beginnings) {
      begun = decoder->Restart({tokens.data(), tokens.size()});
    } else {
      decoder->Reset();
    }
    decoder->SetDeadline(job.deadline);
    SetCancellable(sequence, true);
    error = Generate(decoder, job, i, {std::move(tokens), begun}, counts);
    SetCancellable(sequence, false);
  }
  const size_t before = std::exchange(sequence->bytes, decoder->memory_bytes());
  memory_bytes_ += sequence->bytes - before;
  return error;
}

Error SequencePool::Encode(const CompletionRequest& request, size_t index,
                           std::vector<int32_t>* tokens) const {
  if (!request.is_chat) {
    const CompletionPrompt& prompt = request.prompts[index];
    *tokens = prompt.tokens;
    return prompt.tokens.empty() ? Error::From(tokenizer_.Encode(prompt.text, tokens)) : Error();
  }
  if (!family_.has_value()) {
    return Invalid(
        "the tokenizer does not tell how the model takes conversations; config.pbtxt may: parameters { key: "
        "\"chat\" "
        "value { string_value: \"chatml\" } }");
  }
  std::vector<text::ChatMessage> messages;
  for (const ChatTurn& turn : request.turns) messages.push_back({RoleOf(turn.role), turn.text});
  std::vector<text::TextPart> parts;
  MICRORT_SERVE_RETURN_IF_ERROR(Error::From(text::RenderChat(*family_, messages, &parts)));
  text::EncodeOptions options;
  options.add_special = false;
  return Error::From(tokenizer_.Encode(parts, tokens, options));
}

text::GenerateOptions SequencePool::OptionsOf(const CompletionRequest& request) const {
  text::GenerateOptions options;
  options.max_tokens = request.max_tokens;
  options.sampling = {static_cast<float>(request.temperature),
                      request.top_k,
                      static_cast<float>(request.top_p),
                      static_cast<float>(request.min_p),
                      static_cast<float>(request.repetition_penalty),
                      static_cast<float>(request.presence_penalty),
                      static_cast<float>(request.frequency_penalty),
                      request.has_seed ? request.seed : RandomSeed()};
  if (!request.ignores_end) options.end_tokens = tokenizer_.EndTokens();
  options.stop_words = request.stop;
  options.prompt_chunk = kPromptChunk;
  options.ends_when_full = true;
  return options;
}

Error SequencePool::WhyItEnds(const TextJob& job) const {
  if (job.is_cancelled) return {ErrorKind::kCancelled, "the client went away"};
  if (is_aborted_) return Unloading();
  if (job.deadline <= Clock::now())
    return {ErrorKind::kDeadline, "the time of the request is over (--text-timeout)"};
  return {};
}

Error SequencePool::StepGated(text::Generation* generation, std::string* piece) {
  const int taken = options_.gate->Enter(options_.interpreter.threads);
  Error error;
  try {
    error = Error::From(generation->Step(piece));
  } catch (const std::exception&) {
    error = {ErrorKind::kUnavailable, "out of memory"};
  }
  options_.gate->Leave(taken);
  return error;
}

Error SequencePool::Generate(text::Decoder* decoder, const TextJob& job, size_t index, Prompt prompt,
                             CompletionCounts* counts) {
  text::GenerateOptions options = OptionsOf(job.request);
  options.prompt_begun = prompt.begun;
  Result<text::Generation> generation =
      text::Generation::Begin(decoder, &tokenizer_, std::move(prompt.tokens), options);
  if (!generation.ok()) return Error::From(generation.status());
  const Error error = Write(job, index, &*generation);
  const text::GenerateResult& result = generation->result();
  counts->prompt_tokens += result.prompt_tokens;
  counts->tokens += result.tokens.size();
  counts->reused_tokens += prompt.begun;
  options_.stats->AddTokens(result.prompt_tokens, result.tokens.size());
  if (error.ok()) {
    job.on_end(index,
               result.reason == text::StopReason::kLength ? FinishReason::kLength : FinishReason::kStop);
  }
  return error;
}

Error SequencePool::Write(const TextJob& job, size_t index, text::Generation* generation) {
  while (!generation->has_ended()) {
    MICRORT_SERVE_RETURN_IF_ERROR(WhyItEnds(job));
    std::string piece;
    const Error error = StepGated(generation, &piece);
    if (!error.ok()) {
      const Error why = WhyItEnds(job);
      return why.ok() ? error : why;
    }
    if (!piece.empty()) job.on_text(index, piece);
  }
  return {};
}

}  // namespace micrort::serve
