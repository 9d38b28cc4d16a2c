#pragma once
// The interface that kinds of tokenizers have in common.

#include "micrort/text/tokenizer.h"

namespace micrort::text {

class TokenizerImpl {
 public:
  virtual ~TokenizerImpl() = default;
  // Parts are text or tokens that there are.
  virtual Status Encode(const std::vector<TextPart>& parts, const EncodeOptions& options,
                        std::vector<int32_t>* ids) const = 0;
  virtual Status Decode(Span<const int32_t> ids, bool skip_special, std::string* text) const = 0;
  virtual int32_t TokenId(std::string_view token) const = 0;
  virtual std::string Token(int32_t id) const = 0;
  virtual bool IsSpecial(int32_t id) const = 0;
  virtual size_t vocabulary_size() const = 0;
  virtual int32_t end_of_sequence() const = 0;  // kNoToken if the file does not say
};

Result<std::unique_ptr<TokenizerImpl>> ReadTokenizerJson(std::string_view json);
Result<std::unique_ptr<TokenizerImpl>> ReadSentencePiece(std::string_view model);

}  // namespace micrort::text
