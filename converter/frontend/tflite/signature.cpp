#include "converter/frontend/tflite/signature.h"

#include <algorithm>
#include <map>
#include <set>

#include "converter/frontend/frontend.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"

namespace micrort::frontend::tflite {

namespace {

using TensorMaps = flatbuffers::Vector<flatbuffers::Offset<fb::TensorMap>>;

std::string NameOfSignature(const fb::SignatureDef& signature) {
  return signature.signature_key() == nullptr ? "" : signature.signature_key()->str();
}

// The names that a signature has for each tensor, in its order.
std::map<int32_t, std::vector<std::string>> NamesByTensor(const TensorMaps* named) {
  std::map<int32_t, std::vector<std::string>> names;
  if (named == nullptr) return names;
  for (const fb::TensorMap* entry : *named) {
    if (entry->name() != nullptr)
      names[static_cast<int32_t>(entry->tensor_index())].push_back(entry->name()->str());
  }
  return names;
}

// In the subgraph's order, with the signature's names; tensors without any keep their own. Names beyond that,
// for a tensor that the subgraph lists less often, follow in the signature's order.
std::vector<Port> PortsOf(const fb::SubGraph& graph, const flatbuffers::Vector<int32_t>* list,
                          const TensorMaps* named) {
  const std::map<int32_t, std::vector<std::string>> names = NamesByTensor(named);
  std::map<int32_t, size_t> used;
  std::vector<Port> ports;
  for (const int32_t index : Indices(list)) {
    const auto found = names.find(index);
    if (found == names.end()) {
      ports.push_back({index, NameOf(*graph.tensors()->Get(static_cast<flatbuffers::uoffset_t>(index)))});
    } else if (used[index] < found->second.size()) {
      ports.push_back({index, found->second[used[index]++]});
    }
  }
  std::map<int32_t, size_t> seen;
  for (flatbuffers::uoffset_t i = 0; named != nullptr && i < named->size(); ++i) {
    const fb::TensorMap& entry = *named->Get(i);
    const auto index = static_cast<int32_t>(entry.tensor_index());
    if (entry.name() != nullptr && seen[index]++ >= used[index])
      ports.push_back({index, entry.name()->str()});
  }
  return ports;
}

// Of a signature, those of tensors that are no inputs of the subgraph have no effect.
std::vector<Port> InputsOf(const fb::SubGraph& graph, const TensorMaps* named) {
  const std::vector<int32_t> inputs = Indices(graph.inputs());
  std::vector<Port> ports = PortsOf(graph, graph.inputs(), named);
  const auto is_none = [&](const Port& port) {
    return std::find(inputs.begin(), inputs.end(), port.tensor) == inputs.end();
  };
  ports.erase(std::remove_if(ports.begin(), ports.end(), is_none), ports.end());
  return ports;
}

EntryPoint Of(const ModelFile& file, const fb::SignatureDef& signature) {
  const fb::SubGraph& graph = file.subgraph(signature.subgraph_index());
  return {signature.subgraph_index(), InputsOf(graph, signature.inputs()),
          PortsOf(graph, graph.outputs(), signature.outputs())};
}

EntryPoint FirstSubgraph(const ModelFile& file) {
  const fb::SubGraph& graph = file.subgraph(0);
  return {0, InputsOf(graph, nullptr), PortsOf(graph, graph.outputs(), nullptr)};
}

std::vector<OfferedTensor> Offered(const fb::SubGraph& graph, const std::vector<Port>& ports) {
  std::vector<OfferedTensor> tensors;
  for (const Port& port : ports) {
    const fb::Tensor& tensor = *graph.tensors()->Get(static_cast<flatbuffers::uoffset_t>(port.tensor));
    OfferedTensor out = {port.name, DTypeOf(tensor.type()), true, {}};
    const auto* shape = tensor.shape_signature() == nullptr || tensor.shape_signature()->size() == 0
                            ? tensor.shape()
                            : tensor.shape_signature();
    if (shape != nullptr) out.shape.assign(shape->begin(), shape->end());
    tensors.push_back(std::move(out));
  }
  return tensors;
}

void Add(const ModelFile& file, const std::string& name, const EntryPoint& entry, std::vector<Offer>* out) {
  const fb::SubGraph& graph = file.subgraph(entry.subgraph);
  out->push_back({name, "", Offered(graph, entry.inputs), Offered(graph, entry.outputs)});
}

}  // namespace

Status FindEntryPoint(const ModelFile& file, const std::string& signature, EntryPoint* out) {
  if (signature.empty()) {
    *out = FirstSubgraph(file);
    return Status();
  }
  std::set<std::string> offered;
  if (file.model().signature_defs() != nullptr) {
    for (const fb::SignatureDef* candidate : *file.model().signature_defs()) {
      offered.insert(NameOfSignature(*candidate));
      if (NameOfSignature(*candidate) != signature) continue;
      *out = Of(file, *candidate);
      return Status();
    }
  }
  if (offered.empty())
    return MICRORT_ERROR(kInvalidArgument, "--signature: the model has none; leave it out");
  return MICRORT_ERROR(kInvalidArgument, "--signature: no signature '%s'; there are: %s", signature.c_str(),
                       QuotedNames(offered).c_str());
}

void ListEntryPoints(const ModelFile& file, std::vector<Offer>* out) {
  const auto* signatures = file.model().signature_defs();
  if (signatures == nullptr || signatures->size() == 0) return Add(file, "", FirstSubgraph(file), out);
  for (const fb::SignatureDef* signature : *signatures)
    Add(file, NameOfSignature(*signature), Of(file, *signature), out);
}

}  // namespace micrort::frontend::tflite
