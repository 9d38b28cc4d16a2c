// What a SavedModel or a GraphDef offers.

#include <unordered_map>

#include "converter/frontend/tensorflow/graph_ports.h"
#include "converter/frontend/tensorflow/model_reader.h"
#include "converter/frontend/tensorflow/signature.h"
#include "converter/frontend/tensorflow/tensor_ref.h"
#include "converter/frontend/tensorflow/tensor_types.h"
#include "converter/frontend/tensorflow/tensorflow_frontend.h"

namespace micrort::frontend::tensorflow {

namespace {

using NodesByName = std::unordered_map<std::string, const ::tensorflow::NodeDef*>;

NodesByName ByName(const ::tensorflow::GraphDef& graph) {
  NodesByName nodes;
  for (const auto& node : graph.node()) nodes.emplace(node.name(), &node);
  return nodes;
}

const ::tensorflow::NodeDef* FindNode(const NodesByName& nodes, const std::string& tensor) {
  Result<TensorRef> ref = ParseTensorRef(tensor);
  if (!ref.ok()) return nullptr;
  const auto found = nodes.find(ref->node);
  return found == nodes.end() ? nullptr : found->second;
}

// nodes: none for a SavedModel, whose signatures say it all.
OfferedTensor Offered(const Port& port, const NodesByName& nodes) {
  OfferedTensor out;
  out.name = port.name;
  out.dtype = DTypeOfTensorflow(port.dtype);
  ::tensorflow::TensorShapeProto shape;
  if (port.shape) shape = *port.shape;
  out.has_shape = port.shape && !shape.unknown_rank();
  const ::tensorflow::NodeDef* node = FindNode(nodes, port.tensor);
  if (node != nullptr) {
    const auto type = node->attr().find("dtype"), kind = node->attr().find("T");
    if (type != node->attr().end())
      out.dtype = DTypeOfTensorflow(type->second.type());
    else if (kind != node->attr().end())
      out.dtype = DTypeOfTensorflow(kind->second.type());
    const auto stored = node->attr().find("shape");
    if (!port.shape && stored != node->attr().end() && !stored->second.shape().unknown_rank()) {
      shape = stored->second.shape();
      out.has_shape = shape.dim_size() > 0;
    }
  }
  for (const auto& dim : shape.dim()) out.shape.push_back(dim.size() < 0 ? -1 : dim.size());
  return out;
}

std::vector<OfferedTensor> Offered(const std::vector<Port>& ports, const NodesByName& nodes) {
  std::vector<OfferedTensor> tensors;
  for (const Port& port : ports) tensors.push_back(Offered(port, nodes));
  return tensors;
}

}  // namespace

Status ListTensorflow(Span<const uint8_t> bytes, const ImportOptions& options, std::vector<Offer>* out) {
  if (LooksLikeSavedModel(bytes)) {
    std::vector<SignaturePorts> signatures;
    MICRORT_RETURN_IF_ERROR(ListSignatures(bytes, &signatures));
    for (const SignaturePorts& one : signatures)
      out->push_back({one.name, one.tag_set, Offered(one.inputs, {}), Offered(one.outputs, {})});
    return Status();
  }
  TensorflowModel model;
  MICRORT_RETURN_IF_ERROR(ReadModel(bytes, ImportOptions(), &model));
  std::vector<Port> inputs, outputs;
  MICRORT_RETURN_IF_ERROR(FindPorts(model, options, &inputs, &outputs));
  const NodesByName nodes = ByName(model.graph);
  out->push_back({"", "", Offered(inputs, nodes), Offered(outputs, nodes)});
  return Status();
}

}  // namespace micrort::frontend::tensorflow
