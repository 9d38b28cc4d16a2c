// Operators about what is no tensor: constants and variables of the file, calls of functions, branches.

#include "converter/frontend/tensorflow/control_flow.h"
#include "converter/frontend/tensorflow/graph_importer.h"
#include "converter/frontend/tensorflow/keras_layers.h"
#include "converter/frontend/tensorflow/list_ops.h"

namespace micrort::frontend::tensorflow {

namespace {

// Limits of calls inside calls, and of all calls: functions that call others twice grow without bound.
constexpr int kMaxDepth = 64;
constexpr size_t kMaxCalls = 16384;    // a second and a half; networks of Keras have some hundred
constexpr size_t kNodesOfACall = 100;  // a function of more counts as several: its nodes are listed each time

ir::ValueId AddConstant(GraphAssembler& assembler, const std::string& name, ConstantTensor tensor) {
  return assembler.graph().AddConstant(name, tensor.dtype, std::move(tensor.shape), std::move(tensor.data));
}

bool IsOneOf(const std::string& op, std::initializer_list<const char*> ops) {
  for (const char* candidate : ops) {
    if (op == candidate) return true;
  }
  return false;
}

}  // namespace

Result<TfValues> GraphImporter::ImportConstant(const Scope& scope, const NodeDef& node) {
  const auto found = node.attr().find("value");
  if (found == node.attr().end() || !found->second.has_tensor()) return Invalid("the constant has no value");
  ConstantTensor tensor;
  const bool is_complex = found->second.tensor().dtype() == ::tensorflow::DT_COMPLEX64;
  MICRORT_RETURN_IF_ERROR(is_complex ? ReadComplexTensor(found->second.tensor(), &tensor)
                                     : ReadTensor(found->second.tensor(), &tensor));
  TfValue constant = TensorValue(AddConstant(assembler(), scope.prefix() + node.name(), std::move(tensor)));
  constant.is_complex = is_complex;
  return TfValues{constant};
}

Result<ir::ValueId> GraphImporter::ReadVariable(const Scope& scope, const NodeDef& node,
                                                const std::string& variable) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId id,
                           variables_.Read(variable, scope.prefix() + node.name(), &outermost_));
  return CaptureOutermost(id);
}

// inputs: a variable, what it becomes, or what is added to it or taken from it.
Result<TfValues> GraphImporter::ChangeVariable(const Scope& scope, const NodeDef& node,
                                               const TfValues& inputs) {
  if (inputs.size() != 2 || inputs[0].variable.empty() || inputs[1].tensor == ir::kNoValue)
    return Unsupported("expected a variable of the model, and a tensor");
  if (levels_.size() > 1) return Unsupported("it changes a variable in a branch or loop that a run decides");
  ir::ValueId value = inputs[1].tensor;
  const bool adds = node.op().compare(0, 9, "AssignAdd") == 0;
  if (adds || node.op().compare(0, 9, "AssignSub") == 0) {
    MICRORT_ASSIGN_OR_RETURN(const ir::ValueId before, ReadVariable(scope, node, inputs[0].variable));
    const std::string name = scope.prefix() + node.name();
    ir::Builder build = assembler().BuilderFor({name, node.op(), 0}, name);
    value = build.Binary(adds ? schema::BinaryKind::Add : schema::BinaryKind::Sub, before, value);
    MICRORT_RETURN_IF_ERROR(build.status());
  }
  variables_.Change(inputs[0].variable, value);
  return TfValues{inputs[0]};
}

ir::ValueId GraphImporter::CaptureOutermost(ir::ValueId id) {
  for (size_t i = 1; i < levels_.size(); ++i) id = levels_[i]->Capture(id);
  return id;
}

Result<std::optional<TfValues>> GraphImporter::ImportSpecial(Scope& scope, const NodeDef& node,
                                                             const TfValues& inputs) {
  const std::string& op = node.op();
  const auto special = [](Result<TfValues> results) -> Result<std::optional<TfValues>> {
    MICRORT_RETURN_IF_ERROR(results.status());
    return std::optional<TfValues>(std::move(*results));
  };
  const auto one = [](TfValue value) { return std::optional<TfValues>({std::move(value)}); };
  if (op == "Const") return special(ImportConstant(scope, node));
  if (IsOneOf(op, {"VarHandleOp", "VariableV2", "Variable"})) {
    MICRORT_RETURN_IF_ERROR(variables_.CheckHandle(SharedName(node), node));
    return one(VariableValue(SharedName(node)));
  }
  const bool reads_variable = inputs.size() == 1 && !inputs[0].variable.empty();
  if (op == "ReadVariableOp" && !reads_variable) return Unsupported("its input is no variable of the model");
  // In graphs of TensorFlow 1 Identity reads the variable, else it hands the resource on.
  const auto type = node.attr().find("T");
  const bool is_resource = type != node.attr().end() && type->second.type() == ::tensorflow::DT_RESOURCE;
  if (op == "ReadVariableOp" || (op == "Identity" && reads_variable && !is_resource)) {
    MICRORT_ASSIGN_OR_RETURN(const ir::ValueId id, ReadVariable(scope, node, inputs[0].variable));
    return one(TensorValue(id));
  }
  if (ChangesVariable(op)) return special(ChangeVariable(scope, node, inputs));
  if (op == "VarIsInitializedOp") {
    ir::Graph& graph = assembler().graph();
    return one(TensorValue(graph.AddConstant(scope.prefix() + node.name(), DType::kBool, {}, {1})));
  }
  const bool hands_on = inputs.size() == 1 && (reads_variable ? op == "Identity" : inputs[0].list != nullptr);
  if (hands_on && IsOneOf(op, {"Identity", "StopGradient"})) return one(inputs[0]);
  if (IsOneOf(op, {"NoOp", "Assert", "ControlTrigger"})) return std::optional<TfValues>(TfValues());
  if (op == "Placeholder" || op == "PlaceholderV2") {
    std::set<std::string> others = missing_;
    others.erase(node.name());
    return MICRORT_ERROR(kInvalidArgument,
                         "the placeholder is needed, but not among the inputs (--feeds)%s%s",
                         others.empty() ? "" : "; so are ", QuotedNames(others).c_str());
  }
  if (IsOneOf(op, {"PartitionedCall", "StatefulPartitionedCall"})) {
    const auto function = node.attr().find("f");
    if (function == node.attr().end()) return Invalid("it names no function");
    return special(ImportCall(scope, node, function->second.func(), inputs));
  }
  if (functions_.count(op) != 0) {
    ::tensorflow::NameAttrList function;
    function.set_name(op);
    *function.mutable_attr() = node.attr();
    return special(ImportCall(scope, node, function, inputs));
  }
  if (IsControlFlow(op)) return special(ImportControlFlow(*this, scope, node, inputs));
  if (IsListOp(op)) return special(ImportListOp(assembler(), scope, node, inputs));
  if (IsOneOf(op, {"Switch", "RefSwitch"})) return special(ImportSwitch(inputs));
  if (IsOneOf(op, {"Merge", "RefMerge"})) {
    const auto alive =
        std::find_if(inputs.begin(), inputs.end(), [](const TfValue& v) { return !v.is_dead; });
    return one(alive == inputs.end() ? DeadValue() : *alive);
  }
  return std::optional<TfValues>();
}

const ::tensorflow::FunctionDef* GraphImporter::FindFunction(const std::string& name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : found->second;
}

Result<TfValues> GraphImporter::ImportCall(Scope& scope, const NodeDef& node,
                                           const ::tensorflow::NameAttrList& function,
                                           const TfValues& inputs) {
  const ::tensorflow::FunctionDef* callee = FindFunction(function.name());
  if (callee == nullptr)
    return MICRORT_ERROR(kInvalidModel, "there is no function '%.100s'", function.name().c_str());
  if (scope.depth() >= kMaxDepth) return Unsupported("more than {} calls inside each other", kMaxDepth);
  calls_ += 1 + (static_cast<size_t>(callee->node_def_size()) + inputs.size()) / kNodesOfACall;
  if (calls_ > kMaxCalls) return Unsupported("more than {} calls of functions", kMaxCalls);
  const auto& signature = callee->signature();
  if (static_cast<size_t>(signature.input_arg_size()) != inputs.size()) {
    return MICRORT_ERROR(kUnsupported, "function '%.100s' takes %d arguments, and is given %zu",
                         function.name().c_str(), signature.input_arg_size(), inputs.size());
  }
  if (callee->attr().count(kImplements) != 0 && IsComplete(inputs)) {
    TfValues given;
    for (const TfValue& input : inputs) given.push_back(Here(input));
    MICRORT_ASSIGN_OR_RETURN(std::optional<TfValues> layer,
                             ImportKerasLayer(assembler(), scope.prefix() + node.name(), *callee, given));
    if (layer) return std::move(*layer);
  }
  const bool keeps_names = function.attr().count(kKeepsNames) != 0;
  Scope inner(keeps_names ? scope.prefix() : scope.prefix() + node.name() + "/", &function.attr(),
              scope.depth() + 1);
  MICRORT_RETURN_IF_ERROR(inner.AddNodes(callee->node_def()));
  inner.SetOrder(effects_->OfFunction(callee->node_def()));
  for (int i = 0; i < signature.input_arg_size(); ++i)
    inner.Give(signature.input_arg(i).name(), inputs[static_cast<size_t>(i)]);
  TfValues results;
  for (const auto& output : signature.output_arg()) {
    const auto ret = callee->ret().find(output.name());
    if (ret == callee->ret().end()) {
      return MICRORT_ERROR(kInvalidModel, "function '%.100s' does not return '%.100s'",
                           function.name().c_str(), output.name().c_str());
    }
    MICRORT_ASSIGN_OR_RETURN(TfValue value, Evaluate(inner, ret->second));
    results.push_back(std::move(value));
  }
  for (const std::string& changing : inner.changing()) MICRORT_RETURN_IF_ERROR(ImportUpTo(inner, changing));
  return results;
}

Result<TfValues> GraphImporter::ImportSwitch(const TfValues& inputs) {
  if (inputs.size() != 2) return Invalid("expected 2 inputs, found {}", inputs.size());
  if (inputs[1].tensor == ir::kNoValue) return Unsupported("the condition is no tensor");
  bool condition = false;
  if (!assembler().IsSettled(inputs[1].tensor, &condition))
    return Unsupported(
        "the condition is not constant, and no Merge ends its branches, or too many nodes decide about it");
  return condition ? TfValues{DeadValue(), inputs[0]} : TfValues{inputs[0], DeadValue()};
}

}  // namespace micrort::frontend::tensorflow
