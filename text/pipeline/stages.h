#pragma once
// The components of a tokenizer.json, each a function made from a part of the file.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::text {

// Text that grows beyond `limit` bytes is an error of whoever made the file (kInvalidModel).
using Normalizer = std::function<Status(std::string* text, size_t limit)>;

struct TextPiece {
  std::string text;
  bool is_first = false;  // at the very begin of the text
};
using PreTokenizer = std::function<Status(std::vector<TextPiece>* pieces, size_t limit)>;

// Tokens become text, step by step: the last step's strings are joined.
using TokenDecoder = std::function<Status(std::vector<std::string>* tokens, size_t limit)>;

inline size_t GrowthLimit(size_t bytes) { return (size_t{1} << 20) + 64 * bytes; }

inline Status CheckGrowth(size_t bytes, size_t limit) {
  if (bytes <= limit) return Status();
  return MICRORT_ERROR(kInvalidModel, "text grows beyond %zu bytes", limit);
}

}  // namespace micrort::text
