// Branches of TensorFlow 1: Switch hands its input to one of its outputs, the nodes behind the other one do
// not run, and Merge takes what has been computed.

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "converter/frontend/tensorflow/functionalize.h"
#include "converter/frontend/tensorflow/node_graph.h"

namespace micrort::frontend::tensorflow {

namespace {

using ::tensorflow::NodeDef;

constexpr int kMaxPorts = 64;
constexpr size_t kMostSeenAgain =
    2000000;  // nodes behind control inputs, which no real model reaches so often

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
  bool is_case = false;  // the switch has an output for each number
};

// How many Merges a node comes after, one after another. Nodes of circles, and behind them, have none.
class Levels {
 public:
  explicit Levels(const NodeGraph& graph) {
    std::unordered_map<const NodeDef*, int> left;
    std::vector<NodeDef*> open;
    for (NodeDef* node : graph.nodes()) {
      std::unordered_set<const NodeDef*> sources;
      for (const std::string& input : node->input()) {
        if (const NodeDef* source = graph.Source(input)) sources.insert(source);
      }
      left[node] = static_cast<int>(sources.size());
      if (sources.empty()) open.push_back(node);
    }
    while (!open.empty()) {
      NodeDef* const node = open.back();
      open.pop_back();
      const int behind = levels_[node] + (IsMerge(*node) ? 1 : 0);
      // Where two nodes have one name, readers read the first.
      if (graph.Find(node->name()) != node) continue;
      for (NodeDef* reader : graph.readers(node->name())) {
        int& of_reader = levels_[reader];
        of_reader = std::max(of_reader, behind);
        if (--left[reader] == 0) open.push_back(reader);
      }
    }
    for (NodeDef* node : graph.nodes()) {
      if (left[node] > 0) {
        levels_.erase(node);
      } else if (IsMerge(*node)) {
        MergesOf(levels_[node]).push_back(node);
      }
    }
  }

  int count() const { return static_cast<int>(merges_.size()); }
  const std::vector<NodeDef*>& merges(int level) const { return merges_[static_cast<size_t>(level)]; }
  void Set(const NodeDef* node, int level) { levels_[node] = level; }
  // Whether all Merges that it comes after have lower levels, itself included.
  bool IsSettled(const NodeDef& node, int level) const {
    const auto found = levels_.find(&node);
    return found != levels_.end() && found->second + (IsMerge(node) ? 1 : 0) <= level;
  }

 private:
  std::vector<NodeDef*>& MergesOf(int level) {
    if (merges_.size() <= static_cast<size_t>(level)) merges_.resize(static_cast<size_t>(level) + 1);
    return merges_[static_cast<size_t>(level)];
  }

  std::unordered_map<const NodeDef*, int> levels_;
  std::vector<std::vector<NodeDef*>> merges_;
};

class Guards {
 public:
  // with_control: by control inputs, too.
  Guards(const NodeGraph& graph, const Levels& levels, bool with_control)
      : graph_(graph), levels_(levels), with_control_(with_control) {}

  // Merges of lower levels have become results of branches. What came after them is looked at anew. False if
  // that has been done too often: a file may let every branch wait for all of the graph.
  bool GoTo(int level) {
    level_ = level;
    seen_again_ += passing_.size();
    for (const NodeDef* node : passing_) guards_.erase(node);
    if (!passing_.empty()) handed_on_.clear();
    passing_.clear();
    return seen_again_ <= kMostSeenAgain;
  }

  Guard Of(const std::string& tensor) {
    Result<TensorRef> ref = ParseTensorRef(tensor);
    if (!ref.ok()) return {};
    const NodeDef* root = graph_.Find(ref->node);
    if (root == nullptr) return {};
    if (IsSwitch(*root)) return OfSwitch(*root, *ref);
    Walk(*root);
    return guards_[root];
  }

 private:
  Guard OfSwitch(const NodeDef& node, const TensorRef& ref) {
    return {ConditionOf(node), ref.is_control ? -1 : ref.index, !ref.is_control, node.op() == "_SwitchN"};
  }

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
    std::unordered_set<const NodeDef*> entered;
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
      if (!levels_.IsSettled(*node, level_)) passing_.push_back(node);
    }
  }

  const NodeDef* SourceOf(const std::string& input) const {
    Result<TensorRef> ref = ParseTensorRef(input);
    if (!ref.ok() || (ref->is_control && !with_control_)) return nullptr;
    return graph_.Find(ref->node);
  }

  void Join(const std::string& input, Guard* guard) {
    const NodeDef* source = SourceOf(input);
    if (source == nullptr) return;
    Guard other;
    if (IsSwitch(*source)) {
      Result<TensorRef> ref = ParseTensorRef(input);
      if (!ref.ok() || ref->is_control) return;
      other = OfSwitch(*source, *ref);
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
  const Levels& levels_;
  const bool with_control_;
  int level_ = 0;
  size_t seen_again_ = 0;
  std::unordered_map<const NodeDef*, Guard> guards_;
  std::vector<const NodeDef*> passing_;  // those that control inputs reached before their time
  // By Identity: the tensor before all of them.
  std::unordered_map<const NodeDef*, const std::string*> handed_on_;
};

// A Merge whose inputs are the results of branches, by the port of each.
struct Site {
  NodeDef* merge = nullptr;
  std::string condition;
  bool is_case = false;
  std::vector<std::string> results;
};

class BranchMaker {
 public:
  BranchMaker(NodeList* nodes, ::tensorflow::FunctionDefLibrary* library, uint64_t* copied_bytes)
      : nodes_(nodes),
        library_(library),
        copied_bytes_(copied_bytes),
        graph_(nodes),
        levels_(graph_),
        guards_(graph_, levels_, false),
        controls_(graph_, levels_, true) {
    FindIndexReads();
  }

  void Run() {
    for (int level = 0; level < levels_.count(); ++level) {
      if (!guards_.GoTo(level) || !controls_.GoTo(level)) return;
      std::map<std::pair<std::string, size_t>, std::vector<Site>> sites;
      for (NodeDef* merge : levels_.merges(level)) {
        Site site;
        if (Read(merge, &site)) sites[{site.condition, site.results.size()}].push_back(std::move(site));
      }
      for (const auto& entry : sites) {
        if (*copied_bytes_ > kMostCopiedBytes) return;
        Replace(entry.second, level);
      }
    }
  }

 private:
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
      site->is_case = guard.is_case;
      std::string& result = site->results[static_cast<size_t>(guard.port)];
      if (!result.empty()) return false;
      result = input;
    }
    if (site->condition.empty() || unguarded.size() > 1) return false;
    for (std::string& result : site->results) {
      if (result.empty()) result = unguarded[0];
    }
    site->is_case = site->is_case || count > 2;
    return true;
  }

  // The sites have one condition; none comes after another.
  void Replace(const std::vector<Site>& sites, int level) {
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
      *library_->add_function() = builder.function();
      *copied_bytes_ += builder.function().ByteSizeLong();
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
    NodeDef* const added = nodes_->Add();
    *added = std::move(node);
    levels_.Set(added, level);
    graph_.Add(added);
  }

  // The second output of a Merge says which of its inputs it took.
  void FindIndexReads() {
    for (const NodeDef* node : graph_.nodes()) {
      for (const std::string& input : node->input()) {
        const size_t n = input.size();
        if (n > 2 && input.compare(n - 2, 2, ":1") == 0) second_outputs_.insert(input);
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
  ::tensorflow::FunctionDefLibrary* const library_;
  uint64_t* const copied_bytes_;
  NodeGraph graph_;
  Levels levels_;
  Guards guards_, controls_;
  std::unordered_set<std::string> second_outputs_;              // "node:1", those that are read
  std::vector<std::pair<std::string, std::string>> arguments_;  // in the branches, and around them
};

}  // namespace

void FunctionalizeBranches(NodeList* nodes, ::tensorflow::FunctionDefLibrary* library,
                           uint64_t* copied_bytes) {
  if (std::any_of(nodes->begin(), nodes->end(), IsMerge)) BranchMaker(nodes, library, copied_bytes).Run();
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
