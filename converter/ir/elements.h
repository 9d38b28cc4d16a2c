#pragma once
// Operators that pick, place, pad and multiply elements, with their options as arguments. Inputs are lists,
// in which what makes them is called in order.

#include <vector>

#include "converter/ir/build.h"

namespace micrort::ir {

// {data, indices}
ValueId GatherND(Builder& build, std::vector<ValueId> inputs, int batch_dims);
ValueId GatherElements(Builder& build, std::vector<ValueId> inputs, int axis);
// {into, indices, updates}
ValueId ScatterND(Builder& build, std::vector<ValueId> inputs, schema::ScatterReduction reduction);
ValueId ScatterElements(Builder& build, std::vector<ValueId> inputs, int axis,
                        schema::ScatterReduction reduction = schema::ScatterReduction::None);
// {a, b} or {a, b, bias}
ValueId MatMul(Builder& build, std::vector<ValueId> inputs, bool transpose_b);

// [start, end) along one axis by Python's rules, every step-th element.
ValueId SliceSteps(Builder& build, ValueId x, int axis, int64_t start, int64_t end, int64_t step);
// From the last element to the first along each of the axes.
ValueId Reversed(Builder& build, ValueId x, const std::vector<int32_t>& axes);
// pads: all begins, then all ends; negative numbers crop.
ValueId Padded(Builder& build, ValueId x, std::vector<int64_t> pads, float value = 0);
// Zeros before and after one dimension, or none of both.
ValueId PadDim(Builder& build, ValueId x, int axis, int64_t begin, int64_t end);

}  // namespace micrort::ir
