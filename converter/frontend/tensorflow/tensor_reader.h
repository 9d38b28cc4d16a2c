#pragma once
// Constants of TensorFlow's graphs and checkpoints, checked.

#include <vector>

#include "converter/frontend/tensorflow/tensorflow.pb.h"
#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::frontend::tensorflow {

struct ConstantTensor {
  DType dtype = DType::kUnknown;
  std::vector<int64_t> shape;
  ir::Bytes data;
};

// Dimensions that must all be given, and the bytes of a tensor of that shape. kInvalidModel for negative or
// too many dimensions, and for sizes that overflow.
Status ReadStaticShape(const ::tensorflow::TensorShapeProto& proto, std::vector<int64_t>* dims);
Result<size_t> BytesOf(DType dtype, const std::vector<int64_t>& shape);

// Content, or typed elements of which the last one repeats to the end. kUnsupported for types that we do not
// have, and for a few elements that stand for more than 256 MiB or the conversion's limit of a tensor.
Status ReadTensor(const ::tensorflow::TensorProto& proto, ConstantTensor* out);

// The same of complex numbers: floats, with one more dimension, of two.
Status ReadComplexTensor(const ::tensorflow::TensorProto& proto, ConstantTensor* out);

}  // namespace micrort::frontend::tensorflow
