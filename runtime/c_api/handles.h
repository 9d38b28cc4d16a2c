#pragma once
// What the handles of the C interface hold, and what its functions share.

#include <algorithm>
#include <cstring>
#include <utility>

#include "micrort/micrort.h"
#include "micrort/micrort_c.h"
#include "runtime/memory/objects.h"

namespace micrort::c_api {

// Hands steps on to the caller's functions.
class Callbacks final : public OpObserver {
 public:
  explicit Callbacks(const micrort_options& options)
      : before_(options.before_step), after_(options.after_step), user_(options.step_user) {}
  void BeforeOp(const OpInfo& op) override { Call(before_, op); }
  void AfterOp(const OpInfo& op) override { Call(after_, op); }

 private:
  void Call(micrort_step_callback callback, const OpInfo& op) const {
    if (callback != nullptr) callback(user_, reinterpret_cast<const micrort_step*>(&op));
  }

  micrort_step_callback before_, after_;
  void* user_;
};

// The way of every status out of the C interface.
class Report {
 public:
  Report(char* message, size_t message_bytes) : message_(message), bytes_(message_bytes) {}

  micrort_status operator()(const Status& status) const {
    if (message_ != nullptr && bytes_ != 0) {
      const size_t n = std::min(std::strlen(status.message()), bytes_ - 1);
      std::memcpy(message_, status.message(), n);
      message_[n] = '\0';
    }
    return static_cast<micrort_status>(status.code());
  }

 private:
  char* message_;
  size_t bytes_;
};

inline Status NullArgument() { return MICRORT_ERROR(kInvalidArgument, "an argument is null"); }

micrort_status WriteTensor(const TensorView& view, size_t index, size_t count, micrort_tensor* tensor);

}  // namespace micrort::c_api

struct micrort_model {
  micrort::Model model;
};

struct micrort_resolver {
  micrort::OpResolver resolver;
};

struct micrort_interpreter {
  micrort::OwnedObject<micrort::TunedChoices> tuned;          // or null
  micrort::OwnedObject<micrort::c_api::Callbacks> callbacks;  // or null
  micrort::Interpreter interpreter;
};
