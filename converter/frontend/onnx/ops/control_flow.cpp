// If and Loop. Scan, which becomes a Loop, has a file of its own.

#include <algorithm>

#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/onnx/body_importer.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

Status ReadGraph(NodeContext& c, const char* name, const ::onnx::GraphProto** out) {
  *out = c.Graph(name);
  return *out != nullptr ? Status() : Invalid("attribute '{}' is missing", name);
}

Status CheckOutputs(const NodeContext& c, const ::onnx::GraphProto& graph, size_t unseen) {
  const auto outputs = static_cast<size_t>(graph.output_size());
  if (outputs >= unseen && c.output_count() <= outputs - unseen) return Status();
  return Invalid("expected {} outputs of graph '{}', found {}", c.output_count() + unseen, graph.name(),
                 outputs);
}

Status CheckBool(const NodeContext& c, size_t i) {
  const ir::Value& x = c.x(i);
  if (x.dtype == DType::kBool && (!x.is_static() || x.elements() == 1)) return Status();
  return Invalid("condition '{}': expected one bool", x.name);
}

Status ImportBranches(NodeContext& c, const ::onnx::GraphProto& then_graph,
                      const ::onnx::GraphProto& else_graph) {
  const auto import = [&](size_t b, ImportedBody* out) {
    return BodyImporter(*c.graphs, b == 0 ? then_graph : else_graph)
        .Import(out)
        .WithPrefix(b == 0 ? "then_branch" : "else_branch");
  };
  ImportedBody branches[2];
  MICRORT_RETURN_IF_ERROR(ImportEachBranch(import, &branches));
  return c.Return(AddIf(c.build, c.input(0), branches));
}

Status ImportIf(NodeContext& c) {
  const ::onnx::GraphProto *then_graph = nullptr, *else_graph = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadGraph(c, "then_branch", &then_graph));
  MICRORT_RETURN_IF_ERROR(ReadGraph(c, "else_branch", &else_graph));
  MICRORT_RETURN_IF_ERROR(CheckBool(c, 0));
  if (then_graph->output_size() != else_graph->output_size())
    return Invalid("the branches have {} and {} outputs", then_graph->output_size(),
                   else_graph->output_size());
  MICRORT_RETURN_IF_ERROR(CheckOutputs(c, *then_graph, 0));
  bool condition = false;
  if (!c.graphs->assembler().IsSettled(c.input(0), &condition))
    return ImportBranches(c, *then_graph, *else_graph);
  std::vector<ir::ValueId> outputs;
  MICRORT_RETURN_IF_ERROR(c.graphs->Inline(condition ? *then_graph : *else_graph, {}, &outputs));
  return c.Return(outputs);
}

// The value that an output of the body is, before nodes that only rename it.
ir::ValueId SourceOf(const ir::Graph& graph, ir::ValueId id) {
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    const bool renames = (*node)->code == schema::OpCode::Unary &&
                         (*node)->as<schema::UnaryOptionsT>().kind == schema::UnaryKind::Identity;
    if (renames && (*node)->outputs[0] == id) id = (*node)->inputs[0];
  }
  return id;
}

// Whether the body's condition, its first output, is always true where the loop begins at all.
bool GoesOnAlways(const ir::Graph& body) {
  const ir::ValueId source = SourceOf(body, body.outputs[0]);
  const ir::Value& value = body.value(source);
  return source == body.inputs[1] || (value.is_constant() && value.elements() == 1 && (*value.data)[0] != 0);
}

Status ImportLoop(NodeContext& c) {
  constexpr size_t kScalars = kLoopScalars;  // trip count, condition
  const ::onnx::GraphProto* graph = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadGraph(c, "body", &graph));
  MICRORT_RETURN_IF_ERROR(CheckOutputs(c, *graph, 1));
  const size_t carried = std::max(c.input_count(), kScalars) - kScalars;
  const auto body_inputs = static_cast<size_t>(graph->input_size());
  if (body_inputs != kScalars + carried || static_cast<size_t>(graph->output_size()) < 1 + carried)
    return Invalid("expected a body of {} inputs and at least {} outputs, found {} and {}",
                   kScalars + carried, 1 + carried, body_inputs, graph->output_size());
  if (c.has_input(1)) MICRORT_RETURN_IF_ERROR(CheckBool(c, 1));
  LoopInputs inputs = {true, {}};
  for (size_t i = kScalars; i < kScalars + carried; ++i) {
    if (!c.has_input(i)) return Invalid("input {} is required, but absent", i);
    inputs.firsts.push_back(c.input(i));
  }
  ImportedBody body;
  MICRORT_RETURN_IF_ERROR(BodyImporter(*c.graphs, *graph, inputs).Import(&body).WithPrefix("body"));

  const bool has_condition = !GoesOnAlways(*body.graph);
  if (!has_condition) body.graph->outputs.erase(body.graph->outputs.begin());
  bool starts = false;
  const bool has_limit = c.has_input(0) || has_condition;
  if (c.has_input(1) && has_limit) c.graphs->assembler().IsSettled(c.input(1), &starts);
  const ir::ValueId condition = starts ? ir::kNoValue : c.input(1);
  return c.Return(AddLoop(c.build, c.input(0), condition, inputs.firsts, body, has_condition));
}

}  // namespace

const ImporterList ControlFlowImporters = {
    {"If", 1, 1, ImportIf,
     Types(kAllTypes).Without("branches whose outputs differ in rank, unless the condition "
                              "follows from shapes; sequences")},
    {"Loop", 0, -1, ImportLoop,
     Types(kAllTypes).Without(
         "stacked outputs without a trip count; carried values that grow without bound; sequences")},
};

}  // namespace micrort::frontend::onnx
