#pragma once
// The operands that Conv2D, DepthwiseConv2D and MatMul share: x, weights, bias (optional), residual
// (optional), slopes of the activation (of PRelu).

#include "kernels/base/layer_types.h"
#include "runtime/ops/op.h"
#include "runtime/ops/op_traits.h"

namespace micrort {

// Checks types, quantization, the shape of the bias and slopes; fills all of `types` but the activation.
// `channels` output channels lie along `axis` of the weights. `compute`: that of the operator's options;
// float x is quantized only where the weights are int8 or int4.
Status ReadLayerTypes(const PrepareContext& context, int axis, int64_t channels,
                      schema::WeightCompute compute, LayerTypes* types);

// Sets the output and checks that the residual, if present, is shaped as it.
Status SetLayerOutput(PrepareContext& context, const LayerTypes& types, const Shape& shape);

// From the scales of one output channel to those of the next; 0 where all have one.
int64_t ScaleStride(const QuantizationView& q, int64_t channels);

// Elements of the weights that one of the tensor's dimensions counts as one.
inline int64_t WeightsInElement(const Tensor& w) { return w.dtype == DType::kInt4 ? 2 : 1; }

// Weights and bias are constants, so that they can be packed once.
bool HasConstantWeights(const PrepareContext& context);

// kInvalidModel unless `t` has this rank.
Status ExpectRank(const Tensor& t, const char* what, int rank);

// Sizes of packed weights and scratch, which an untrusted file may make absurd, as size_t.
Status CheckedSize(uint64_t bytes, const char* what, size_t* out);

// float32 bias, or null; int32 bias, or null; int64 bias, or null.
const float* FloatBias(Span<Tensor* const> inputs);
const int32_t* IntegerBias(Span<Tensor* const> inputs);
const int64_t* WideBias(Span<Tensor* const> inputs);
const void* ResidualData(Span<Tensor* const> inputs);
const float* SlopesData(Span<Tensor* const> inputs);

}  // namespace micrort
