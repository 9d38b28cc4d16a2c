#pragma once
// Errors of importers. Each {} of a text stands for the next argument: a number, as %g where it is a
// fraction, or a text.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

#include "kernels/base/status.h"

namespace micrort::frontend {

// Refers to the text that it is made of.
class ErrorArgument {
 public:
  explicit ErrorArgument(const char* text) : text_(text) {}
  explicit ErrorArgument(double number) : kind_(Kind::kFraction), fraction_(number) {}
  template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  explicit ErrorArgument(T number)
      : kind_(std::is_signed_v<T> ? Kind::kSigned : Kind::kUnsigned), bits_(static_cast<uint64_t>(number)) {}
  template <typename T, typename = decltype(std::declval<const T&>().c_str())>
  explicit ErrorArgument(const T& text) : text_(text.c_str()) {}

  void AppendTo(std::string* message) const;

 private:
  enum class Kind { kText, kFraction, kSigned, kUnsigned } kind_ = Kind::kText;
  union {
    const char* text_;
    double fraction_;
    uint64_t bits_;
  };
};

Status ErrorOf(StatusCode code, const char* text, std::initializer_list<ErrorArgument> arguments);

// The source model contradicts its format, or the definition of an operator.
template <typename... T>
Status Invalid(const char* text, const T&... arguments) {
  return ErrorOf(StatusCode::kInvalidModel, text, {ErrorArgument(arguments)...});
}
inline Status Invalid(const std::string& text) { return Invalid(text.c_str()); }
// We cannot do what it asks for.
template <typename... T>
Status Unsupported(const char* text, const T&... arguments) {
  return ErrorOf(StatusCode::kUnsupported, text, {ErrorArgument(arguments)...});
}
inline Status Unsupported(const std::string& text) { return Unsupported(text.c_str()); }

// *to becomes the value, if there is one.
template <typename T>
Status Take(Result<T> from, T* to) {
  if (from.ok()) *to = std::move(from.value());
  return from.status();
}

}  // namespace micrort::frontend
