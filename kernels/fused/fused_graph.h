#pragma once
// Element-wise functions that are computed together, in floats: a graph over elements. Plain data.

#include <cstddef>
#include <cstdint>

#include "kernels/base/span.h"
#include "kernels/elementwise/binary_kind.h"
#include "kernels/elementwise/broadcast.h"
#include "kernels/elementwise/elements.h"
#include "kernels/elementwise/unary_kind.h"

namespace micrort {

constexpr size_t kMaxFusedInputs = kMaxFusedBroadcastInputs;
constexpr size_t kMaxFusedOutputs = 4;
constexpr size_t kMaxFusedNodes = 32;

// What a node gives (its index), or an input (FusedInput).
using FusedValue = int8_t;
constexpr FusedValue FusedInput(size_t i) { return static_cast<FusedValue>(-1 - static_cast<int>(i)); }
constexpr bool IsFusedInput(FusedValue value) { return value < 0; }
constexpr size_t IndexOfFused(FusedValue value) {
  return static_cast<size_t>(value < 0 ? -1 - value : value);
}

// A function from floats to floats.
struct FusedNode {
  bool is_binary = false;
  UnaryOp unary;                         // else
  BinaryKind binary = BinaryKind::kAdd;  // no comparison, nothing of integers
  FusedValue a = 0, b = 0;
};

struct FusedOutput {
  FusedValue value = 0;  // of a node
  ElementFormat format;
};

struct FusedGraph {
  Span<const FusedNode> nodes;  // each reads inputs and nodes before it
  Span<const ElementFormat> inputs;
  Span<const FusedOutput> outputs;
};

// What inputs become floats from as they are read, and outputs are stored as. Quantized formats have one
// scale for all; int32 that is quantized has zero point 0.
bool IsFusedInputFormat(const ElementFormat& format);
bool IsFusedOutputFormat(const ElementFormat& format);
inline bool IsFloat32(const ElementFormat& format) { return format.dtype == DType::kFloat32; }
// Whether the node is one of these functions.
bool IsFusedNode(const FusedNode& node);
// Makes one function of kAbs and the kNeg that alone reads it: the latter becomes the identity.
void MergeSigns(Span<const FusedOutput> outputs, FusedNode* nodes, size_t count);

}  // namespace micrort
