#pragma once
// GoogleMock matchers for Status and Result<T>.
//   EXPECT_THAT(model.Load(), IsOk());
//   EXPECT_THAT(ParseNpy(...), IsError(StatusCode::kInvalidArgument, HasSubstr("broken")));

#include <gmock/gmock.h>

#include <string>

#include "kernels/base/status.h"

namespace micrort {

// How GoogleTest prints them.
inline void PrintTo(const Status& status, std::ostream* os) {
  *os << StatusCodeName(status.code()) << ": '" << status.message() << "'";
}

namespace testing {

inline const Status& StatusOf(const Status& status) { return status; }
template <typename T>
const Status& StatusOf(const Result<T>& result) {
  return result.status();
}

MATCHER(IsOk, "is ok") {
  *result_listener << StatusOf(arg).message();
  return StatusOf(arg).ok();
}

MATCHER_P2(IsErrorImpl, code, message, "is the error") {
  const Status& status = StatusOf(arg);
  *result_listener << StatusCodeName(status.code()) << ": " << status.message();
  return status.code() == code && ::testing::Matches(message)(std::string(status.message()));
}

// `message`: a text or a matcher of one.
inline auto IsError(StatusCode code, const ::testing::Matcher<std::string>& message = ::testing::_) {
  return IsErrorImpl(code, message);
}

}  // namespace testing
}  // namespace micrort
