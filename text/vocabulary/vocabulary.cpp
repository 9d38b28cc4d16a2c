#include "text/vocabulary/vocabulary.h"

namespace micrort::text {
namespace {

constexpr char kHexDigits[] = "0123456789ABCDEF";

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

Status Vocabulary::Add(std::string_view token, int64_t id, size_t expected) {
  constexpr size_t kHoles = 65536;
  const size_t end = 2 * expected + kHoles;
  if (id < 0 || static_cast<uint64_t>(id) >= end)
    return MICRORT_ERROR(kInvalidModel,
                         "token '%.*s' has the number %lld; expected less than %zu for %zu tokens",
                         static_cast<int>(token.size() < 60 ? token.size() : 60), token.data(),
                         static_cast<long long>(id), end, expected);
  texts_.emplace_back(token);
  if (static_cast<size_t>(id) >= tokens_.size()) tokens_.resize(static_cast<size_t>(id) + 1);
  tokens_[static_cast<size_t>(id)] = texts_.back();
  ids_[texts_.back()] = static_cast<int32_t>(id);
  return Status();
}

int32_t Vocabulary::Find(std::string_view token) const {
  const auto found = ids_.find(token);
  return found == ids_.end() ? kNoToken : found->second;
}

std::string_view Vocabulary::Token(int32_t id) const {
  return Has(id) ? tokens_[static_cast<size_t>(id)] : std::string_view();
}

std::string ByteToken(uint8_t byte) {
  return {'<', '0', 'x', kHexDigits[byte >> 4], kHexDigits[byte & 15], '>'};
}

int ByteOfToken(std::string_view token) {
  if (token.size() != 6 || token.substr(0, 3) != "<0x" || token[5] != '>') return -1;
  const int high = HexValue(token[3]), low = HexValue(token[4]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

}  // namespace micrort::text
