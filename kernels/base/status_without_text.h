#pragma once
// Status where texts are left out: four bytes. Only status.h includes this, after StatusCode.

namespace micrort {

class [[nodiscard]] Status {
 public:
  static Status Error(StatusCode code) {
    Status s;
    s.code_ = code;
    return s;
  }
  template <typename... Arguments>
  static Status Error(StatusCode code, const char*, const Arguments&...) {
    return Error(code);
  }

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  const char* message() const { return ""; }

  template <typename... Arguments>
  Status WithPrefix(const char*, const Arguments&...) const {
    return *this;
  }

 private:
  StatusCode code_ = StatusCode::kOk;
};

// The second branch is never taken and not compiled: it counts as a use of its arguments.
#define MICRORT_ERROR(code, ...)                                \
  (true ? ::micrort::Status::Error(::micrort::StatusCode::code) \
        : ::micrort::Status::Error(::micrort::StatusCode::code, __VA_ARGS__))

}  // namespace micrort
