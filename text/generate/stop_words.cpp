#include "text/generate/stop_words.h"

#include <algorithm>

namespace micrort::text {

StopWords::StopWords(std::vector<std::string> words) : words_(std::move(words)) {
  words_.erase(std::remove(words_.begin(), words_.end(), std::string()), words_.end());
}

bool StopWords::Add(const std::string& text, std::string* out) {
  held_ += text;
  size_t found = std::string::npos, kept = 0;
  for (const std::string& word : words_) {
    found = std::min(found, held_.find(word));
    // The longest end of the text that the word begins with.
    for (size_t length = std::min(word.size() - 1, held_.size()); length > kept; --length)
      if (held_.compare(held_.size() - length, length, word, 0, length) == 0) kept = length;
  }
  const bool has_come = found != std::string::npos;
  const size_t given = has_come ? found : held_.size() - kept;
  out->append(held_, 0, given);
  held_.erase(0, has_come ? std::string::npos : given);
  return has_come;
}

}  // namespace micrort::text
