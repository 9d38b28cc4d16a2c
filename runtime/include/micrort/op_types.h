#pragma once
// The types that a program's operators compute in: OpResolver().AddConv2D(micrort::kInt8). Code for
// other types is not linked, if an operator has separate code for them; a model that needs it is
// kUnsupported.

#include <cstdint>

namespace micrort {

enum OpTypes : uint32_t {
  // float32 in and out; of layers, with float32 weights.
  kPlainFloat32 = 1u << 0,
  // float16 in and out; and layers that compute in half (mnnconvert --fp16-compute), which also need
  // kFloat32.
  kFloat16 = 1u << 1,
  // int8 in and out, or the int32 sums of layers; rounded to the nearest.
  kInt8 = 1u << 2,
  // The same, rounded as TensorFlow Lite does (mnnconvert --rounding tflite).
  kInt8Tflite = 1u << 3,
  // int8 and floats in one operator: layers with int8 weights and dynamic quantization or float outputs;
  // element-wise functions of quantized and float tensors, or of quantized tensors without an int8 form.
  kPlainInt8Float32 = 1u << 4,
  // Every other type.
  kOtherTypes = 1u << 5,
  // Quantized int16, rounded as TensorFlow Lite does.
  kInt16 = 1u << 6,
  // float16 or int8 weights of layers that compute in float32.
  kNarrowWeights = 1u << 7,
  // int4 weights of layers; with kPlainFloat32 or kPlainInt8Float32, which say what they compute in.
  kInt4Weights = 1u << 8,

  // With weights of any type.
  kFloat32 = kPlainFloat32 | kNarrowWeights | kInt4Weights,
  kInt8Float32 = kPlainInt8Float32 | kInt4Weights,

  kAllTypes = (1u << 9) - 1,
};

constexpr OpTypes operator|(OpTypes a, OpTypes b) {
  return static_cast<OpTypes>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}

}  // namespace micrort
