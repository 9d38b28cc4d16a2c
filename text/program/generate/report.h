#pragma once
// The output of micrort-generate.

#include <string>

#include "micrort/text/generate.h"

namespace micrort {

// Tokens or text as they come, or all in one JSON object at the end.
class AnswerPrinter {
 public:
  explicit AnswerPrinter(bool json) : json_(json) {}
  // False once standard output takes no more.
  bool AddToken(int32_t token);
  bool AddText(const std::string& text);
  // Rates go to standard error, in one line.
  void Finish(const text::GenerateResult& result);

 private:
  bool Print(const std::string& text);

  bool json_;
  bool is_first_ = true;
  std::string text_;
};

}  // namespace micrort
