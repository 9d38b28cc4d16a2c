#pragma once
// Conversations in the formats that families of models were trained with.

#include <string>
#include <vector>

#include "micrort/text/tokenizer.h"

namespace micrort::text {

enum class ChatFamily { kLlama2, kLlama3, kChatMl, kGemma, kPhi3, kMistral };

struct ChatMessage {
  enum class Role { kSystem, kUser, kAssistant };
  Role role = Role::kUser;
  std::string text;
};

// "llama2", "llama3", "chatml", "gemma", "phi3", "mistral". kInvalidArgument lists them.
Result<ChatFamily> ChatFamilyOf(const std::string& name);
// The family whose tokens the tokenizer has; kUnsupported where their names decide nothing, as for llama2.
Result<ChatFamily> ChatFamilyOf(const Tokenizer& tokenizer);

// The conversation up to the assistant's next answer, as parts for Tokenizer::Encode() with add_special off.
// Names of tokens in messages stay text. Expects at most one system message first, then user and assistant in
// turn, the user last; anything else is kInvalidArgument.
Status RenderChat(ChatFamily family, const std::vector<ChatMessage>& messages, std::vector<TextPart>* parts);

}  // namespace micrort::text
