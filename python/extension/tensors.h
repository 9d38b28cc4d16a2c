#pragma once
// Tensors of the runtime as Python sees them.

#include <pybind11/numpy.h>

#include "micrort/micrort.h"

namespace micrort::python {

// Name, element type, shape (-1 where dynamic) and quantization; no values.
struct TensorInfo {
  std::string name, dtype;
  std::vector<int64_t> shape;
  float scale = 0;  // 0: not quantized as a whole
  int32_t zero_point = 0;
};
TensorInfo InfoOf(const TensorView& view);

// bfloat16, which NumPy lacks, as uint16.
pybind11::dtype NumpyType(DType type);

Shape ToShape(const std::vector<int64_t>& dims);

void DefineTensorInfo(pybind11::module_& module);

}  // namespace micrort::python
