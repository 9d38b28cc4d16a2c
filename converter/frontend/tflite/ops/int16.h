#pragma once
// Operators of int16 tensors that the runtime computes as TensorFlow Lite's reference kernels for
// microcontrollers do, in integers. Importers of operators ask here first; what does not fit is computed with
// real numbers.

#include <optional>
#include <utility>
#include <vector>

#include "converter/frontend/tflite/op_context.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"

namespace micrort::frontend::tflite {

// Whether the tensor is int16 with one scale and a zero point of 0.
bool IsSymmetricInt16(const fb::Tensor& tensor);

// Whether the first `inputs` inputs and output 0 are.
bool ComputesInt16(const OpContext& c, size_t inputs);

// Whether the operator only moves, chooses or compares elements, and all its int16 tensors have one
// quantization: then these elements are moved as they are.
bool MovesInt16(const StatedOperator& op, const std::string& name);

// The activation as the operator's own; nothing for those that do not clamp.
std::optional<schema::Activation> Int16Clamp(fb::ActivationFunctionType activation);

// Output 0 is what the operator makes of stored integers.
template <typename OptionsT>
Status ReturnInt16(OpContext& c, OptionsT options, std::vector<ir::ValueId> inputs) {
  ir::Quantization quantization;
  MICRORT_RETURN_IF_ERROR(ReadQuantization(c.op.output_tensor(0), &quantization));
  c.SetStoredOutput(0, c.build.AddFixed(std::move(options), std::move(inputs),
                                        DTypeOf(c.op.output_tensor(0).type()), std::move(quantization)));
  return c.build.status();
}

// A function of input 0.
Status ReturnInt16(OpContext& c, schema::UnaryKind kind, float a = 0, float b = 0);

// Inputs of a layer in its operator.
struct LayerPlaces {
  size_t x, weights, bias;
};
// How layers add up without a bias: in 32 bits, as with one of int32, or in 64 bits, as with any other.
enum class Int16Sums { kNarrow, kWide };

// x, weights and bias of a layer as integers; nothing if it is not int16, or the weights are no constant.
std::optional<std::vector<ir::ValueId>> Int16Layer(OpContext& c, const LayerPlaces& places, Int16Sums sums);

}  // namespace micrort::frontend::tflite
