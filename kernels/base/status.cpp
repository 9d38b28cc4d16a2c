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

// Cuts the middle out of the text so that `most` bytes are left; false: these would be too few to say
// anything.
bool Shorten(char* text, size_t most) {
  constexpr size_t kGap = 3, kFewest = 24;
  if (most < kFewest) return false;
  const auto is_inside_of_a_letter = [](char c) { return (c & 0xc0) == 0x80; };  // of UTF-8
  size_t head = (most - kGap) / 2;
  const char* tail = text + std::strlen(text) - (most - kGap - head);
  while (head > 0 && is_inside_of_a_letter(text[head])) --head;
  while (is_inside_of_a_letter(*tail)) ++tail;
  std::memcpy(text + head, "...", kGap);
  std::memmove(text + head + kGap, tail, std::strlen(tail) + 1);
  return true;
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
  // The cause stays whole; where both do not fit, the prefix gives way.
  const size_t room = sizeof s.message_ - 1, cause = std::strlen(message_) + 2;
  if (std::strlen(s.message_) + cause > room && !Shorten(s.message_, cause < room ? room - cause : 0))
    return *this;
  AppendCut(s.message_, ": ");
  AppendCut(s.message_, message_);
  return s;
}

#endif

}  // namespace micrort
