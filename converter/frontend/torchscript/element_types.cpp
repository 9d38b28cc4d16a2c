#include "converter/frontend/torchscript/element_types.h"

namespace micrort::frontend::torchscript {

namespace {

struct ElementType {
  int64_t number;
  DType dtype;
  const char* storage;
};

constexpr ElementType kTypes[] = {
    {0, DType::kUInt8, "torch ByteStorage"},    {1, DType::kInt8, "torch CharStorage"},
    {2, DType::kInt16, "torch ShortStorage"},   {3, DType::kInt32, "torch IntStorage"},
    {4, DType::kInt64, "torch LongStorage"},    {5, DType::kFloat16, "torch HalfStorage"},
    {6, DType::kFloat32, "torch FloatStorage"}, {7, DType::kFloat64, "torch DoubleStorage"},
    {11, DType::kBool, "torch BoolStorage"},    {15, DType::kBFloat16, "torch BFloat16Storage"},
    {12, DType::kInt8, "torch QInt8Storage"},   {13, DType::kUInt8, "torch QUInt8Storage"},
    {14, DType::kInt32, "torch QInt32Storage"},
};

}  // namespace

DType DTypeOfNumber(int64_t number) {
  for (const ElementType& type : kTypes) {
    if (type.number == number) return type.dtype;
  }
  return DType::kUnknown;
}

int64_t NumberOf(DType dtype) {
  for (const ElementType& type : kTypes) {
    if (type.dtype == dtype) return type.number;
  }
  return -1;
}

DType DTypeOfStorage(const std::string& name) {
  for (const ElementType& type : kTypes) {
    if (type.storage == name) return type.dtype;
  }
  return DType::kUnknown;
}

bool IsComplexNumber(int64_t number) { return number >= 8 && number <= 10; }

DType PartTypeOf(int64_t number) {
  if (number == 8) return DType::kFloat16;
  return number == 10 ? DType::kFloat64 : DType::kFloat32;
}

int64_t ComplexNumberOf(DType part) {
  if (part == DType::kFloat16) return 8;
  return part == DType::kFloat64 ? 10 : 9;
}

bool IsQuantizedNumber(int64_t number) { return number >= 12 && number <= 14; }

}  // namespace micrort::frontend::torchscript
