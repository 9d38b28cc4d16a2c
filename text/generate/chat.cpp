#include "micrort/text/chat.h"

#include <algorithm>

namespace micrort::text {
namespace {

using Role = ChatMessage::Role;
using Kind = TextPart::Kind;

// Where parts lie in a turn: tokens between angle brackets, as "<|eot_id|>", and text.
struct ChatFormat {
  ChatFamily family;
  const char* name;
  std::vector<TextPart> begin;  // of the conversation
  std::vector<TextPart> before_system, after_system;
  std::vector<TextPart> before_user, after_user;
  std::vector<TextPart> before_assistant, after_assistant;
  std::vector<TextPart> before_next_turn;  // of the user, after the assistant's
  bool has_system_turn = true;             // else the system's text begins the first of the user
  bool trims = false;                      // white space around messages
  bool opens_answer = true;  // else the model itself begins what comes before the assistant's text
};

TextPart Token(const char* name) { return {name, Kind::kToken}; }
TextPart Word(const char* text) { return {text, Kind::kText}; }
// Newer tokenizers of the family have a token for it.
TextPart Mark(const char* name) { return {name, Kind::kTokenOrText}; }

const std::vector<ChatFormat>& Formats() {
  static const std::vector<ChatFormat> formats = {
      {ChatFamily::kLlama2,
       "llama2",
       {Token("<s>")},
       {Word("<<SYS>>\n")},
       {Word("\n<</SYS>>\n\n")},
       {Word("[INST] ")},
       {Word(" [/INST]")},
       {Word(" ")},
       {Word(" "), Token("</s>")},
       {Token("<s>")},
       false,
       true,
       false},
      {ChatFamily::kLlama3,
       "llama3",
       {Token("<|begin_of_text|>")},
       {Token("<|start_header_id|>"), Word("system"), Token("<|end_header_id|>"), Word("\n\n")},
       {Token("<|eot_id|>")},
       {Token("<|start_header_id|>"), Word("user"), Token("<|end_header_id|>"), Word("\n\n")},
       {Token("<|eot_id|>")},
       {Token("<|start_header_id|>"), Word("assistant"), Token("<|end_header_id|>"), Word("\n\n")},
       {Token("<|eot_id|>")},
       {},
       true,
       true},
      {ChatFamily::kChatMl,
       "chatml",
       {},
       {Token("<|im_start|>"), Word("system\n")},
       {Token("<|im_end|>"), Word("\n")},
       {Token("<|im_start|>"), Word("user\n")},
       {Token("<|im_end|>"), Word("\n")},
       {Token("<|im_start|>"), Word("assistant\n")},
       {Token("<|im_end|>"), Word("\n")},
       {},
       true,
       false},
      {ChatFamily::kGemma,
       "gemma",
       {Token("<bos>")},
       {},
       {Word("\n\n")},
       {Token("<start_of_turn>"), Word("user\n")},
       {Token("<end_of_turn>"), Word("\n")},
       {Token("<start_of_turn>"), Word("model\n")},
       {Token("<end_of_turn>"), Word("\n")},
       {},
       false,
       true},
      {ChatFamily::kPhi3,
       "phi3",
       {},
       {Token("<|system|>"), Word("\n")},
       {Token("<|end|>"), Word("\n")},
       {Token("<|user|>"), Word("\n")},
       {Token("<|end|>"), Word("\n")},
       {Token("<|assistant|>"), Word("\n")},
       {Token("<|end|>"), Word("\n")},
       {},
       true,
       false},
      {ChatFamily::kMistral,
       "mistral",
       {Token("<s>")},
       {},
       {Word("\n\n")},
       {Mark("[INST]"), Word(" ")},
       {Word(" "), Mark("[/INST]")},
       {Word(" ")},
       {Token("</s>")},
       {},
       false,
       true,
       false},
  };
  return formats;
}

std::string TrimmedIf(bool trims, const std::string& text) {
  constexpr const char* kSpace = " \t\r\n\v\f";
  if (!trims) return text;
  const size_t begin = text.find_first_not_of(kSpace);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

Status CheckTurns(const std::vector<ChatMessage>& messages) {
  const size_t first = !messages.empty() && messages[0].role == Role::kSystem ? 1 : 0;
  bool is_sound = (messages.size() - first) % 2 == 1;
  for (size_t i = first; i < messages.size(); ++i)
    is_sound = is_sound && messages[i].role == ((i - first) % 2 == 0 ? Role::kUser : Role::kAssistant);
  if (is_sound) return Status();
  return MICRORT_ERROR(
      kInvalidArgument,
      "a conversation of %zu messages: expected at most one of the system first, then user and "
      "assistant in turn, the user last",
      messages.size());
}

}  // namespace

Result<ChatFamily> ChatFamilyOf(const std::string& name) {
  std::string names;
  for (const ChatFormat& format : Formats()) {
    if (name == format.name) return format.family;
    names += std::string(names.empty() ? "" : ", ") + format.name;
  }
  return MICRORT_ERROR(kInvalidArgument, "chat family '%.40s'; expected one of %s", name.c_str(),
                       names.c_str());
}

Result<ChatFamily> ChatFamilyOf(const Tokenizer& tokenizer) {
  const struct {
    ChatFamily family;
    std::vector<const char*> tokens;
  } kMarks[] = {{ChatFamily::kChatMl, {"<|im_start|>", "<|im_end|>"}},
                {ChatFamily::kLlama3, {"<|start_header_id|>", "<|eot_id|>"}},
                {ChatFamily::kGemma, {"<start_of_turn>", "<end_of_turn>"}},
                {ChatFamily::kPhi3, {"<|user|>", "<|assistant|>", "<|end|>"}},
                {ChatFamily::kMistral, {"[INST]", "[/INST]"}}};
  for (const auto& marks : kMarks) {
    const bool has_all = std::all_of(marks.tokens.begin(), marks.tokens.end(),
                                     [&](const char* token) { return tokenizer.TokenId(token) >= 0; });
    if (has_all) return marks.family;
  }
  return MICRORT_ERROR(kUnsupported, "the tokenizer has the tokens of no family of conversations");
}

Status RenderChat(ChatFamily family, const std::vector<ChatMessage>& messages, std::vector<TextPart>* parts) {
  MICRORT_RETURN_IF_ERROR(CheckTurns(messages));
  const ChatFormat& format = Formats()[static_cast<size_t>(family)];
  const auto put = [parts](const std::vector<TextPart>& more) {
    parts->insert(parts->end(), more.begin(), more.end());
  };
  const auto put_text = [&](const ChatMessage& message) {
    parts->push_back({TrimmedIf(format.trims, message.text), Kind::kText});
  };
  const bool has_system = messages[0].role == Role::kSystem;
  const auto put_system = [&] {
    put(format.before_system);
    put_text(messages[0]);
    put(format.after_system);
  };
  put(format.begin);
  if (has_system && format.has_system_turn) put_system();
  const size_t first = has_system ? 1 : 0;
  for (size_t i = first; i < messages.size(); i += 2) {
    if (i > first) {
      put(format.before_assistant);
      put_text(messages[i - 1]);
      put(format.after_assistant);
      put(format.before_next_turn);
    }
    put(format.before_user);
    if (i == first && has_system && !format.has_system_turn) put_system();
    put_text(messages[i]);
    put(format.after_user);
  }
  if (format.opens_answer) put(format.before_assistant);
  return Status();
}

}  // namespace micrort::text
