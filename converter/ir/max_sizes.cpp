#include "converter/ir/max_sizes.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "converter/ir/infer.h"
#include "converter/ir/size/input_sizes.h"

namespace micrort::ir {

namespace {

using schema::OpCode;
using size::Expr;

constexpr char kFlag[] = "--max-size";

Status VisitAll(ShapeInference* inference, const Graph& graph) {
  for (const auto& node : graph.nodes) {
    if (Status s = inference->Visit(*node); !s.ok()) return s.WithPrefix("%s", Describe(*node).c_str());
  }
  return Status();
}

// "x[1]" is dimension 1 of "x".
struct DimPlace {
  std::string name;
  std::optional<size_t> dim;
};

DimPlace PlaceOf(const std::string& text) {
  const size_t open = text.rfind('[');
  const bool has_digits = open != std::string::npos && open > 0 && text.size() > open + 2 &&
                          text.size() < open + 5 && text.back() == ']' &&
                          std::all_of(text.begin() + static_cast<std::ptrdiff_t>(open) + 1, text.end() - 1,
                                      [](char c) { return c >= '0' && c <= '9'; });
  if (!has_digits) return {text, std::nullopt};
  return {text.substr(0, open), std::stoul(text.substr(open + 1))};
}

class Bounds {
 public:
  explicit Bounds(Graph* graph) : graph_(*graph), inference_(*graph) {}

  Status Find() { return VisitAll(&inference_, graph_); }

  Status Add(const MaxSize& bound) {
    if (BoundInput(bound)) return Status();
    bool found = false;
    MICRORT_RETURN_IF_ERROR(BoundByName(bound, &found));
    if (!found) MICRORT_RETURN_IF_ERROR(BoundByExpression(bound, &found));
    if (found) return Status();
    return MICRORT_ERROR(
        kInvalidArgument,
        "%s %s=%d: '%s' is neither an open dimension of an input nor a size that data decide; %s", kFlag,
        bound.name.c_str(), bound.size, bound.name.c_str(), WhatWouldDo().c_str());
  }

  // Each tensor with a bound needs one in all dimensions that data decide.
  Status Complete() {
    for (const auto& [place, sized] : inference_.data_sizes().tensors) {
      Value& value = ValueAt(place);
      if (value.max_shape.empty()) continue;
      const std::vector<Expr> shape = inference_.SizesOf(*place.first, place.second).shape;
      for (size_t d = 0; d < shape.size(); ++d) {
        if ((sized.dims >> d & 1u) == 0) value.max_shape[d] = 0;
        if ((sized.dims >> d & 1u) == 0 || value.max_shape[d] != 0) continue;
        const int64_t most = shape[d].range().most;
        if (most < 1 || most > INT32_MAX) {
          return MICRORT_ERROR(kInvalidArgument, "%s: dimension %zu of '%s' has no bound: add %s '%s[%zu]=N'",
                               kFlag, d, value.name.c_str(), kFlag, value.name.c_str(), d);
        }
        value.max_shape[d] = static_cast<int32_t>(most);
      }
    }
    return Status();
  }

  std::vector<std::string> Unbounded() const {
    std::vector<std::string> texts;
    for (const auto& [place, sized] : inference_.data_sizes().tensors) {
      const Value& value = place.first->value(place.second);
      if (value.max_shape.empty() && CanBeBounded(sized.node->code))
        texts.push_back("'" + value.name + "' (node '" + sized.node->name + "')");
    }
    return texts;
  }

 private:
  using Place = ShapeInference::Place;

  // Whether the name is that of an open dimension.
  bool BoundInput(const MaxSize& bound) {
    if (graph_.input_sizes == nullptr) return false;
    for (const auto& [symbol, at] : graph_.input_sizes->places) {
      if (!Names(bound.name, at)) continue;
      auto sizes = std::make_shared<size::InputSizes>(*graph_.input_sizes);
      size::SizeRule rule = {size::Max(Expr(symbol) - Expr(bound.size), Expr(0)), Expr(0), "", kFlag};
      rule.text = bound.name + " <= " + std::to_string(bound.size);
      sizes->rules.push_back(std::move(rule));
      graph_.input_sizes = std::move(sizes);
      return true;
    }
    return false;
  }

  // Whether the text names this dimension, or another one that has the same name.
  bool Names(const std::string& text, const size::InputDim& at) const {
    const std::string own = DimName(at.input, static_cast<size_t>(at.dim));
    if (text == own || text == at.input + "[" + std::to_string(at.dim) + "]") return true;
    const DimPlace place = PlaceOf(text);
    return place.dim && !own.empty() && DimName(place.name, *place.dim) == own;
  }

  // The name of a dimension of an input; "" where it has none.
  std::string DimName(const std::string& input, size_t dim) const {
    for (const ValueId id : graph_.inputs) {
      const Value& value = graph_.value(id);
      if (value.name == input && dim < value.dim_names.size()) return value.dim_names[dim];
    }
    return "";
  }

  Status BoundByName(const MaxSize& bound, bool* found) {
    const DimPlace place = PlaceOf(bound.name);
    // A node may be named like its output, whose dimensions have another order than inside.
    const bool is_tensor = Find(place.name) != kNoValue;
    for (const auto& [at, sized] : inference_.data_sizes().tensors) {
      const std::string& name = at.first->value(at.second).name;
      const bool is_whole = name == bound.name || sized.node->name == bound.name;
      const bool is_dim = place.dim && (name == place.name || (!is_tensor && sized.node->name == place.name));
      if (!is_whole && !is_dim) continue;
      *found = true;
      for (size_t d = 0; d < static_cast<size_t>(ValueAt(at).rank()); ++d) {
        const bool is_meant = is_whole || *place.dim == d;
        if ((sized.dims >> d & 1u) != 0 && is_meant) MICRORT_RETURN_IF_ERROR(Set(at, sized, d, bound.size));
      }
    }
    return Status();
  }

  // For a dimension that is a size which data decide times a number, and some more.
  Status BoundByExpression(const MaxSize& bound, bool* found) {
    const DimPlace place = PlaceOf(bound.name);
    for (const bool is_whole : {true, false}) {
      if (*found || (!is_whole && !place.dim)) continue;
      const ValueId id = Find(is_whole ? bound.name : place.name);
      if (id == kNoValue) continue;
      const std::vector<Expr> shape = inference_.SizesOf(graph_, id).shape;
      for (size_t d = 0; d < shape.size(); ++d) {
        if (is_whole || *place.dim == d) MICRORT_RETURN_IF_ERROR(BoundDim(shape[d], bound.size, found));
      }
    }
    return Status();
  }

  ValueId Find(const std::string& name) const {
    for (size_t i = 0; i < graph_.value_count(); ++i) {
      const auto id = static_cast<ValueId>(i);
      if (graph_.value(id).name == name && graph_.value(id).has_shape && !graph_.value(id).is_constant())
        return id;
    }
    return kNoValue;
  }

  Status BoundDim(const Expr& dim, int32_t most, bool* found) {
    if (dim.constant()) return Status();
    for (const auto& [at, sized] : inference_.data_sizes().tensors) {
      const std::vector<Expr> shape = inference_.SizesOf(*at.first, at.second).shape;
      for (size_t d = 0; d < shape.size(); ++d) {
        if ((sized.dims >> d & 1u) == 0) continue;
        for (const Expr::Term& term : dim.terms()) {
          const std::optional<int64_t> rest = (dim - Expr(term.coefficient) * shape[d]).constant();
          if (term.factors.empty() || term.coefficient < 1 || !rest) continue;
          *found = true;
          MICRORT_RETURN_IF_ERROR(Set(at, sized, d, (most - *rest) / term.coefficient));
        }
      }
    }
    return Status();
  }

  Status Set(const Place& at, const ShapeInference::DataSizes::Tensor& sized, size_t d, int64_t most) {
    Value& value = ValueAt(at);
    if (!CanBeBounded(sized.node->code)) {
      return MICRORT_ERROR(kUnsupported, "%s: %s cannot be bounded: its memory does not follow from the size",
                           kFlag, Describe(*sized.node).c_str());
    }
    if (most < 1) {
      return MICRORT_ERROR(kInvalidArgument, "%s leaves no size for dimension %zu of '%s'", kFlag, d,
                           value.name.c_str());
    }
    value.max_shape.resize(static_cast<size_t>(value.rank()));
    value.max_shape[d] = static_cast<int32_t>(std::min<int64_t>(most, INT32_MAX));
    return Status();
  }

  // Graphs are those that inference was given, or bodies in them.
  static Value& ValueAt(const Place& at) { return const_cast<Graph*>(at.first)->value(at.second); }

  std::string WhatWouldDo() const {
    constexpr size_t kMost = 8;
    std::vector<std::string> names = Unbounded();
    if (graph_.input_sizes != nullptr) {
      for (const auto& [symbol, at] : graph_.input_sizes->places) {
        const std::string name = DimName(at.input, static_cast<size_t>(at.dim));
        names.push_back("'" + (name.empty() ? at.input + "[" + std::to_string(at.dim) + "]" : name) + "'");
      }
    }
    if (names.empty()) return "the model has neither";
    std::string text = "these are: ";
    for (size_t i = 0; i < std::min(names.size(), kMost); ++i) text += (i == 0 ? "" : ", ") + names[i];
    return names.size() > kMost ? text + " and " + std::to_string(names.size() - kMost) + " more" : text;
  }

  Graph& graph_;
  ShapeInference inference_;
};

}  // namespace

bool CanBeBounded(OpCode code) {
  return code == OpCode::Range || code == OpCode::Expand || code == OpCode::Tile || code == OpCode::Reshape ||
         code == OpCode::Pad || code == OpCode::Random || code == OpCode::Resize || code == OpCode::Loop;
}

Status BoundSizes(const std::vector<MaxSize>& sizes, Graph* graph) {
  if (sizes.empty()) return Status();
  Bounds bounds(graph);
  MICRORT_RETURN_IF_ERROR(bounds.Find());
  for (const MaxSize& size : sizes) MICRORT_RETURN_IF_ERROR(bounds.Add(size));
  return bounds.Complete();
}

namespace {

// Operators whose plan takes the bound of their output from the file.
bool PlansByBound(OpCode code) { return code == OpCode::TopK || code == OpCode::Slice; }

bool HasOpenBounds(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
    return PlansByBound(node->code) && !graph.value(node->outputs[0]).is_static();
  });
}

// Whether it is of other sizes than those of inputs.
bool IsDecidedByData(const Expr& e, const size::SymbolTable& symbols) {
  std::set<size::Symbol> all;
  e.AddSymbols(&all);
  return std::any_of(all.begin(), all.end(), [&](size::Symbol symbol) { return !symbols.IsOfInput(symbol); });
}

void BoundByRanges(ShapeInference* inference, Graph* graph) {
  for (const auto& node : graph->nodes) {
    if (!PlansByBound(node->code)) continue;
    Value& value = graph->value(node->outputs[0]);
    const std::vector<Expr> from = inference->SizesOf(*graph, node->inputs[0]).shape;
    const std::vector<Expr> to = inference->SizesOf(*graph, node->outputs[0]).shape;
    for (size_t d = 0; d < to.size() && d < from.size(); ++d) {
      const int64_t most = to[d].range().most;
      if (value.shape[d] != kDynamic || !IsDecidedByData(to[d], inference->sizes().symbols())) continue;
      if (most < 1 || most > INT32_MAX || most >= from[d].range().most) continue;
      value.max_shape.resize(static_cast<size_t>(value.rank()));
      int32_t& bound = value.max_shape[d];
      bound = bound == 0 ? static_cast<int32_t>(most) : std::min(bound, static_cast<int32_t>(most));
    }
  }
}

}  // namespace

Status BoundSizesByRanges(Graph* graph) {
  const auto bodies = BodiesIn(*graph);
  const bool is_any =
      HasOpenBounds(*graph) ||
      std::any_of(bodies.begin(), bodies.end(), [](const auto& body) { return HasOpenBounds(*body); });
  if (!is_any) return Status();
  ShapeInference inference(*graph);
  MICRORT_RETURN_IF_ERROR(VisitAll(&inference, *graph));
  BoundByRanges(&inference, graph);
  for (const auto& body : bodies) BoundByRanges(&inference, body.get());
  return Status();
}

std::string WhatCanBeBounded(Graph& graph) {
  Bounds bounds(&graph);
  if (!bounds.Find().ok()) return "";
  std::string text;
  for (const std::string& tensor : bounds.Unbounded()) text += (text.empty() ? "" : ", ") + tensor;
  return text;
}

std::vector<std::string> NotesOfUnboundedSizes(Graph& graph) {
  const auto decides = [&](ValueId id) { return graph.value(id).decides_shapes; };
  if (std::none_of(graph.inputs.begin(), graph.inputs.end(), decides)) return {};
  Bounds bounds(&graph);
  if (!bounds.Find().ok()) return {};
  std::vector<std::string> notes;
  for (const std::string& tensor : bounds.Unbounded()) {
    notes.push_back("data decide the size of " + tensor +
                    ", so that memory is planned for the values of inputs; --max-size NAME=N plans for N "
                    "elements instead");
  }
  return notes;
}

}  // namespace micrort::ir
