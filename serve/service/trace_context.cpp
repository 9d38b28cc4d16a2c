#include "serve/service/trace_context.h"

#include <algorithm>

namespace micrort::serve {
namespace {

bool IsHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool IsIdentifier(std::string_view text) {
  return IsHex(text) && text.find_first_not_of('0') != std::string_view::npos;
}

}  // namespace

bool IsTraceparent(std::string_view text) {
  return text.size() == 55 && text.substr(0, 3) == "00-" && text[35] == '-' && text[52] == '-' &&
         IsIdentifier(text.substr(3, 32)) && IsIdentifier(text.substr(36, 16)) && IsHex(text.substr(53));
}

}  // namespace micrort::serve
