#include "converter/frontend/tflite/variable_uses.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "converter/frontend/tflite/ops/hidden_states.h"
#include "converter/frontend/tflite/stated_operator.h"
#include "converter/frontend/tflite/tensor_reader.h"

namespace micrort::frontend::tflite {

namespace {

constexpr size_t kMaxOperators = 1 << 18;  // looked at, those of subgraphs each time that one runs them

class UseFinder {
 public:
  UseFinder(const ModelFile& file, VariableUses* out) : file_(file), out_(*out) {}

  // Names of variables by their handles in the subgraph, those among its inputs to begin with.
  using Names = std::map<int32_t, std::string>;

  Status Visit(size_t subgraph, Names* names, int depth) {
    if (depth > kMaxCallDepth)
      return Unsupported("more than {} subgraphs that run each other", kMaxCallDepth);
    const fb::SubGraph& graph = file_.subgraph(subgraph);
    if (graph.operators() == nullptr) return Status();
    MICRORT_RETURN_IF_ERROR(Count(graph.operators()->size()));
    for (const fb::Operator* op : *graph.operators())
      MICRORT_RETURN_IF_ERROR(Look(*op, subgraph, names, depth));
    return Status();
  }

  void MarkChanged() {
    for (VariableUse& use : out_.all) use.is_changed |= changed_.count(use.key) != 0;
  }

 private:
  Status Count(size_t operators) {
    looked_at_ += operators;
    if (looked_at_ <= kMaxOperators) return Status();
    return Unsupported("more than {} operators in subgraphs that run each other", kMaxOperators);
  }

  const fb::Tensor& TensorAt(size_t subgraph, int32_t index) const {
    return *file_.subgraph(subgraph).tensors()->Get(static_cast<flatbuffers::uoffset_t>(index));
  }

  Status Look(const fb::Operator& op, size_t subgraph, Names* names, int depth) {
    const StatedOperator stated(file_, file_.subgraph(subgraph), op);
    const std::string kind = stated.name();
    const int32_t input = stated.input_index(0), output = stated.output_index(0);
    if (kind == "VAR_HANDLE") (*names)[output] = VariableName(op);
    if (kind == "ASSIGN_VARIABLE") changed_.insert((*names)[input]);
    if (kind == "READ_VARIABLE" && output >= 0 && names->count(input) != 0)
      Add({(*names)[input], &TensorAt(subgraph, output), false, false});
    if (kind == "CALL_ONCE") MICRORT_RETURN_IF_ERROR(AddInitializer(op));
    if (RunsSubgraphs(kind)) MICRORT_RETURN_IF_ERROR(VisitCalled(stated, names, depth));
    MICRORT_RETURN_IF_ERROR(AddHidden(stated, subgraph));
    if (op.inputs() == nullptr) return Status();
    for (const int32_t index : *op.inputs()) {
      if (index >= 0 && TensorAt(subgraph, index).is_variable())
        Add({VariableKey(subgraph, index), &TensorAt(subgraph, index), true, true});
    }
    return Status();
  }

  Status AddHidden(const StatedOperator& op, size_t subgraph) {
    std::vector<ir::Value> states;
    MICRORT_RETURN_IF_ERROR(HiddenStatesOf(op, &states));
    const int32_t output = op.output_index(0);
    if (!states.empty() && output < 0) return Invalid("{} has no output", op.name());
    for (size_t i = 0; i < states.size(); ++i) {
      const std::string key = HiddenKey(subgraph, output, i);
      states[i].name = NameOf(TensorAt(subgraph, output)) + "/state" + key;
      Add({key, nullptr, false, true, std::make_shared<const ir::Value>(std::move(states[i]))});
    }
    return Status();
  }

  void Add(VariableUse use) {
    if (known_.insert(use.key).second) out_.all.push_back(std::move(use));
  }

  Status AddInitializer(const fb::Operator& op) {
    const auto* once = op.builtin_options_as_CallOnceOptions();
    if (once == nullptr) return Status();
    MICRORT_RETURN_IF_ERROR(CheckSubgraphIndex(file_, once->init_subgraph_index()).WithPrefix("CALL_ONCE"));
    const auto index = static_cast<size_t>(once->init_subgraph_index());
    if (std::find(out_.initializers.begin(), out_.initializers.end(), index) == out_.initializers.end())
      out_.initializers.push_back(index);
    return Status();
  }

  Status VisitCalled(const StatedOperator& op, Names* names, int depth) {
    const std::string kind = op.name();
    const flatbuffers::uoffset_t first = kind == "IF" ? 1 : 0;
    for (const int64_t index : SubgraphsOf(op.stated())) {
      MICRORT_RETURN_IF_ERROR(CheckSubgraphIndex(file_, index).WithPrefix("%s", kind.c_str()));
      const auto callee = static_cast<size_t>(index);
      const fb::SubGraph& graph = file_.subgraph(callee);
      // Looking at one of them takes much less than at an operator.
      constexpr size_t kOperandsToOne = 16;
      const size_t operands = (graph.inputs() == nullptr ? 0 : graph.inputs()->size()) +
                              (graph.outputs() == nullptr ? 0 : graph.outputs()->size());
      MICRORT_RETURN_IF_ERROR(Count(operands / kOperandsToOne));
      Names inner;
      for (flatbuffers::uoffset_t k = 0; graph.inputs() != nullptr && k < graph.inputs()->size(); ++k) {
        const auto found = names->find(op.input_index(first + k));
        if (found != names->end()) inner[graph.inputs()->Get(k)] = found->second;
      }
      MICRORT_RETURN_IF_ERROR(Visit(callee, &inner, depth + 1));
      for (flatbuffers::uoffset_t k = 0; graph.outputs() != nullptr && k < graph.outputs()->size(); ++k) {
        const auto found = inner.find(graph.outputs()->Get(k));
        if (found != inner.end()) (*names)[op.output_index(k)] = found->second;
      }
    }
    return Status();
  }

  const ModelFile& file_;
  VariableUses& out_;
  size_t looked_at_ = 0;
  std::set<std::string> known_, changed_;
};

}  // namespace

Status FindVariableUses(const ModelFile& file, size_t subgraph, VariableUses* out) {
  UseFinder finder(file, out);
  UseFinder::Names names;
  MICRORT_RETURN_IF_ERROR(finder.Visit(subgraph, &names, 0));
  finder.MarkChanged();
  return Status();
}

std::string VariableName(const fb::Operator& op) {
  const auto* options = op.builtin_options_as_VarHandleOptions();
  if (options == nullptr) return "/";
  const std::string container = options->container() == nullptr ? "" : options->container()->str();
  const std::string name = options->shared_name() == nullptr ? "" : options->shared_name()->str();
  return container.empty() ? name : container + "/" + name;
}

std::string VariableKey(size_t subgraph, int32_t tensor) {
  return "#" + std::to_string(subgraph) + ":" + std::to_string(tensor);
}

std::string HiddenKey(size_t subgraph, int32_t output, size_t state) {
  return VariableKey(subgraph, output) + ":" + std::to_string(state);
}

bool RunsSubgraphs(const std::string& op) {
  return op == "CALL" || op == "IF" || op == "WHILE" || op == "STABLEHLO_COMPOSITE" ||
         op == "STABLEHLO_WHILE";
}

std::vector<int64_t> SubgraphsOf(const fb::Operator& op) {
  if (const auto* call = op.builtin_options_as_CallOptions()) return {call->subgraph()};
  if (const auto* branch = op.builtin_options_as_IfOptions())
    return {branch->then_subgraph_index(), branch->else_subgraph_index()};
  if (const auto* composite = op.builtin_options_2_as_StableHLOCompositeOptions())
    return {composite->decomposition_subgraph_index()};
  if (const auto* loop = op.builtin_options_as_WhileOptions())
    return {loop->cond_subgraph_index(), loop->body_subgraph_index()};
  if (const auto* loop = op.builtin_options_2_as_StablehloWhileOptions())
    return {loop->cond_subgraph_index(), loop->body_subgraph_index()};
  return {};
}

Status CheckSubgraphIndex(const ModelFile& file, int64_t index) {
  if (index >= 0 && static_cast<uint64_t>(index) < file.subgraph_count()) return Status();
  return Invalid("subgraph {} of {}", index, file.subgraph_count());
}

}  // namespace micrort::frontend::tflite
