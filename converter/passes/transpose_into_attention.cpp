// Attention reads and writes heads before or after tokens at the same cost: Transposes that swap them go.

#include <algorithm>
#include <utility>
#include <vector>

#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::OpCode;
using Permutation = std::vector<int32_t>;

bool IsTranspose(const ir::Node* node, const Permutation& permutation) {
  return node != nullptr && node->code == OpCode::Transpose &&
         node->as<schema::TransposeOptionsT>().permutation == permutation;
}

const ir::Node* ProducerOfInput(const Site& site, const ir::Node& node) {
  return site.uses.producer(node.inputs[0]);
}

// A Reshape that puts a batch of 1 before three dimensions, of which one at most is dynamic.
bool AddsBatch(const Site& site, const ir::Node* node) {
  if (node == nullptr || node->code != OpCode::Reshape || node->has_input(1)) return false;
  const ir::Value& x = site.graph.value(node->inputs[0]);
  std::vector<int64_t> shape = x.shape;
  shape.insert(shape.begin(), 1);
  return x.rank() == 3 && shape == site.graph.value(node->outputs[0]).shape &&
         std::count(shape.begin(), shape.end(), ir::kDynamic) <= 1;
}

// The same tensor with heads and tokens the other way round, if that is at hand.
ir::ValueId Swapped(const Site& site, size_t input) {
  const ir::Node* producer = site.producer(input);
  if (IsTranspose(producer, {0, 2, 1, 3})) return producer->inputs[0];
  if (!AddsBatch(site, producer)) return ir::kNoValue;
  const ir::Node* transpose = ProducerOfInput(site, *producer);
  return IsTranspose(transpose, {1, 0, 2}) ? site.Build().Reshape(transpose->inputs[0], {1, -2, -3, -4})
                                           : ir::kNoValue;
}

bool FoldInputs(const Site& site) {
  if (site.node.code != OpCode::Attention) return false;
  auto& options = site.node.as<schema::AttentionOptionsT>();
  bool* const by_head[] = {&options.query_by_head, &options.key_by_head, &options.value_by_head};
  for (size_t i = 0; i < 3; ++i) {
    const ir::ValueId swapped = Swapped(site, i);
    if (swapped == ir::kNoValue) continue;
    site.node.inputs[i] = swapped;
    *by_head[i] = !*by_head[i];
    return true;
  }
  return false;
}

// A Transpose of the result, directly or without the batch of 1.
bool FoldOutput(const Site& site) {
  ir::Node* attention = site.own_producer(0);
  if (attention == nullptr) return false;
  if (attention->code == OpCode::Attention && IsTranspose(&site.node, {0, 2, 1, 3})) {
    bool& by_head = attention->as<schema::AttentionOptionsT>().output_by_head;
    by_head = !by_head;
    MergeIntoConsumer(*attention, site.node);
    return true;
  }
  if (attention->code != OpCode::Reshape || !IsTranspose(&site.node, {1, 0, 2})) return false;
  const ir::ValueId with_batch = attention->inputs[0];
  attention = site.uses.producer(with_batch);
  if (attention == nullptr || attention->code != OpCode::Attention) return false;
  if (site.uses.single_consumer(with_batch) == nullptr || site.graph.value(with_batch).shape[0] != 1)
    return false;
  if (site.input(0).rank() != 3) return false;

  schema::AttentionOptionsT options = attention->as<schema::AttentionOptionsT>();
  options.output_by_head = !options.output_by_head;
  const ir::ValueId y = site.Build().Add(std::move(options), attention->inputs, DType::kFloat32);
  schema::ReshapeOptionsT without_batch;
  without_batch.shape = {-3, -4, -5};
  site.node.code = OpCode::Reshape;
  site.node.options.Set(std::move(without_batch));
  site.node.inputs = {y};
  return true;
}

}  // namespace

Status FoldTransposeIntoAttention(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {OpCode::Attention, OpCode::Transpose},
                           [](const Site& site) { return FoldInputs(site) || FoldOutput(site); });
  return Status();
}

}  // namespace micrort::passes
