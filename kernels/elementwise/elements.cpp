#include "kernels/elementwise/elements.h"

#include "kernels/elementwise/convert_element.h"

namespace micrort {
namespace {

using ConvertFn = void (*)(const void* from, void* to, size_t n);

template <typename From, typename To>
void Convert(const void* from, void* to, size_t n) {
  const auto* x = static_cast<const From*>(from);
  auto* y = static_cast<To*>(to);
  for (size_t i = 0; i < n; ++i) y[i] = ConvertElement<To>(x[i]);
}

// From each element type to its compute type; null where they are the same. In the order of DType.
constexpr ConvertFn kLoad[kDTypeCount] = {
    nullptr,
    nullptr,
    Convert<Half, float>,
    Convert<int8_t, int64_t>,
    Convert<uint8_t, int64_t>,
    Convert<int16_t, int64_t>,
    Convert<uint16_t, int64_t>,
    Convert<int32_t, int64_t>,
    Convert<uint32_t, int64_t>,
    nullptr,
    nullptr,
    nullptr,
    Convert<Bool, int64_t>,
    Convert<BFloat16, float>,
    nullptr,
};

template <typename From>
struct StoreRow {
  // In the order of DType.
  static constexpr ConvertFn kTo[kDTypeCount] = {
      nullptr,
      Convert<From, float>,
      Convert<From, Half>,
      Convert<From, int8_t>,
      Convert<From, uint8_t>,
      Convert<From, int16_t>,
      Convert<From, uint16_t>,
      Convert<From, int32_t>,
      Convert<From, uint32_t>,
      Convert<From, int64_t>,
      Convert<From, uint64_t>,
      Convert<From, double>,
      Convert<From, bool>,
      Convert<From, BFloat16>,
      nullptr,
  };
};

// In the order of ComputeType.
constexpr const ConvertFn* kStore[kComputeTypeCount] = {
    StoreRow<float>::kTo,
    StoreRow<double>::kTo,
    StoreRow<int64_t>::kTo,
    StoreRow<uint64_t>::kTo,
};

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
    kLoad[static_cast<int>(format.dtype)](from, chunk->bytes, n);
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
    kStore[static_cast<int>(from)][static_cast<int>(format.dtype)](values, to, n);
  }
}

}  // namespace micrort
