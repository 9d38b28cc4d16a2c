#include "converter/frontend/common/graph_assembler.h"

#include <algorithm>
#include <cinttypes>
#include <utility>

#include "converter/frontend/common/errors.h"
#include "converter/ir/budget.h"
#include "converter/ir/source_quantization.h"
#include "runtime/model/verify_steps.h"

namespace micrort::frontend {

GraphAssembler::GraphAssembler(GraphAssembler& parent, ir::Graph* graph)
    : graph_(*graph),
      parent_(&parent),
      depth_(parent.depth_ + (graph == &parent.graph_ ? 0 : 1)),
      inference_(parent.inference_) {}

ir::Builder GraphAssembler::BuilderFor(ir::Origin origin, std::string stem) {
  return ir::Builder(graph_, std::move(origin), std::move(stem),
                     [this](std::unique_ptr<ir::Node> node) { return Append(std::move(node)); });
}

Status GraphAssembler::Append(std::unique_ptr<ir::Node> node) {
  MICRORT_RETURN_IF_ERROR(CheckCount());
  // No file has operators of so many inputs, even if passes leave a few of them out.
  constexpr size_t kMostInputs = 16 * kMaxOpInputs;
  if (node->inputs.size() > kMostInputs)
    return Unsupported("expected at most {} inputs, found {}", kMostInputs, node->inputs.size());
  MICRORT_RETURN_IF_ERROR(inference_->Visit(*node));
  const bool known = std::all_of(node->outputs.begin(), node->outputs.end(), [&](ir::ValueId id) {
    return inference_->KnownData(graph_, id) != nullptr;
  });
  if (known) {
    for (ir::ValueId id : node->outputs) {
      graph_.value(id).data = inference_->KnownData(graph_, id);
      graph_.value(id).source_quantization = ir::SourceQuantizationAfter(graph_, *node);
      graph_.value(id).source_integers = ir::SourceIntegersAfter(graph_, *node);
    }
  }
  (known ? folded_ : graph_.nodes).push_back(std::move(node));
  return Status();
}

// Loops that are unrolled and functions that are called make nodes in no proportion to the file. Those that
// become constants take as long as others. What comes later is refused before it is looked at.
Status GraphAssembler::CheckCount() const {
  const uint64_t most = ir::CurrentLimits().max_operators;
  if (graph_.nodes.size() + folded_.size() < most) return Status();
  return MICRORT_ERROR(kUnsupported, "expected at most %" PRIu64 " operators (ModelLimits::max_operators)",
                       most);
}

bool GraphAssembler::IsSettled(ir::ValueId id, bool* value) const {
  const auto data = inference_->KnownData(graph_, id);
  if (data == nullptr || data->size() != 1) return false;
  *value = (*data)[0] != 0;
  return true;
}

void GraphAssembler::NameResult(const std::string& name, ir::ValueId id, ir::ValueId first_new) {
  if (id < first_new || graph_.value(id).in_source) return;
  graph_.Rename(id, name);
  graph_.value(id).in_source = true;
}

bool GraphAssembler::IsState(ir::ValueId id) const {
  const std::vector<ir::ValueId>& inputs = graph_.inputs;
  const size_t first = std::min(first_state_, inputs.size());
  return std::find(inputs.begin() + static_cast<ptrdiff_t>(first), inputs.end(), id) != inputs.end();
}

bool GraphAssembler::is_input(ir::ValueId id) const {
  return std::find(graph_.inputs.begin(), graph_.inputs.end(), id) != graph_.inputs.end();
}

Result<ir::ValueId> GraphAssembler::AddOutput(const std::string& name, ir::ValueId id) {
  if (graph_.value(id).is_constant() || is_input(id) || !outputs_.insert(id).second) {
    ir::Builder builder(graph_, {name, "Identity", 0}, name);
    id = builder.Identity(id);
    MICRORT_RETURN_IF_ERROR(inference_->Visit(*graph_.nodes.back()));
    outputs_.insert(id);
  }
  NameOutput(name, id);
  graph_.outputs.push_back(id);
  return id;
}

void GraphAssembler::NameOutput(const std::string& name, ir::ValueId id) {
  const ir::ValueId holder = graph_.FindValue(name);
  if (holder != ir::kNoValue && holder != id && !is_input(holder)) graph_.Rename(holder, name + "/inner");
  graph_.Rename(id, name);
  graph_.value(id).in_source = true;
}

ir::ValueId GraphAssembler::Capture(ir::ValueId outer) {
  if (&graph_ == &parent_->graph_) return outer;
  const auto known = captured_.find(outer);
  if (known != captured_.end()) return known->second;
  ir::Value value = parent_->graph_.value(outer);
  value.in_source = value.decides_shapes = false;
  const bool is_constant = value.is_constant();
  const ir::ValueId id = graph_.AddValue(std::move(value));
  captured_.emplace(outer, id);
  if (is_constant) return id;
  graph_.inputs.push_back(id);
  captures_.push_back(outer);
  inference_->Bind(graph_, id, outer, true, 0);
  return id;
}

void GraphAssembler::Adopt(GraphAssembler& inner) {
  for (auto& node : inner.folded_) folded_.push_back(std::move(node));
  inner.folded_.clear();
}

}  // namespace micrort::frontend
