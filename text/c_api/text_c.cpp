#include <algorithm>
#include <string>
#include <utility>

#include "micrort/text/chat.h"
#include "text/c_api/handles.h"

namespace micrort::text {

micrort_status WriteStatus(const Status& status, char* message, size_t message_bytes) {
  if (message != nullptr && message_bytes != 0) {
    const size_t n = std::min(std::strlen(status.message()), message_bytes - 1);
    std::memcpy(message, status.message(), n);
    message[n] = '\0';
  }
  return static_cast<micrort_status>(status.code());
}

Status ReadOptions(const micrort_text_options& from, const Tokenizer& tokenizer, GenerateOptions* to) {
  to->max_tokens = from.max_tokens;
  to->sampling = {from.temperature,
                  from.top_k,
                  from.top_p,
                  from.min_p,
                  from.repetition_penalty,
                  from.presence_penalty,
                  from.frequency_penalty,
                  from.seed};
  if (from.ignore_end == 0) to->end_tokens = tokenizer.EndTokens();
  if (from.stop_word_count != 0 && from.stop_words == nullptr) return NullArgument();
  // More than are allowed need not be copied.
  const size_t count = std::min<size_t>(from.stop_word_count, kMostStopWords + 1);
  for (size_t i = 0; i < count; ++i) {
    if (from.stop_words[i] == nullptr) return NullArgument();
    to->stop_words.emplace_back(from.stop_words[i]);
  }
  return Status();
}

micrort_text_result ResultOf(const GenerateResult& made) {
  return {static_cast<micrort_text_reason>(made.reason), made.prompt_tokens, made.tokens.size(),
          made.prefill_seconds, made.decode_seconds};
}

Status ReadInterpreterOptions(const micrort_options* given, InterpreterOptions* to) {
  micrort_options known;
  micrort_options_init(&known);
  MICRORT_RETURN_IF_ERROR(CopyOptions(given, &known));
  to->threads = known.threads;
  to->spin = known.no_spin == 0;
  to->cpus = known.cpus;
  if (known.isa != nullptr && !ParseIsa(known.isa, &to->features))
    return MICRORT_ERROR(kInvalidArgument, "isa: expected one of %s, found '%.40s'", IsaNames(), known.isa);
  const auto take = [](uint64_t value, uint64_t* limit) { *limit = value == 0 ? *limit : value; };
  take(known.max_operators, &to->limits.max_operators);
  take(known.max_tensor_bytes, &to->limits.max_tensor_bytes);
  take(known.max_memory_bytes, &to->limits.max_memory_bytes);
  take(known.max_work, &to->limits.max_work);
  take(known.max_planning_work, &to->limits.max_planning_work);
  return Status();
}

}  // namespace micrort::text

using micrort::Status;
using micrort::text::CopyOptions;
using micrort::text::NullArgument;
using micrort::text::ReadOptions;
using micrort::text::Report;
namespace text = micrort::text;

namespace {

static_assert(MICRORT_TEXT_CALLBACK == static_cast<int>(text::StopReason::kCallback),
              "reasons are those of C++");

Status NewModel(micrort::Result<micrort::Model> model, micrort::Result<text::Tokenizer> tokenizer,
                micrort_text_model** out) {
  MICRORT_RETURN_IF_ERROR(model.status());
  MICRORT_RETURN_IF_ERROR(tokenizer.status());
  *out = new micrort_text_model{std::move(*model), std::move(*tokenizer)};
  return Status();
}

Status NewTokenizer(micrort::Result<text::Tokenizer> tokenizer, micrort_text_model** out) {
  MICRORT_RETURN_IF_ERROR(tokenizer.status());
  *out = new micrort_text_model{std::nullopt, std::move(*tokenizer)};
  return Status();
}

Status NewGenerator(const micrort_text_model* model, const micrort_options* options,
                    micrort_text_generator** out) {
  if (!model->model.has_value())
    return MICRORT_ERROR(kInvalidArgument, "expected a model and its tokenizer, found a tokenizer alone");
  micrort::InterpreterOptions read;
  MICRORT_RETURN_IF_ERROR(text::ReadInterpreterOptions(options, &read));
  MICRORT_ASSIGN_OR_RETURN(text::Decoder decoder, text::Decoder::Create(*model->model, read));
  *out = new micrort_text_generator{model, std::move(decoder)};
  return Status();
}

Status Encode(const char* prompt, const micrort_text_options& options, const text::Tokenizer& tokenizer,
              std::vector<int32_t>* tokens) {
  text::EncodeOptions encode;
  encode.add_special = options.no_special == 0;
  if (options.chat == nullptr) {
    if (options.system != nullptr) return MICRORT_ERROR(kInvalidArgument, "a system message needs chat");
    return tokenizer.Encode(prompt, tokens, encode);
  }
  MICRORT_ASSIGN_OR_RETURN(const text::ChatFamily family, text::ChatFamilyOf(std::string(options.chat)));
  using Role = text::ChatMessage::Role;
  std::vector<text::ChatMessage> messages;
  if (options.system != nullptr) messages.push_back({Role::kSystem, options.system});
  messages.push_back({Role::kUser, prompt});
  std::vector<text::TextPart> parts;
  MICRORT_RETURN_IF_ERROR(text::RenderChat(family, messages, &parts));
  encode.add_special = false;
  return tokenizer.Encode(parts, tokens, encode);
}

Status Generate(micrort_text_generator* generator, const char* prompt, const micrort_text_options* given,
                const text::TextCallback& on_text, micrort_text_result* result) {
  micrort_text_options known;
  micrort_text_options_init(&known);
  MICRORT_RETURN_IF_ERROR(CopyOptions(given, &known));
  const text::Tokenizer& tokenizer = generator->model->tokenizer;
  generator->current = nullptr;
  text::GenerateOptions options;
  MICRORT_RETURN_IF_ERROR(ReadOptions(known, tokenizer, &options));
  std::vector<int32_t> tokens;
  MICRORT_RETURN_IF_ERROR(Encode(prompt, known, tokenizer, &tokens));
  MICRORT_ASSIGN_OR_RETURN(
      const text::GenerateResult made,
      text::GenerateText(&generator->decoder, tokenizer, {tokens.data(), tokens.size()}, options, on_text));
  if (result != nullptr) *result = text::ResultOf(made);
  return Status();
}

}  // namespace

extern "C" {

micrort_status micrort_text_model_from_files(const char* model_path, const char* tokenizer_path,
                                             micrort_text_model** model, char* message,
                                             size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (model == nullptr) return NullArgument();
    *model = nullptr;
    if (model_path == nullptr || tokenizer_path == nullptr) return NullArgument();
    return NewModel(micrort::Model::FromFile(model_path), text::Tokenizer::FromFile(tokenizer_path), model);
  });
}

micrort_status micrort_text_model_from_buffers(const void* model_bytes, size_t model_size,
                                               const void* tokenizer_bytes, size_t tokenizer_size,
                                               micrort_text_model** model, char* message,
                                               size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (model == nullptr) return NullArgument();
    *model = nullptr;
    if (tokenizer_bytes == nullptr) return NullArgument();
    return NewModel(micrort::Model::FromBuffer(model_bytes, model_size),
                    text::Tokenizer::FromBytes({static_cast<const char*>(tokenizer_bytes), tokenizer_size}),
                    model);
  });
}

micrort_status micrort_text_tokenizer_from_file(const char* path, micrort_text_model** tokenizer,
                                                char* message, size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (tokenizer == nullptr) return NullArgument();
    *tokenizer = nullptr;
    if (path == nullptr) return NullArgument();
    return NewTokenizer(text::Tokenizer::FromFile(path), tokenizer);
  });
}

micrort_status micrort_text_tokenizer_from_buffer(const void* bytes, size_t size,
                                                  micrort_text_model** tokenizer, char* message,
                                                  size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (tokenizer == nullptr) return NullArgument();
    *tokenizer = nullptr;
    if (bytes == nullptr) return NullArgument();
    return NewTokenizer(text::Tokenizer::FromBytes({static_cast<const char*>(bytes), size}), tokenizer);
  });
}

void micrort_text_model_destroy(micrort_text_model* model) { delete model; }

micrort_status micrort_text_generator_create(const micrort_text_model* model, const micrort_options* options,
                                             micrort_text_generator** generator, char* message,
                                             size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (model == nullptr || generator == nullptr) return NullArgument();
    *generator = nullptr;
    return NewGenerator(model, options, generator);
  });
}

void micrort_text_generator_destroy(micrort_text_generator* generator) { delete generator; }

void micrort_text_options_init(micrort_text_options* options) {
  *options = micrort_text_options();
  options->struct_bytes = sizeof *options;
  options->max_tokens = 128;
  options->top_p = 1;
  options->repetition_penalty = 1;
}

micrort_status micrort_text_generate(micrort_text_generator* generator, const char* prompt,
                                     const micrort_text_options* options, micrort_text_callback callback,
                                     void* user, micrort_text_result* result, char* message,
                                     size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (generator == nullptr || prompt == nullptr) return NullArgument();
    const auto on_text = [&](const std::string& piece) {
      return callback == nullptr || callback(user, piece.c_str(), piece.size()) == 0;
    };
    return Generate(generator, prompt, options, on_text, result);
  });
}

void micrort_text_cancel(micrort_text_generator* generator) { generator->decoder.Cancel(); }

size_t micrort_text_length(const micrort_text_generator* generator) { return generator->decoder.tokens(); }

micrort_status micrort_text_truncate(micrort_text_generator* generator, size_t length, char* message,
                                     size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (generator == nullptr) return NullArgument();
    generator->current = nullptr;
    return generator->decoder.Truncate(length);
  });
}

void micrort_text_reset(micrort_text_generator* generator) {
  generator->current = nullptr;
  generator->decoder.Reset();
}

}  // extern "C"
