#pragma once
// Sums of 32 bits in the middle of operators that TensorFlow Lite computes in integers, and from them to
// integers of fewer bits.

#include "converter/frontend/tflite/op_context.h"
#include "converter/frontend/tflite/quantized_values.h"

namespace micrort::frontend::tflite {

// A constant of int8 with one scale and a zero point of 0, of [rows, depth]: products with bytes have sums of
// 32 bits.
bool AreByteWeights(const ir::Value& weights);

// x [N,K] of int8 less its zero point, by weights [H,K], plus the bias of [H], or kNoValue.
ir::ValueId ByteSums(ir::Builder& b, ir::ValueId x, ir::ValueId weights, ir::ValueId bias);

// Numbers of 32 bits that stand for `scale` each, in a form of int8 or int16: multiplied by the ratio of the
// scales, rounded twice, saturated.
ir::ValueId Narrowed(ir::Builder& b, ir::ValueId sums, float scale, const StoredForm& to);

// A value that only moves integers, with their quantization.
ir::ValueId Moved(ir::Builder& b, ir::ValueId id, ir::Quantization q);

// Integers as they are, which from now on stand for other numbers.
ir::ValueId Relabelled(ir::Builder& b, ir::ValueId integers, const ir::Quantization& q);

// Input i, a tensor that the operator changes, as integers of its quantization: int8, or int16 with a zero
// point of 0, of one scale.
Result<ir::ValueId> ReadStoredVariable(OpContext& c, size_t i);
Status AssignStoredVariable(OpContext& c, size_t i, ir::ValueId id);

}  // namespace micrort::frontend::tflite
