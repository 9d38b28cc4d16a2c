#pragma once
// Which of many words does a text begin with?

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace micrort::text {

// Sorted words, narrowed byte by byte.
class PrefixTable {
 public:
  // Before Finish(); an empty word is left out.
  void Add(std::string_view word, int32_t value) {
    if (!word.empty()) words_.push_back({std::string(word), value});
  }
  void Finish() {
    std::stable_sort(words_.begin(), words_.end(),
                     [](const Word& a, const Word& b) { return a.text < b.text; });
    size_t at = 0;
    for (size_t byte = 0; byte < 256; ++byte) {
      begins_[byte] = at;
      while (at < words_.size() && static_cast<uint8_t>(words_[at].text[0]) == byte) ++at;
    }
    begins_[256] = words_.size();
  }
  bool empty() const { return words_.empty(); }

  // take(length, value) for every word that `text` begins with, shortest first.
  template <typename Take>
  void ForEachPrefix(std::string_view text, const Take& take) const {
    if (text.empty() || words_.empty()) return;
    const auto first_byte = static_cast<uint8_t>(text[0]);
    auto begin = words_.begin() + static_cast<std::ptrdiff_t>(begins_[first_byte]);
    auto end = words_.begin() + static_cast<std::ptrdiff_t>(begins_[first_byte + 1]);
    for (size_t length = 1; begin != end; ++length) {
      for (; begin != end && begin->text.size() == length; ++begin) take(length, begin->value);
      if (length == text.size()) return;
      const auto byte = static_cast<uint8_t>(text[length]);
      begin = std::partition_point(begin, end, [=](const Word& w) { return ByteAt(w, length) < byte; });
      end = std::partition_point(begin, end, [=](const Word& w) { return ByteAt(w, length) == byte; });
    }
  }

  // The longest such word: its length, 0 without one.
  size_t Longest(std::string_view text, int32_t* value) const {
    size_t longest = 0;
    ForEachPrefix(text, [&](size_t length, int32_t found) {
      longest = length;
      *value = found;
    });
    return longest;
  }

 private:
  struct Word {
    std::string text;
    int32_t value;
  };
  static uint8_t ByteAt(const Word& word, size_t at) { return static_cast<uint8_t>(word.text[at]); }

  std::vector<Word> words_;
  size_t begins_[257] = {};
};

}  // namespace micrort::text
