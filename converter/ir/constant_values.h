#pragma once
// The elements of constants as numbers, whatever their type.

#include <cstdint>
#include <vector>

#include "converter/ir/graph.h"

namespace micrort::ir {

// Elements of a constant of int32 or int64; false, and *out unchanged, for anything else.
bool IntegersOf(const Value& value, std::vector<int64_t>* out);

// The same for every type of integers.
bool AnyIntegersOf(const Value& value, std::vector<int64_t>* out);

// Elements of a constant of a float type; false, and *out unchanged, for anything else.
bool FloatsOf(const Value& value, std::vector<float>* out);

}  // namespace micrort::ir
