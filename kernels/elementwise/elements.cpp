#include "kernels/elementwise/elements.h"

#include "kernels/base/part.h"
#include "kernels/elementwise/convert_elements.h"

namespace micrort {

MICRORT_PART(LoadElements);
MICRORT_PART(StoreElements);

namespace {

constexpr DType kDTypeOfCompute[kComputeTypeCount] = {DType::kFloat32, DType::kFloat64, DType::kInt64,
                                                      DType::kUInt64};

bool IsStoredAsIs(const ElementFormat& format, ComputeType type) {
  return format.dtype == kDTypeOfCompute[static_cast<int>(type)];
}

}  // namespace

ComputeType ComputeTypeOf(const ElementFormat& format) {
  if (format.quantized) return ComputeType::kF32;
  switch (format.dtype) {
    case DType::kFloat32:
    case DType::kFloat16:
    case DType::kBFloat16:
      return ComputeType::kF32;
    case DType::kFloat64:
      return ComputeType::kF64;
    case DType::kUInt64:
      return ComputeType::kU64;
    default:
      return ComputeType::kS64;
  }
}

bool IsComputeType(DType dtype) {
  return dtype == DType::kFloat32 || dtype == DType::kFloat64 || dtype == DType::kInt64 ||
         dtype == DType::kUInt64;
}

bool CanConvert(const ElementFormat& format) {
  const bool has_kernel = format.quantized || format.dtype == DType::kFloat16;
  return has_kernel || IsComputeType(format.dtype) || MICRORT_HAS_PART(StoreElements);
}

const void* ElementConverter::Load(const ElementFormat& format, const void* data, size_t first, size_t n,
                                   Chunk* chunk) const {
  const void* from = static_cast<const uint8_t*>(data) + first * SizeOf(format.dtype);
  auto* floats = reinterpret_cast<float*>(chunk->bytes);
  if (IsComputeType(format.dtype)) return from;
  if (format.quantized && format.dtype == DType::kInt8) {
    rows_->dequantize_s8(static_cast<const int8_t*>(from), floats, n, format.quantization);
  } else if (format.quantized) {
    rows_->dequantize_u8(static_cast<const uint8_t*>(from), floats, n, format.quantization);
  } else if (format.dtype == DType::kFloat16) {
    rows_->from_half(static_cast<const uint16_t*>(from), floats, n);
  } else {
    LoadElements(format.dtype, from, chunk->bytes, n);
  }
  return chunk->bytes;
}

void* ElementConverter::Target(const ElementFormat& format, ComputeType from, void* data, size_t first,
                               Chunk* chunk) {
  if (!IsStoredAsIs(format, from)) return chunk->bytes;
  return static_cast<uint8_t*>(data) + first * SizeOf(format.dtype);
}

void ElementConverter::Store(const ElementFormat& format, ComputeType from, const void* values, size_t n,
                             void* data, size_t first) const {
  if (IsStoredAsIs(format, from)) return;
  void* to = static_cast<uint8_t*>(data) + first * SizeOf(format.dtype);
  const auto* floats = static_cast<const float*>(values);
  if (format.quantized && format.dtype == DType::kInt8) {
    rows_->quantize_s8(floats, static_cast<int8_t*>(to), n, format.quantization);
  } else if (format.quantized) {
    rows_->quantize_u8(floats, static_cast<uint8_t*>(to), n, format.quantization);
  } else if (format.dtype == DType::kFloat16 && from == ComputeType::kF32) {
    rows_->to_half(floats, static_cast<uint16_t*>(to), n);
  } else {
    StoreElements(from, format.dtype, values, to, n);
  }
}

}  // namespace micrort
