#include "converter/qdq/quantized_values.h"

#include <algorithm>

#include "converter/passes/site_match.h"

namespace micrort::qdq {

using schema::OpCode;

bool IsPerTensor(const ir::Value& value) {
  return (value.dtype == DType::kInt8 || value.dtype == DType::kUInt8) &&
         value.quantization.scales.size() == 1;
}

ir::ValueId SourceOf(const passes::Site& site, ir::ValueId value) {
  const ir::Node* producer = ProducerOf(site, value);
  if (producer == nullptr || producer->code != OpCode::Dequantize) return ir::kNoValue;
  const ir::Value& source = site.graph.value(producer->inputs[0]);
  return source.dtype == DType::kInt8 && IsPerTensor(source) ? producer->inputs[0] : ir::kNoValue;
}

ir::Node* QuantizeAfter(const passes::Site& site, ir::ValueId value) {
  ir::Node* reader = site.uses.single_consumer(value);
  if (reader == nullptr || reader->code != OpCode::Quantize) return nullptr;
  const ir::Value& output = site.graph.value(reader->outputs[0]);
  return output.dtype == DType::kInt8 && IsPerTensor(output) ? reader : nullptr;
}

void TakeOutputOf(ir::Node* conversion, ir::Node* node) {
  node->outputs = std::move(conversion->outputs);
  conversion->outputs.clear();
}

ir::ValueId AddBytesLike(ir::Graph* graph, ir::ValueId value, DType dtype, const ir::Quantization& q) {
  ir::Value copy = graph->value(value);
  copy.name += "_bytes";
  copy.in_source = false;
  copy.data = nullptr;
  copy.source_quantization = {};
  copy.dtype = dtype;
  copy.quantization = q;
  return graph->AddValue(std::move(copy));
}

ir::Node* AddCopy(ir::Graph* graph, const ir::Node& node, std::vector<ir::ValueId> inputs,
                  std::vector<ir::ValueId> outputs) {
  auto copy = std::make_unique<ir::Node>(node);
  copy->inputs = std::move(inputs);
  copy->outputs = std::move(outputs);
  graph->nodes.push_back(std::move(copy));
  return graph->nodes.back().get();
}

}  // namespace micrort::qdq
