#include "converter/frontend/tensorflow/signature.h"

#include <map>
#include <set>
#include <sstream>

#include "converter/frontend/common/errors.h"

namespace micrort::frontend::tensorflow {

namespace {

constexpr char kDefaultTag[] = "serve", kDefaultSignature[] = "serving_default";
// In models with variables that TensorFlow 2 wrote: it restores them.
constexpr char kInitSignature[] = "__saved_model_init_op";

std::set<std::string> TagsOf(const ::tensorflow::MetaGraphDef& graph) {
  return {graph.meta_info_def().tags().begin(), graph.meta_info_def().tags().end()};
}

std::string Listed(const std::set<std::string>& names, const char* separator) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : separator) + name;
  return text;
}

// Sorted by name, so that the same model always gives the same order.
Status AddPorts(const google::protobuf::Map<std::string, ::tensorflow::TensorInfo>& infos,
                std::vector<Port>* ports) {
  const std::map<std::string, ::tensorflow::TensorInfo> sorted(infos.begin(), infos.end());
  for (const auto& [name, info] : sorted) {
    if (info.name().empty()) return Unsupported("'{}' of the signature is no dense tensor", name);
    ports->push_back({name, info.name(), info.tensor_shape(), info.dtype()});
  }
  return Status();
}

}  // namespace

Result<::tensorflow::MetaGraphDef*> ChooseMetaGraph(const std::string& tag_set,
                                                    ::tensorflow::SavedModel* model) {
  std::set<std::string> wanted;
  std::istringstream words(tag_set);
  for (std::string word; std::getline(words, word, ',');) wanted.insert(word);
  if (wanted.empty()) wanted.insert(kDefaultTag);
  std::set<std::string> offered;
  for (auto& graph : *model->mutable_meta_graphs()) {
    offered.insert(Listed(TagsOf(graph), ","));
    if (TagsOf(graph) != wanted) continue;
    return &graph;
  }
  if (tag_set.empty() && model->meta_graphs_size() == 1) {
    return model->mutable_meta_graphs(0);
  }
  return MICRORT_ERROR(kInvalidArgument, "--tag-set: no graph with the tags '%s'; there are: '%s'",
                       Listed(wanted, ",").c_str(), Listed(offered, "', '").c_str());
}

Status ReadSignature(const std::string& name, const ::tensorflow::MetaGraphDef& meta_graph,
                     TensorflowModel* out) {
  std::set<std::string> offered;
  for (const auto& entry : meta_graph.signature_def()) {
    if (entry.first != kInitSignature) offered.insert(entry.first);
  }
  std::string chosen = name.empty() ? kDefaultSignature : name;
  if (name.empty() && offered.size() == 1) chosen = *offered.begin();
  if (offered.count(chosen) == 0) {
    if (offered.empty())
      return Unsupported("the SavedModel has no signature; save it with one (signatures=...)");
    return MICRORT_ERROR(kInvalidArgument, "--signature: no signature '%s'; there are: '%s'", chosen.c_str(),
                         Listed(offered, "', '").c_str());
  }
  const auto& signature = meta_graph.signature_def().at(chosen);
  MICRORT_RETURN_IF_ERROR(AddPorts(signature.inputs(), &out->inputs));
  MICRORT_RETURN_IF_ERROR(AddPorts(signature.outputs(), &out->outputs));
  return out->outputs.empty() ? Invalid("signature '{}' has no outputs", chosen) : Status();
}

Status AddSignatures(const ::tensorflow::MetaGraphDef& meta_graph, std::vector<SignaturePorts>* out) {
  std::map<std::string, const ::tensorflow::SignatureDef*> sorted;
  for (const auto& [name, signature] : meta_graph.signature_def()) sorted[name] = &signature;
  sorted.erase(kInitSignature);
  for (const auto& [name, signature] : sorted) {
    SignaturePorts ports = {name, Listed(TagsOf(meta_graph), ","), {}, {}};
    MICRORT_RETURN_IF_ERROR(AddPorts(signature->inputs(), &ports.inputs));
    MICRORT_RETURN_IF_ERROR(AddPorts(signature->outputs(), &ports.outputs));
    out->push_back(std::move(ports));
  }
  return Status();
}

}  // namespace micrort::frontend::tensorflow
