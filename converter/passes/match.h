#pragma once
// Questions that several passes ask about values and nodes.

#include <cstdint>
#include <optional>
#include <vector>

#include "converter/ir/graph.h"
#include "runtime/ops/op_traits.h"

namespace micrort::passes {

bool IsUnary(const ir::Node& node, schema::UnaryKind kind);
// Without an activation.
bool IsBinary(const ir::Node& node, schema::BinaryKind kind);

// The activation that the operator applies last; null if it has none such.
schema::Activation* ActivationOf(ir::Node& node);
// Whether the node applies one.
bool HasActivation(const ir::Node& node);

// Convolutions (also transposed and depthwise ones) and matrix products whose weights are float32 constants.
// Their output's last dimension is that of the weights' output channels, and their third input is the bias.
bool HasConstantWeights(const ir::Graph& graph, const ir::Node& node);

// Whether both have the same dimensions, whatever the graph's inputs are: inference has given dynamic ones
// the same expression.
bool SameShape(const ir::Value& a, const ir::Value& b);

// The element of a float32 constant that has only one.
std::optional<float> ScalarOf(const ir::Value& value);

// A float32 constant that varies along the last of `rank` dimensions at most, as `channels` floats: scalars
// are repeated.
std::optional<std::vector<float>> PerChannel(const ir::Value& value, int rank, int64_t channels);

// All elements of an int32 or int64 constant.
std::optional<std::vector<int64_t>> Integers(const ir::Value& value);

}  // namespace micrort::passes
