#pragma once
// How an update meets the element that it is scattered to.

#include <cstddef>
#include <cstdint>

#include "kernels/base/dtype.h"

namespace micrort {

// The values are those of ScatterReduction in schema/micrort.fbs.
enum class ScatterReduction : uint8_t { kNone = 0, kAdd = 1, kMul = 2, kMax = 3, kMin = 4 };
constexpr int kScatterReductionCount = 5;

// target[i] = reduction(target[i], update[i]) for n elements. Integers wrap; a NaN wins over numbers.
using CombineFn = void (*)(ScatterReduction reduction, void* target, const void* update, size_t n);

// For every reduction but kNone. Null if there is none for the type: bool has no arithmetic.
CombineFn SelectCombine(DType dtype);

}  // namespace micrort
