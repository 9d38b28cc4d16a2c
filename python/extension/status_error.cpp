#include "python/extension/status_error.h"

namespace micrort::python {

namespace py = pybind11;

void RegisterErrors() {
  py::register_exception_translator([](std::exception_ptr pending) {
    try {
      if (pending) std::rethrow_exception(pending);
    } catch (const StatusError& error) {
      const py::object make = py::module_::import("micrort.errors").attr("from_status");
      const py::object exception = make(static_cast<int>(error.status.code()), error.status.message());
      PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
    }
  });
}

}  // namespace micrort::python
