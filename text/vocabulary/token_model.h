#pragma once
// Makes tokens of pieces of text.

#include <string_view>
#include <vector>

#include "text/vocabulary/vocabulary.h"

namespace micrort::text {

class TokenModel {
 public:
  virtual ~TokenModel() = default;
  // Appends the tokens of `piece`, valid UTF-8.
  virtual void Encode(std::string_view piece, std::vector<int32_t>* ids) const = 0;
  virtual const Vocabulary& vocabulary() const = 0;
};

// The tokens of 256 single bytes; kNoToken where there is none.
struct ByteTokens {
  explicit ByteTokens(const Vocabulary& vocabulary) {
    for (int byte = 0; byte < 256; ++byte) ids[byte] = vocabulary.Find(ByteToken(static_cast<uint8_t>(byte)));
  }
  // False, and nothing appended, if a byte of `text` has none.
  bool Append(std::string_view text, std::vector<int32_t>* to) const {
    for (const char c : text)
      if (ids[static_cast<uint8_t>(c)] == kNoToken) return false;
    for (const char c : text) to->push_back(ids[static_cast<uint8_t>(c)]);
    return true;
  }
  int32_t ids[256];
};

}  // namespace micrort::text
