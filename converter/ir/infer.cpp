#include "converter/ir/infer.h"

#include <algorithm>
#include <limits>

#include "converter/ir/budget.h"
#include "converter/ir/fit_sizes.h"
#include "converter/ir/node_inference.h"
#include "converter/ir/size/input_sizes.h"

namespace micrort::ir {

namespace {

// Each time all is visited again; where a graph asks for more, sizes that are all equal are tried. So they
// are after fewer repeats that together have looked at many nodes and symbols.
constexpr int kMostRepeats = 64, kUsualRepeats = 16;
constexpr size_t kMostRepeated = size_t{1} << 15;

}  // namespace

bool MaySuitOtherSizes(const Status& status) {
  // Where the budget is spent, every size would be refused, and those that importers of nested branches try
  // multiply.
  if (!Spend(CurrentBudget(), kOperatorWork).ok()) return false;
  const StatusCode code = status.code();
  return code == StatusCode::kInvalidModel || code == StatusCode::kOutOfRange ||
         code == StatusCode::kUnsupported;
}

ShapeInference::ShapeInference(Graph& graph)
    : known_{size::Solver(&sizes_.symbols()), size::Solver(&sizes_.symbols()), {}}, trying_(known_.likely) {
  scopes_.push_back({&graph, {}, {}, known_});
  std::map<std::string, size::Symbol> by_name;
  for (const ValueId id : graph.inputs) {
    const Value& v = graph.value(id);
    for (size_t d = 0; d < v.shape.size(); ++d) {
      if (v.shape[d] != kDynamic) {
        input_shapes_[id].emplace_back(v.shape[d]);
        continue;
      }
      const std::string name = d < v.dim_names.size() ? v.dim_names[d] : "";
      auto known = name.empty() ? by_name.end() : by_name.find(name);
      size::Symbol symbol;
      if (known == by_name.end()) {
        symbol = sizes_.symbols().AddOfInput(name);
        sizes_.witness().AddFree(symbol, d == 0);
        if (!name.empty()) by_name.emplace(name, symbol);
      } else {
        symbol = known->second;
      }
      input_shapes_[id].emplace_back(symbol);
    }
  }
  StartTrying();
}

void ShapeInference::FixInputs() {
  Graph& graph = *scopes_[0].graph;
  std::vector<size::OpenDim> open;
  for (const ValueId id : graph.inputs) {
    Value& value = graph.value(id);
    for (size_t d = 0; d < value.shape.size(); ++d) {
      const std::optional<size::Symbol> symbol = input_shapes_[id][d].symbol();
      if (!symbol) continue;
      open.push_back({{value.name, static_cast<int>(d)}, *symbol});
      const std::optional<int64_t> size = known_.hard.Resolve(input_shapes_[id][d]).constant();
      if (!size) continue;
      value.shape[d] = *size;
      if (!value.dim_names.empty()) value.dim_names[d].clear();
    }
    if (value.is_static()) value.dim_names.clear();
  }
  graph.input_sizes =
      std::make_shared<const size::InputSizes>(size::SizesOfInputs(open, sizes_.symbols(), known_.hard));
}

// What is known of a body and of those in it. It may not outlive them, since another graph may come to lie
// where one was.
struct BodyFacts {
  using Place = ShapeInference::Place;

  static void Forget(ShapeInference& inference, const Graph& body) {
    for (const auto& node : body.nodes) ForgetIn(inference, *node);
    inference.probe_.Forget(body);
    inference.sizes_.Forget(body);
    inference.fits_.erase(&body);
    inference.visits_.erase(&body);
    inference.impossible_.erase(&body);
    auto& [tensors, deciders] = inference.data_sizes_;
    const auto first = Place(&body, std::numeric_limits<ValueId>::min());
    const auto last = Place(&body, std::numeric_limits<ValueId>::max());
    tensors.erase(tensors.lower_bound(first), tensors.upper_bound(last));
    deciders.erase(deciders.lower_bound(first), deciders.upper_bound(last));
  }
  static void ForgetIn(ShapeInference& inference, const Node& node) {
    for (const auto& body : node.bodies) Forget(inference, *body);
  }
};

void ShapeInference::Enter(Graph& body) { scopes_.push_back({&body, {}, {}, known_}); }

void ShapeInference::Leave() {
  BodyFacts::Forget(*this, *scopes_.back().graph);
  known_ = scopes_.back().outside;
  scopes_.pop_back();
  // What is left has fitted these sizes before.
  if (HasMoved()) static_cast<void>(Repeat());
}

void ShapeInference::Bind(const Graph& graph, ValueId input, ValueId outer, bool same_value,
                          uint32_t changing_dims) {
  for (Scope& scope : scopes_) {
    if (scope.graph == &graph) scope.bindings[input] = {outer, same_value, changing_dims};
  }
}

Status ShapeInference::DifferingDims(ValueId a, ValueId b, uint32_t* dims) {
  *dims = 0;
  const Graph& graph = *scopes_.back().graph;
  for (const ValueId id : {a, b}) {
    const HostTensor* t = nullptr;
    MICRORT_RETURN_IF_ERROR(Find(graph, id, &t));
  }
  const size::SizedTensor x = SizesOf(graph, a), y = SizesOf(graph, b);
  for (size_t d = 0; d < x.shape.size() && d < y.shape.size(); ++d) {
    *dims |= known_.hard.AreEqual(x.shape[d], y.shape[d]) ? 0 : 1u << d;
  }
  return Status();
}

void ShapeInference::StartTrying() {
  trying_ = known_.likely;
  tried_ = sizes_.witness().FreeSizes(trying_);
  tried_version_ = known_.likely.version();
}

bool ShapeInference::HasMoved() {
  const size::Witness& witness = sizes_.witness();
  const size::Solver& likely = known_.likely;
  const int version = likely.version();
  if (tried_version_ > version) {  // what was learned in a body is forgotten
    const auto sizes = witness.FreeSizes(likely);
    if (!std::equal(tried_.begin(), tried_.end(), sizes.begin())) return true;
    tried_version_ = version;
  }
  for (; tried_version_ < version; ++tried_version_) {
    const int id = likely.LearnedIn(tried_version_ + 1);
    const std::optional<size_t> place = witness.PlaceOf(id);
    if (place && *place < tried_.size() &&
        witness.SizeOf(size::Expr(size::Symbol{id}), likely) != tried_[*place])
      return true;
  }
  return false;
}

Status ShapeInference::VisitOnce(Graph& graph, const Node& node, bool* moved) {
  // Symbols that were made since are tried with sizes of their own.
  if (tried_.size() != sizes_.witness().free_count()) {
    const auto added = sizes_.witness().FreeSizes(trying_, tried_.size());
    tried_.insert(tried_.end(), added.begin(), added.end());
  }
  NodeInference inference(*this, graph, node);
  MICRORT_RETURN_IF_ERROR(inference.InferSizes());
  *moved = HasMoved();
  return *moved ? Status() : inference.InferAsTried();
}

// What is learned here asks for no other sizes: if it has to, the body does not fit those that are tried.
Status ShapeInference::VisitInBody(Graph& graph, const Node& node) {
  NodeInference inference(*this, graph, node);
  MICRORT_RETURN_IF_ERROR(inference.InferSizes());
  return inference.InferAsTried();
}

Status ShapeInference::Visit(const Node& node) {
  Scope& scope = scopes_.back();
  const Knowledge before = known_;
  const bool equal = sizes_.witness().are_equal();
  scope.visited.push_back(&node);
  is_refuted_ = false;
  bool moved = false, tells_sizes = false;
  Status status = VisitOnce(*scope.graph, node, &moved);
  if (moved) status = Repeat();
  if (!status.ok() && !is_refuted_ && sizes_.has_symbols() && MaySuitOtherSizes(status)) {
    SizeFitter fitter(*this);
    status = node.bodies.empty() ? fitter.AskWithOthers(status, [] { return true; })
                                 : fitter.MakeOneBodyFit(node, status);
    tells_sizes = fitter.tells_sizes();
  }
  if (status.ok() && !node.bodies.empty()) status = SizeFitter(*this).MakeBodiesFit(node);
  if (status.ok()) {
    PublishResults(*scope.graph, node);
    return status;
  }
  scope.visited.pop_back();
  if (sizes_.has_symbols()) {
    known_ = before;
    sizes_.witness().MakeEqual(equal);
    // They have fitted all that is left: only the budget can be in the way.
    MICRORT_RETURN_IF_ERROR(Repeat());
    if (tells_sizes) status = SizeFitter(*this).NoSizesFor(node, status);
  }
  BodyFacts::ForgetIn(*this, node);
  return status;
}

Status ShapeInference::Repeat() {
  ++repeats_;
  repeated_ += sizes_.witness().free_count();
  for (const Scope& scope : scopes_) repeated_ += scope.visited.size();
  const bool is_enough = repeats_ >= kMostRepeats || (repeats_ >= kUsualRepeats && repeated_ > kMostRepeated);
  if (is_enough && !std::exchange(has_tried_equal_, true)) sizes_.witness().MakeEqual(true);
  Status status;
  bool moved = true;
  for (int round = 0; moved && round < kMostRepeats; ++round) {
    moved = false;
    probe_.Reset();
    fits_.clear();
    known_.needs.Clear();
    StartTrying();
    for (const Scope& scope : scopes_) {
      for (const Node* node : scope.visited) {
        if (!status.ok() || moved) break;
        failed_ = node;
        status = VisitOnce(*scope.graph, *node, &moved);
      }
    }
    if (!status.ok()) return status;
  }
  if (moved) return MICRORT_ERROR(kUnsupported, "no sizes were found that fit; fix the shapes of inputs");
  for (const Scope& scope : scopes_) {
    for (const Node* node : scope.visited) PublishResults(*scope.graph, *node);
  }
  return Status();
}

Status InferShapes(Graph& graph) {
  ShapeInference inference(graph);
  for (const auto& node : graph.nodes) {
    if (Status s = inference.Visit(*node); !s.ok()) return s.WithPrefix("%s", Describe(*node).c_str());
  }
  return Status();
}

std::string Describe(const Node& node) {
  std::string source = node.source_op;
  if (node.source_opset > 0) source += ", opset " + std::to_string(node.source_opset);
  return "node '" + node.name + "' (" + (source.empty() ? schema::EnumNameOpCode(node.code) : source) + ")";
}

}  // namespace micrort::ir
