#pragma once
// Which types a program's operators compute in: OpResolver().AddConv2D(micrort::kInt8). What computes in
// other types is not linked, so far as an operator has code of its own for them; a model that needs it is
// kUnsupported.

#include <cstdint>

namespace micrort {

enum OpTypes : uint32_t {
  // float32 in and out, whatever weights are stored as.
  kFloat32 = 1u << 0,
  // float16 in and out; layers that multiply and add halves (mnnconvert --fp16-compute), which need kFloat32,
  // too.
  kFloat16 = 1u << 1,
  // int8 in and out, or the int32 sums of layers; rounded to the nearest.
  kInt8 = 1u << 2,
  // The same, rounded as TensorFlow Lite does (mnnconvert --rounding tflite).
  kInt8Tflite = 1u << 3,
  // int8 and floats in one operator: layers with int8 weights that quantize their input as they run or give
  // floats,
  // element-wise functions of quantized and float tensors, or of quantized ones that have no int8 form.
  kInt8Float32 = 1u << 4,
  // Every other type.
  kOtherTypes = 1u << 5,
  // int16 that stand for numbers, rounded as TensorFlow Lite does.
  kInt16 = 1u << 6,

  kAllTypes = (1u << 7) - 1,
};

constexpr OpTypes operator|(OpTypes a, OpTypes b) {
  return static_cast<OpTypes>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}

}  // namespace micrort
