#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>

#include "serve/protocol/completion_json.h"
#include "serve/protocol/json_read.h"

namespace micrort::serve {
namespace {

using Json = nlohmann::json;

constexpr int kUsualTokens = 16;       // of a completion, as OpenAI has it
constexpr size_t kMostStops = 64;      // texts that end an answer
constexpr size_t kLongestStop = 1024;  // bytes of one
constexpr size_t kMostTurns = 4096;    // of a conversation
constexpr size_t kMostPrompts = 64;
constexpr size_t kMostText = 1u << 20;  // bytes of all prompts
constexpr double kMostOfAny = 1e6;      // far beyond any number that has a meaning

// Clients send null for what they do not set.
const Json* FindMember(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

Error Expected(const char* name, const std::string& what) {
  return Invalid(std::string("expected '") + name + "' to be " + what);
}

Error ReadNumber(const Json& object, const char* name, double least, double most, double* out) {
  const Json* value = FindMember(object, name);
  if (value == nullptr) return {};
  const double number = value->is_number() ? value->get<double>() : std::nan("");
  if (!(number >= least && number <= most)) {
    const auto text = [](double bound) { return Json(bound).dump(); };
    return Expected(name, "a number from " + text(least) + " to " + text(most));
  }
  *out = number;
  return {};
}

Error ReadCount(const Json& object, const char* name, int least, int most, int* out) {
  const Json* value = FindMember(object, name);
  if (value == nullptr) return {};
  const bool fits = value->is_number_integer() &&
                    (!value->is_number_unsigned() || value->get<uint64_t>() <= INT_MAX) &&
                    value->get<int64_t>() >= least && value->get<int64_t>() <= most;
  if (!fits)
    return Expected(name, "an integer from " + std::to_string(least) + " to " + std::to_string(most));
  *out = value->get<int>();
  return {};
}

Error ReadFlag(const Json& object, const char* name, bool* out) {
  const Json* value = FindMember(object, name);
  if (value == nullptr) return {};
  if (!value->is_boolean()) return Expected(name, "true or false");
  *out = value->get<bool>();
  return {};
}

Error ReadSeed(const Json& object, CompletionRequest* request) {
  const Json* value = FindMember(object, "seed");
  if (value == nullptr) return {};
  if (!value->is_number_integer()) return Expected("seed", "an integer");
  request->has_seed = true;
  request->seed =
      value->is_number_unsigned() ? value->get<uint64_t>() : static_cast<uint64_t>(value->get<int64_t>());
  return {};
}

Error AddStop(const Json& value, std::vector<std::string>* stops) {
  if (!value.is_string() || value.get_ref<const std::string&>().size() > kLongestStop)
    return Expected("stop", "texts of at most " + std::to_string(kLongestStop) + " bytes");
  stops->push_back(value.get<std::string>());
  return {};
}

Error ReadStops(const Json& object, std::vector<std::string>* stops) {
  const Json* value = FindMember(object, "stop");
  if (value == nullptr) return {};
  if (!value->is_array()) return AddStop(*value, stops);
  if (value->size() > kMostStops) return Expected("stop", "at most " + std::to_string(kMostStops) + " texts");
  for (const Json& text : *value) MICRORT_SERVE_RETURN_IF_ERROR(AddStop(text, stops));
  return {};
}

Error ReadSampling(const Json& object, CompletionRequest* request) {
  const struct {
    const char* name;
    double least, most;
    double* out;
  } numbers[] = {{"temperature", 0, kMostOfAny, &request->temperature},
                 {"top_p", 0, 1, &request->top_p},
                 {"min_p", 0, 1, &request->min_p},
                 {"repetition_penalty", 1 / kMostOfAny, kMostOfAny, &request->repetition_penalty},
                 {"presence_penalty", -kMostOfAny, kMostOfAny, &request->presence_penalty},
                 {"frequency_penalty", -kMostOfAny, kMostOfAny, &request->frequency_penalty}};
  for (const auto& number : numbers)
    MICRORT_SERVE_RETURN_IF_ERROR(ReadNumber(object, number.name, number.least, number.most, number.out));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadCount(object, "top_k", 0, INT_MAX, &request->top_k));
  return ReadSeed(object, request);
}

Error ReadStream(const Json& object, CompletionRequest* request) {
  MICRORT_SERVE_RETURN_IF_ERROR(ReadFlag(object, "stream", &request->is_streamed));
  const Json* options = FindMember(object, "stream_options");
  if (options == nullptr) return {};
  if (!options->is_object()) return Expected("stream_options", "an object");
  return ReadFlag(*options, "include_usage", &request->tells_usage);
}

// Whether the member is this text. Copies of lists and objects are made nowhere: to give them up takes
// memory.
bool IsText(const Json& object, const char* name, const char* text) {
  const Json* value = FindMember(object, name);
  return value != nullptr && value->is_string() && value->get_ref<const std::string&>() == text;
}

// What asks for nothing: false, "", and empty lists and objects.
bool IsEmpty(const Json& value) {
  if (value.is_boolean()) return !value.get<bool>();
  if (value.is_string()) return value.get_ref<const std::string&>().empty();
  return value.is_structured() && value.empty();
}

// What is asked for and cannot be given is refused: an answer without it would be another one.
Error RefuseOthers(const Json& object) {
  int one = 1;
  for (const char* name : {"n", "best_of"})
    MICRORT_SERVE_RETURN_IF_ERROR(ReadCount(object, name, 1, 1, &one));
  for (const char* name :
       {"echo", "logprobs", "top_logprobs", "suffix", "logit_bias", "tools", "functions"}) {
    const Json* value = FindMember(object, name);
    if (value != nullptr && !IsEmpty(*value)) return Invalid(std::string("'") + name + "' is not supported");
  }
  const Json* format = FindMember(object, "response_format");
  if (format == nullptr || (format->is_object() && IsText(*format, "type", "text"))) return {};
  return Invalid("'response_format' is not supported, except {\"type\": \"text\"}");
}

Error NoPrompt() { return Expected("prompt", "a text, a list of tokens, or a list of these"); }

// A text or a list of tokens.
Error AddPrompt(const Json& value, std::vector<CompletionPrompt>* prompts) {
  CompletionPrompt prompt;
  if (value.is_string()) {
    prompt.text = value.get<std::string>();
  } else if (!value.is_array() || value.empty()) {
    return NoPrompt();
  } else {
    prompt.tokens.reserve(value.size());
    for (const Json& token : value) {
      if (!token.is_number_unsigned() || token.get<uint64_t>() > INT32_MAX) return NoPrompt();
      prompt.tokens.push_back(token.get<int32_t>());
    }
  }
  prompts->push_back(std::move(prompt));
  return {};
}

Error ReadPrompt(const Json& object, CompletionRequest* request) {
  const Json* prompt = FindMember(object, "prompt");
  if (prompt == nullptr) return Invalid("expected 'prompt'");
  const bool is_list = prompt->is_array() && !prompt->empty() && !(*prompt)[0].is_number();
  if (!is_list) return AddPrompt(*prompt, &request->prompts);
  if (prompt->size() > kMostPrompts)
    return Expected("prompt", "at most " + std::to_string(kMostPrompts) + " texts");
  for (const Json& one : *prompt) MICRORT_SERVE_RETURN_IF_ERROR(AddPrompt(one, &request->prompts));
  return {};
}

// A text, or a list of parts that are texts.
Error ReadContent(const Json& message, const std::string& where, std::string* text) {
  const Json* content = FindMember(message, "content");
  if (content != nullptr && content->is_string()) {
    *text = content->get<std::string>();
    return {};
  }
  if (content == nullptr || !content->is_array()) return Invalid(where + ": expected 'content' to be a text");
  for (const Json& part : *content) {
    const Json* words = part.is_object() && IsText(part, "type", "text") ? FindMember(part, "text") : nullptr;
    if (words == nullptr || !words->is_string())
      return Invalid(where + ": expected parts of 'content' to be texts");
    *text += words->get_ref<const std::string&>();
  }
  return {};
}

Error ReadTurn(const Json& message, const std::string& where, ChatTurn* turn) {
  if (!message.is_object()) return Invalid(where + ": expected an object");
  MICRORT_SERVE_RETURN_IF_ERROR(ReadMember(message, where, "role", &turn->role));
  if (turn->role == "developer") turn->role = "system";
  if (turn->role != "system" && turn->role != "user" && turn->role != "assistant")
    return Invalid(where + ": expected 'role' to be system, user or assistant");
  return ReadContent(message, where, &turn->text);
}

Error ReadTurns(const Json& object, std::vector<ChatTurn>* turns) {
  const Json* messages = FindMember(object, "messages");
  if (messages == nullptr || !messages->is_array() || messages->empty() || messages->size() > kMostTurns)
    return Expected("messages", "a list of 1 to " + std::to_string(kMostTurns) + " messages");
  for (const Json& message : *messages) {
    ChatTurn turn;
    MICRORT_SERVE_RETURN_IF_ERROR(ReadTurn(message, "message " + std::to_string(turns->size()), &turn));
    turns->push_back(std::move(turn));
  }
  return {};
}

Error ReadLength(const Json& object, bool is_chat, int most, int* tokens) {
  *tokens = is_chat ? most : std::min(kUsualTokens, most);
  MICRORT_SERVE_RETURN_IF_ERROR(ReadCount(object, "max_tokens", 0, most, tokens));
  return is_chat ? ReadCount(object, "max_completion_tokens", 0, most, tokens) : Error();
}

Error Read(const Json& object, bool is_chat, int most_tokens, CompletionRequest* request) {
  request->is_chat = is_chat;
  MICRORT_SERVE_RETURN_IF_ERROR(ReadMember(object, "the body", "model", &request->model));
  MICRORT_SERVE_RETURN_IF_ERROR(is_chat ? ReadTurns(object, &request->turns) : ReadPrompt(object, request));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadLength(object, is_chat, most_tokens, &request->max_tokens));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadSampling(object, request));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadStops(object, &request->stop));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadFlag(object, "ignore_eos", &request->ignores_end));
  MICRORT_SERVE_RETURN_IF_ERROR(ReadStream(object, request));
  return RefuseOthers(object);
}

}  // namespace

size_t CompletionRequest::text_bytes() const {
  size_t bytes = 0;
  for (const CompletionPrompt& prompt : prompts)
    bytes += prompt.text.size() + prompt.tokens.size() * sizeof(int32_t);
  for (const ChatTurn& turn : turns) bytes += turn.text.size();
  return bytes;
}

Error ParseCompletionRequest(Span<const uint8_t> body, bool is_chat, int most_tokens,
                             CompletionRequest* request) {
  JsonDocument document;
  MICRORT_SERVE_RETURN_IF_ERROR(document.Parse(reinterpret_cast<const char*>(body.data()), body.size()));
  MICRORT_SERVE_RETURN_IF_ERROR(Read(document.object(), is_chat, most_tokens, request));
  if (request->text_bytes() <= kMostText) return {};
  return {ErrorKind::kTooLarge, "a prompt of " + std::to_string(request->text_bytes()) +
                                    " bytes; expected at most " + std::to_string(kMostText)};
}

}  // namespace micrort::serve
