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

struct CompletionRequest {
  std::string model;  // "": the only one
  bool is_chat = false;
  std::string prompt;           // or
  std::vector<int32_t> tokens;  // of the prompt, or
  std::vector<ChatTurn> turns;  // of a conversation
  int max_tokens = 0;
  double temperature = 1, top_p = 1, min_p = 0;
  int top_k = 0;
  double repetition_penalty = 1, presence_penalty = 0, frequency_penalty = 0;
  bool has_seed = false;
  uint64_t seed = 0;
  std::vector<std::string> stop;
  bool ignores_end = false;  // tokens that end a sequence
  bool is_streamed = false, tells_usage = false;

  // Bytes of what is to be read.
  size_t text_bytes() const;
};

// `most_tokens`: of an answer; a conversation's if the request does not say.
Error ParseCompletionRequest(Span<const uint8_t> body, bool is_chat, int most_tokens,
                             CompletionRequest* request);

enum class FinishReason { kStop, kLength };

struct CompletionCounts {
  size_t prompt_tokens = 0, tokens = 0;
  FinishReason reason = FinishReason::kStop;
};

// What all messages of an answer repeat.
struct CompletionHead {
  std::string id, model;
  int64_t created = 0;  // seconds since 1970
  bool is_chat = false, tells_usage = false;
};

std::string CompletionJson(const CompletionHead& head, const std::string& text,
                           const CompletionCounts& counts);
// Server-sent events: the first one of a conversation ("" of others), one for a piece of text, those at the
// end, and that of an error.
std::string FirstEvent(const CompletionHead& head);
std::string TextEvent(const CompletionHead& head, const std::string& text);
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
