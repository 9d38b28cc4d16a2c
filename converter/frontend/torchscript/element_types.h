#pragma once
// PyTorch's element types.

#include <cstdint>
#include <string>

#include "kernels/base/dtype.h"

namespace micrort::frontend::torchscript {

// The type with this number in the code (c10/core/ScalarType.h); kUnknown if we have none.
DType DTypeOfNumber(int64_t number);
// Whether the number is that of complex numbers.
bool IsComplexNumber(int64_t number);
// The type of the parts of a complex number, and the number of the complex type that has such parts.
DType PartTypeOf(int64_t number);
int64_t ComplexNumberOf(DType part);
// -1 for a type that PyTorch has no number for.
int64_t NumberOf(DType dtype);

// The type of a storage's class, "torch FloatStorage".
DType DTypeOfStorage(const std::string& name);

// Whether the type is one of integers with a quantization of their own (qint8, quint8, qint32).
bool IsQuantizedNumber(int64_t number);

}  // namespace micrort::frontend::torchscript
