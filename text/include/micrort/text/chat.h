#pragma once
// Conversations as families of models were trained to read them.

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

// The conversation up to where the assistant goes on, as parts for Tokenizer::Encode() with add_special off.
// Names of tokens in messages stay text. kInvalidArgument unless at most one system message comes first, then
// user and assistant in turn, the user last.
Status RenderChat(ChatFamily family, const std::vector<ChatMessage>& messages, std::vector<TextPart>* parts);

}  // namespace micrort::text
