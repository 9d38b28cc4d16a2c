#include "converter/frontend/common/errors.h"

#include <cstdio>
#include <cstring>

namespace micrort::frontend {

void ErrorArgument::AppendTo(std::string* message) const {
  char number[32];
  switch (kind_) {
    case Kind::kText:  // as much of it as a message has room for
      message->append(text_, strnlen(text_, Status::kMaxMessage));
      return;
    case Kind::kFraction:
      std::snprintf(number, sizeof number, "%g", fraction_);
      *message += number;
      return;
    case Kind::kSigned:
      *message += std::to_string(static_cast<int64_t>(bits_));
      return;
    case Kind::kUnsigned:
      *message += std::to_string(bits_);
  }
}

Status ErrorOf(StatusCode code, const char* text, std::initializer_list<ErrorArgument> arguments) {
  std::string message;
  for (const ErrorArgument& argument : arguments) {
    const char* place = std::strstr(text, "{}");
    if (place == nullptr) break;
    message.append(text, place);
    argument.AppendTo(&message);
    text = place + 2;
  }
  return Status::Error(code, "%s", (message + text).c_str());
}

}  // namespace micrort::frontend
