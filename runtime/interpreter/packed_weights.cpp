#include "runtime/interpreter/packed_weights.h"

#include "runtime/model/packed_in_file.h"

namespace micrort {

namespace {

bool ReadsPacked(const Node& node, size_t input) {
  for (int slot = 0; slot < kMaxPacked; ++slot) {
    const int of = node.prepared.packed[slot].input;
    if (node.packed_in_file[slot] && of == static_cast<int>(input)) return true;
  }
  return false;
}

// No node reads data that are not there.
Status CheckPackedOnly(const Node& node) {
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const Tensor* input = node.inputs[i];
    if (input == nullptr || !input->packed_only || ReadsPacked(node, i)) continue;
    return MICRORT_ERROR(kInvalidModel, "input %zu ('%.100s') is stored packed only, and not for this node",
                         i, input->name);
  }
  return Status();
}

}  // namespace

Status UsePackedInFile(const schema::Model& model, Node& node) {
  for (int slot = 0; slot < kMaxPacked; ++slot) {
    const PrepareResult::Packed& wanted = node.prepared.packed[slot];
    node.packed_in_file[slot] = false;
    if (wanted.bytes == 0) continue;
    const Span<const uint8_t> found = FindPacked(model, *node.source, slot, wanted.layout);
    if (found.empty()) continue;
    if (found.size() != wanted.bytes) {
      return MICRORT_ERROR(kInvalidModel, "weights packed as '%s': expected %zu bytes, found %zu",
                           wanted.layout_name, wanted.bytes, found.size());
    }
    node.packed[slot] = found.data();
    node.packed_in_file[slot] = true;
  }
  return CheckPackedOnly(node);
}

size_t PackedInPlaceBytes(const Graph& graph) {
  size_t bytes = 0;
  for (const Node& node : graph.nodes) {
    for (int slot = 0; slot < kMaxPacked && !node.skipped; ++slot) {
      if (node.packed_in_file[slot]) bytes += node.prepared.packed[slot].bytes;
    }
  }
  return bytes;
}

size_t CountPackRequests(const Graph& graph) {
  size_t count = 0;
  for (const Node& node : graph.nodes) {
    for (int slot = 0; slot < kMaxPacked; ++slot) count += node.WantsPacked(slot) ? 1 : 0;
  }
  return count;
}

size_t AddPackRequests(int32_t subgraph, Graph& graph, PackRequest* requests) {
  size_t count = 0;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = graph.nodes[i];
    for (int slot = 0; slot < kMaxPacked; ++slot) {
      if (!node.WantsPacked(slot)) continue;
      const PrepareResult::Packed& packed = node.prepared.packed[slot];
      PackRequest& request = requests[count++];
      request.key = {subgraph, static_cast<int32_t>(i), slot, packed.layout, packed.bytes};
      request.layout_name = packed.layout_name;
      request.pack = node.registration->pack;
      request.context = {node.inputs, node.state, slot, nullptr};
      const Tensor* constant = packed.input < 0 ? nullptr : node.inputs[static_cast<size_t>(packed.input)];
      if (constant != nullptr && constant->constant) request.source = constant->data;
      request.result = &node.packed[slot];
    }
  }
  return count;
}

Status AddAllPackRequests(Span<Subgraph> subgraphs, FixedArray<PackRequest>* requests) {
  size_t count = 0;
  for (Subgraph& subgraph : subgraphs) count += CountPackRequests(subgraph.graph());
  MICRORT_RETURN_IF_ERROR(requests->Allocate(count));
  count = 0;
  for (size_t i = 0; i < subgraphs.size(); ++i)
    count += AddPackRequests(static_cast<int32_t>(i), subgraphs[i].graph(), requests->data() + count);
  return Status();
}

}  // namespace micrort
