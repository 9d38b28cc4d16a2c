#pragma once
// A graph that a frontend builds node by node. Shapes are inferred and constants computed as nodes are
// appended, so that an importer knows the shapes of its inputs, and sees that a Reshape's shape that was
// computed from a static shape is constant.

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "converter/ir/build.h"
#include "converter/ir/infer.h"

namespace micrort::frontend {

class GraphAssembler {
 public:
  explicit GraphAssembler(ir::Graph* graph) : graph_(*graph) {}
  // A graph inside a node of the parent's; or the parent's own graph, for nodes that go there.
  GraphAssembler(GraphAssembler& parent, ir::Graph* graph);

  ir::Graph& graph() { return graph_; }
  const ir::Graph& graph() const { return graph_; }
  GraphAssembler* parent() { return parent_; }
  uint32_t depth() const { return depth_; }  // of the graph among those inside each other, from 1

  // Inputs that are added after this call are states of the model, which no caller gives.
  void StartStates() { first_state_ = graph_.inputs.size(); }
  bool IsState(ir::ValueId id) const;
  // When the inputs of the outermost graph are there.
  void StartNodes() { inference_ = std::make_shared<ir::ShapeInference>(graph_); }
  // After the outputs of the outermost graph.
  void Finish() { inference_->FixInputs(); }
  ir::ShapeInference& inference() const { return *inference_; }

  // Appends nodes to this graph.
  ir::Builder BuilderFor(ir::Origin origin, std::string stem);
  // What follows from constants and static shapes alone becomes a constant right away.
  Status Append(std::unique_ptr<ir::Node> node);

  // Whether a bool is known, however inputs are sized. False leaves *value alone.
  bool IsSettled(ir::ValueId id, bool* value) const;

  // The number of values so far: those with larger ids are new later.
  ir::ValueId NextValue() const { return static_cast<ir::ValueId>(graph_.value_count()); }
  // A value made since `first_new` takes the name that the source model has for it; others keep theirs, so an
  // output of a node that is one of its inputs is just another name for it.
  void NameResult(const std::string& name, ir::ValueId id, ir::ValueId first_new);

  // Makes the value an output of the graph, with this name. Every output is a value of its own that a node
  // writes, so one that is a constant, an input or an output already is copied. Returns what became the
  // output.
  Result<ir::ValueId> AddOutput(const std::string& name, ir::ValueId id);

  // The value of the parent's graph, inside this one: constants are shared, others become inputs.
  ir::ValueId Capture(ir::ValueId outer);
  // The values of the parent's graph that are inputs here, in order.
  const std::vector<ir::ValueId>& captures() const { return captures_; }
  // Takes over what an assembler of nodes for this graph keeps for the inference.
  void Adopt(GraphAssembler& inner);

 private:
  Status CheckCount() const;
  bool is_input(ir::ValueId id) const;
  void NameOutput(const std::string& name, ir::ValueId id);

  ir::Graph& graph_;
  GraphAssembler* const parent_ = nullptr;
  const uint32_t depth_ = 1;
  size_t first_state_ = SIZE_MAX;  // among the inputs
  std::shared_ptr<ir::ShapeInference> inference_;
  std::vector<std::unique_ptr<ir::Node>> folded_;  // replaced by constants; inference may look at them
  std::unordered_map<ir::ValueId, ir::ValueId> captured_;  // by the value of the graph around
  std::vector<ir::ValueId> captures_;
  std::set<ir::ValueId> outputs_;
};

}  // namespace micrort::frontend
