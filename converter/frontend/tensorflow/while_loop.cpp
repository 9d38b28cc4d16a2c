// A loop whose condition and body are functions. Importers rely on the shapes that they see, so the body is
// imported again once it is known what iterations change: dimensions, and lists that nothing was written to
// before.

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "converter/frontend/tensorflow/control_flow.h"
#include "converter/frontend/tensorflow/tensor_lists.h"

namespace micrort::frontend::tensorflow {

namespace {

using ::tensorflow::FunctionDef;
using ::tensorflow::NameAttrList;
using ::tensorflow::NodeDef;

constexpr size_t kFirstOutput = 1;  // of carried values, after the condition

// Which arguments a function hands on. Each Identity is walked over once, also where they make a circle.
class HandedOn {
 public:
  explicit HandedOn(const FunctionDef& function) : function_(function) {
    for (const NodeDef& node : function.node_def()) {
      if (node.op() == "Identity" && node.input_size() > 0) sources_.emplace(node.name(), &node.input(0));
    }
    for (const auto& argument : function.signature().input_arg()) sources_.erase(argument.name());
  }

  // Whether argument i is result i.
  bool Has(size_t i) {
    const std::string& argument = function_.signature().input_arg(static_cast<int>(i)).name();
    const auto ret = function_.ret().find(function_.signature().output_arg(static_cast<int>(i)).name());
    if (ret == function_.ret().end()) return false;
    Result<TensorRef> ref = ParseTensorRef(*Before(ret->second));
    return ref.ok() && ref->node == argument;
  }

 private:
  // The tensor before nodes that hand it on.
  const std::string* Before(const std::string& tensor) {
    const std::string* at = &tensor;
    std::vector<const std::string**> path;
    std::set<const std::string**> seen;
    for (;;) {
      Result<TensorRef> ref = ParseTensorRef(*at);
      const auto found = ref.ok() ? sources_.find(ref->node) : sources_.end();
      if (found == sources_.end() || !seen.insert(&found->second).second) break;
      path.push_back(&found->second);
      at = found->second;
    }
    for (const std::string** passed : path) *passed = at;
    return at;
  }

  const FunctionDef& function_;
  std::unordered_map<std::string, const std::string*> sources_;  // by Identity: what it hands on
};

// A value that iterations change.
struct CarriedValue : Carried {
  size_t position = 0;  // among the loop's inputs
};

// A dimension of what an iteration writes to a list: a size, or that of a carried value.
struct ElementDim {
  int64_t size = ir::kDynamic;
  ir::ValueId source = ir::kNoValue;  // before the first iteration; kNoValue: none is known to be as large
  int dim = 0;
};

class WhileLoop {
 public:
  WhileLoop(GraphImporter& graphs, Scope& scope, const NodeDef& node, const NameAttrList& condition,
            const NameAttrList& body)
      : graphs_(graphs),
        scope_(scope),
        node_(node),
        condition_(condition),
        body_(body),
        name_(scope.prefix() + node.name()) {}

  Result<TfValues> Import(const TfValues& inputs) {
    for (const TfValue& input : inputs) inputs_.push_back(graphs_.Here(input));
    MICRORT_RETURN_IF_ERROR(CheckFunctions());
    MICRORT_ASSIGN_OR_RETURN(const TfValues go_on, graphs_.ImportCall(scope_, node_, condition_, inputs_));
    if (!IsComplete(go_on)) return OperatorInside();
    MICRORT_ASSIGN_OR_RETURN(const ir::ValueId condition, ConditionOf(graphs_.assembler(), name_, go_on[0]));
    bool is_true = true;
    const bool is_settled = graphs_.assembler().IsSettled(condition, &is_true);
    if (!is_true) return inputs_;
    TfValues results = inputs_;
    MICRORT_RETURN_IF_ERROR(FindCarried());
    ImportedBody body;
    MICRORT_RETURN_IF_ERROR(ImportBody(&body));
    ir::Builder build = Build();
    const std::vector<ir::ValueId> ids =
        AddLoop(build, ir::kNoValue, is_settled ? ir::kNoValue : condition, FirstsOf(carried_), body, true);
    for (size_t k = 0; k < carried_.size(); ++k) {
      TfValue& result = results[carried_[k].position];
      result = Stacked(result, ids[k]);
    }
    return build.Checked(results);
  }

 private:
  ir::Builder Build() { return graphs_.assembler().BuilderFor({name_, node_.op(), 0}, name_); }

  Status CheckFunctions() const {
    const FunctionDef *condition = graphs_.FindFunction(condition_.name()),
                      *body = graphs_.FindFunction(body_.name());
    if (condition == nullptr || body == nullptr) {
      const std::string& name = condition == nullptr ? condition_.name() : body_.name();
      return MICRORT_ERROR(kInvalidModel, "there is no function '%.100s'", name.c_str());
    }
    if (condition->signature().output_arg_size() != 1)
      return Invalid("the condition has {} outputs", condition->signature().output_arg_size());
    const auto inputs = static_cast<size_t>(body->signature().input_arg_size()),
               outputs = static_cast<size_t>(body->signature().output_arg_size());
    if (inputs == inputs_.size() && outputs == inputs) return Status();
    return Invalid("expected a body of {} inputs and outputs, found {} and {}", inputs_.size(), inputs,
                   outputs);
  }

  Status FindCarried() {
    HandedOn handed_on(*graphs_.FindFunction(body_.name()));
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (handed_on.Has(i)) continue;
      const ir::ValueId first = TensorOf(inputs_[i]);
      if (first == ir::kNoValue && inputs_[i].list == nullptr)
        return Unsupported("input {}, which iterations change, is no tensor or list", i);
      if (first != ir::kNoValue) Carry(i, first);
    }
    return Status();
  }

  Status ImportBody(ImportedBody* out) {
    for (bool again = true; again;) {
      again = false;
      std::map<size_t, std::vector<ElementDim>> written;
      const auto import = [&] {
        MICRORT_RETURN_IF_ERROR(ImportIteration());
        MICRORT_RETURN_IF_ERROR(WidenAll(graphs_.assembler(), kFirstOutput, &carried_, &again));
        MICRORT_RETURN_IF_ERROR(FindWritten(&written));
        DropUnchanged(&again);
        return Status();
      };
      MICRORT_RETURN_IF_ERROR(graphs_.ImportInside(import, out).WithPrefix("body"));
      again |= !written.empty();
      for (const auto& entry : written) MICRORT_RETURN_IF_ERROR(FillList(entry.first, entry.second));
    }
    return Status();
  }

  // The body, then the condition on what it gives.
  Status ImportIteration() {
    GraphAssembler& assembler = graphs_.assembler();
    AddLoopScalars(&assembler.graph());
    TfValues arguments = FromAround(inputs_);
    for (const CarriedValue& value : carried_) {
      TfValue& argument = arguments[value.position];
      argument = Stacked(argument, AddCarriedInput(assembler, value));
    }
    MICRORT_ASSIGN_OR_RETURN(after_, graphs_.ImportCall(scope_, node_, body_, arguments));
    if (!IsComplete(after_)) return OperatorInside();
    MICRORT_RETURN_IF_ERROR(CheckLists());
    MICRORT_ASSIGN_OR_RETURN(const TfValues go_on, graphs_.ImportCall(scope_, node_, condition_, after_));
    if (!IsComplete(go_on)) return OperatorInside();
    MICRORT_ASSIGN_OR_RETURN(const ir::ValueId condition, ConditionOf(graphs_.assembler(), name_, go_on[0]));
    MICRORT_RETURN_IF_ERROR(HandOut("condition/next", condition));
    for (const CarriedValue& value : carried_) {
      const ir::ValueId id = TensorOf(after_[value.position]);
      if (id == ir::kNoValue) return Unsupported("result {} of an iteration is no tensor", value.position);
      MICRORT_RETURN_IF_ERROR(HandOut("next:" + std::to_string(value.position), id));
    }
    return Status();
  }

  // What was a list stays one, and what was none does not become one.
  Status CheckLists() const {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if ((inputs_[i].list == nullptr) == (after_[i].list == nullptr)) continue;
      return Invalid("value {} is a list before an iteration or after it, not both", i);
    }
    return Status();
  }

  Status HandOut(const std::string& name, ir::ValueId id) {
    return graphs_.assembler().AddOutput(name_ + "/" + name, id).status();
  }

  void Carry(size_t position, ir::ValueId first) {
    const std::string& name = graphs_.assembler().graph().value(first).name;
    carried_.push_back({{first, name, "value " + std::to_string(position), 0}, position});
  }

  // What came out as it went in is better read from around.
  void DropUnchanged(bool* again) {
    const std::vector<ir::ValueId>& inputs = graphs_.assembler().graph().inputs;
    std::vector<CarriedValue> changed;
    for (size_t k = 0; k < carried_.size(); ++k) {
      const bool is_same = TensorOf(after_[carried_[k].position]) == inputs[kLoopScalars + k];
      if (!is_same) changed.push_back(carried_[k]);
      *again |= is_same;
    }
    carried_ = std::move(changed);
  }

  // Lists that had no elements before and have some now, and how large these are.
  Status FindWritten(std::map<size_t, std::vector<ElementDim>>* out) {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const bool was_empty = inputs_[i].list != nullptr && inputs_[i].list->stacked == ir::kNoValue;
      if (!was_empty || TensorOf(after_[i]) == ir::kNoValue) continue;
      MICRORT_RETURN_IF_ERROR(FindDims(*after_[i].list, &(*out)[i]));
    }
    return Status();
  }

  Status FindDims(const TensorList& list, std::vector<ElementDim>* out) {
    const ir::Graph& graph = graphs_.assembler().graph();
    const std::vector<int64_t>& shape = graph.value(list.stacked).shape;
    for (size_t d = 1; d < shape.size(); ++d) out->push_back({shape[d], ir::kNoValue, 0});
    if (list.item == ir::kNoValue) return Status();
    for (size_t k = 0; k < carried_.size(); ++k) {
      const ir::ValueId candidate = graph.inputs[kLoopScalars + k];
      if (graph.value(candidate).rank() != graph.value(list.item).rank()) continue;
      uint32_t differing = 0;
      MICRORT_RETURN_IF_ERROR(
          graphs_.assembler().inference().DifferingDims(list.item, candidate, &differing));
      for (size_t d = 0; d < out->size(); ++d) {
        ElementDim& dim = (*out)[d];
        const bool is_other = ((differing | carried_[k].changing_dims) >> d & 1u) != 0;
        if (dim.size != ir::kDynamic || dim.source != ir::kNoValue || is_other) continue;
        dim.source = carried_[k].first;
        dim.dim = static_cast<int>(d);
      }
    }
    return Status();
  }

  // Zeros for what iterations will write.
  Status FillList(size_t i, const std::vector<ElementDim>& dims) {
    ir::Builder build = Build();
    const bool is_known = std::all_of(dims.begin(), dims.end(), [](const ElementDim& dim) {
      return dim.size != ir::kDynamic || dim.source != ir::kNoValue;
    });
    TensorList list = *inputs_[i].list;
    if (is_known) {
      std::vector<ir::ValueId> sizes = {build.Integers({})};
      for (const ElementDim& dim : dims) {
        sizes.push_back(dim.size != ir::kDynamic ? build.Integers({dim.size})
                                                 : build.SizesOf(dim.source, dim.dim, dim.dim + 1));
      }
      const ir::ValueId zeros = Zeros(build, list, build.Concat(sizes, 0));
      list = WithStacked(std::move(list), zeros);
    } else {
      // The first iteration, for the shape of what it writes.
      MICRORT_ASSIGN_OR_RETURN(const TfValues results, graphs_.ImportCall(scope_, node_, body_, inputs_));
      const ir::ValueId item = results[i].list == nullptr ? ir::kNoValue : results[i].list->item;
      MICRORT_RETURN_IF_ERROR(Fill(build, item, &list));
    }
    inputs_[i] = ListValue(std::move(list));
    Carry(i, TensorOf(inputs_[i]));
    return build.status();
  }

  GraphImporter& graphs_;
  Scope& scope_;
  const NodeDef& node_;
  const NameAttrList &condition_, &body_;
  const std::string name_;
  TfValues inputs_;
  std::vector<CarriedValue> carried_;
  TfValues after_;  // the iteration that was imported last
};

}  // namespace

Result<TfValues> ImportWhile(GraphImporter& graphs, Scope& scope, const NodeDef& node,
                             const NameAttrList& condition, const NameAttrList& body,
                             const TfValues& inputs) {
  return WhileLoop(graphs, scope, node, condition, body).Import(inputs);
}

}  // namespace micrort::frontend::tensorflow
