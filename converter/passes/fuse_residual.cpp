// Merges an Add of two activations into the layer that makes one of them: that layer adds the other one to
// its results while they are at hand.

#include <algorithm>
#include <utility>

#include "converter/passes/match.h"
#include "converter/passes/passes.h"
#include "converter/passes/rewrite.h"

namespace micrort::passes {
namespace {

using schema::OpCode;

bool TakesResidual(const Site& site, size_t x) {
  const ir::Node* layer = site.own_producer(x);
  if (layer == nullptr || HasActivation(*layer) || layer->has_input(kLayerResidual)) return false;
  if (!IsLayer(layer->code) || OperandOf(layer->code, kLayerResidual) != Operand::kResidual) return false;
  const ir::Value& result = site.input(x);
  const ir::Value& residual = site.input(1 - x);
  return result.dtype == DType::kFloat32 && result.quantization.empty() && !residual.is_constant() &&
         SameShape(result, residual);
}

// A layer's sums begin with the residual. One that begins with a mask, a large negative number, keeps few
// bits of each product, and a softmax may see nothing else.
bool MasksScores(const Site& site) {
  const auto& readers = site.uses.consumers(site.node.outputs[0]);
  return std::any_of(readers.begin(), readers.end(),
                     [](const ir::Node* reader) { return reader->code == OpCode::Softmax; });
}

// The layer moves to where the Add was, so that the residual is there. If both operands come from a layer, it
// is the later one: then nothing is kept alive for longer.
bool FuseAdd(const Site& site) {
  ir::Node& add = site.node;
  if (add.as<schema::BinaryOptionsT>().kind != schema::BinaryKind::Add) return false;
  if (MasksScores(site)) return false;
  size_t x = 2;
  for (size_t candidate = 0; candidate < 2; ++candidate) {
    if (!TakesResidual(site, candidate)) continue;
    if (x == 2 || site.uses.RunsAfter(site.producer(candidate), site.producer(x))) x = candidate;
  }
  if (x == 2) return false;
  ir::Node& layer = *site.producer(x);
  layer.inputs.resize(kLayerResidual + 1, ir::kNoValue);
  layer.inputs[kLayerResidual] = add.inputs[1 - x];
  *ActivationOf(layer) = add.as<schema::BinaryOptionsT>().activation;
  MergeIntoConsumer(layer, add);
  return true;
}

}  // namespace

Status FuseResidual(ir::Graph& graph, bool* changed) {
  *changed |= RewriteNodes(graph, {OpCode::Binary}, FuseAdd);
  return Status();
}

}  // namespace micrort::passes
