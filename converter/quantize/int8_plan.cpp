#include "converter/quantize/int8_plan.h"

#include <cmath>

#include "converter/ir/op_facts.h"
#include "converter/quantize/int16_roles.h"
#include "converter/quantize/layer.h"
#include "converter/quantize/limits.h"
#include "converter/quantize/quantized_weights.h"
#include "converter/quantize/recurrent_inputs.h"
#include "converter/quantize/spectra.h"
#include "kernels/layer_s16/direct_s16.h"

namespace micrort::quantize {
namespace {

// The type that activations get.
struct Form {
  const char* name;
  Int8Role (*role_of)(const ir::Graph& graph, const ir::Node& node);
  int64_t longest_sum;
  LayerType type;
  bool only_asked;  // no other layers than those that are asked to have this type
  LastOnes last;
};
constexpr Form kInt8Form = {"int8", RoleOf, kMaxInt8Sum, LayerType::kInt8, false, LastOnes::kAreFloat};
constexpr Form kInt16Form = {"int16", Int16RoleOf,           kMaxDepthS16, LayerType::kInt16x8,
                             false,   LastOnes::kMayBeNarrow};
constexpr Form kAskedInt16Form = {"int16", Int16RoleOf,        kMaxDepthS16, LayerType::kInt16x8,
                                  true,    LastOnes::kAreFloat};

class Planner {
 public:
  Planner(const Form& form, const ir::Graph& graph, const observe::Ranges& ranges,
          const LayerTypes& exceptions, Report* report)
      : form_(form),
        is_int8_(&form == &kInt8Form),
        graph_(graph),
        ranges_(ranges),
        exceptions_(exceptions),
        report_(report),
        regions_(graph, form.last),
        uses_(graph.ComputeUses()),
        spectra_(LayersAroundSpectra(graph)),
        before_recurrent_(NodesBeforeRecurrent(graph)) {}

  NarrowPlan Plan(const PoorLayers& poor) {
    for (const auto& node : graph_.nodes) AddCandidate(*node);
    regions_.RemoveUseless(&plan_);
    if (poor.all) return std::move(plan_);
    for (const auto& node : graph_.nodes) {
      if (!poor.behind_inputs || !IsBehindInput(*node)) DropPoorLayer(*node);
    }
    regions_.RemoveUseless(&plan_);
    return std::move(plan_);
  }

 private:
  void AddCandidate(const ir::Node& node) {
    const Int8Role role = form_.role_of(graph_, node);
    const std::optional<Layer> layer = DescribeLayer(graph_, node);
    if (layer) ++report_->layers;
    if (role == Int8Role::kNone) {
      if (layer) KeepFloat(node, std::string("no ") + form_.name + " form for this operator and activation");
      return;
    }
    const std::string obstacle = ObstacleTo(node, role, layer);
    if (obstacle.empty()) {
      plan_[&node] = role;
      report_->quantized += layer.has_value();
    } else if (layer) {
      KeepFloat(node, obstacle);
    }
  }

  std::string ObstacleTo(const ir::Node& node, Int8Role role, const std::optional<Layer>& layer) const {
    const auto exception = exceptions_.find(node.name);
    if (form_.only_asked && layer && exception == exceptions_.end()) return "not asked";
    if (exception != exceptions_.end()) {
      if (exception->second != form_.type) return AsAsked(exception->second);
    } else if (const auto it = spectra_.find(&node); it != spectra_.end()) {
      return it->second;
    } else if (is_int8_ && layer && before_recurrent_.count(&node) != 0) {
      return "before a recurrent layer, whose state keeps errors: its input is quantized as it runs";
    }
    for (const size_t i : NarrowInputs(node, role)) {
      if (const std::string why = ObstacleIn(node.inputs[i]); !why.empty()) return why;
    }
    if (const std::string why = ObstacleIn(node.outputs[0]); !why.empty()) return why;
    if (!layer) return "";
    if (layer->weights_per_channel > form_.longest_sum) return "sums too long";
    return WhyNoScales(graph_.value(layer->weights));
  }

  std::string ObstacleIn(ir::ValueId id) const {
    const ir::Value& value = graph_.value(id);
    if (value.is_constant()) return "";
    const auto it = ranges_.find(value.name);
    if (it == ranges_.end()) return "'" + value.name + "' was never computed on the samples";
    const observe::Range& range = it->second;
    if (!range.finite) return "'" + value.name + "' holds NaN or infinity on the samples";
    const float largest = std::max(-range.min, range.max);
    const bool is_small = largest > 0.0f && largest < 255.0f * kMinScale;
    return is_small ? "'" + value.name + "' holds numbers that are too small for a scale" : "";
  }

  // With nothing between but what moves elements, which moves bytes as well.
  bool IsBehindInput(const ir::Node& node) const {
    ir::ValueId id = node.inputs[0];
    for (const ir::Node* from = uses_.producer[static_cast<size_t>(id)]; from != nullptr;
         from = uses_.producer[static_cast<size_t>(id)]) {
      if (!ir::CommutesWithQuantization(graph_, *from)) return false;
      id = from->inputs[0];
    }
    return !graph_.value(id).is_constant();
  }

  void DropPoorLayer(const ir::Node& node) {
    const auto planned = plan_.find(&node);
    if (planned == plan_.end() || planned->second != Int8Role::kLayer) return;
    if (regions_.Gets(plan_, node, planned->second)) return;
    const std::optional<Layer> layer = DescribeLayer(graph_, node);
    if (layer->multiply_adds >= kMinWorkPerStaticActivation * layer->activations) return;
    plan_.erase(planned);
    --report_->quantized;
    KeepFloat(node, "too few multiply-adds to pay for quantizing its input");
  }

  void KeepFloat(const ir::Node& node, const std::string& reason) {
    report_->exceptions.push_back({node.name, schema::EnumNameOpCode(node.code), reason});
  }

  const Form& form_;
  const bool is_int8_;
  const ir::Graph& graph_;
  const observe::Ranges& ranges_;
  const LayerTypes& exceptions_;
  Report* report_;
  const NarrowRegions regions_;
  const ir::Graph::Uses uses_;
  const Spectra spectra_;
  const std::set<const ir::Node*> before_recurrent_;
  NarrowPlan plan_;
};

}  // namespace

NarrowPlan PlanInt8(const ir::Graph& graph, const observe::Ranges& ranges, const LayerTypes& exceptions,
                    const PoorLayers& poor, Report* report) {
  return Planner(kInt8Form, graph, ranges, exceptions, report).Plan(poor);
}

NarrowPlan PlanInt16(const ir::Graph& graph, const observe::Ranges& ranges, const LayerTypes& exceptions,
                     Report* report) {
  return Planner(kInt16Form, graph, ranges, exceptions, report).Plan({true, false});
}

NarrowPlan PlanAskedInt16(const ir::Graph& graph, const observe::Ranges& ranges, const LayerTypes& types,
                          Report* report) {
  return Planner(kAskedInt16Form, graph, ranges, types, report).Plan({true, false});
}

}  // namespace micrort::quantize
