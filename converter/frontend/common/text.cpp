#include "converter/frontend/common/text.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <sstream>

#include "converter/frontend/common/errors.h"

namespace micrort::frontend {

namespace {

// Bytes of the sequence that begins with `lead`, and the smallest code point that needs so many; 0 if none
// does.
struct Sequence {
  size_t bytes;
  uint32_t smallest;
};

Sequence SequenceOf(uint8_t lead) {
  if (lead < 0x80) return {1, 0};
  if (lead >= 0xc2 && lead < 0xe0) return {2, 0x80};
  if (lead >= 0xe0 && lead < 0xf0) return {3, 0x800};
  if (lead >= 0xf0 && lead < 0xf5) return {4, 0x10000};
  return {0, 0};
}

// The code point that begins at *i, which moves behind it; false if the bytes there are not well-formed.
bool NextCodePoint(const std::string& s, size_t* i, uint32_t* code_point) {
  const auto lead = static_cast<uint8_t>(s[*i]);
  const Sequence sequence = SequenceOf(lead);
  if (sequence.bytes == 0 || sequence.bytes > s.size() - *i) return false;
  uint32_t value = sequence.bytes == 1 ? lead : lead & (0xffu >> (sequence.bytes + 1));
  for (size_t k = 1; k < sequence.bytes; ++k) {
    const auto byte = static_cast<uint8_t>(s[*i + k]);
    if ((byte & 0xc0) != 0x80) return false;
    value = value << 6 | (byte & 0x3f);
  }
  const bool surrogate = value >= 0xd800 && value < 0xe000;
  if (value < sequence.smallest || value > 0x10ffff || surrogate) return false;
  *i += sequence.bytes;
  *code_point = value;
  return true;
}

bool IsControl(uint32_t code_point) { return code_point < 0x20 || (code_point >= 0x7f && code_point < 0xa0); }

}  // namespace

bool IsText(const std::string& s) {
  for (size_t i = 0; i < s.size();) {
    uint32_t code_point = 0;
    if (!NextCodePoint(s, &i, &code_point) || IsControl(code_point)) return false;
  }
  return true;
}

Status CheckText(const std::string& s, const char* what) {
  std::string shown;
  uint32_t control = 0;
  for (size_t i = 0; i < s.size();) {
    const size_t from = i;
    uint32_t code_point = 0;
    if (!NextCodePoint(s, &i, &code_point)) return Invalid("{} is not UTF-8 text", what);
    if (control == 0 && IsControl(code_point)) control = code_point + 1;
    shown += IsControl(code_point) ? "?" : s.substr(from, i - from);
  }
  if (control == 0) return Status();
  return MICRORT_ERROR(kInvalidModel, "%s, '%s', has the control character U+%04X; rename it", what,
                       Shown(shown).c_str(), static_cast<unsigned>(control - 1));
}

std::vector<std::string> Words(const char* text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

std::set<std::string> SetOfWords(const char* text) {
  const std::vector<std::string> words = Words(text);
  return {words.begin(), words.end()};
}

std::map<std::string, std::string> PairsOfWords(const char* text) {
  std::map<std::string, std::string> pairs;
  std::istringstream in(text);
  for (std::string first, second; in >> first && std::getline(in >> std::ws, second, ',');)
    pairs[first] = second;
  return pairs;
}

std::string Shown(const std::string& name) {
  constexpr size_t kMaxShown = 100;
  if (!IsText(name)) return "?";
  return name.size() <= kMaxShown ? name : name.substr(0, kMaxShown) + "...";
}

}  // namespace micrort::frontend
