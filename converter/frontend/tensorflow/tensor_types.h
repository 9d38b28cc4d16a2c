#pragma once
// TensorFlow's element types.

#include <string>

#include "converter/frontend/tensorflow/tensorflow.pb.h"
#include "kernels/base/dtype.h"

namespace micrort::frontend::tensorflow {

// kUnknown for types that we do not have: strings, complex numbers, resources, variants. References and
// quantized types count as what they hold.
DType DTypeOfTensorflow(::tensorflow::DataType type);

// "DT_FLOAT".
std::string TypeName(::tensorflow::DataType type);

}  // namespace micrort::frontend::tensorflow
