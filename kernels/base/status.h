#pragma once
// Errors as values: a code and a message, or, with MICRORT_ERROR_STRINGS=0, the code alone.
#ifndef MICRORT_ERROR_STRINGS
#define MICRORT_ERROR_STRINGS 1
#endif
#include <cstdarg>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace micrort {

// Values are part of the C ABI and of exit codes of the programs: append only.
enum class StatusCode : int32_t {
  kOk = 0,
  kInvalidArgument = 1,   // the caller's mistake: wrong shape, name, dtype, buffer too small
  kInvalidModel = 2,      // the file is malformed
  kUnsupported = 3,       // the file is valid, but this build cannot run it
  kOutOfMemory = 4,       // an allocation failed, or the caller's arena is too small
  kIo = 5,                // a file could not be read or written
  kOutOfRange = 6,        // data met while running points outside a tensor (Gather index, Slice bound)
  kInternal = 7,          // a defect of MicroRT
  kCancelled = 8,         // the caller asked the run to end
  kDeadlineExceeded = 9,  // the run took longer than its caller gives it
};

// "invalid model" and so on; never null.
const char* StatusCodeName(StatusCode code);
#if MICRORT_ERROR_STRINGS
class [[nodiscard]] Status {
 public:  // the message lies inside: creating, copying and returning one never allocates
  static constexpr int kMaxMessage = 400;

  Status() { message_[0] = '\0'; }
  Status(const Status& other) { *this = other; }
  Status& operator=(const Status& other);

  // printf-style. Use the MICRORT_ERROR macro instead, so that strings can be stripped.
  static Status Error(StatusCode code, const char* format, ...) __attribute__((format(printf, 2, 3)));
  static Status Error(StatusCode code) {
    Status s;
    s.code_ = code;
    return s;
  }

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  // Never null; empty if ok or if strings are stripped.
  const char* message() const { return message_; }

  // The same error with "prefix: " before its message (file, then node, then what is wrong).
  Status WithPrefix(const char* format, ...) const __attribute__((format(printf, 2, 3)));

 private:
  StatusCode code_ = StatusCode::kOk;
  char message_[kMaxMessage];
};

// How errors are made: MICRORT_ERROR(kInvalidArgument, "expected %d inputs, found %d", 2, n). Text and
// arguments are left out of a program whose errors are codes alone.
#define MICRORT_ERROR(code, ...) ::micrort::Status::Error(::micrort::StatusCode::code, __VA_ARGS__)
#else
}  // namespace micrort

#include "kernels/base/status_without_text.h"

namespace micrort {
#endif

// For functions that return a Status or a Result: MICRORT_RETURN_IF_ERROR(Check(x)) ends them where `x` is
// wrong.
#define MICRORT_RETURN_IF_ERROR(expression)                                      \
  do {                                                                           \
    if (::micrort::Status status_ = (expression); !status_.ok()) return status_; \
  } while (0)

// A value or the reason why there is none. value() may be called only if ok().
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : has_value_(true) { new (&storage_) T(std::move(value)); }
  Result(const Status& status) : status_(status) {}
  Result(Result&& other) : status_(other.status_), has_value_(other.has_value_) {
    if (has_value_) new (&storage_) T(std::move(other.value()));
  }
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;
  ~Result() {
    if (has_value_) value().~T();
  }

  bool ok() const { return has_value_; }
  const Status& status() const { return status_; }
  T& value() { return *std::launder(reinterpret_cast<T*>(&storage_)); }
  const T& value() const { return *std::launder(reinterpret_cast<const T*>(&storage_)); }
  T& operator*() { return value(); }
  T* operator->() { return &value(); }

 private:
  Status status_;
  bool has_value_ = false;
  std::aligned_storage_t<sizeof(T), alignof(T)> storage_;
};

// MICRORT_ASSIGN_OR_RETURN(Model model, Model::FromFile(path));
#define MICRORT_CONCAT_INNER(a, b) a##b
#define MICRORT_CONCAT(a, b) MICRORT_CONCAT_INNER(a, b)
#define MICRORT_ASSIGN_OR_RETURN(declaration, expression) \
  MICRORT_ASSIGN_OR_RETURN_IMPL(MICRORT_CONCAT(result_, __LINE__), declaration, expression)
#define MICRORT_ASSIGN_OR_RETURN_IMPL(temporary, declaration, expression) \
  auto temporary = (expression);                                          \
  if (!temporary.ok()) return temporary.status();                         \
  declaration = std::move(temporary.value())

}  // namespace micrort
