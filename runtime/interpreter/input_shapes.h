#pragma once
// What shapes the inputs of a graph may have.

#include "kernels/base/fixed_array.h"
#include "kernels/base/shape.h"
#include "runtime/model/schema_text.h"

namespace micrort {

// Inputs are those of callers.

// As the file says them, with dynamic dimensions 1.
Status DefaultInputShapes(const schema::Subgraph& graph, FixedArray<Shape>* shapes);

// kInvalidArgument, naming input, dimension, expected and found, unless there is one shape an input, and
// these differ from the file's in dynamic dimensions only, and have one size for all dimensions of one name.
Status CheckInputShapes(const schema::Subgraph& graph, Span<const Shape> shapes);

}  // namespace micrort
