#pragma once
// Between the integers of a quantized tensor and the real numbers that they stand for.

#include "converter/frontend/tflite/tflite_schema.h"
#include "converter/ir/build.h"

namespace micrort::frontend::tflite {

// Whether activations of this tensor are integers that stand for real numbers.
bool IsQuantizedActivation(const fb::Tensor& tensor);

// Whether kernels compute with such integers; others are kept as real numbers.
bool HasIntegerKernels(DType dtype);

// The real numbers. `integers` has a quantization if its type has integer kernels; others are given theirs.
ir::ValueId Dequantized(ir::Builder& builder, ir::ValueId integers, const ir::Quantization& quantization);

// The integers, saturated: bytes rounded half to even, int16 half away from zero, as TensorFlow Lite does.
ir::ValueId QuantizedTo(ir::Builder& builder, ir::ValueId real, DType dtype,
                        const ir::Quantization& quantization);

// The integers of another type and quantization that stand for the same numbers, computed with doubles. Both
// quantizations have one scale.
ir::ValueId Requantized(ir::Builder& builder, ir::ValueId integers, const ir::Quantization& given,
                        DType dtype, const ir::Quantization& wanted);

// Whether integers of this quantization cannot stand for numbers outside [lowest, highest], so that a clamp
// before they are rounded changes nothing.
bool StaysWithin(DType dtype, const ir::Quantization& quantization, float lowest, float highest);

// Real numbers within what the integers can stand for.
ir::ValueId Saturated(ir::Builder& builder, ir::ValueId real, DType dtype,
                      const ir::Quantization& quantization);

// How a value is quantized. Without scales it is what it is, and handed on so.
struct StoredForm {
  DType dtype = DType::kUnknown;
  ir::Quantization quantization = {};

  static StoredForm Of(const ir::Value& value) { return {value.dtype, value.quantization}; }
  ir::ValueId Real(ir::ValueId stored, ir::Builder& builder) const;
  ir::ValueId Stored(ir::ValueId real, ir::Builder& builder) const;
};

}  // namespace micrort::frontend::tflite
