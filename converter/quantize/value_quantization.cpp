#include "converter/quantize/value_quantization.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "converter/quantize/int16_roles.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/quantized_weights.h"

namespace micrort::quantize {
namespace {

// Sets of values with one quantization (union-find).
class Groups {
 public:
  explicit Groups(size_t values) : parent_(values) { std::iota(parent_.begin(), parent_.end(), 0); }

  size_t Of(ir::ValueId id) {
    size_t i = static_cast<size_t>(id);
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void Unite(ir::ValueId a, ir::ValueId b) { parent_[Of(a)] = Of(b); }

 private:
  std::vector<size_t> parent_;
};

ir::Quantization QuantizeSymmetric(const observe::Range& range) {
  const double largest = std::max(-static_cast<double>(range.min), static_cast<double>(range.max));
  return {{static_cast<float>(std::max(largest / INT16_MAX, double{kMinScale}))}, {}, -1};
}

observe::Range RangeOfConstant(const ir::Value& value) {
  observe::Range range;
  const float* x = value.as<float>();
  for (int64_t i = 0; i < value.elements(); ++i) {
    range.min = std::min(range.min, x[i]);
    range.max = std::max(range.max, x[i]);
  }
  return range;
}

class Assigner {
 public:
  Assigner(const ir::Graph& graph, const observe::Ranges& ranges, const NarrowPlan& plan, DType type)
      : type_(type),
        graph_(graph),
        ranges_(ranges),
        plan_(plan),
        uses_(graph.ComputeUses()),
        groups_(graph.value_count()) {}

  Quantizations Assign() {
    CollectValues();
    ForEachPlanned(Int8Role::kPassThrough, [&](const ir::Node& node) { UniteMoved(node); });
    if (type_ == DType::kInt16) CollectFixedScales();
    ForEachPlanned(Int8Role::kConcat, [&](const ir::Node& node) { UniteConcat(node); });
    return QuantizeGroups();
  }

 private:
  template <typename F>
  void ForEachPlanned(Int8Role role, F f) {
    for (const auto& node : graph_.nodes) {
      const auto it = plan_.find(node.get());
      if (it != plan_.end() && it->second == role) f(*node);
    }
  }

  void CollectValues() {
    for (const auto& node : graph_.nodes) {
      const auto it = plan_.find(node.get());
      if (it == plan_.end()) continue;
      const Int8Role role = it->second;
      for (const size_t i : NarrowInputs(*node, role)) values_.insert(node->inputs[i]);
      values_.insert(node->outputs[0]);
      // A residual is as the output.
      if (role == Int8Role::kLayer && node->has_input(Layer::kResidual))
        values_.insert(node->inputs[Layer::kResidual]);
    }
  }

  void CollectFixedScales() {
    ForEachPlanned(Int8Role::kElementwise, [&](const ir::Node& node) {
      if (const auto scale = Int16OutputScale(node)) fixed_[groups_.Of(node.outputs[0])] = *scale;
    });
  }

  void UniteMoved(const ir::Node& node) {
    const ir::ValueId input = node.inputs[0], output = node.outputs[0];
    groups_.Unite(output, input);
    // What is padded in must be inside the range too.
    if (node.code == schema::OpCode::Pad) {
      const float fill = node.as<schema::PadOptionsT>().value;
      extra_[output] = {std::min(fill, 0.0f), std::max(fill, 0.0f), true};
    }
  }

  // Before a concatenation's inputs join the output's group, a value with several readers keeps the whole
  // chain that it belongs to apart: its other readers would lose resolution.
  void UniteConcat(const ir::Node& node) {
    if (HasFixedScale(node.outputs[0])) return;
    for (const ir::ValueId input : node.inputs) {
      if (HasFixedScale(input)) continue;
      if (!graph_.value(input).is_constant() && IsExclusive(input)) groups_.Unite(input, node.outputs[0]);
    }
  }

  bool HasFixedScale(ir::ValueId id) { return fixed_.count(groups_.Of(id)) != 0; }

  bool IsExclusive(ir::ValueId id) {
    const size_t group = groups_.Of(id);
    return std::all_of(values_.begin(), values_.end(), [&](ir::ValueId member) {
      return groups_.Of(member) != group || uses_.single_consumer(member) != nullptr;
    });
  }

  Quantizations QuantizeGroups() {
    std::map<size_t, observe::Range> of_group;
    for (const ir::ValueId id : values_) {
      const ir::Value& value = graph_.value(id);
      Include(value.is_constant() ? RangeOfConstant(value) : ranges_.at(value.name),
              &of_group[groups_.Of(id)]);
      if (const auto it = extra_.find(id); it != extra_.end()) Include(it->second, &of_group[groups_.Of(id)]);
    }
    Quantizations quantization;
    for (const ir::ValueId id : values_) quantization[id] = QuantizationOf(groups_.Of(id), of_group);
    return quantization;
  }

  ir::Quantization QuantizationOf(size_t group, const std::map<size_t, observe::Range>& ranges) const {
    if (type_ != DType::kInt16) return QuantizeRange(ranges.at(group));
    const auto fixed = fixed_.find(group);
    if (fixed != fixed_.end()) return {{fixed->second}, {}, -1};
    return QuantizeSymmetric(ranges.at(group));
  }

  static void Include(const observe::Range& from, observe::Range* to) {
    to->min = std::min(to->min, from.min);
    to->max = std::max(to->max, from.max);
  }

  const DType type_;
  const ir::Graph& graph_;
  const observe::Ranges& ranges_;
  const NarrowPlan& plan_;
  const ir::Graph::Uses uses_;
  Groups groups_;
  std::set<ir::ValueId> values_;
  std::map<ir::ValueId, observe::Range> extra_;
  std::map<size_t, float> fixed_;  // scales of groups
};

}  // namespace

ir::Quantization QuantizeRange(const observe::Range& range) {
  const double scale = std::max((static_cast<double>(range.max) - range.min) / 255.0, double{kMinScale});
  const double zero_point = std::clamp(std::nearbyint(-128.0 - range.min / scale), -128.0, 127.0);
  return {{static_cast<float>(scale)}, {static_cast<int32_t>(zero_point)}, -1};
}

Quantizations AssignQuantization(const ir::Graph& graph, const observe::Ranges& ranges,
                                 const NarrowPlan& plan) {
  return Assigner(graph, ranges, plan, DType::kInt8).Assign();
}

Quantizations AssignInt16(const ir::Graph& graph, const observe::Ranges& ranges, const NarrowPlan& plan) {
  return Assigner(graph, ranges, plan, DType::kInt16).Assign();
}

}  // namespace micrort::quantize
