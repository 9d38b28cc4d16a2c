#pragma once
// What shapes the inputs of a graph may have.

#include "kernels/base/fixed_array.h"
#include "kernels/base/shape.h"
#include "runtime/model/schema_text.h"

namespace micrort {

// Inputs are those of callers.

// As the file says them, with dynamic dimensions 1. Those that rules of the file are about have the least
// number that suits all of these, or follow from others.
Status DefaultInputShapes(const schema::Subgraph& graph, FixedArray<Shape>* shapes);

// kInvalidArgument, naming input, dimension, expected and found, unless there is one shape an input, and
// these differ from the file's in dynamic dimensions only, have one size for all dimensions of one name, and
// keep the file's rules about sizes.
Status CheckInputShapes(const schema::Subgraph& graph, Span<const Shape> shapes);

}  // namespace micrort
