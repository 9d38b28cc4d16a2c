#pragma once
// Holds text back that may be the begin of a stop word.

#include <string>
#include <vector>

namespace micrort::text {

class StopWords {
 public:
  explicit StopWords(std::vector<std::string> words);

  // Appends to `out` what is certain to be no part of a stop word. True once one has come: what is before it
  // has been given out.
  bool Add(const std::string& text, std::string* out);
  // The text that is held back at the end.
  std::string Rest() const { return held_; }

 private:
  std::vector<std::string> words_;  // none is empty
  std::string held_;
};

}  // namespace micrort::text
