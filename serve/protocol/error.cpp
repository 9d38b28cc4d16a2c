#include "serve/protocol/error.h"

namespace micrort::serve {
namespace {

ErrorKind KindOf(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return ErrorKind::kOk;
    case StatusCode::kInvalidArgument:
    case StatusCode::kOutOfRange:
    case StatusCode::kUnsupported:
    case StatusCode::kInvalidModel:
      return ErrorKind::kInvalid;
    case StatusCode::kOutOfMemory:
      return ErrorKind::kUnavailable;
    case StatusCode::kCancelled:
      return ErrorKind::kCancelled;
    case StatusCode::kDeadlineExceeded:
      return ErrorKind::kDeadline;
    case StatusCode::kIo:
    case StatusCode::kInternal:
      return ErrorKind::kInternal;
  }
  return ErrorKind::kInternal;
}

}  // namespace

Error Error::From(const Status& status) {
  if (status.ok()) return {};
  const bool is_empty = status.message()[0] == '\0';
  return {KindOf(status.code()), is_empty ? StatusCodeName(status.code()) : status.message()};
}

}  // namespace micrort::serve
