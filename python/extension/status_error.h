#pragma once
// Errors of the runtime as Python exceptions: those of micrort/errors.py.

#include <pybind11/pybind11.h>

#include "kernels/base/status.h"

namespace micrort::python {

struct StatusError {
  Status status;
};

inline void ThrowIfError(const Status& status) {
  if (!status.ok()) throw StatusError{status};
}

template <typename T>
T ValueOrThrow(Result<T> result) {
  ThrowIfError(result.status());
  return std::move(*result);
}

void RegisterErrors();

}  // namespace micrort::python
