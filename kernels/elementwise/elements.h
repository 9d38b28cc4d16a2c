#pragma once
// Typed operators compute in one of four types; elements of the others are converted on the way in and out,
// in chunks that stay in the first-level cache.

#include <cstddef>
#include <cstdint>

#include "kernels/base/dtype.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/small_stack.h"
#include "kernels/elementwise/convert_f32.h"

namespace micrort {

enum class ComputeType : uint8_t { kF32 = 0, kF64 = 1, kS64 = 2, kU64 = 3 };
constexpr int kComputeTypeCount = 4;

// How a tensor's elements stand for numbers. `quantized`: int8 or uint8 with one scale for all; int16 too
// where TensorFlow Lite's rounding is asked for, which no ElementConverter takes.
struct ElementFormat {
  DType dtype = DType::kFloat32;
  bool quantized = false;
  QuantizationParams quantization;
};

// float32, float16, bfloat16 and quantized: kF32. float64: kF64. uint64: kU64. Other integers and bool: kS64.
ComputeType ComputeTypeOf(const ElementFormat& format);
// Whether elements in memory have the compute type already.
bool IsComputeType(DType dtype);

// Whether the program converts such elements to what they are computed in, and back. Most types need a part
// (kernels/elementwise/convert_elements.h).
bool CanConvert(const ElementFormat& format);

constexpr size_t kChunkElements = kSmallStack ? 32 : 256;
// Room for a chunk of any compute type.
struct alignas(64) Chunk {
  uint8_t bytes[kChunkElements * 8];
};

// How many elements are taken at a time: chunks, unless both formats need no conversion.
inline size_t ElementsAtATime(const ElementFormat& x, const ElementFormat& y) {
  const bool is_plain = !x.quantized && !y.quantized && IsComputeType(x.dtype) && IsComputeType(y.dtype);
  return is_plain ? SIZE_MAX : kChunkElements;
}

// Conversions between elements in memory and compute types, bound to an instruction set. Numbers to integers:
// floats truncate and saturate, NaN becomes 0, wider integers wrap; quantized ones round half to even. To
// bool: not zero.
class ElementConverter {
 public:
  // `kernel`: of kernels/elementwise/convert_f32.h.
  explicit ElementConverter(KernelId kernel) : rows_(&VariantOf(ConvertF32Kernels(), kernel)) {}

  // n <= kChunkElements elements of `data`, from element `first` on, in the format's compute type: a pointer
  // into `data` where that needs no conversion, else into `chunk`.
  const void* Load(const ElementFormat& format, const void* data, size_t first, size_t n, Chunk* chunk) const;
  // Where to put n elements of compute type `from` before Store(): into `data` if they are stored as they
  // are, else into `chunk`.
  static void* Target(const ElementFormat& format, ComputeType from, void* data, size_t first, Chunk* chunk);
  // `values` of type `from`, as Target() placed them, to elements of `data`.
  void Store(const ElementFormat& format, ComputeType from, const void* values, size_t n, void* data,
             size_t first) const;

 private:
  const ConvertF32Kernel* rows_;
};

}  // namespace micrort
