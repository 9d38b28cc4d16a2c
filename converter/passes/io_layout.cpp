// Lets image inputs and outputs have the layout that the network works in.

#include <algorithm>

#include "converter/passes/layout/storage_order.h"
#include "converter/passes/passes.h"

namespace micrort::passes {
namespace {

const Order kToNhwc = {0, 2, 3, 1};
const Order kToNchw = {0, 3, 1, 2};

bool IsTransposeBy(const ir::Node* node, const Order& permutation) {
  return node != nullptr && node->code == schema::OpCode::Transpose &&
         node->as<schema::TransposeOptionsT>().permutation == permutation;
}

// An input that is only ever transposed to [N,H,W,C] is given like that.
bool AbsorbIntoInput(ir::Graph& graph, ir::ValueId input) {
  const ir::Graph::Uses uses = graph.ComputeUses();
  const auto& readers = uses.consumers[static_cast<size_t>(input)];
  if (readers.empty() || uses.is_output[static_cast<size_t>(input)]) return false;
  const auto transposes = [](const ir::Node* reader) { return IsTransposeBy(reader, kToNhwc); };
  if (!std::all_of(readers.begin(), readers.end(), transposes)) return false;

  const auto is_output = [&](const ir::Node* reader) {
    return uses.is_output[static_cast<size_t>(reader->outputs[0])];
  };
  if (std::any_of(readers.begin(), readers.end(), is_output)) return false;
  for (ir::Node* reader : readers) {
    graph.ReplaceUses(reader->outputs[0], input);
    reader->outputs.clear();
  }
  graph.value(input) = Reordered(graph.value(input), kToNhwc);
  return true;
}

// An output that is written by a Transpose from [N,H,W,C], and read by nobody, is given before it.
bool AbsorbIntoOutput(ir::Graph& graph, ir::ValueId output) {
  const ir::Graph::Uses uses = graph.ComputeUses();
  ir::Node* transpose = uses.producer[static_cast<size_t>(output)];
  if (!IsTransposeBy(transpose, kToNchw) || !uses.consumers[static_cast<size_t>(output)].empty())
    return false;
  const ir::ValueId source = transpose->inputs[0];
  ir::Node* writer = uses.producer[static_cast<size_t>(source)];
  if (writer == nullptr || uses.is_output[static_cast<size_t>(source)]) return false;
  graph.value(output) = Reordered(graph.value(output), kToNhwc);
  for (ir::ValueId& id : writer->outputs) {
    if (id == source) id = output;
  }
  graph.ReplaceUses(source, output);
  transpose->outputs.clear();
  return true;
}

}  // namespace

Status UseNhwcForInputsAndOutputs(ir::Graph& graph, bool* changed) {
  bool any = false;
  for (size_t i = 0; i < graph.caller_inputs(); ++i) any |= AbsorbIntoInput(graph, graph.inputs[i]);
  for (size_t i = 0; i < graph.caller_outputs(); ++i) any |= AbsorbIntoOutput(graph, graph.outputs[i]);
  if (any) {
    const auto is_absorbed = [](const auto& node) { return node->outputs.empty(); };
    graph.nodes.erase(std::remove_if(graph.nodes.begin(), graph.nodes.end(), is_absorbed), graph.nodes.end());
  }
  *changed |= any;
  return Status();
}

}  // namespace micrort::passes
