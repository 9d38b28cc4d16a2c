// Texts of JSON are put together by hand: the library's lists and objects take memory even to be given up.

#include "serve/protocol/completion_json.h"
#include "serve/protocol/json_read.h"

namespace micrort::serve {
namespace {

std::string Event(const std::string& json) { return "data: " + json + "\n\n"; }

// Without its end.
std::string HeadJson(const CompletionHead& head, const char* object) {
  return "{\"id\":" + Quoted(head.id) + ",\"object\":\"" + object +
         "\",\"created\":" + std::to_string(head.created) + ",\"model\":" + Quoted(head.model);
}

std::string UsageJson(const CompletionCounts& counts) {
  return "{\"prompt_tokens\":" + std::to_string(counts.prompt_tokens) +
         ",\"completion_tokens\":" + std::to_string(counts.tokens) +
         ",\"total_tokens\":" + std::to_string(counts.prompt_tokens + counts.tokens) +
         ",\"prompt_tokens_details\":{\"cached_tokens\":" + std::to_string(counts.reused_tokens) + "}}";
}

std::string ReasonJson(FinishReason reason) {
  return reason == FinishReason::kStop ? "\"stop\"" : "\"length\"";
}

// `content`: members of it.
std::string ChoiceJson(size_t index, const std::string& content, const std::string& reason) {
  return "{\"index\":" + std::to_string(index) + "," + content +
         ",\"logprobs\":null,\"finish_reason\":" + reason + "}";
}

std::string ChoicesJson(const std::string& choices) { return ",\"choices\":[" + choices + "]"; }

// `delta`: members of what is new of a conversation; else the text of a completion.
std::string ChoiceEvent(const CompletionHead& head, size_t index, const std::string& delta,
                        const std::string& text, const std::string& reason) {
  const std::string content = head.is_chat ? "\"delta\":{" + delta + "}" : "\"text\":" + Quoted(text);
  return Event(HeadJson(head, head.is_chat ? "chat.completion.chunk" : "text_completion") +
               ChoicesJson(ChoiceJson(index, content, reason)) + "}");
}

// Names that OpenAI's clients know.
const char* TypeOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kForbidden:
      return "\"permission_error\"";
    case ErrorKind::kUnavailable:
    case ErrorKind::kDeadline:
    case ErrorKind::kInternal:
      return "\"server_error\"";
    default:
      return "\"invalid_request_error\"";
  }
}

const char* CompletionCodeOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUnauthorized:
      return "\"invalid_api_key\"";
    case ErrorKind::kNotFound:
      return "\"model_not_found\"";
    case ErrorKind::kUnavailable:
      return "\"overloaded\"";
    case ErrorKind::kDeadline:
      return "\"timeout\"";
    default:
      return "null";
  }
}

}  // namespace

std::string CompletionJson(const CompletionHead& head, const std::vector<CompletionChoice>& choices,
                           const CompletionCounts& counts) {
  std::string list;
  for (size_t i = 0; i < choices.size(); ++i) {
    const std::string text = Quoted(choices[i].text);
    const std::string content =
        head.is_chat ? "\"message\":{\"role\":\"assistant\",\"content\":" + text + "}" : "\"text\":" + text;
    list += (i == 0 ? "" : ",") + ChoiceJson(i, content, ReasonJson(choices[i].reason));
  }
  return HeadJson(head, head.is_chat ? "chat.completion" : "text_completion") + ChoicesJson(list) +
         ",\"usage\":" + UsageJson(counts) + "}";
}

std::string FirstEvent(const CompletionHead& head) {
  return head.is_chat ? ChoiceEvent(head, 0, "\"role\":\"assistant\",\"content\":\"\"", "", "null") : "";
}

std::string TextEvent(const CompletionHead& head, size_t index, const std::string& text) {
  return ChoiceEvent(head, index, "\"content\":" + Quoted(text), text, "null");
}

std::string EndEvent(const CompletionHead& head, size_t index, FinishReason reason) {
  return ChoiceEvent(head, index, "", "", ReasonJson(reason));
}

std::string LastEvents(const CompletionHead& head, const CompletionCounts& counts) {
  std::string events;
  if (head.tells_usage)
    events += Event(HeadJson(head, head.is_chat ? "chat.completion.chunk" : "text_completion") +
                    ",\"choices\":[],\"usage\":" + UsageJson(counts) + "}");
  return events + "data: [DONE]\n\n";
}

std::string ErrorEvents(const Error& error) { return Event(CompletionErrorJson(error)) + "data: [DONE]\n\n"; }

std::string CompletionErrorJson(const Error& error) {
  return "{\"error\":{\"message\":" + Quoted(error.message()) + ",\"type\":" + TypeOf(error.kind()) +
         ",\"param\":null,\"code\":" + CompletionCodeOf(error.kind()) + "}}";
}

std::string TextModelJson(const TextModelEntry& model) {
  return "{\"id\":" + Quoted(model.name) +
         ",\"object\":\"model\",\"created\":" + std::to_string(model.created) + ",\"owned_by\":\"micrort\"}";
}

std::string TextModelsJson(const std::vector<TextModelEntry>& models) {
  std::string list;
  for (const TextModelEntry& model : models) list += (list.empty() ? "" : ",") + TextModelJson(model);
  return "{\"object\":\"list\",\"data\":[" + list + "]}";
}

}  // namespace micrort::serve
