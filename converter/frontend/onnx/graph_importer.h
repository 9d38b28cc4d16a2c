#pragma once
// One ONNX graph into one graph of ours.

#include <memory>
#include <unordered_map>

#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/common/named_values.h"
#include "converter/frontend/frontend.h"
#include "converter/frontend/onnx/custom_node.h"
#include "converter/frontend/onnx/model_reader.h"
#include "converter/frontend/onnx/registry.h"
#include "converter/frontend/onnx/sparse_tensor.h"

namespace micrort::frontend::onnx {

// Nodes are imported in order. An operator that cannot be imported is noted and its outputs are marked, so
// that all such operators are found.
//
// A graph inside a node has an importer of its own, which looks for names that are not there in the graph
// around.
class GraphImporter {
 public:
  // The model's graph, whose initializers lose their elements as they are read.
  GraphImporter(OnnxModel* model, const ImportOptions& options, ir::Graph* graph,
                ImportDiagnostics* diagnostics);

  Status Import();

  // Appends the graph's nodes, with these values as its inputs, as if they stood where the operator at hand
  // does. A graph may be appended more than once; it must outlive the import.
  Status Inline(const ::onnx::GraphProto& proto, const std::vector<ir::ValueId>& inputs,
                std::vector<ir::ValueId>* outputs);

  // For graphs inside nodes (body_importer.h).
  //
  // A graph inside `parent`, with nodes that go to `graph`.
  GraphImporter(GraphImporter& parent, const ::onnx::GraphProto& proto, ir::Graph* graph);
  // kUnsupported where there are too many inside each other.
  Status CheckMayEnter(const ::onnx::GraphProto& proto);
  GraphAssembler& assembler() { return assembler_; }
  NamedValues& values() { return values_; }
  Status AddInitializers();
  Status ImportNodes();
  Status AddOutputs();
  // The same value of the graph around, inside this one.
  Status Capture(ir::ValueId outer, ir::ValueId* out);
  // Before a sparse tensor becomes dense: kUnsupported where it is one too many.
  Status CountDense(const ::onnx::SparseTensorProto& proto);
  // The operator at hand has operators inside that cannot be imported, and are noted.
  Status Incomplete();
  bool is_incomplete() const { return is_incomplete_; }
  // Whether a node cannot run with the sizes of its inputs.
  bool misfits() const { return misfits_; }

 private:
  // Graphs inside nodes, as often as they are imported, with what is in them.
  struct Imported {
    int graphs = 0;
    int64_t nodes = 0, inlined_bytes = 0;
    uint64_t dense_bytes = 0;  // of sparse tensors
  };

  // kUnsupported where the graph is one too many.
  Status CountImport(const ::onnx::GraphProto& proto);
  Status AddInitializer(const std::string& name, OnnxTensor tensor);
  Status AddInputs();
  Status AddNode(const ::onnx::NodeProto& node);
  Status FindInputs(const ::onnx::NodeProto& node, std::vector<ir::ValueId>* inputs, bool* reachable);
  // A value by its name, here or further out; kNoValue if there is none, with *reachable false if that is
  // because it could not be imported.
  Status Lookup(const std::string& name, bool* reachable, ir::ValueId* out);
  Status ImportNode(const ::onnx::NodeProto& node, const std::vector<ir::ValueId>& inputs);
  // Whether it is of a domain whose unknown operators are the user's own.
  bool IsCustom(const ::onnx::NodeProto& node) const;
  Status ImportCustom(const ::onnx::NodeProto& node, NodeContext& c);
  Status NameOutputs(const ::onnx::NodeProto& node, const NodeContext& c, ir::ValueId first_new);
  SourceNode Source(const ::onnx::NodeProto& node) const;

  const OnnxModel& model_;
  ::onnx::GraphProto* const consumed_ =
      nullptr;  // the model's; of graphs inside, which may be read again: null
  const ::onnx::GraphProto& proto_;
  const ImportOptions& options_;
  GraphAssembler assembler_;
  ir::Graph& graph_;  // the assembler's
  ImportDiagnostics* diagnostics_;
  GraphImporter* const parent_ = nullptr;
  std::shared_ptr<Imported> imported_ = std::make_shared<Imported>();
  NamedValues values_;                                               // by their names in the ONNX graph
  std::unordered_map<ir::ValueId, ir::ValueId> captured_sequences_;  // by the one of the graph around
  std::shared_ptr<SequenceTable> sequences_ = std::make_shared<SequenceTable>();
  std::unique_ptr<StatedTypes> stated_types_;  // once a custom operator asks for them
  bool misfits_ = false;
  bool is_incomplete_ = false;  // the node at hand has a graph with such operators, which are noted already
};

}  // namespace micrort::frontend::onnx
