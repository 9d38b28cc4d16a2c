#pragma once
// Requests for text, and their answers, as OpenAI's interface has them: /v1/completions and
// /v1/chat/completions.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/span.h"
#include "serve/protocol/error.h"

namespace micrort::serve {

struct ChatTurn {
  std::string role;  // "system", "user" or "assistant"
  std::string text;
};

// A text, or tokens.
struct CompletionPrompt {
  std::string text;
  std::vector<int32_t> tokens;
};

struct CompletionRequest {
  std::string model;  // "": the only one
  bool is_chat = false;
  std::vector<CompletionPrompt> prompts;  // each gets an answer; or
  std::vector<ChatTurn> turns;            // of a conversation
  int max_tokens = 0;
  double temperature = 1, top_p = 1, min_p = 0;
  int top_k = 0;
  double repetition_penalty = 1, presence_penalty = 0, frequency_penalty = 0;
  bool has_seed = false;
  uint64_t seed = 0;
  std::vector<std::string> stop;
  bool ignores_end = false;  // tokens that end a sequence
  bool is_streamed = false, tells_usage = false;

  size_t answers() const { return is_chat ? 1 : prompts.size(); }
  // Bytes of what is to be read.
  size_t text_bytes() const;
};

// `most_tokens`: of an answer; a conversation's if the request does not say.
Error ParseCompletionRequest(Span<const uint8_t> body, bool is_chat, int most_tokens,
                             CompletionRequest* request);

enum class FinishReason { kStop, kLength };

// The tokens of all answers to a request.
struct CompletionCounts {
  size_t prompt_tokens = 0, tokens = 0;
  size_t reused_tokens = 0;  // of the prompts' tokens, those whose caches were there
};

struct CompletionChoice {
  std::string text;
  FinishReason reason = FinishReason::kStop;
};

// Fields that all messages of an answer repeat.
struct CompletionHead {
  std::string id, model;
  int64_t created = 0;  // seconds since 1970
  bool is_chat = false, tells_usage = false;
};

std::string CompletionJson(const CompletionHead& head, const std::vector<CompletionChoice>& choices,
                           const CompletionCounts& counts);
// Server-sent events: the first one of a conversation ("" of others), one for a piece of the text of answer
// `index`, one for its end, those at the end of all, and that of an error.
std::string FirstEvent(const CompletionHead& head);
std::string TextEvent(const CompletionHead& head, size_t index, const std::string& text);
std::string EndEvent(const CompletionHead& head, size_t index, FinishReason reason);
std::string LastEvents(const CompletionHead& head, const CompletionCounts& counts);
std::string ErrorEvents(const Error& error);

// {"error": {"message", "type", "param", "code"}}.
std::string CompletionErrorJson(const Error& error);

struct TextModelEntry {
  std::string name;
  int64_t created = 0;
};
std::string TextModelJson(const TextModelEntry& model);
std::string TextModelsJson(const std::vector<TextModelEntry>& models);

}  // namespace micrort::serve
