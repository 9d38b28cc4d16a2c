#pragma once
// One ONNX graph into one graph of ours.

#include <memory>
#include <unordered_map>

#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/common/named_values.h"
#include "converter/frontend/frontend.h"
#include "converter/frontend/onnx/custom_node.h"
#include "converter/frontend/onnx/model_reader.h"
#include "converter/frontend/onnx/registry.h"
#include "converter/frontend/onnx/sparse_tensor.h"

namespace micrort::frontend::onnx {

// An input of a body.
struct BodyInput {
  const ::onnx::ValueInfoProto* info = nullptr;  // what the body calls it; null: it does not know of it
  ir::ValueId outer = ir::kNoValue;              // what it is at first; kNoValue: one element of `dtype`
  DType dtype = DType::kUnknown;
  int result = -1;             // the body's output that it becomes for the next iteration; -1: it stays
  uint32_t changing_dims = 0;  // dimensions that iterations change
};

// A value that a body takes a slice of, at the number of its iteration, which is the body's first input.
struct BodySlice {
  const ::onnx::ValueInfoProto* info = nullptr;
  ir::ValueId outer = ir::kNoValue;
  int axis = 0;
  ir::ValueId last = ir::kNoValue;  // the last index, a scalar, for slices from the end to the start
};

// Nodes are imported in order. An operator that cannot be imported is noted and its outputs are marked, so
// that all such operators are found.
//
// A graph inside a node has an importer of its own, which looks for names that are not there in the graph
// around.
class GraphImporter {
 public:
  GraphImporter(const OnnxModel& model, const ImportOptions& options, ir::Graph* graph,
                ImportDiagnostics* diagnostics);

  Status Import();

  // For operators with graphs; `proto` must outlive the import.
  //
  // Whether a bool is known, however inputs are sized. False leaves *value alone.
  bool IsSettled(ir::ValueId id, bool* value) const { return assembler_.IsSettled(id, value); }
  // Appends the graph's nodes, with these values as its inputs, as if they stood where the operator does. A
  // graph may be appended more than once.
  Status Inline(const ::onnx::GraphProto& proto, const std::vector<ir::ValueId>& inputs,
                std::vector<ir::ValueId>* outputs);
  // Imports the graph with these inputs, followed by what it reads of the graphs around it.
  Status ImportBody(const ::onnx::GraphProto& proto, std::vector<BodyInput> inputs,
                    const std::vector<BodySlice>& slices, ImportedBody* out);
  // The same for a branch of an If, with other sizes of dynamic dimensions where it cannot run with those at
  // hand.
  Status ImportBranch(const ::onnx::GraphProto& proto, ImportedBody* out);

 private:
  // A graph inside `parent`, with nodes that go to `graph`.
  GraphImporter(GraphImporter& parent, const ::onnx::GraphProto& proto, ir::Graph* graph);

  Status AddInitializers();
  Status AddInitializer(const std::string& name, OnnxTensor tensor);
  Status AddInputs();
  Status AddBodyInput(const BodyInput& input);
  Status AddBodySlice(const BodySlice& slice, ir::ValueId iteration);
  Status ImportInside(const std::vector<BodyInput>& inputs, const std::vector<BodySlice>& slices);
  Status ImportNodes();
  Status AddNode(const ::onnx::NodeProto& node);
  Status FindInputs(const ::onnx::NodeProto& node, std::vector<ir::ValueId>* inputs, bool* reachable);
  // A value by its name, here or further out; kNoValue if there is none, with *reachable false if that is
  // because it could not be imported.
  ir::ValueId Lookup(const std::string& name, bool* reachable);
  // The same value of the graph around, inside this one.
  ir::ValueId Capture(ir::ValueId outer);
  ir::ValueId CaptureSequence(ir::ValueId outer);
  Status WidenInputs(std::vector<BodyInput>* inputs, bool* widened) const;
  std::vector<ir::ValueId> WithoutQuantization(const ::onnx::NodeProto& node, ir::Builder& builder,
                                               std::vector<ir::ValueId> inputs);
  Status ImportNode(const ::onnx::NodeProto& node, const std::vector<ir::ValueId>& inputs);
  // Whether it is of a domain whose unknown operators are the user's own.
  bool IsCustom(const ::onnx::NodeProto& node) const;
  Status ImportCustom(const ::onnx::NodeProto& node, NodeContext& c);
  Status RunImporter(const ::onnx::NodeProto& node, const OpImporter& importer, NodeContext& c);
  Status NameOutputs(const ::onnx::NodeProto& node, const NodeContext& c, ir::ValueId first_new);
  Status AddOutputs();
  SourceNode Source(const ::onnx::NodeProto& node) const;

  const OnnxModel& model_;
  const ::onnx::GraphProto& proto_;
  const ImportOptions& options_;
  GraphAssembler assembler_;
  ir::Graph& graph_;  // the assembler's
  ImportDiagnostics* diagnostics_;
  GraphImporter* const parent_ = nullptr;
  std::shared_ptr<int> body_imports_ = std::make_shared<int>(0);
  NamedValues values_;                                               // by their names in the ONNX graph
  std::unordered_map<ir::ValueId, ir::ValueId> captured_sequences_;  // by the one of the graph around
  std::shared_ptr<SequenceTable> sequences_ = std::make_shared<SequenceTable>();
  std::unique_ptr<StatedTypes> stated_types_;  // once a custom operator asks for them
  bool misfits_ = false;                       // a node cannot run with the sizes of its inputs
  bool is_incomplete_ = false;  // the node at hand has a graph with such operators, which are noted already
};

}  // namespace micrort::frontend::onnx
