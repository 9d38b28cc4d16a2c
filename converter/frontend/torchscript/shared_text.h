#pragma once
// Text that values share: a copy costs the same however long it is.

#include <memory>
#include <string>
#include <utility>

namespace micrort::frontend::torchscript {

class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string text)  // NOLINT: a string is a text
      : text_(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text))) {}

  const std::string& str() const {
    static const std::string kEmpty;
    return text_ == nullptr ? kEmpty : *text_;
  }
  operator const std::string&() const { return str(); }  // NOLINT: and the other way round
  bool empty() const { return text_ == nullptr; }
  size_t size() const { return str().size(); }
  const char* c_str() const { return str().c_str(); }

  friend bool operator==(const SharedText& a, const SharedText& b) {
    return a.text_ == b.text_ || a.str() == b.str();
  }
  friend bool operator!=(const SharedText& a, const SharedText& b) { return !(a == b); }
  friend bool operator==(const SharedText& a, const char* b) { return a.str() == b; }
  friend bool operator!=(const SharedText& a, const char* b) { return a.str() != b; }

 private:
  std::shared_ptr<const std::string> text_;
};

}  // namespace micrort::frontend::torchscript
