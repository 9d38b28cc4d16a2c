// Branches of TensorFlow 1: Switch hands its input to one of its outputs, the nodes behind the other one do
// not run, and Merge takes what has been computed.

#include <algorithm>
#include <unordered_set>

#include "converter/frontend/tensorflow/functionalize.h"
#include "converter/frontend/tensorflow/node_graph.h"

namespace micrort::frontend::tensorflow {

namespace {

using ::tensorflow::NodeDef;

constexpr int kMaxPorts = 64;
constexpr int kMaxRounds = 512;            // branches after and inside each other
constexpr int kMaxBranchSteps = 20000000;  // rounds times nodes: files of no real model take more

bool IsMerge(const NodeDef& node) { return node.op() == "Merge" || node.op() == "RefMerge"; }
bool IsSwitch(const NodeDef& node) {
  return (node.op() == "Switch" || node.op() == "RefSwitch" || node.op() == "_SwitchN") &&
         node.input_size() >= 2;
}

// The switch output that decides whether something is computed.
struct Guard {
  std::string condition;  // the tensor; "" if nothing does
  int port = -1;
  bool is_known = true;  // false: several conditions decide, or not as TensorFlow writes it
};

class Guards {
 public:
  // with_control: by control inputs, too.
  Guards(const NodeGraph& graph, bool with_control) : graph_(graph), with_control_(with_control) {}

  Guard Of(const std::string& tensor) {
    TensorRef ref;
    if (!ParseTensorRef(tensor, &ref).ok()) return {};
    const NodeDef* root = graph_.Find(ref.node);
    if (root == nullptr) return {};
    if (IsSwitch(*root)) return {ConditionOf(*root), ref.is_control ? -1 : ref.index, !ref.is_control};
    Walk(*root);
    return guards_[root];
  }

 private:
  // The tensor before nodes that hand it on. Each of these is walked over once, also where they make a
  // circle.
  std::string ConditionOf(const NodeDef& node) {
    const std::string* tensor = &node.input(1);
    std::vector<const NodeDef*> path;
    for (;;) {
      const NodeDef* source = graph_.Source(*tensor);
      if (source == nullptr || source->op() != "Identity" || source->input_size() == 0) break;
      const auto added = handed_on_.emplace(source, &source->input(0));
      tensor = added.first->second;
      if (!added.second) break;
      path.push_back(source);
    }
    for (const NodeDef* passed : path) handed_on_[passed] = tensor;
    return TensorKey(*tensor);
  }

  // Depth first, without recursion; where nodes make a circle, what is open counts as unguarded.
  void Walk(const NodeDef& root) {
    std::vector<const NodeDef*> stack = {&root};
    std::set<const NodeDef*> entered;
    while (!stack.empty()) {
      const NodeDef* node = stack.back();
      if (guards_.count(node) != 0) {
        stack.pop_back();
        continue;
      }
      if (entered.insert(node).second) {
        for (const std::string& input : node->input()) {
          const NodeDef* source = SourceOf(input);
          if (source != nullptr && !IsSwitch(*source) && entered.count(source) == 0) stack.push_back(source);
        }
        continue;
      }
      stack.pop_back();
      Guard guard;
      for (const std::string& input : node->input()) Join(input, &guard);
      guards_[node] = guard;
    }
  }

  const NodeDef* SourceOf(const std::string& input) const {
    TensorRef ref;
    if (!ParseTensorRef(input, &ref).ok() || (ref.is_control && !with_control_)) return nullptr;
    return graph_.Find(ref.node);
  }

  void Join(const std::string& input, Guard* guard) {
    const NodeDef* source = SourceOf(input);
    if (source == nullptr) return;
    Guard other;
    if (IsSwitch(*source)) {
      TensorRef ref;
      if (!ParseTensorRef(input, &ref).ok() || ref.is_control) return;
      other = {ConditionOf(*source), ref.index, true};
    } else {
      const auto found = guards_.find(source);
      if (found != guards_.end()) other = found->second;
    }
    if (other.condition.empty()) return;
    const bool is_first = guard->condition.empty();
    const bool is_same = guard->condition == other.condition && guard->port == other.port;
    const bool is_known = guard->is_known && other.is_known && (is_first || is_same);
    *guard = other;
    guard->is_known = is_known;
  }

  const NodeGraph& graph_;
  const bool with_control_;
  std::map<const NodeDef*, Guard> guards_;
  std::map<const NodeDef*, const std::string*> handed_on_;  // by Identity: the tensor before all of them
};

// A Merge whose inputs are the results of branches, by the port of each.
struct Site {
  NodeDef* merge = nullptr;
  std::string condition;
  bool is_case = false;
  std::vector<std::string> results;
};

class Round {
 public:
  Round(NodeList* nodes, const std::set<std::string>& refused)
      : nodes_(nodes), graph_(nodes), refused_(refused), guards_(graph_, false), controls_(graph_, true) {
    FindIndexReads();
    FindBehindCases();
  }

  // Merges that come after no other one.
  std::vector<NodeDef*> Ready() const {
    std::vector<NodeDef*> merges, ready;
    for (NodeDef* node : graph_.nodes()) {
      if (IsOpenMerge(*node)) merges.push_back(node);
    }
    std::set<const NodeDef*> after;
    std::vector<const NodeDef*> open(merges.begin(), merges.end());
    while (!open.empty()) {
      const NodeDef* node = open.back();
      open.pop_back();
      for (const NodeDef* reader : graph_.readers(node->name())) {
        if (after.insert(reader).second) open.push_back(reader);
      }
    }
    for (NodeDef* merge : merges) {
      if (after.count(merge) == 0) ready.push_back(merge);
    }
    return ready;
  }

  // False: it is not as TensorFlow writes it.
  bool Read(NodeDef* merge, Site* site) {
    site->merge = merge;
    std::vector<std::string> inputs;
    for (const std::string& input : merge->input()) {
      if (input.empty() || input[0] != '^') inputs.push_back(input);
    }
    const int count = static_cast<int>(inputs.size());
    if (count < 2 || count > kMaxPorts || second_outputs_.count(merge->name() + ":1") != 0) return false;
    site->results.assign(inputs.size(), "");
    std::vector<std::string> unguarded;
    for (const std::string& input : inputs) {
      Guard guard = guards_.Of(input);
      if (guard.condition.empty()) guard = controls_.Of(input);
      if (guard.condition.empty() || guard.port < 0) {
        unguarded.push_back(input);
        continue;
      }
      const bool is_other = !site->condition.empty() && site->condition != guard.condition;
      if (!guard.is_known || is_other || guard.port >= count) return false;
      site->condition = guard.condition;
      std::string& result = site->results[static_cast<size_t>(guard.port)];
      if (!result.empty()) return false;
      result = input;
    }
    if (site->condition.empty() || unguarded.size() > 1) return false;
    for (std::string& result : site->results) {
      if (result.empty()) result = unguarded[0];
    }
    site->is_case = count > 2 || behind_cases_.count(merge) != 0;
    return true;
  }

  // The sites have one condition; none comes after another.
  void Replace(const std::vector<Site>& sites, ::tensorflow::FunctionDefLibrary* library,
               uint64_t* copied_bytes) {
    FindArguments(sites);
    const std::string name = graph_.Unused(sites[0].merge->name() + "/branches");
    NodeDef node;
    node.set_name(name);
    node.add_input(sites[0].condition);
    for (const auto& argument : arguments_) node.add_input(argument.second);
    const size_t ports = sites[0].results.size();
    node.set_op(sites[0].is_case ? "Case" : "If");
    for (size_t port = 0; port < ports; ++port) {
      const std::string function = name + "/" + std::to_string(port);
      FunctionBuilder builder(graph_, function);
      for (size_t i = 0; i < arguments_.size(); ++i) {
        const std::string argument = "argument_" + std::to_string(i);
        builder.Declare(argument);
        builder.AddArgument(arguments_[i].first, argument);
      }
      for (const Site& site : sites) builder.AddResult(site.results[port]);
      *library->add_function() = builder.function();
      *copied_bytes += builder.function().ByteSizeLong();
      if (sites[0].is_case) {
        ::tensorflow::AttrValue attribute;
        SetFunction(function, &attribute);
        *(*node.mutable_attr())["branches"].mutable_list()->add_func() = attribute.func();
      } else {
        SetFunction(function, &(*node.mutable_attr())[port == 0 ? "else_branch" : "then_branch"]);
      }
    }
    for (size_t i = 0; i < sites.size(); ++i) {
      sites[i].merge->set_op("Identity");
      sites[i].merge->clear_input();
      sites[i].merge->add_input(name + ":" + std::to_string(i));
    }
    *nodes_->Add() = std::move(node);
  }

 private:
  bool IsOpenMerge(const NodeDef& node) const { return IsMerge(node) && refused_.count(node.name()) == 0; }

  // The second output of a Merge says which of its inputs it took.
  void FindIndexReads() {
    for (const NodeDef* node : graph_.nodes()) {
      for (const std::string& input : node->input()) {
        const size_t n = input.size();
        if (n > 2 && input.compare(n - 2, 2, ":1") == 0) second_outputs_.insert(input);
      }
    }
  }

  void FindBehindCases() {
    std::vector<const NodeDef*> open;
    for (const NodeDef* node : graph_.nodes()) {
      if (IsSwitch(*node) && node->op() == "_SwitchN") open.push_back(node);
    }
    while (!open.empty()) {
      const NodeDef* node = open.back();
      open.pop_back();
      for (const NodeDef* reader : graph_.readers(node->name())) {
        if (!IsSwitch(*reader) && behind_cases_.insert(reader).second) open.push_back(reader);
      }
    }
  }

  // What the branches read: outputs of switches, and what no switch decides.
  void FindArguments(const std::vector<Site>& sites) {
    arguments_.clear();
    std::set<std::string> seen;
    std::vector<std::string> open;
    for (const Site& site : sites) open.insert(open.end(), site.results.begin(), site.results.end());
    while (!open.empty()) {
      const std::string tensor = TensorKey(open.back());
      open.pop_back();
      if (tensor.empty() || tensor[0] == '^' || !seen.insert(tensor).second) continue;
      const NodeDef* source = graph_.Source(tensor);
      if (source != nullptr && IsSwitch(*source)) {
        arguments_.emplace_back(tensor, source->input(0));
      } else if (source == nullptr || (guards_.Of(tensor).condition.empty() && source->op() != "Const")) {
        arguments_.emplace_back(tensor, tensor);
      } else {
        open.insert(open.end(), source->input().begin(), source->input().end());
      }
    }
  }

  NodeList* const nodes_;
  const NodeGraph graph_;
  const std::set<std::string>& refused_;
  Guards guards_, controls_;
  std::unordered_set<std::string> second_outputs_;              // "node:1", those that are read
  std::set<const NodeDef*> behind_cases_;                       // up to the next switch
  std::vector<std::pair<std::string, std::string>> arguments_;  // in the branches, and around them
};

}  // namespace

void FunctionalizeBranches(NodeList* nodes, ::tensorflow::FunctionDefLibrary* library,
                           uint64_t* copied_bytes) {
  std::set<std::string> refused;
  const int most = std::min(kMaxRounds, kMaxBranchSteps / std::max(nodes->size(), 1));
  for (int rounds = 0; rounds < most; ++rounds) {
    Round round(nodes, refused);
    std::map<std::pair<std::string, size_t>, std::vector<Site>> sites;
    const std::vector<NodeDef*> ready = round.Ready();
    if (ready.empty()) return;
    for (NodeDef* merge : ready) {
      Site site;
      if (round.Read(merge, &site)) {
        sites[{site.condition, site.results.size()}].push_back(std::move(site));
      } else {
        refused.insert(merge->name());
      }
    }
    for (const auto& entry : sites) {
      if (*copied_bytes > kMostCopiedBytes) return;
      round.Replace(entry.second, library, copied_bytes);
    }
  }
}

void FunctionalizeControlFlow(::tensorflow::GraphDef* graph) {
  uint64_t copied_bytes = 0;
  FunctionalizeLoops(graph, &copied_bytes);
  FunctionalizeBranches(graph->mutable_node(), graph->mutable_library(), &copied_bytes);
  // Among them are bodies of loops; functions that are added on the way have no such nodes any more.
  const int count = graph->library().function_size();
  for (int i = 0; i < count; ++i) {
    ::tensorflow::FunctionDefLibrary added;
    FunctionalizeBranches(graph->mutable_library()->mutable_function(i)->mutable_node_def(), &added,
                          &copied_bytes);
    for (auto& function : *added.mutable_function()) *graph->mutable_library()->add_function() = function;
  }
}

}  // namespace micrort::frontend::tensorflow
