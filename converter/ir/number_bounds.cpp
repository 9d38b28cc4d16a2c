#include "converter/ir/number_bounds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "converter/ir/infer.h"
#include "converter/ir/max_sizes.h"
#include "converter/ir/number_ranges.h"
#include "converter/ir/shape_inputs.h"
#include "converter/ir/size/range_with.h"

namespace micrort::ir {

namespace {

// What is larger is no bound that anyone meant.
constexpr double kMostBoundedElements = 1 << 28;

size::Range WholeNumbers(const NumberRange& r) {
  constexpr double kEnd = 1e18;
  size::Range whole;
  if (r.least > -kEnd) whole.least = static_cast<int64_t>(std::ceil(std::min(r.least, kEnd)));
  if (r.most < kEnd) whole.most = static_cast<int64_t>(std::floor(std::max(r.most, -kEnd)));
  return whole;
}

// Inference follows the elements of tensors only in a graph that has a size which is not fixed. While it
// lives, there is one: that of an input that nothing reads.
class OpenInput {
 public:
  explicit OpenInput(Graph& graph) : graph_(graph) {
    Value value;
    value.dtype = DType::kFloat32;
    value.has_shape = true;
    value.shape = {kDynamic};
    graph_.inputs.push_back(graph_.AddValue(std::move(value)));
  }
  ~OpenInput() { graph_.inputs.pop_back(); }
  OpenInput(const OpenInput&) = delete;
  OpenInput& operator=(const OpenInput&) = delete;

 private:
  Graph& graph_;
};

class NumberBounds {
 public:
  explicit NumberBounds(Graph& graph) : graph_(graph), input_(graph), inference_(graph) {}

  Status Add(bool* adds_any) {
    for (const auto& node : graph_.nodes) {
      if (Status s = inference_.Visit(*node); !s.ok()) return s.WithPrefix("%s", Describe(*node).c_str());
    }
    const NumberRanges ranges(graph_);
    const auto tensors = inference_.sizes().TensorsOfElements();
    const auto range_of = [&](size::Symbol symbol) {
      const auto found = tensors.find(symbol);
      return found == tensors.end() ? size::Range()
                                    : WholeNumbers(ranges.Of(*found->second.first, found->second.second));
    };
    for (const auto& [place, sized] : inference_.data_sizes().tensors) {
      // Graphs are the one that inference was given, or bodies in it.
      Value& value = const_cast<Graph*>(place.first)->value(place.second);
      if (!value.max_shape.empty() || !CanBeBounded(sized.node->code)) continue;
      std::vector<int32_t> largest;
      double elements = 1;
      const std::vector<size::Expr> shape = inference_.SizesOf(*place.first, place.second).shape;
      for (size_t d = 0; d < shape.size(); ++d) {
        const bool is_decided = (sized.dims >> d & 1u) != 0;
        const int64_t most = std::max<int64_t>(size::RangeWith(shape[d], range_of).most, 1);
        if (is_decided) elements *= static_cast<double>(most);
        largest.push_back(is_decided ? static_cast<int32_t>(std::min<int64_t>(most, INT32_MAX)) : 0);
      }
      if (elements > kMostBoundedElements) continue;
      value.max_shape = std::move(largest);
      *adds_any = true;
    }
    return Status();
  }

 private:
  Graph& graph_;
  const OpenInput input_;
  ShapeInference inference_;
};

// Numbers of a picture or a recording, which nobody knows ahead.
bool DecideFloats(const Graph& graph) {
  return std::any_of(graph.inputs.begin(), graph.inputs.end(), [&](ValueId id) {
    return graph.value(id).decides_shapes && IsFloat(graph.value(id).dtype);
  });
}

}  // namespace

Status MarkOrBoundSizes(Graph& graph, bool is_as_imported) {
  Status status = MarkShapeInputs(graph, is_as_imported);
  if (status.ok() ? !DecideFloats(graph) : status.code() != StatusCode::kUnsupported) return status;
  bool adds_any = false;
  MICRORT_RETURN_IF_ERROR(NumberBounds(graph).Add(&adds_any));
  if (adds_any) status = MarkShapeInputs(graph, false);
  if (status.code() != StatusCode::kUnsupported) return status;
  const std::string tensors = WhatCanBeBounded(graph);
  if (tensors.empty()) return status;
  return MICRORT_ERROR(kUnsupported, "%s; --max-size NAME=N bounds sizes that data decide, of %s",
                       status.message(), tensors.c_str());
}

}  // namespace micrort::ir
