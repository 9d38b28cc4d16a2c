#pragma once
// Lists of names in messages.

#include <string>

namespace micrort::serve {

// "'a', 'b'"; of many or long names the first ones, as requests decide them.
class NameList {
 public:
  void Add(const std::string& name) {
    constexpr size_t kMost = 8, kLongest = 64;
    if (++count_ <= kMost) text_ += (count_ == 1 ? "'" : ", '") + name.substr(0, kLongest) + "'";
    if (count_ == kMost + 1) text_ += ", ...";
  }
  std::string text() const { return count_ == 0 ? "none" : text_; }

 private:
  size_t count_ = 0;
  std::string text_;
};

// The names of a list whose elements have names.
template <typename List>
std::string NamesText(const List& list) {
  NameList names;
  for (const auto& element : list) names.Add(element.name);
  return names.text();
}

}  // namespace micrort::serve
