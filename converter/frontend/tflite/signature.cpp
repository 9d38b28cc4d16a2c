#include "converter/frontend/tflite/signature.h"

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

std::map<int32_t, std::string> Names(const TensorMaps* list) {
  std::map<int32_t, std::string> names;
  if (list == nullptr) return names;
  for (const fb::TensorMap* entry : *list) {
    if (entry->name() != nullptr) names[static_cast<int32_t>(entry->tensor_index())] = entry->name()->str();
  }
  return names;
}

EntryPoint Of(const fb::SignatureDef& signature) {
  return {signature.subgraph_index(), Names(signature.inputs()), Names(signature.outputs())};
}

std::vector<OfferedTensor> Offered(const fb::SubGraph& graph, const flatbuffers::Vector<int32_t>* list,
                                   const std::map<int32_t, std::string>& names) {
  std::vector<OfferedTensor> tensors;
  if (list == nullptr) return tensors;
  for (const int32_t index : *list) {
    const fb::Tensor& tensor = *graph.tensors()->Get(static_cast<flatbuffers::uoffset_t>(index));
    const auto named = names.find(index);
    OfferedTensor out = {
        named == names.end() ? NameOf(tensor) : named->second, DTypeOf(tensor.type()), true, {}};
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
  out->push_back({name, "", Offered(graph, graph.inputs(), entry.inputs),
                  Offered(graph, graph.outputs(), entry.outputs)});
}

}  // namespace

Status FindEntryPoint(const ModelFile& file, const std::string& signature, EntryPoint* out) {
  if (signature.empty()) return Status();
  std::set<std::string> offered;
  if (file.model().signature_defs() != nullptr) {
    for (const fb::SignatureDef* candidate : *file.model().signature_defs()) {
      offered.insert(NameOfSignature(*candidate));
      if (NameOfSignature(*candidate) != signature) continue;
      *out = Of(*candidate);
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
  if (signatures == nullptr || signatures->size() == 0) return Add(file, "", EntryPoint(), out);
  for (const fb::SignatureDef* signature : *signatures)
    Add(file, NameOfSignature(*signature), Of(*signature), out);
}

}  // namespace micrort::frontend::tflite
