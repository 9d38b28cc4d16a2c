// Loops of TensorFlow 1. A frame has, for each value that iterations change,
//   Enter -> Merge (with NextIteration) -> Switch (by LoopCond) -> the body -> NextIteration
//                                                               -> Exit
// and for each other value that it reads an Enter alone.

#include <algorithm>

#include "converter/frontend/tensorflow/functionalize.h"
#include "converter/frontend/tensorflow/node_graph.h"

namespace micrort::frontend::tensorflow {

namespace {

using ::tensorflow::NodeDef;

constexpr int kMaxFrames = 256;
constexpr size_t kMaxFrameSteps =
    200000000;  // frames times frames times nodes: files of no real model take longer

bool IsOp(const NodeDef& node, const char* op) {
  return node.op() == op || node.op() == std::string("Ref") + op;
}

std::string FrameOf(const NodeDef& enter) {
  const auto found = enter.attr().find("frame_name");
  return found == enter.attr().end() ? "" : found->second.s();
}

struct LoopVariable {
  const NodeDef *enter = nullptr, *merge = nullptr, *switch_node = nullptr, *next = nullptr;
  std::vector<NodeDef*> exits;
};

struct Frame {
  std::string name;
  std::vector<LoopVariable> variables;
  std::vector<const NodeDef*> constants;  // Enter
  const NodeDef* condition = nullptr;     // LoopCond
};

// What can be reached from the frame's Enter nodes without leaving it by Exit.
bool HasOtherFrames(const NodeGraph& graph, const std::vector<NodeDef*>& enters) {
  std::set<const NodeDef*> seen(enters.begin(), enters.end());
  std::vector<const NodeDef*> open(enters.begin(), enters.end());
  while (!open.empty()) {
    const NodeDef* node = open.back();
    open.pop_back();
    for (const NodeDef* reader : graph.readers(node->name())) {
      if (IsOp(*reader, "Exit")) continue;
      if (!seen.insert(reader).second) continue;
      if (IsOp(*reader, "Enter")) return true;
      open.push_back(reader);
    }
  }
  return false;
}

// Merges that a NextIteration closes.
class ClosedMerges {
 public:
  explicit ClosedMerges(const NodeGraph& graph) : graph_(graph) {}

  bool Has(const NodeDef& merge) {
    const auto added = known_.emplace(&merge, false);
    if (added.second) added.first->second = IsClosed(merge);
    return added.first->second;
  }

 private:
  bool IsClosed(const NodeDef& merge) const {
    return std::any_of(merge.input().begin(), merge.input().end(), [&](const std::string& input) {
      const NodeDef* source = graph_.Source(input);
      return source != nullptr && IsOp(*source, "NextIteration");
    });
  }

  const NodeGraph& graph_;
  std::map<const NodeDef*, bool> known_;  // many Enters may lead to one Merge of many inputs
};

bool ReadVariable(const NodeGraph& graph, const NodeDef& enter, const NodeDef& merge, Frame* frame) {
  LoopVariable variable;
  variable.enter = &enter;
  variable.merge = &merge;
  if (merge.input_size() < 2) return false;
  for (int i = 0; i < 2; ++i) {
    const NodeDef* source = graph.Source(merge.input(i));
    if (source != nullptr && IsOp(*source, "NextIteration")) variable.next = source;
  }
  if (variable.next == nullptr || variable.next->input_size() < 1) return false;
  for (const NodeDef* reader : graph.readers(merge.name())) {
    if (!IsOp(*reader, "Switch") || reader->input_size() < 2) continue;
    const NodeDef* condition = graph.Source(reader->input(1));
    if (condition == nullptr || condition->op() != "LoopCond") continue;
    if (variable.switch_node != nullptr || condition->input_size() < 1) return false;
    if (frame->condition != nullptr && frame->condition != condition) return false;
    frame->condition = condition;
    variable.switch_node = reader;
    for (NodeDef* exit : graph.readers(reader->name())) {
      if (IsOp(*exit, "Exit")) variable.exits.push_back(exit);
    }
  }
  frame->variables.push_back(std::move(variable));
  return true;
}

bool ReadFrame(const NodeGraph& graph, const std::vector<NodeDef*>& enters, Frame* frame) {
  frame->name = FrameOf(*enters[0]);
  ClosedMerges closed(graph);
  for (const NodeDef* enter : enters) {
    if (enter->input_size() < 1) return false;
    const NodeDef* merge = nullptr;
    for (const NodeDef* reader : graph.readers(enter->name())) {
      if (IsOp(*reader, "Merge") && closed.Has(*reader)) merge = reader;
    }
    if (merge == nullptr) {
      frame->constants.push_back(enter);
    } else if (!ReadVariable(graph, *enter, *merge, frame)) {
      return false;
    }
  }
  return frame->condition != nullptr;
}

// A function of all that the loop hands on and reads.
FunctionBuilder BuilderOf(const NodeGraph& graph, const Frame& frame, const std::string& name) {
  FunctionBuilder function(graph, name);
  for (size_t i = 0; i < frame.variables.size(); ++i) {
    const LoopVariable& variable = frame.variables[i];
    const std::string argument = "carried_" + std::to_string(i);
    function.Declare(argument);
    function.AddArgument(variable.merge->name(), argument);
    if (variable.switch_node != nullptr) function.AddArgument(variable.switch_node->name() + ":1", argument);
  }
  for (size_t i = 0; i < frame.constants.size(); ++i) {
    const std::string argument = "constant_" + std::to_string(i);
    function.Declare(argument);
    function.AddArgument(frame.constants[i]->name(), argument);
  }
  return function;
}

void Functionalize(const NodeGraph& graph, const Frame& frame, ::tensorflow::GraphDef* out,
                   uint64_t* copied_bytes) {
  const std::string name = graph.Unused(frame.name);
  FunctionBuilder condition = BuilderOf(graph, frame, name + "/condition"),
                  body = BuilderOf(graph, frame, name + "/body");
  condition.AddResult(frame.condition->input(0));
  for (const LoopVariable& variable : frame.variables) body.AddResult(variable.next->input(0));
  for (const NodeDef* enter : frame.constants) body.AddResult(enter->name());
  for (const FunctionBuilder* function : {&condition, &body}) {
    *out->mutable_library()->add_function() = function->function();
    *copied_bytes += function->function().ByteSizeLong();
  }
  for (size_t i = 0; i < frame.variables.size(); ++i) {
    for (NodeDef* exit : frame.variables[i].exits) {
      exit->set_op("Identity");
      exit->clear_input();
      exit->add_input(name + ":" + std::to_string(i));
    }
  }
  NodeDef node;
  node.set_name(name);
  node.set_op("While");
  for (const LoopVariable& variable : frame.variables) node.add_input(variable.enter->input(0));
  for (const NodeDef* enter : frame.constants) node.add_input(enter->input(0));
  SetFunction(name + "/condition", &(*node.mutable_attr())["cond"]);
  SetFunction(name + "/body", &(*node.mutable_attr())["body"]);
  *out->add_node() = std::move(node);
}

// One frame without others inside it. False: there is none left.
bool FunctionalizeOne(std::set<std::string>* done, ::tensorflow::GraphDef* out, uint64_t* copied_bytes) {
  if (out->node_size() == 0 || *copied_bytes > kMostCopiedBytes) return false;
  const auto is_enter = [](const NodeDef& node) { return IsOp(node, "Enter"); };
  if (std::none_of(out->node().begin(), out->node().end(), is_enter)) return false;
  const NodeGraph graph(out->mutable_node());
  std::map<std::string, std::vector<NodeDef*>> frames;
  for (NodeDef* node : graph.nodes()) {
    if (is_enter(*node)) frames[FrameOf(*node)].push_back(node);
  }
  if (frames.size() > kMaxFrames || frames.size() * frames.size() > kMaxFrameSteps / graph.nodes().size())
    return false;
  for (const auto& entry : frames) {
    if (done->count(entry.first) != 0 || HasOtherFrames(graph, entry.second)) continue;
    done->insert(entry.first);
    Frame frame;
    if (!ReadFrame(graph, entry.second, &frame)) continue;
    // Its nodes stay, for nothing reads them any more; those of other frames must not be taken for them.
    for (NodeDef* enter : entry.second) enter->set_op("_Entered");
    Functionalize(graph, frame, out, copied_bytes);
    return true;
  }
  return false;
}

}  // namespace

void FunctionalizeLoops(::tensorflow::GraphDef* graph, uint64_t* copied_bytes) {
  std::set<std::string> done;
  for (int i = 0; i < kMaxFrames && FunctionalizeOne(&done, graph, copied_bytes); ++i) {
  }
}

}  // namespace micrort::frontend::tensorflow
