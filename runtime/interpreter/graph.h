#pragma once
// The tensors and nodes of one subgraph of the file.

#include "kernels/base/fixed_array.h"
#include "micrort/op_resolver.h"
#include "runtime/interpreter/node.h"
#include "runtime/memory/empty_tensor.h"

namespace micrort {

// Plain data: preparing (prepare_nodes.h) fills in shapes and what nodes need, lowering (lower.h) makes a
// program of it. Nodes point into the arrays, so it stays where it is.
struct Graph {
  const schema::Model* model = nullptr;
  const schema::Subgraph* source = nullptr;
  FixedArray<Tensor> tensors;
  FixedArray<Shape> declared;        // what every dimension of a tensor may be: -1 where it is dynamic
  FixedArray<bool> in_arena;         // by tensor
  FixedArray<size_t> planned_bytes;  // by tensor, once prepared
  FixedArray<Shape> planned_shapes;  // the same; runs may give tensors smaller ones
  FixedArray<bool> changed;          // by tensor: whether it is other than when nodes were prepared last
  FixedArray<Node> nodes;
  FixedArray<Tensor*> links;  // inputs and outputs of all nodes
  AlignedMemory states;
  FixedArray<Shape> input_shapes;  // that nodes are prepared for
  // What the file decided for the target that nodes are prepared for; null: nothing.
  const schema::Program* decisions = nullptr;
  // How often this device looked for the best of several choices: a layer's algorithm, rewrites, places.
  uint32_t searches = 0;
  uint32_t preparations = 0;  // of nodes, for these shapes
  bool is_prepared = false;   // all nodes, by nobody's decisions but this device's

  size_t IndexOf(const Tensor* tensor) const { return static_cast<size_t>(tensor - tensors.data()); }
  Span<const int32_t> inputs() const { return Ints(source->inputs()); }
  Span<const int32_t> outputs() const { return Ints(source->outputs()); }
};

TensorView ViewOf(const Tensor& tensor);

// Tensors and nodes as in the file, without bodies; parses all options. The resolver has every operator. The
// model outlives the graph. `constants`: where those of the file lie, by buffer, if that is known.
Status LoadGraph(const schema::Model& model, const schema::Subgraph& source, const OpResolver& resolver,
                 Span<void* const> constants, Graph* graph);

}  // namespace micrort
