#pragma once
// Why a request is not answered as asked. Each protocol states it in its own way.

#include <string>
#include <utility>

#include "kernels/base/status.h"

namespace micrort::serve {

enum class ErrorKind {
  kOk,
  kInvalid,       // the request's mistake
  kNotFound,      // no such model, version or path
  kTooLarge,      // over a limit of the server
  kUnavailable,   // queue full, or shutting down: the same request may succeed later
  kDeadline,      // not done in the time that the request gives it
  kCancelled,     // the client went away
  kUnauthorized,  // no API key, or a wrong one
  kForbidden,     // whoever asks may not
  kInternal,
};

class [[nodiscard]] Error {
 public:
  Error() = default;
  Error(ErrorKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}
  // The error for a status of the runtime: what a run reports of data is the request's mistake.
  static Error From(const Status& status);

  bool ok() const { return kind_ == ErrorKind::kOk; }
  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  Error WithPrefix(const std::string& prefix) const { return {kind_, prefix + ": " + message_}; }

 private:
  ErrorKind kind_ = ErrorKind::kOk;
  std::string message_;
};

inline Error Unloading() { return {ErrorKind::kUnavailable, "the model is being unloaded"}; }
inline Error Invalid(std::string message) { return {ErrorKind::kInvalid, std::move(message)}; }

#define MICRORT_SERVE_RETURN_IF_ERROR(expression)                                   \
  do {                                                                              \
    if (::micrort::serve::Error error_ = (expression); !error_.ok()) return error_; \
  } while (0)

}  // namespace micrort::serve
