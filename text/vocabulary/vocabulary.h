#pragma once
// Tokens and their numbers.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernels/base/status.h"

namespace micrort::text {

constexpr int32_t kNoToken = -1;

class Vocabulary {
 public:
  // kInvalidModel for a number that is negative, or far beyond the count of tokens (`expected` of them). Two
  // tokens of one number: the later one is what the number stands for.
  Status Add(std::string_view token, int64_t id, size_t expected);

  int32_t Find(std::string_view token) const;
  // Empty for a number of no token.
  std::string_view Token(int32_t id) const;
  bool Has(int32_t id) const { return id >= 0 && static_cast<size_t>(id) < tokens_.size(); }
  size_t size() const { return tokens_.size(); }  // the greatest number and 1

 private:
  std::deque<std::string> texts_;  // stay where they are
  std::vector<std::string_view> tokens_;
  std::unordered_map<std::string_view, int32_t> ids_;
};

// "<0x0A>" for 10, as tokens of single bytes are called.
std::string ByteToken(uint8_t byte);
// The byte of such a token, or -1.
int ByteOfToken(std::string_view token);

}  // namespace micrort::text
