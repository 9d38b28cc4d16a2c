#include "python/extension/tensors.h"

#include <pybind11/stl.h>

#include <string>

#include "python/extension/status_error.h"

namespace micrort::python {

namespace py = pybind11;

TensorInfo InfoOf(const TensorView& view) {
  TensorInfo info{view.name, Name(view.dtype), {view.shape.dims, view.shape.dims + view.shape.rank}};
  if (view.quantization.count == 1) {
    info.scale = view.quantization.scale();
    info.zero_point = view.quantization.zero_point();
  }
  return info;
}

py::dtype NumpyType(DType type) { return py::dtype(type == DType::kBFloat16 ? "uint16" : Name(type)); }

Shape ToShape(const std::vector<int64_t>& dims) {
  if (dims.size() > kMaxRank) {
    ThrowIfError(
        MICRORT_ERROR(kInvalidArgument, "expected a rank of at most %d, found %zu", kMaxRank, dims.size()));
  }
  Shape shape;
  for (const int64_t d : dims) shape.dims[shape.rank++] = d;
  return shape;
}

void DefineTensorInfo(py::module_& module) {
  py::class_<TensorInfo>(module, "TensorInfo")
      .def_readonly("name", &TensorInfo::name)
      .def_readonly("dtype", &TensorInfo::dtype)
      .def_property_readonly("shape", [](const TensorInfo& info) { return py::tuple(py::cast(info.shape)); })
      .def_readonly("scale", &TensorInfo::scale)
      .def_readonly("zero_point", &TensorInfo::zero_point)
      .def("__repr__", [](const TensorInfo& info) {
        const std::string shape = py::str(py::tuple(py::cast(info.shape)));
        return "TensorInfo(name='" + info.name + "', dtype='" + info.dtype + "', shape=" + shape + ")";
      });
}

}  // namespace micrort::python
