#pragma once
// Element types. The values are those of `DType` in schema/micrort.fbs; a test keeps them equal.

#include <cstddef>
#include <cstdint>

namespace micrort {

enum class DType : uint8_t {
  kUnknown = 0,
  kFloat32 = 1,
  kFloat16 = 2,
  kInt8 = 3,
  kUInt8 = 4,
  kInt16 = 5,
  kUInt16 = 6,
  kInt32 = 7,
  kUInt32 = 8,
  kInt64 = 9,
  kUInt64 = 10,
  kFloat64 = 11,
  kBool = 12,  // one byte, 0 or 1
  kBFloat16 = 13,
  kInt4 = 14,  // two numbers in each "element", a byte; only constant weights
};
constexpr int kDTypeCount = 15;

// Bytes of one element; 0 for kUnknown and for values outside the enumeration.
constexpr size_t SizeOf(DType t) {
  switch (t) {
    case DType::kInt8:
    case DType::kUInt8:
    case DType::kBool:
    case DType::kInt4:
      return 1;
    case DType::kFloat16:
    case DType::kBFloat16:
    case DType::kInt16:
    case DType::kUInt16:
      return 2;
    case DType::kFloat32:
    case DType::kInt32:
    case DType::kUInt32:
      return 4;
    case DType::kInt64:
    case DType::kUInt64:
    case DType::kFloat64:
      return 8;
    case DType::kUnknown:
      return 0;
  }
  return 0;
}

constexpr const char* Name(DType t) {
  constexpr const char* kNames[kDTypeCount] = {"unknown", "float32", "float16", "int8",     "uint8",
                                               "int16",   "uint16",  "int32",   "uint32",   "int64",
                                               "uint64",  "float64", "bool",    "bfloat16", "int4"};
  return static_cast<int>(t) < kDTypeCount ? kNames[static_cast<int>(t)] : "invalid";
}

template <typename T>
struct DTypeOfImpl;
template <>
struct DTypeOfImpl<float> {
  static constexpr DType value = DType::kFloat32;
};
template <>
struct DTypeOfImpl<double> {
  static constexpr DType value = DType::kFloat64;
};
template <>
struct DTypeOfImpl<int8_t> {
  static constexpr DType value = DType::kInt8;
};
template <>
struct DTypeOfImpl<uint8_t> {
  static constexpr DType value = DType::kUInt8;
};
template <>
struct DTypeOfImpl<int16_t> {
  static constexpr DType value = DType::kInt16;
};
template <>
struct DTypeOfImpl<uint16_t> {
  static constexpr DType value = DType::kUInt16;
};
template <>
struct DTypeOfImpl<int32_t> {
  static constexpr DType value = DType::kInt32;
};
template <>
struct DTypeOfImpl<uint32_t> {
  static constexpr DType value = DType::kUInt32;
};
template <>
struct DTypeOfImpl<int64_t> {
  static constexpr DType value = DType::kInt64;
};
template <>
struct DTypeOfImpl<uint64_t> {
  static constexpr DType value = DType::kUInt64;
};
template <>
struct DTypeOfImpl<bool> {
  static constexpr DType value = DType::kBool;
};
template <typename T>
constexpr DType kDTypeOf = DTypeOfImpl<T>::value;

constexpr bool IsFloat(DType t) {
  return t == DType::kFloat32 || t == DType::kFloat16 || t == DType::kFloat64 || t == DType::kBFloat16;
}

}  // namespace micrort
