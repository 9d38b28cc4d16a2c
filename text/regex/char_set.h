#pragma once
// A set of characters, as [^\s\p{L}0-9] writes it.

#include <cstdint>
#include <vector>

#include "text/unicode/classes.h"

namespace micrort::text {

class CharSet {
 public:
  enum class Kind { kRange, kCategories, kSpace, kWord };
  struct Item {
    Kind kind = Kind::kRange;
    bool is_negated = false;
    char32_t first = 0, last = 0;
    CategorySet categories = 0;
  };

  void Add(const Item& item) { items_.push_back(item); }
  void AddRange(char32_t first, char32_t last) { Add({Kind::kRange, false, first, last, 0}); }
  void Negate() { is_negated_ = !is_negated_; }
  // Characters that differ from a member in case alone become members.
  void IgnoreCase() { ignores_case_ = true; }
  // Once it is complete: looks ASCII up from then on.
  void Finish();

  bool Contains(char32_t c) const { return c < kAscii ? ascii_[c] : Search(c); }

 private:
  static constexpr char32_t kAscii = 128;
  bool Search(char32_t c) const;
  bool HasItemOf(char32_t c) const;

  std::vector<Item> items_;
  bool is_negated_ = false, ignores_case_ = false;
  bool ascii_[kAscii] = {};
};

}  // namespace micrort::text
