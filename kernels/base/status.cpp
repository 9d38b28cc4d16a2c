#include "kernels/base/status.h"

#if MICRORT_ERROR_STRINGS
#include <algorithm>
#include <cstdio>
#include <cstring>
#endif

namespace micrort {

const char* StatusCodeName(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return "ok";
    case StatusCode::kInvalidArgument:
      return "invalid argument";
    case StatusCode::kInvalidModel:
      return "invalid model";
    case StatusCode::kUnsupported:
      return "not supported";
    case StatusCode::kOutOfMemory:
      return "out of memory";
    case StatusCode::kIo:
      return "input/output error";
    case StatusCode::kOutOfRange:
      return "out of range";
    case StatusCode::kInternal:
      return "internal error";
    case StatusCode::kCancelled:
      return "cancelled";
    case StatusCode::kDeadlineExceeded:
      return "deadline exceeded";
  }
  return "unknown status";
}

#if MICRORT_ERROR_STRINGS

namespace {

// Appends what fits.
void AppendCut(char (&message)[Status::kMaxMessage], const char* text) {
  const size_t used = std::strlen(message);
  const size_t n = std::min(std::strlen(text), sizeof message - 1 - used);
  std::memcpy(message + used, text, n);
  message[used + n] = '\0';
}

}  // namespace

Status& Status::operator=(const Status& other) {
  code_ = other.code_;
  std::memmove(message_, other.message_, std::strlen(other.message_) + 1);
  return *this;
}

Status Status::Error(StatusCode code, const char* format, ...) {
  Status s;
  s.code_ = code;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(s.message_, sizeof s.message_, format, arguments);
  va_end(arguments);
  return s;
}

Status Status::WithPrefix(const char* format, ...) const {
  if (message_[0] == '\0') return *this;
  Status s;
  s.code_ = code_;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(s.message_, sizeof s.message_, format, arguments);
  va_end(arguments);
  AppendCut(s.message_, ": ");
  AppendCut(s.message_, message_);
  return s;
}

#endif

}  // namespace micrort
