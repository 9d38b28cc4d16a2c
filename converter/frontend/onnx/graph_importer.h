#pragma once
// One ONNX graph into one graph of ours.

#include <memory>
#include <set>
#include <unordered_map>

#include "converter/frontend/frontend.h"
#include "converter/frontend/onnx/model_reader.h"
#include "converter/frontend/onnx/registry.h"
#include "converter/frontend/onnx/sparse_tensor.h"
#include "converter/ir/infer.h"

namespace micrort::frontend {

// Nodes are imported in order, and shapes inferred and constants computed as they are appended, so that an
// importer knows the shapes of its inputs, and sees that a Reshape's shape that was computed from a static
// shape is constant. An operator that cannot be imported is noted and its outputs are marked, so that all
// such operators are found.
class GraphImporter {
 public:
  GraphImporter(const OnnxModel& model, const ImportOptions& options, ir::Graph* graph,
                ImportDiagnostics* diagnostics);

  Status Import();

 private:
  Status AddInitializers(const ::onnx::GraphProto& proto);
  Status AddInitializer(const std::string& name, OnnxTensor tensor);
  Status AddInputs();
  Status AddNode(const ::onnx::NodeProto& node);
  Status FindInputs(const ::onnx::NodeProto& node, std::vector<ir::ValueId>* inputs, bool* reachable);
  std::vector<ir::ValueId> WithoutQuantization(const ::onnx::NodeProto& node, ir::Builder& builder,
                                               std::vector<ir::ValueId> inputs);
  Status ImportNode(const ::onnx::NodeProto& node, const std::vector<ir::ValueId>& inputs);
  Status RunImporter(const ::onnx::NodeProto& node, const OpImporter& importer, NodeContext& c);
  static Status CheckInputs(const OpImporter& importer, const NodeContext& c);
  Status Append(std::unique_ptr<ir::Node> node);
  Status NameOutputs(const ::onnx::NodeProto& node, const NodeContext& c, ir::ValueId first_new);
  // A graph inside a node, in place. What it defines is forgotten afterwards.
  Status ImportBody(const ::onnx::GraphProto& body, const std::vector<ir::ValueId>& inputs,
                    std::vector<ir::ValueId>* outputs);
  Status AddBody(const ::onnx::GraphProto& body, const std::vector<ir::ValueId>& inputs,
                 std::vector<ir::ValueId>* outputs);
  Status AddOutputs();
  void NameOutput(const ::onnx::ValueInfoProto& info, ir::ValueId id);
  Status Define(const std::string& name, ir::ValueId id);
  void NoteUnsupported(const ::onnx::NodeProto& node, const std::string& reason);
  std::string Describe(const ::onnx::NodeProto& node) const;

  const OnnxModel& model_;
  const ::onnx::GraphProto& proto_;
  const ImportOptions& options_;
  ir::Graph& graph_;
  ImportDiagnostics* diagnostics_;
  std::unique_ptr<ir::ShapeInference> inference_;        // made when the inputs are there
  std::vector<std::unique_ptr<ir::Node>> folded_;        // replaced by constants; inference may look at them
  std::unordered_map<std::string, ir::ValueId> values_;  // by their names in the ONNX graph
  std::vector<std::string> defined_;                     // by the graph that is being imported
  ListTable lists_;
  std::set<std::string> unreachable_;  // values after an operator that cannot be imported
};

}  // namespace micrort::frontend
