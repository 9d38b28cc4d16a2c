// Answers step by step, and the tokens that they begin with.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "micrort/text/chat.h"
#include "text/c_api/handles.h"

using micrort::Status;
using micrort::text::CopyOptions;
using micrort::text::NullArgument;
using micrort::text::ReadOptions;
using micrort::text::Report;
namespace text = micrort::text;

struct micrort_text_answer {
  micrort_text_generator* generator;
  text::Generation generation;
  std::string piece;
};

namespace {

Status RoleOf(const char* name, text::ChatMessage::Role* role) {
  using Role = text::ChatMessage::Role;
  const std::string given = name;
  for (const auto& [known, value] :
       {std::pair{"system", Role::kSystem}, {"user", Role::kUser}, {"assistant", Role::kAssistant}}) {
    if (given != known) continue;
    *role = value;
    return Status();
  }
  return MICRORT_ERROR(kInvalidArgument, "role: expected system, user or assistant, found '%.40s'", name);
}

Status EncodeChat(const text::Tokenizer& tokenizer, const char* chat, const micrort_text_message* messages,
                  size_t count, std::vector<int32_t>* tokens) {
  MICRORT_ASSIGN_OR_RETURN(const text::ChatFamily family, text::ChatFamilyOf(std::string(chat)));
  std::vector<text::ChatMessage> turns(count);
  for (size_t i = 0; i < count; ++i) {
    if (messages[i].role == nullptr || messages[i].text == nullptr) return NullArgument();
    MICRORT_RETURN_IF_ERROR(RoleOf(messages[i].role, &turns[i].role));
    turns[i].text = messages[i].text;
  }
  std::vector<text::TextPart> parts;
  MICRORT_RETURN_IF_ERROR(text::RenderChat(family, turns, &parts));
  text::EncodeOptions options;
  options.add_special = false;
  return tokenizer.Encode(parts, tokens, options);
}

void CopyTokens(const std::vector<int32_t>& from, int32_t* to, size_t capacity, size_t* count) {
  *count = from.size();
  std::copy_n(from.begin(), std::min(from.size(), capacity), to);
}

Status Begin(micrort_text_generator* generator, std::vector<int32_t> prompt,
             const micrort_text_options* given, micrort_text_answer** answer) {
  micrort_text_options known;
  micrort_text_options_init(&known);
  MICRORT_RETURN_IF_ERROR(CopyOptions(given, &known));
  const text::Tokenizer& tokenizer = generator->model->tokenizer;
  text::GenerateOptions options;
  MICRORT_RETURN_IF_ERROR(ReadOptions(known, tokenizer, &options));
  MICRORT_ASSIGN_OR_RETURN(
      text::Generation generation,
      text::Generation::Begin(&generator->decoder, &tokenizer, std::move(prompt), options));
  *answer = new micrort_text_answer{generator, std::move(generation), {}};
  generator->current = *answer;
  return Status();
}

}  // namespace

extern "C" {

micrort_status micrort_text_encode(const micrort_text_model* model, const char* prompt, int32_t add_special,
                                   int32_t* tokens, size_t capacity, size_t* count, char* message,
                                   size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (model == nullptr || prompt == nullptr || count == nullptr || (tokens == nullptr && capacity != 0))
      return NullArgument();
    text::EncodeOptions options;
    options.add_special = add_special != 0;
    std::vector<int32_t> all;
    MICRORT_RETURN_IF_ERROR(model->tokenizer.Encode(prompt, &all, options));
    CopyTokens(all, tokens, capacity, count);
    return Status();
  });
}

micrort_status micrort_text_encode_chat(const micrort_text_model* model, const char* chat,
                                        const micrort_text_message* messages, size_t message_count,
                                        int32_t* tokens, size_t capacity, size_t* count, char* message,
                                        size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (model == nullptr || chat == nullptr || (messages == nullptr && message_count != 0) ||
        count == nullptr || (tokens == nullptr && capacity != 0))
      return NullArgument();
    std::vector<int32_t> all;
    MICRORT_RETURN_IF_ERROR(EncodeChat(model->tokenizer, chat, messages, message_count, &all));
    CopyTokens(all, tokens, capacity, count);
    return Status();
  });
}

micrort_status micrort_text_begin(micrort_text_generator* generator, const int32_t* tokens, size_t count,
                                  const micrort_text_options* options, micrort_text_answer** answer,
                                  char* message, size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (answer == nullptr) return NullArgument();
    *answer = nullptr;
    if (generator == nullptr || (tokens == nullptr && count != 0)) return NullArgument();
    return Begin(generator, std::vector<int32_t>(tokens, tokens + count), options, answer);
  });
}

micrort_status micrort_text_step(micrort_text_answer* answer, const char** piece, size_t* bytes,
                                 char* message, size_t message_bytes) {
  return Report(message, message_bytes, [&]() -> Status {
    if (answer == nullptr || piece == nullptr || bytes == nullptr) return NullArgument();
    answer->piece.clear();
    *piece = "";
    *bytes = 0;
    if (answer->generator->current != answer)
      return MICRORT_ERROR(kInvalidArgument, "the generator has gone on without this answer");
    MICRORT_RETURN_IF_ERROR(answer->generation.Step(&answer->piece));
    *piece = answer->piece.c_str();
    *bytes = answer->piece.size();
    return Status();
  });
}

int32_t micrort_text_has_ended(const micrort_text_answer* answer) {
  return answer->generation.has_ended() ? 1 : 0;
}

void micrort_text_stop(micrort_text_answer* answer) { answer->generation.Stop(); }

void micrort_text_answer_result(const micrort_text_answer* answer, micrort_text_result* result) {
  *result = text::ResultOf(answer->generation.result());
}

const int32_t* micrort_text_answer_tokens(const micrort_text_answer* answer) {
  return answer->generation.result().tokens.data();
}

void micrort_text_answer_destroy(micrort_text_answer* answer) {
  if (answer != nullptr && answer->generator->current == answer) answer->generator->current = nullptr;
  delete answer;
}

}  // extern "C"
