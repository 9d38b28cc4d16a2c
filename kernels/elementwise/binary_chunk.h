#pragma once
// Functions of two tensors, as many elements at a time as are converted to what is computed in.

#include "kernels/elementwise/binary.h"

namespace micrort {

// Elements that advance with the output from `first` on, or one element for all.
struct BinaryOperand {
  const void* data;
  size_t first;
  size_t stride;  // 1 or 0
};

// Output elements [first, first + n). False if an integer was divided by zero.
using RunBinaryChunkFn = bool (*)(const BinaryTask& task, const BinaryOperand& a, const BinaryOperand& b,
                                  void* y, size_t first, size_t n);

// What is computed in floats or in 64 bits, with elements of any type: a part (kernels/base/part.h). `task`
// has its parameters and type; false if there is no such function.
bool PlanConvertedBinary(CpuFeatures features, BinaryTask* task);
bool RunConvertedChunk(const BinaryTask& task, const BinaryOperand& a, const BinaryOperand& b, void* y,
                       size_t first, size_t n);

}  // namespace micrort
