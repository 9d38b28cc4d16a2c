#pragma once
// Questions about Quantize and Dequantize around a node.

#include "converter/ir/build.h"
#include "converter/passes/rewrite.h"

namespace micrort::qdq {

// Whether the value is bytes with one scale and zero point.
bool IsPerTensor(const ir::Value& value);

// What Dequantize makes the float value of, where that is int8 with one scale; else kNoValue.
ir::ValueId SourceOf(const passes::Site& site, ir::ValueId value);

// The only reader of the value if it is a Quantize to int8 with one scale; else null.
ir::Node* QuantizeAfter(const passes::Site& site, ir::ValueId value);

// The node writes what the conversion that alone reads its output wrote, and the conversion goes.
void TakeOutputOf(ir::Node* conversion, ir::Node* node);

// A copy of the value, without data, as bytes of the given type and quantization.
ir::ValueId AddBytesLike(ir::Graph* graph, ir::ValueId value, DType dtype, const ir::Quantization& q);

// `node` on other inputs and outputs, at the end of the graph.
ir::Node* AddCopy(ir::Graph* graph, const ir::Node& node, std::vector<ir::ValueId> inputs,
                  std::vector<ir::ValueId> outputs);

// The node becomes an operator without options worth keeping.
template <typename OptionsT>
void Become(ir::Node* node, OptionsT options, std::vector<ir::ValueId> inputs) {
  node->code = ir::OpCodeFor<OptionsT>();
  node->options.Set(std::move(options));
  node->inputs = std::move(inputs);
}

}  // namespace micrort::qdq
