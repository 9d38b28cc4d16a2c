#include "converter/frontend/common/errors.h"

#include <cstdio>
#include <cstring>

namespace micrort::frontend {

std::string TextOf(const char* text) { return {text, strnlen(text, Status::kMaxMessage)}; }

std::string TextOf(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

Status ErrorOf(StatusCode code, const std::string& text, std::initializer_list<std::string> arguments) {
  std::string filled;
  size_t from = 0;
  for (const std::string& argument : arguments) {
    const size_t to = text.find("{}", from);
    if (to == std::string::npos) break;
    filled += text.substr(from, to - from) + argument;
    from = to + 2;
  }
  return Status::Error(code, "%s", (filled + text.substr(from)).c_str());
}

}  // namespace micrort::frontend
