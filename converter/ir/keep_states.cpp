#include "converter/ir/keep_states.h"

#include <algorithm>
#include <utility>

#include "tools/io/near_names.h"

namespace micrort::ir {
namespace {

using Ids = std::vector<ValueId>;

Ids First(const Ids& ids, size_t count) {
  return Ids(ids.begin(), ids.begin() + static_cast<ptrdiff_t>(count));
}

std::vector<std::string> NamesOf(const Graph& graph, const Ids& ids) {
  std::vector<std::string> names;
  for (const ValueId id : ids) names.push_back(graph.value(id).name);
  return names;
}

// What a run computes or is given.
Ids TensorsOf(const Graph& graph) {
  Ids ids = graph.inputs;
  for (const auto& node : graph.nodes) {
    for (const ValueId id : node->outputs) {
      if (id != kNoValue) ids.push_back(id);
    }
  }
  return ids;
}

Status Find(const Graph& graph, const Ids& ids, const std::string& name, const char* what, ValueId* id) {
  *id = graph.FindValue(name);
  if (*id != kNoValue && std::find(ids.begin(), ids.end(), *id) != ids.end()) return Status();
  return MICRORT_ERROR(kInvalidArgument, "--state: the model has no %s '%s'; names like it: %s", what,
                       name.c_str(), io::NearNames(name, NamesOf(graph, ids)).c_str());
}

std::string NameOfDim(const Value& value, size_t d) {
  return d < value.dim_names.size() ? ReadableDim(value.dim_names[d]) : "";
}

std::string ShapeText(const Value& value) {
  std::string text;
  for (size_t d = 0; d < value.shape.size(); ++d) {
    const std::string name = NameOfDim(value, d);
    text += d == 0 ? "" : "x";
    text += value.shape[d] != kDynamic ? std::to_string(value.shape[d]) : name.empty() ? "?" : name;
  }
  return value.shape.empty() ? "scalar" : text;
}

bool CallerGives(const Graph& graph, const std::string& dim) {
  for (size_t i = 0; i < graph.caller_inputs() && !dim.empty(); ++i) {
    const Value& input = graph.value(graph.inputs[i]);
    for (size_t d = 0; d < input.shape.size(); ++d) {
      if (input.shape[d] == kDynamic && NameOfDim(input, d) == dim) return true;
    }
  }
  return false;
}

// A dynamic dimension of what a run computes may come to anything.
bool Agree(const Value& kept, const Value& computed) {
  bool agree = kept.dtype == computed.dtype && kept.shape.size() == computed.shape.size();
  for (size_t d = 0; agree && d < kept.shape.size(); ++d)
    agree = kept.shape[d] == computed.shape[d] || computed.shape[d] == kDynamic;
  return agree && kept.quantization == computed.quantization;
}

Status CheckState(const Graph& graph, const Value& kept, const Value& computed) {
  const char *in = kept.name.c_str(), *out = computed.name.c_str();
  if (kept.decides_shapes) {
    return MICRORT_ERROR(kInvalidArgument, "--state %s=%s: '%s' decides shapes, which callers must do", out,
                         in, in);
  }
  if (!Agree(kept, computed)) {
    return MICRORT_ERROR(
        kInvalidArgument,
        "--state %s=%s: expected '%s' of %s and shape %s, found %s and shape %s; --input-shape "
        "gives inputs their shapes",
        out, in, out, Name(kept.dtype), ShapeText(kept).c_str(), Name(computed.dtype),
        ShapeText(computed).c_str());
  }
  for (size_t d = 0; d < kept.shape.size(); ++d) {
    if (kept.shape[d] != kDynamic || CallerGives(graph, NameOfDim(kept, d))) continue;
    return MICRORT_ERROR(
        kInvalidArgument,
        "--state %s=%s: no other input tells the size of dimension %zu of '%s', which is %s; "
        "give it by --input-shape",
        out, in, d, in, ShapeText(kept).c_str());
  }
  return Status();
}

}  // namespace

Status KeepStates(const std::vector<StateNames>& states, Graph* graph) {
  const Ids inputs = First(graph->inputs, graph->caller_inputs());
  std::vector<std::pair<ValueId, ValueId>> pairs;
  for (const StateNames& names : states) {
    ValueId input = kNoValue, output = kNoValue;
    MICRORT_RETURN_IF_ERROR(Find(*graph, inputs, names.input, "input", &input));
    MICRORT_RETURN_IF_ERROR(Find(*graph, TensorsOf(*graph), names.output, "tensor", &output));
    const auto is_input = [&](const auto& pair) { return pair.second == input; };
    if (std::any_of(pairs.begin(), pairs.end(), is_input))
      return MICRORT_ERROR(kInvalidArgument, "--state: input '%s' is given twice", names.input.c_str());
    pairs.emplace_back(output, input);
  }
  for (const auto& [output, input] : pairs) AddState(output, input, nullptr, graph);
  return Status();
}

bool IsRead(const Graph& graph, ValueId id) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [id](const auto& node) {
    return std::find(node->inputs.begin(), node->inputs.end(), id) != node->inputs.end();
  });
}

void AddState(ValueId output, ValueId input, std::shared_ptr<const Bytes> initial, Graph* graph,
              schema::StateKind kind) {
  Ids outputs = First(graph->outputs, graph->caller_outputs());
  const Ids kept(graph->outputs.begin() + static_cast<ptrdiff_t>(outputs.size()), graph->outputs.end());
  outputs.erase(std::remove(outputs.begin(), outputs.end(), output), outputs.end());
  outputs.insert(outputs.end(), kept.begin(), kept.end());
  outputs.push_back(output);
  graph->outputs = std::move(outputs);
  Ids& inputs = graph->inputs;
  inputs.erase(std::remove(inputs.begin(), inputs.end(), input), inputs.end());
  inputs.push_back(input);
  graph->states.push_back({std::move(initial), kind});
}

Status CheckStates(const Graph& graph) {
  for (size_t k = 0; k < graph.states.size(); ++k) {
    if (graph.states[k].kind == schema::StateKind::Cache) continue;  // longer than its next value
    MICRORT_RETURN_IF_ERROR(CheckState(graph, graph.value(graph.inputs[graph.caller_inputs() + k]),
                                       graph.value(graph.outputs[graph.caller_outputs() + k])));
  }
  return Status();
}

}  // namespace micrort::ir
