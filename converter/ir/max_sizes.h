#pragma once
// Bounds that the user states (--max-size) or that follow: of dimensions of inputs that the source leaves
// open, and of sizes that data decide, for which memory can then be planned.

#include <cstdint>
#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::ir {

struct MaxSize {
  std::string name;
  int32_t size = 0;  // at least 1
};

// Operators that need no more memory in a run than for the largest output.
bool CanBeBounded(schema::OpCode code);

// A name is one of these, looked for in this order:
//   - an open dimension of an input, by its name ("frames") or its place ("x[1]"): the file gets one more
//     rule;
//   - a tensor whose size data decide, or the node that computes it;
//   - any other tensor, or one dimension of it ("mel[1]"), whose size follows from one such size.
// kInvalidArgument, with the names that would do, for any other. Bounds of Range, Expand, Tile, Reshape, Pad,
// Random, Resize and of what Loop stacks are possible; kUnsupported for other operators.
Status BoundSizes(const std::vector<MaxSize>& sizes, Graph* graph);

// States bounds that follow from sizes: a TopK of min(1000, n) elements and a slice of as many come to 1000
// at most, where data decide n, which may be a million.
Status BoundSizesByRanges(Graph* graph);

// After MarkShapeInputs, for the user: what a bound would do for, where values of inputs are needed instead.
std::vector<std::string> NotesOfUnboundedSizes(Graph& graph);

// For messages: the tensors whose sizes data decide without a bound, that could be given one.
std::string WhatCanBeBounded(Graph& graph);

}  // namespace micrort::ir
