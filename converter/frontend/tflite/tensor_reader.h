#pragma once
// Tensors of the file as values: their types, quantization and constant data, checked against each other.

#include "converter/frontend/tflite/model_file.h"
#include "converter/ir/graph.h"

namespace micrort::frontend::tflite {

// Whether the tensor holds integers that stand for real numbers.
bool IsQuantized(const fb::Tensor& tensor);

// Scales and zero points, checked: finite and positive, one or as many as the dimension has. Empty if the
// tensor has none.
Status ReadQuantization(const fb::Tensor& tensor, ir::Quantization* out);

// Whether the file holds the tensor's elements.
bool IsConstant(const ModelFile& file, const fb::Tensor& tensor);

// Name, type, shape, quantization and elements of a constant.
Status ReadConstant(const ModelFile& file, const fb::Tensor& tensor, ir::Value* out);

// The floats that a constant's integers stand for; they remember their quantization
// (Value::source_quantization).
ir::Value DequantizedConstant(const ir::Value& constant);

// Name, type and shape of an input of the graph; dimensions that the signature leaves open are dynamic.
Status ReadInput(const fb::Tensor& tensor, ir::Value* out);

std::string NameOf(const fb::Tensor& tensor);

}  // namespace micrort::frontend::tflite
