#pragma once
// Errors of importers. Each {} of a text stands for the next argument: a number, as %g where it is a
// fraction, or a text.

#include <initializer_list>
#include <string>
#include <type_traits>

#include "kernels/base/status.h"

namespace micrort::frontend {

// As much of it as a message has room for.
std::string TextOf(const char* text);
std::string TextOf(double number);
template <typename T>
auto TextOf(const T& text) -> decltype(std::string(text.c_str())) {
  return TextOf(text.c_str());
}
template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
std::string TextOf(T number) {
  return std::to_string(number);
}

Status ErrorOf(StatusCode code, const std::string& text, std::initializer_list<std::string> arguments);

// The source model contradicts its format, or the definition of an operator.
template <typename... T>
Status Invalid(const std::string& text, const T&... arguments) {
  return ErrorOf(StatusCode::kInvalidModel, text, {TextOf(arguments)...});
}
// We cannot do what it asks for.
template <typename... T>
Status Unsupported(const std::string& text, const T&... arguments) {
  return ErrorOf(StatusCode::kUnsupported, text, {TextOf(arguments)...});
}

}  // namespace micrort::frontend
