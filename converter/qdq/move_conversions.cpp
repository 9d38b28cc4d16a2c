// Conversions meet where nothing that only moves elements is between them.

#include "converter/ir/op_facts.h"
#include "converter/qdq/passes.h"
#include "converter/qdq/quantized_values.h"

namespace micrort::qdq {
namespace {

using passes::Site;
using schema::OpCode;

std::vector<ir::ValueId> WithFirst(std::vector<ir::ValueId> inputs, ir::ValueId first) {
  inputs[0] = first;
  return inputs;
}

bool MoveOneBeforeDequantize(const Site& site) {
  if (!ir::CommutesWithQuantization(site.graph, site.node)) return false;
  const ir::ValueId source = SourceOf(site, site.node.inputs[0]);
  if (source == ir::kNoValue) return false;
  const ir::ValueId moved =
      AddBytesLike(&site.graph, site.node.outputs[0], DType::kInt8, site.graph.value(source).quantization);
  AddCopy(&site.graph, site.node, WithFirst(site.node.inputs, source), {moved});
  Become(&site.node, schema::DequantizeOptionsT(), {moved});
  return true;
}

bool MoveOneAfterQuantize(const Site& site) {
  if (!IsPerTensor(site.output())) return false;
  const ir::Node* mover = site.own_producer(0);
  if (mover == nullptr || !ir::CommutesWithQuantization(site.graph, *mover)) return false;
  const ir::Value& output = site.output();
  const ir::ValueId bytes = AddBytesLike(&site.graph, mover->inputs[0], output.dtype, output.quantization);
  AddCopy(&site.graph, site.node, {mover->inputs[0]}, {bytes});
  site.node.code = mover->code;
  site.node.options = mover->options;
  site.node.inputs = WithFirst(mover->inputs, bytes);
  return true;
}

bool MergePair(const Site& site) {
  if (!IsPerTensor(site.output())) return false;
  const ir::Node* dequantize = site.producer(0);
  if (dequantize == nullptr || dequantize->code != OpCode::Dequantize) return false;
  const ir::ValueId source = dequantize->inputs[0];
  const ir::Value &from = site.graph.value(source), &to = site.output();
  if (!IsPerTensor(from)) return false;
  if (from.dtype == to.dtype && from.quantization == to.quantization &&
      passes::ReplaceValue(site, site.node.outputs[0], source)) {
    return true;
  }
  schema::UnaryOptionsT identity;
  identity.kind = schema::UnaryKind::Identity;
  Become(&site.node, std::move(identity), {source});
  return true;
}

}  // namespace

Status MoveBeforeDequantize(ir::Graph& graph, bool* changed) {
  *changed |= passes::RewriteNodes(graph, MoveOneBeforeDequantize);
  return Status();
}

Status MoveAfterQuantize(ir::Graph& graph, bool* changed) {
  *changed |= passes::RewriteNodes(graph, {OpCode::Quantize}, MoveOneAfterQuantize);
  return Status();
}

Status MergeConversions(ir::Graph& graph, bool* changed) {
  *changed |= passes::RewriteNodes(graph, {OpCode::Quantize}, MergePair);
  return Status();
}

}  // namespace micrort::qdq
