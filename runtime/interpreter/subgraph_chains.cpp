// Chains of convolutions (kernels/conv2d/conv_chain.h): which nodes make one, and running it.

#include <algorithm>

#include "runtime/interpreter/subgraph.h"
#include "runtime/ops/conv_layer.h"
#include "runtime/ops/layer_operands.h"

namespace micrort {

namespace {

ConvChainLayer ChainLayer(const Node& node) {
  const ConvLayer& layer = *node.registration->conv_layer(node.state);
  return {layer.params, layer.target, layer.algorithm};
}

// A file that limits scratch (mnnconvert --max-arena) limits that of single nodes.
bool MayJoinChain(const Node& node) {
  if (node.registration->conv_layer == nullptr || node.skipped || node.varies || node.sequential)
    return false;
  const ConvLayer& layer = *node.registration->conv_layer(node.state);
  return layer.constant_weights && node.source->max_scratch() < 0 && ConvChain::Takes(ChainLayer(node));
}

}  // namespace

// The caller reads the graph's outputs.
Status Subgraph::CountReaders(FixedArray<uint32_t>* readers) const {
  MICRORT_RETURN_IF_ERROR(readers->Allocate(tensors_.size()));
  const auto count = [readers](Span<const int32_t> tensors) {
    for (const int32_t t : tensors) {
      if (t >= 0) ++(*readers)[static_cast<size_t>(t)];
    }
  };
  count(Ints(source_->outputs()));
  for (const Node& node : nodes_) count(Ints(node.source->inputs()));
  return Status();
}

size_t Subgraph::ChainEnd(size_t first, const FixedArray<uint32_t>& readers) const {
  const auto only_reads = [&](const Node& node, int32_t tensor) {
    return Ints(node.source->inputs())[kLayerX] == tensor && readers[static_cast<size_t>(tensor)] == 1;
  };
  size_t end = first;
  while (end < nodes_.size() && end - first < kMaxConvChain && MayJoinChain(nodes_[end]) &&
         (end == first || only_reads(nodes_[end], Ints(nodes_[end - 1].source->outputs())[0]))) {
    ++end;
  }
  return end;
}

bool Subgraph::FindChain(size_t from, const FixedArray<uint32_t>& readers, FusedChain* chain) const {
  for (; from < nodes_.size(); ++from) {
    ConvChainLayer layers[kMaxConvChain];
    const size_t most = ChainEnd(from, readers) - from;
    for (size_t i = 0; i < most; ++i) layers[i] = ChainLayer(nodes_[from + i]);
    for (size_t count = most; count > 1; --count) {
      if (!ConvChain::Pays({layers, count})) continue;
      chain->first = from;
      chain->end = from + count;
      chain->plan.Plan({layers, count});
      chain->prepared = PrepareResult();
      chain->prepared.scratch_bytes = static_cast<size_t>(chain->plan.scratch_bytes());
      if (SavesMemory(*chain)) return true;
    }
  }
  return false;
}

size_t Subgraph::ArenaBytes(const Tensor* tensor) const {
  return tensor != nullptr && in_arena_[static_cast<size_t>(tensor - tensors_.data())] ? tensor->bytes() : 0;
}

// Beside the chain's windows live its inputs and its output, as long as it runs.
bool Subgraph::SavesMemory(const FusedChain& chain) const {
  const Tensor* x = nodes_[chain.first].inputs[kLayerX];
  size_t alive = ArenaBytes(x) + ArenaBytes(nodes_[chain.end - 1].outputs[0]) + chain.prepared.scratch_bytes;
  size_t most = 0;
  for (size_t i = chain.first; i < chain.end; ++i) {
    const Node& node = nodes_[i];
    most = std::max(most, ArenaBytes(node.inputs[kLayerX]) + ArenaBytes(node.outputs[0]));
    const bool has_residual = node.inputs.size() > kLayerResidual && node.inputs[kLayerResidual] != x;
    if (has_residual) alive += ArenaBytes(node.inputs[kLayerResidual]);
  }
  return alive <= most;
}

Status Subgraph::FuseChains() {
  FixedArray<uint32_t> readers;
  MICRORT_RETURN_IF_ERROR(CountReaders(&readers));
  size_t count = 0;
  for (FusedChain chain; FindChain(chain.end, readers, &chain);) ++count;
  MICRORT_RETURN_IF_ERROR(chains_.Allocate(count));
  size_t from = 0;
  for (FusedChain& chain : chains_) {
    FindChain(from, readers, &chain);
    from = chain.end;
    size_t inputs = 0;
    for (size_t i = chain.first; i < chain.end; ++i) inputs += nodes_[i].inputs.size();
    MICRORT_RETURN_IF_ERROR(chain.inputs.Allocate(inputs));
    int32_t* next = chain.inputs.data();
    for (size_t i = chain.first; i < chain.end; ++i) {
      const Span<const int32_t> of_node = Ints(nodes_[i].source->inputs());
      next = std::copy(of_node.begin(), of_node.end(), next);
      if (i + 1 < chain.end) in_arena_[static_cast<size_t>(Ints(nodes_[i].source->outputs())[0])] = false;
    }
  }
  return Status();
}

void Subgraph::RunChain(const FusedChain& chain, const Parallel& parallel) const {
  ConvTensors tensors[kMaxConvChain] = {};
  const size_t count = chain.end - chain.first;
  for (size_t i = 0; i < count; ++i) {
    const Node& node = nodes_[chain.first + i];
    tensors[i].packed = node.packed[0];
    tensors[i].bias = FloatBias(node.inputs);
    tensors[i].residual = ResidualData(node.inputs);
  }
  tensors[0].x = nodes_[chain.first].inputs[kLayerX]->data;
  tensors[count - 1].y = nodes_[chain.end - 1].outputs[0]->data;
  chain.plan.Run({tensors, count}, chain.scratch, parallel);
}

}  // namespace micrort
