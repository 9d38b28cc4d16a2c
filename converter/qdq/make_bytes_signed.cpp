// uint8 to int8. Only int8 has kernels for layers.

#include <algorithm>

#include "converter/ir/op_facts.h"
#include "converter/qdq/passes.h"
#include "converter/qdq/quantized_values.h"

namespace micrort::qdq {
namespace {

using passes::Site;
using schema::OpCode;

constexpr int32_t kOffset = 128;

ir::Quantization Shifted(ir::Quantization q) {
  if (q.zero_points.empty()) q.zero_points.assign(q.scales.size(), 0);
  for (int32_t& zero_point : q.zero_points) zero_point -= kOffset;
  return q;
}

bool IsUnsigned(const ir::Value& value) { return value.dtype == DType::kUInt8 && IsPerTensor(value); }

void MakeSigned(ir::Value* value) {
  value->dtype = DType::kInt8;
  value->quantization = Shifted(value->quantization);
}

// Whether all who read the value read it by its quantization; appends it and those moved from it.
bool Collect(const Site& site, ir::ValueId id, std::vector<ir::ValueId>* values) {
  if (!IsUnsigned(site.graph.value(id)) || site.uses.is_output(id)) return false;
  values->push_back(id);
  const auto readers = site.uses.consumers(id);
  return std::all_of(readers.begin(), readers.end(), [&](const ir::Node* reader) {
    if (reader->code == OpCode::Dequantize) return true;
    return ir::CommutesWithQuantization(site.graph, *reader) && Collect(site, reader->outputs[0], values);
  });
}

// y = shifted(x), by a table.
void Convert(ir::Node* node, ir::ValueId x) {
  schema::UnaryOptionsT identity;
  identity.kind = schema::UnaryKind::Identity;
  Become(node, std::move(identity), {x});
}

bool ReadsDequantized(const Site& site, const ir::Node* node) {
  return node != nullptr && std::any_of(node->inputs.begin(), node->inputs.end(), [&](ir::ValueId id) {
           const ir::Node* producer = id == ir::kNoValue ? nullptr : site.uses.producer(id);
           return producer != nullptr && producer->code == OpCode::Dequantize;
         });
}

bool SignQuantize(const Site& site) {
  if (!IsUnsigned(site.output())) return false;
  std::vector<ir::ValueId> values;
  if (Collect(site, site.node.outputs[0], &values)) {
    for (const ir::ValueId id : values) MakeSigned(&site.graph.value(id));
    return true;
  }
  // Somebody wants uint8. What computes the value may still become int8.
  if (!ReadsDequantized(site, site.producer(0))) return false;
  const ir::ValueId bytes =
      AddBytesLike(&site.graph, site.node.outputs[0], DType::kInt8, Shifted(site.output().quantization));
  AddCopy(&site.graph, site.node, site.node.inputs, {bytes});
  Convert(&site.node, bytes);
  return true;
}

bool SignDequantize(const Site& site) {
  if (!IsUnsigned(site.input(0))) return false;
  const ir::Node* producer = site.producer(0);
  const auto readers = site.uses.consumers(site.node.outputs[0]);
  if (readers.empty() || (producer != nullptr && producer->code == OpCode::Quantize)) return false;
  const ir::ValueId bytes =
      AddBytesLike(&site.graph, site.node.inputs[0], DType::kInt8, Shifted(site.input(0).quantization));
  Convert(AddCopy(&site.graph, site.node, {}, {bytes}), site.node.inputs[0]);
  site.node.inputs[0] = bytes;
  return true;
}

}  // namespace

Status MakeBytesSigned(ir::Graph& graph, bool* changed) {
  *changed |= passes::RewriteNodes(graph, {OpCode::Quantize}, SignQuantize);
  *changed |= passes::RewriteNodes(graph, {OpCode::Dequantize}, SignDequantize);
  return Status();
}

}  // namespace micrort::qdq
